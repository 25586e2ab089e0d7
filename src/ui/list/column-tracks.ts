/** The columns of the grid that each row of a table is, as a property of the table that its rows inherit. */

import { createContext, type RefObject, useContext, useLayoutEffect } from 'react'
import type { ColumnView } from '../../protocol/table-view.ts'
import { type ColumnWidths, LONG_PX } from './column-widths.ts'

/**
 * Declarations of the tracks of `columns`, in their order, after `before`, rem. Each column takes of the room
 * that is left until all of its content is shown, so nothing is cut beside empty room. Those that stay in
 * sight have no such freedom: each begins where the one before it ends.
 */
export function columnTracks(
  columns: readonly Pick<ColumnView, 'name' | 'pinned'>[],
  widths: ColumnWidths,
  before: number,
): string {
  const last = columns.findLastIndex(({ pinned }) => pinned)
  let tracks = before === 0 ? '' : ` ${before}rem`
  let places = ''
  let end = before
  for (const [at, { name }] of columns.entries()) {
    const { least = 0, full = least } = widths[name] ?? {}
    if (at > last)
      tracks += least < full ? ` minmax(${least / 16}rem,${full / 16}rem)` : ` ${full / 16}rem`
    else {
      const width = Math.max(least, Math.min(full, LONG_PX)) / 16
      tracks += ` ${width}rem`
      end += width
      places += `;--pin-${at + 1}:${end}rem`
    }
  }
  return `--columns:${tracks}${places}`
}

/** Takes the CSS rules of what the server draws, for the head of the document; `null` in the browser. */
export const RulesContext = createContext<string[] | null>(null)

/** Gives a table its tracks. No attribute holds them, since the page has no inline styles. */
export function useTracks(
  table: RefObject<HTMLTableElement | null>,
  component: string,
  declarations: string,
): void {
  const rules = useContext(RulesContext)
  rules?.push(`[data-component=${cssString(component)}]{${declarations}}`)
  useLayoutEffect(() => declare(table.current, declarations), [table, declarations])
}

function declare(table: HTMLTableElement | null, declarations: string): void {
  if (table) table.style.cssText = declarations
}

/** A string of CSS that also ends no element of the document. */
const cssString = (text: string): string =>
  `"${text.replace(/[^\w-]/g, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)}"`
