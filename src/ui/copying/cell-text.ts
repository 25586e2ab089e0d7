/** The whole text of a cell, as far as it can be had. */

import type { FieldValue } from '../../protocol/record-view.ts'
import {
  type Cell,
  type ColumnView,
  type Row,
  SAME_AS_KEY,
  type TableView,
} from '../../protocol/table-view.ts'

/** The cell of a column in a row; `null` where there is none. */
export function cellOf({ columns }: TableView, [key, , ...cells]: Row, column: string): Cell {
  const cell = cells[columns.findIndex(({ name }) => name === column)] ?? null
  return cell === SAME_AS_KEY ? key : cell
}

/** What is shown of it; nothing for NULL and for what is hidden. */
export const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? cell : Array.isArray(cell) ? cell[0] : ''

/** The same, where a time is shown in short the whole of it. */
export const exactOf = (cell: Cell, { kind }: Pick<ColumnView, 'kind'>): string =>
  kind === 'datetime' && Array.isArray(cell) && typeof cell[1] === 'string' ? cell[1] : textOf(cell)

/** Whether only the beginning is there. */
export const isCut = (cell: Cell): boolean => Array.isArray(cell) && typeof cell[1] === 'number'

/** The text of a cell, and what of it could not be had: its end, or all that the list does not show, as the row has gone. */
export type Whole = { readonly text: string; readonly lacks?: 'end' | 'row' }

/** `value`: what was read of a cell that is cut; `null` if its row is gone. */
export function wholeOf(cell: Cell, value: FieldValue | null): Whole {
  if (value === null) return { text: textOf(cell), lacks: 'row' }
  if (!('text' in value)) return { text: textOf(cell), lacks: 'end' }
  const isWhole = value.is !== 'long' || value.shown === undefined
  return isWhole ? { text: value.text } : { text: value.text, lacks: 'end' }
}
