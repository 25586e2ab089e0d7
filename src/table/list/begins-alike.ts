/** Columns whose texts begin alike, such as addresses: a cell without room for all of one shows both its ends. */

import { BEFORE_CELLS, type Row } from '../../protocol/table-view.ts'

/** Characters that all of them begin with, at least. */
const SHARED = 12

/** Whether all texts at a place of the rows begin alike, and differ after that. Cut ones have no end to show. */
export function beginsAlike(rows: readonly Row[], place: number): boolean {
  let shared: string | undefined
  let differ = false
  for (const row of rows) {
    const cell = row[place + BEFORE_CELLS]
    if (cell === null || cell === '') continue
    const text = Array.isArray(cell) && typeof cell[1] === 'string' ? cell[0] : cell
    if (typeof text !== 'string') return false
    if (shared === undefined) shared = text
    else if (text !== shared) {
      differ = true
      let length = Math.min(text.length, shared.length)
      while (length > 0 && !text.startsWith(shared.slice(0, length))) length--
      shared = shared.slice(0, length)
    }
    if (shared.length < SHARED) return false
  }
  return differ
}
