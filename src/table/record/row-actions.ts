/** What an actor may do with one row, where the policy allows it for some rows only. */

import type { OpenTable } from '../catalog.ts'
import type { ChangeAction } from '../source/access.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'

const ACTIONS: readonly ChangeAction[] = ['update', 'delete']

/** The table, with nothing to be done that may not be done to this row. */
export async function openForRow(
  source: Pick<RowSource, 'row'>,
  open: OpenTable,
  key: KeyValues | null,
  run?: Run,
): Promise<OpenTable> {
  if (!key) return open
  const { access } = open
  const barred = await Promise.all(
    ACTIONS.filter((action) => access.may(action)).map(async (action) => {
      const others = access.unchangeable(action)
      return others && (await source.row(others, key, { columns: [] }, run)) ? [action] : []
    }),
  )
  const some = barred.flat()
  return some.length > 0 ? { ...open, access: access.without(some) } : open
}
