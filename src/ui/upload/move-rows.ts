/** Moves a row of a list by its handle: with the arrow keys, or dragged by a mouse, a pen or a finger. */

export type MoveHandlers = {
  /** The row has been put elsewhere among its siblings. */
  moved(row: HTMLElement): void
  /** A drag was given up: the rows go back to where they were. */
  putBack(): void
}

/** Returns nothing to clean up: the handle goes with its row. */
export function moveBy(grip: HTMLElement, row: HTMLElement, { moved, putBack }: MoveHandlers) {
  grip.addEventListener('keydown', (event) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    if (!step(row, by)) return
    moved(row)
    grip.focus()
  })
  grip.addEventListener('pointerdown', (press) => {
    if (press.button !== 0) return
    // Nothing else is selected or scrolled by this press.
    press.preventDefault()
    grip.focus()
    drag(press, row, { moved, putBack })
  })
}

const STEPS: { readonly [key: string]: -1 | 1 } = { ArrowUp: -1, ArrowDown: 1 }

/** The other row moves, so that the one that is held keeps focus and pointer. */
function step(row: HTMLElement, by: -1 | 1): boolean {
  const other = by < 0 ? row.previousElementSibling : row.nextElementSibling
  if (!other) return false
  if (by < 0) row.after(other)
  else row.before(other)
  return true
}

function drag(press: PointerEvent, row: HTMLElement, { moved, putBack }: MoveHandlers): void {
  const stop = new AbortController()
  const { signal } = stop
  let isMoved = false
  row.dataset['dragged'] = ''
  const end = (isKept: boolean) => {
    stop.abort()
    delete row.dataset['dragged']
    if (isMoved && isKept) moved(row)
    else if (isMoved) putBack()
  }
  const middle = (element: Element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2
  }
  addEventListener(
    'pointermove',
    ({ pointerId, clientY }) => {
      if (pointerId !== press.pointerId) return
      const { previousElementSibling: above, nextElementSibling: below } = row
      if (above && clientY < middle(above)) isMoved = step(row, -1)
      else if (below && clientY > middle(below)) isMoved = step(row, 1)
    },
    { signal },
  )
  addEventListener('pointerup', ({ pointerId }) => pointerId === press.pointerId && end(true), {
    signal,
  })
  addEventListener(
    'pointercancel',
    ({ pointerId }) => pointerId === press.pointerId && end(false),
    { signal },
  )
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    },
    { signal, capture: true },
  )
}
