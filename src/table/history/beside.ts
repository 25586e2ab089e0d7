/** What stands in the history beside its entries: things that changed no row, such as roles of people. */

import type { EntryView } from '../../protocol/history-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { EntryQuery } from '../changes/ledger.ts'
import type { FoundEntries } from './entries.ts'

/** Draws what happened from `since` on and before `until`, for those who may know it; the newest first. */
export type Beside = (
  actor: Actor,
  query: Pick<EntryQuery, 'by' | 'since'> & { readonly until?: number; readonly size: number },
  reader: Reader,
) => Promise<readonly EntryView[]>

/** Most of what stands beside a page of entries. */
export const BESIDE_MAX = 50
/** Sorts before every id. */
const FIRST_ID = '-'

type Asked = { readonly actor: Actor; readonly query: EntryQuery; readonly reader: Reader }

/**
 * What stands beside a page of entries. Where that is more than a page holds, the page ends where it does. Filters of
 * tables and doors leave nothing beside.
 */
export async function withBeside(
  beside: Beside | undefined,
  { actor, query, reader }: Asked,
  found: FoundEntries,
): Promise<{ readonly found: FoundEntries; readonly beside: readonly EntryView[] }> {
  const { by, table, door, since = 0, after } = query
  if (!beside || table !== undefined || door !== undefined) return { found, beside: [] }
  const drawn = await beside(
    actor,
    {
      ...(by !== undefined && { by }),
      ...{ since: Math.max(since, found.older?.at ?? 0), size: BESIDE_MAX },
      ...(after && { until: after.at }),
    },
    reader,
  )
  const last = drawn.length < BESIDE_MAX ? undefined : drawn.at(-1)
  if (!last) return { found, beside: drawn }
  const at = Date.parse(last.iso)
  const told = found.told.filter(({ entry }) => entry.at >= at)
  return { found: { told, older: { at, id: FIRST_ID } }, beside: drawn }
}
