/** Small pictures of files, drawn by the browser: no address is made of what has not been checked. */

/** Most bytes of a picture that is decoded for this. */
const LARGEST = 30_000_000
/** Pixels of its longer side: twice what is shown. */
const SIDE = 96

/** Fills the place of a picture; it keeps its icon if there is none. */
export async function drawThumbnail(
  place: HTMLElement,
  address: string | undefined,
  bytes: Blob | undefined,
): Promise<void> {
  if (address !== undefined) {
    const image = document.createElement('img')
    image.alt = ''
    image.src = address
    image.addEventListener('load', () => place.replaceChildren(image))
  } else if (bytes && isPicture(bytes)) {
    // What the browser cannot decode keeps its icon.
    const drawn = await createImageBitmap(bytes).catch(() => undefined)
    if (drawn) place.replaceChildren(drawSmall(drawn))
  }
}

const isPicture = ({ type, size }: Blob): boolean =>
  type.startsWith('image/') && type !== 'image/svg+xml' && size < LARGEST

function drawSmall(picture: ImageBitmap): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height))
  canvas.width = Math.max(1, picture.width * scale)
  canvas.height = Math.max(1, picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas
}
