/** The columns of the grid that each row of a table is, as a property of the table that its rows inherit. */

import { createContext, type RefObject, useContext, useLayoutEffect } from 'react'
import type { ColumnWidths } from './column-widths.ts'

const rem = (px: number) => `${px / 16}rem`

/**
 * Tracks for `columns`, in their order, after what stands before them. Each column takes of the room that is
 * left until all of its content is shown, so nothing is cut beside empty room.
 */
export function columnTracks(
  columns: readonly { readonly name: string }[],
  widths: ColumnWidths,
  before = '',
): string {
  let tracks = before
  for (const { name } of columns) {
    const { least = 0, full = least } = widths[name] ?? {}
    tracks += least < full ? ` minmax(${rem(least)},${rem(full)})` : ` ${rem(full)}`
  }
  return tracks
}

/** Takes the CSS rules of what the server draws, for the head of the document; `null` in the browser. */
export const RulesContext = createContext<string[] | null>(null)

/** Gives a table its tracks. No attribute holds them, since the page has no inline styles. */
export function useTracks(
  table: RefObject<HTMLTableElement | null>,
  component: string,
  tracks: string,
): void {
  const rules = useContext(RulesContext)
  rules?.push(`[data-component=${cssString(component)}]{--columns:${tracks}}`)
  useLayoutEffect(() => table.current?.style.setProperty('--columns', tracks), [table, tracks])
}

/** A string of CSS that also ends no element of the document. */
const cssString = (text: string): string =>
  `"${text.replace(/[^\w-]/g, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)}"`
