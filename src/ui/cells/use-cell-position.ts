/** Keeps an editor over its cell, whatever scrolls or is drawn again. */

import { type RefObject, useEffect, useState } from 'react'
import { type CellPlace, cellAtPlace } from './places.ts'

/** Room for what hangs below a cell, px. */
const BELOW_PX = 140
/** Up to here rows are cards, px. */
const CARDS_PX = 640

/**
 * `sheet` among cards, and where the row is not on the page, so that what was typed stays in sight; `above` where there is
 * no room below.
 */
export function useCellPosition(
  editor: RefObject<HTMLElement | null>,
  table: { readonly current: HTMLTableElement | null },
  { row, column }: CellPlace,
): 'over' | 'above' | 'sheet' {
  const [position, setPosition] = useState<'over' | 'above' | 'sheet'>('over')
  useEffect(() => {
    const scroller = editor.current?.closest<HTMLElement>('.scroller')
    function place(): void {
      const cell = cellAtPlace(table.current, { row, column })
      if (!cell || !scroller || !editor.current || innerWidth <= CARDS_PX)
        return setPosition('sheet')
      const [own, all] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()]
      const { style } = editor.current
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
    return () => {
      drawn.disconnect()
      sized.disconnect()
      scroller.removeEventListener('scroll', place)
    }
  }, [editor, table, row, column])
  return position
}
