/** Texts that a cell may draw as what they stand for. */

/** Whether the text is an address of the web, which alone becomes a link or a picture. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text)

/** Whether the text is a colour in hexadecimal digits, such as `#0b6172`. */
export const isColour = (text: string): boolean =>
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)

/** What a picture is called: the last part of its address, or its host. */
export function pictureName(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  const parts = path.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}
