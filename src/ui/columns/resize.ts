/** Drags the edge of a column’s head: the table follows, and has its tracks anew once the width is kept. */

import { bounded } from './arrange.ts'

/** 1, or -1 where text runs from right to left. */
export const forwards = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)

/** Draws the column of a head with another width. */
export function showWidth(head: HTMLTableCellElement, px: number): void {
  const table = head.closest('table')
  if (!table) return
  const tracks: string[] =
    table.style.getPropertyValue('--columns').match(/minmax\([^)]*\)|\S+/g) ?? []
  table.style.setProperty('--columns', tracks.with(head.cellIndex, `${px / 16}rem`).join(' '))
}

type Resizing = {
  /** The width while the edge is dragged, px. */
  changed(px: number): void
  /** The edge was let go at this width. */
  kept(px: number): void
}

/** Begins with the press of a mouse, a pen or a finger. Escape gives it up. */
export function resize(
  head: HTMLTableCellElement,
  press: { pointerId: number; clientX: number },
  { changed, kept }: Resizing,
): void {
  const table = head.closest('table')
  const before = head.offsetWidth
  const was = table?.style.cssText ?? ''
  let px = before
  const stop = new AbortController()
  const on = <Name extends 'pointermove' | 'pointerup' | 'pointercancel'>(
    name: Name,
    run: (event: PointerEvent) => void,
  ) =>
    addEventListener(name, (event) => event.pointerId === press.pointerId && run(event), {
      signal: stop.signal,
    })
  const giveUp = () => {
    stop.abort()
    if (table) table.style.cssText = was
    changed(before)
  }
  on('pointermove', ({ clientX }) => {
    px = bounded(before + (clientX - press.clientX) * forwards())
    showWidth(head, px)
    changed(px)
  })
  on('pointerup', () => {
    stop.abort()
    if (px !== before) kept(px)
  })
  on('pointercancel', giveUp)
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      giveUp()
    },
    { signal: stop.signal, capture: true },
  )
}
