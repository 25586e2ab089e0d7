/** Files that a person drags over the page: their types, for fields to say whether they take them. */

/** `null`: no files are dragged. The browser tells names and sizes only once they are let go of. */
export type Dragged = readonly string[] | null

/** Files that are let go of beside a field are not opened in its place. */
export function watchDragged(changed: (types: Dragged) => void, signal: AbortSignal): void {
  let told = ''
  const tell = (types: Dragged) => {
    const now = types?.join() ?? NONE
    if (now !== told) changed(types)
    told = now
  }
  for (const name of ['dragenter', 'dragover'] as const)
    addEventListener(
      name,
      (event) => {
        const types = typesIn(event)
        tell(types)
        if (types === null || event.defaultPrevented) return
        event.preventDefault()
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
      },
      { signal },
    )
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && tell(null), {
    signal,
  })
  // A field may keep the event to itself.
  for (const name of ['drop', 'dragend'] as const)
    addEventListener(name, () => tell(null), { signal, capture: true })
}

const NONE = '-'

const typesIn = ({ dataTransfer }: DragEvent): Dragged =>
  dataTransfer?.types.includes('Files')
    ? [...dataTransfer.items].flatMap(({ kind, type }) => (kind === 'file' ? [type] : []))
    : null
