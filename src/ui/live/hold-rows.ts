/** Holds back what a refresh brings, and notes which of the rows that are edited it did not bring. */

import type { TableView } from '../../protocol/table-view.ts'
import { heldRows } from './held-rows.ts'
import { pinnedRows } from './holding.ts'

/** Keys of the pinned rows that stay in sight though the newest page does not have them. */
export const offPage = new Set<string>()

/** What to show for now; `null` shows all. */
export function holdRows(shown: TableView, fresh: TableView): TableView | null {
  const held = heldRows(shown, fresh, pinnedRows)
  offPage.clear()
  if (!held) return null
  const brought = new Set(fresh.rows.map(([key]) => key))
  for (const key of pinnedRows.keys()) if (!brought.has(key)) offPage.add(key)
  return held
}
