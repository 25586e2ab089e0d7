/** Dragging a row by its handle, with a mouse, a pen or a finger: the row lifts, and a line says where it lands. */

import type { PointerEvent } from 'react'
import { isAfter } from './moves.ts'

/** How far the pointer moves before a press becomes a drag, px. */
const THRESHOLD_PX = 4
/** How near to an edge of the view the rows begin to scroll, px, and how fast, px a frame. */
const EDGE_PX = 48
const SCROLL_PX = 12
/** How far a lifted row stands to the side and below the line that says where it lands, px. */
const ASIDE_PX = 12
const BELOW_PX = 8

export type Drop = { readonly key: string; readonly after: boolean }

export type DragHandlers = {
  /** The row is lifted: rows stay as they are until it is dropped or put back. */
  begin(): void
  /** It would land elsewhere now. */
  over(drop: Drop): void
  /** `null`: it was put back. */
  end(drop: Drop | null): void
}

/** Follows the pointer that is pressed on a handle until it is released, or Escape is pressed. */
export function dragRow(
  press: PointerEvent<HTMLElement>,
  { begin, over, end }: DragHandlers,
): void {
  const row = press.currentTarget.closest('tr')
  const table = row?.closest('table')
  const scroller = table?.closest<HTMLElement>('.scroller, .record')
  if (!row || !table || !scroller || press.button !== 0) return
  const { clientY: startY, pointerId } = press
  const stop = new AbortController()
  const { signal } = stop
  let lifted: HTMLElement | undefined
  let drop: Drop | null = null
  let marked: HTMLElement | undefined
  let y = startY
  let frame = 0

  const mark = (target: HTMLElement | undefined, after: boolean) => {
    marked?.removeAttribute('data-drop')
    marked = target
    if (target) target.dataset['drop'] = after ? 'after' : 'before'
    const key = target?.dataset['rowKey']
    const before = drop
    drop = key === undefined ? null : { key, after }
    if (drop && (drop.key !== before?.key || drop.after !== before.after)) over(drop)
  }

  const point = () => {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows])
    const boxes = rows.map((one) => ({ one, box: one.getBoundingClientRect() }))
    const over = boxes.find(({ box }) => y >= box.top && y < box.bottom)
    const nearest = over ?? (y < (boxes[0]?.box.top ?? 0) ? boxes[0] : boxes.at(-1))
    if (!nearest) return
    const after = isAfter(y, nearest.box)
    mark(nearest.one, after)
    // Below the line, so that it covers neither the line nor the row above it.
    const line = after ? nearest.box.bottom : nearest.box.top
    if (lifted) lifted.style.transform = `translate(${ASIDE_PX}px, ${line + BELOW_PX}px)`
  }

  /** Scrolls while the pointer is near an edge; as cards, the document scrolls. */
  const scroll = () => {
    frame = requestAnimationFrame(scroll)
    const isOwn = scroller.scrollHeight > scroller.clientHeight
    const { top, bottom } = isOwn
      ? scroller.getBoundingClientRect()
      : { top: 0, bottom: window.innerHeight }
    const by = y < top + EDGE_PX ? -SCROLL_PX : y > bottom - EDGE_PX ? SCROLL_PX : 0
    if (by === 0) return
    ;(isOwn ? scroller : window).scrollBy({ top: by })
    point()
  }

  const lift = () => {
    lifted = liftedRow(table, row)
    row.dataset['hole'] = ''
    begin()
    frame = requestAnimationFrame(scroll)
  }

  const finish = (result: Drop | null) => {
    stop.abort()
    cancelAnimationFrame(frame)
    mark(undefined, false)
    if (!lifted) return
    lifted.remove()
    delete row.dataset['hole']
    // The release is also a click on the handle, which would open its dialog.
    const swallow = (event: Event) => event.stopPropagation()
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    end(result)
  }

  const onMove = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return
    y = event.clientY
    if (!lifted && Math.abs(y - startY) < THRESHOLD_PX) return
    if (!lifted) lift()
    point()
  }
  const onUp = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return
    const result = drop
    finish(event.type === 'pointerup' ? result : null)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !lifted) return
    event.preventDefault()
    event.stopPropagation()
    finish(null)
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', onUp, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
}

/** A copy of the row that follows the line, as wide as the table, with its cells as wide as they are there. */
function liftedRow(table: HTMLTableElement, row: HTMLTableRowElement): HTMLElement {
  const { left, width, height } = row.getBoundingClientRect()
  const frame = document.createElement('div')
  frame.className = 'lifted'
  frame.ariaHidden = 'true'
  frame.inert = true
  Object.assign(frame.style, {
    top: '0',
    left: `${left}px`,
    width: `${width - ASIDE_PX}px`,
    height: `${height}px`,
  })
  const copy = document.createElement('table')
  copy.className = table.className
  // The tracks are the table's own; the last one takes what no column needs.
  const tracks = getComputedStyle(row).gridTemplateColumns.split(' ')
  copy.style.setProperty('--columns', tracks.slice(0, -1).join(' '))
  const body = document.createElement('tbody')
  body.append(row.cloneNode(true))
  copy.append(body)
  frame.append(copy)
  // Its own styles hold inside the page only.
  table.parentElement?.append(frame)
  return frame
}
