/** Reads entries of the ledger: one, or those that fit a query. */

import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Entry, EntryQuery } from '../../table/changes/ledger.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { rowKeyOf } from './image-codec.ts'
import { setsHolding } from './read-sets.ts'
import { keyRangeOf } from './set-codec.ts'
import type { ChangeRow, LedgerTables } from './tables.ts'

const recorded = v.object({
  tables: v.array(
    v.object({
      ...{ table: v.string(), inserted: v.number(), updated: v.number(), deleted: v.number() },
    }),
  ),
  lacks: v.array(v.object({ table: v.string(), columns: v.array(v.string()), rows: v.number() })),
})

export async function findEntry(db: Kysely<LedgerTables>, id: string): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('tablewireChanges')
    .selectAll()
    .where('id', '=', id)
    .where('state', '!=', 'void')
    .executeTakeFirst()
  if (!row) return undefined
  const [entry] = await entriesOf(db, [row])
  return entry
}

export async function listEntries(db: Kysely<LedgerTables>, query: EntryQuery): Promise<Entry[]> {
  const { table, key, keys, size } = query
  const wanted = keys ?? (key ? [key] : [])
  if (table !== undefined && wanted.length > 0)
    return entriesOf(db, await rowsAbout(db, query, { table, wanted }))
  let rows = fitting(db, query).selectAll('change').limit(size)
  if (table !== undefined)
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('tablewireChangeImages as image')
          .select('image.place')
          .where('image.tableName', '=', table)
          .whereRef('image.changeId', '=', 'change.id'),
      ),
    )
  return entriesOf(db, await rows.execute())
}

/** Whatever rows they are about, the newest first. */
function fitting(db: Kysely<LedgerTables>, { by, door, since, until, after }: EntryQuery) {
  let query = db
    .selectFrom('tablewireChanges as change')
    .where('state', '!=', 'void')
    .where('jobId', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  if (by !== undefined) query = query.where('byId', '=', by)
  if (door !== undefined) query = query.where('door', '=', door)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  if (after)
    query = query
      .where('at', '<=', after.at)
      .where(({ or, eb }) => or([eb('at', '<', after.at), eb('id', '<', after.id)]))
  return query
}

type About = { readonly table: string; readonly wanted: readonly KeyValues[] }

/** Those about one of the rows: by the keys that they have in the ledger, or within a set. */
async function rowsAbout(
  db: Kysely<LedgerTables>,
  query: EntryQuery,
  { table, wanted }: About,
): Promise<ChangeRow[]> {
  const { size } = query
  const named = await fitting(db, query)
    .selectAll('change')
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('tablewireChangeKeys')
          .select('changeId')
          .where('rowKey', 'in', wanted.map(rowKeyOf))
          .where('tableName', '=', table),
      ),
    )
    .limit(size)
    .execute()
  // Those before the last of a full list count no more.
  const since =
    named.length < size ? query.since : Math.max(Number(named.at(-1)?.at), query.since ?? 0)
  const range = keyRangeOf(wanted)
  const places = await fitting(db, { ...query, ...(since !== undefined && { since }) })
    .innerJoin('tablewireChangeImages as image', 'image.changeId', 'change.id')
    .select(['image.changeId', 'image.place', 'image.firstKey', 'image.lastKey'])
    .where('image.tableName', '=', table)
    .where('image.firstKey', '<=', range.last)
    .where('image.lastKey', '>=', range.first)
    .execute()
  const found = new Set<string>()
  for await (const { changeId } of setsHolding(db, wanted, places, found)) {
    found.add(changeId)
    if (found.size >= size) break
  }
  if (found.size === 0) return named
  const inSets = await fitting(db, query)
    .selectAll('change')
    .where('id', 'in', [...found])
    .execute()
  const all = new Map([...named, ...inSets].map((row) => [row.id, row]))
  return [...all.values()].toSorted(newestFirst).slice(0, size)
}

const newestFirst = (a: ChangeRow, b: ChangeRow): number =>
  Number(b.at) - Number(a.at) || (a.id < b.id ? 1 : -1)

/** What the parts of jobs' entries say, by entry. */
async function partsOf(
  db: Kysely<LedgerTables>,
  ids: readonly string[],
): Promise<Map<string, ChangeRow[]>> {
  const parts = await db
    .selectFrom('tablewireChanges')
    .selectAll()
    .where('jobId', 'in', ids)
    .where('state', '!=', 'void')
    .orderBy('jobStep')
    .execute()
  return Map.groupBy(parts, ({ jobId }) => jobId ?? '')
}

export async function entriesOf(
  db: Kysely<LedgerTables>,
  rows: readonly ChangeRow[],
): Promise<Entry[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const undoing = await db
    .selectFrom('tablewireChanges')
    .select(['id', 'undoes'])
    .where('undoes', 'in', ids)
    .where('jobId', 'is', null)
    .where('state', '=', 'done')
    .orderBy('at')
    .execute()
  const of = Map.groupBy(undoing, ({ undoes }) => undoes)
  const parts = await partsOf(db, ids)
  return rows.map((row) => {
    const undoneBy = (of.get(row.id) ?? []).map(({ id }) => id)
    const entry = entryOf(row, undoneBy)
    const some = (parts.get(row.id) ?? []).map((part) => entryOf(part, []))
    return some.length === 0 ? entry : { ...entry, ...together(some) }
  })
}

/** What a job's steps say as one entry. */
function together(parts: readonly Entry[]): Pick<Entry, 'state' | 'tables' | 'lacks'> {
  const tables = [
    ...Map.groupBy(
      parts.flatMap((part) => part.tables),
      ({ table }) => table,
    ),
  ]
  const sum = (of: Entry['tables'], what: 'inserted' | 'updated' | 'deleted'): number =>
    of.reduce((total, counts) => total + counts[what], 0)
  const states = new Set(parts.map(({ state }) => state))
  return {
    state: states.has('uncertain') ? 'uncertain' : states.has('pending') ? 'pending' : 'done',
    tables: tables.map(([table, of]) => ({
      table,
      inserted: sum(of, 'inserted'),
      updated: sum(of, 'updated'),
      deleted: sum(of, 'deleted'),
    })),
    lacks: parts.flatMap(({ lacks }) => lacks),
  }
}

function entryOf(row: ChangeRow, undoneBy: readonly string[]): Entry {
  const { id, byId, byName, behalfId, behalfName, door, undoes, state, hook } = row
  return {
    ...{ id, at: Number(row.at), by: { id: byId, name: byName }, door, state, hook, undoneBy },
    ...(behalfId !== null && { behalf: { id: behalfId, name: behalfName ?? '' } }),
    ...(undoes !== null && { undoes }),
    ...v.parse(recorded, JSON.parse(row.recorded)),
  }
}
