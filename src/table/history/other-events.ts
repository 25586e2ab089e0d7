/** What the history tells besides changes of rows, such as changes of people's roles. */

import type { EntryView } from '../../protocol/history-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { EntryQuery } from '../changes/ledger.ts'
import type { FoundEntries } from './entries.ts'

/** Draws what happened from `since` on and before `until`, for those who may know it; the newest first. */
export type OtherEvents = (
  actor: Actor,
  query: Pick<EntryQuery, 'by' | 'since'> & { readonly until?: number; readonly size: number },
  reader: Reader,
) => Promise<readonly EntryView[]>

/** What several sources tell, as if it were one. */
export const allEvents =
  (sources: readonly OtherEvents[]): OtherEvents =>
  async (actor, query, reader) => {
    const told = await Promise.all(sources.map((events) => events(actor, query, reader)))
    return told
      .flat()
      .toSorted((a, b) => Date.parse(b.iso) - Date.parse(a.iso))
      .slice(0, query.size)
  }

/** Most other events of a page: more than happen at one moment. */
const EVENTS_MAX = 50
/** Sorts before every id. */
const FIRST_ID = '-'

type Asked = { readonly actor: Actor; readonly query: EntryQuery; readonly reader: Reader }

/**
 * The other events of a page of entries. Where they are too many, the page ends where they do. Filters of tables and
 * doors leave none.
 */
export async function withOtherEvents(
  otherEvents: OtherEvents | undefined,
  { actor, query, reader }: Asked,
  found: FoundEntries,
): Promise<{ readonly found: FoundEntries; readonly others: readonly EntryView[] }> {
  const { by, table, door, since = 0, after } = query
  if (!otherEvents || table !== undefined || door !== undefined) return { found, others: [] }
  const asked = {
    ...(by !== undefined && { by }),
    ...{ since: Math.max(since, found.older?.at ?? 0), size: EVENTS_MAX },
    ...(after && { until: after.at }),
  }
  const others = await otherEvents(actor, asked, reader)
  const last = others.length < EVENTS_MAX ? undefined : others.at(-1)
  if (!last) return { found, others }
  // The next page begins with all of the moment at which this one ends, as more of it may have been left out.
  const end = Date.parse(last.iso) + 1
  return {
    found: {
      told: found.told.filter(({ entry }) => entry.at >= end),
      older: { at: end, id: FIRST_ID },
    },
    others: others.filter(({ iso }) => Date.parse(iso) >= end),
  }
}
