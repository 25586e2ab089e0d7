/** Keeps an editor over its cell, whatever scrolls or is drawn again. */

import { type RefObject, useEffect, useState } from 'react'
import { type CellPlace, cellAtPlace } from './places.ts'

/** Room for what hangs below a cell, px. */
const BELOW_PX = 140
/** Up to here rows are cards, px. */
const CARDS_PX = 640

/**
 * `above`: over the cell, and what hangs below it stands above it, for want of room. `sheet`: among cards, where
 * nothing else can be reached meanwhile. `apart`: the row is not on the page, and what was typed stays in sight.
 */
export type CellPosition = 'over' | 'above' | 'sheet' | 'apart'

export function useCellPosition(
  editor: RefObject<HTMLElement | null>,
  table: { readonly current: HTMLTableElement | null },
  { row, column }: CellPlace,
): CellPosition {
  const [position, setPosition] = useState<CellPosition>(() =>
    innerWidth <= CARDS_PX ? 'sheet' : 'over',
  )
  useEffect(() => {
    const scroller = editor.current?.closest<HTMLElement>('.scroller')
    function place(): void {
      if (!editor.current) return
      const { style } = editor.current
      style.setProperty('--keyboard', `${keyboardPx()}px`)
      style.removeProperty('--h')
      if (innerWidth <= CARDS_PX) return setPosition('sheet')
      const cell = cellAtPlace(table.current, { row, column })
      if (!cell || !scroller) return setPosition('apart')
      const [own, all] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()]
      style.setProperty('--x', `${own.left - all.left + scroller.scrollLeft}px`)
      style.setProperty('--y', `${own.top - all.top + scroller.scrollTop}px`)
      style.setProperty('--end', `${scroller.scrollLeft + scroller.clientWidth}px`)
      style.setProperty('--w', `${own.width}px`)
      style.setProperty('--h', `${own.height}px`)
      const isLow = all.bottom - own.bottom < BELOW_PX && own.top - all.top > BELOW_PX
      setPosition(isLow ? 'above' : 'over')
    }
    place()
    if (!scroller) return undefined
    const drawn = new MutationObserver(place)
    drawn.observe(scroller, { childList: true, subtree: true })
    const sized = new ResizeObserver(place)
    sized.observe(scroller)
    scroller.addEventListener('scroll', place, { passive: true })
    visualViewport?.addEventListener('resize', place)
    return () => {
      drawn.disconnect()
      sized.disconnect()
      scroller.removeEventListener('scroll', place)
      visualViewport?.removeEventListener('resize', place)
    }
  }, [editor, table, row, column])
  return position
}

/** What the keyboard of a touch screen covers at the foot of the window, px. */
function keyboardPx(): number {
  const seen = visualViewport
  // A page that is zoomed in shows less as well.
  if (!seen || seen.scale > 1) return 0
  return Math.max(0, innerHeight - seen.height - seen.offsetTop)
}
