/** Reads rows that are edited and that their page no longer has, so that they show what is stored now. */

import type { LiveComponent } from '../../client/component.ts'
import { callsOf, type TypesOf } from '../../protocol/component-types.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { ROWS_BY_KEY_MAX } from '../../protocol/table-view.ts'
import { offPage } from '../live/hold-rows.ts'
import { pinnedRows } from '../live/holding.ts'

/** Settles once they are shown, or could not be read. */
export async function readPinned(list: LiveComponent): Promise<void> {
  const keys = [...offPage].slice(0, ROWS_BY_KEY_MAX)
  if (keys.length === 0) return
  const call = callsOf<TypesOf<TableComponent>>(list.call)
  // The page's failure display says what went wrong; the rows stay as they are.
  const rows = await call.rowsByKey(keys).catch(() => null)
  if (!rows) return
  const found = new Map(rows.map((row) => [row[0], row]))
  // The person may have left the table meanwhile.
  for (const key of keys) if (pinnedRows.has(key)) pinnedRows.set(key, found.get(key) ?? null)
  await list.refresh()
}
