/** Forgetting what a row held, and remembering that somebody wanted that. */

import type { Kysely } from 'kysely'
import type { Erasure, Ledger } from '../../table/changes/ledger.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Store } from '../metadata/store.ts'
import { decodeImages, DIGEST, digestOf, digestsIn, encodeImages, rowKeyOf } from './image-codec.ts'
import { setsHolding } from './read-sets.ts'
import { someOf } from '../../table/source/ledger-entry.ts'
import { decodeSet, encodeSet, keyRangeOf } from './set-codec.ts'
import type { ErasureRow, ImageRow, LedgerTables } from './tables.ts'

type Row = { readonly table: string; readonly rowKey: string }

export function eraseRow(
  store: Pick<Store<LedgerTables>, 'transaction'>,
  row: { readonly table: string; readonly key: KeyValues },
  erasure: Pick<ErasureRow, 'id' | 'at' | 'byId' | 'byName'>,
): Promise<void> {
  const { table, rowKey } = { table: row.table, rowKey: rowKeyOf(row.key) }
  return store.transaction(async (within) => {
    const changes = await within
      .selectFrom('tablewireChangeKeys')
      .select('changeId')
      .where('rowKey', '=', rowKey)
      .where('tableName', '=', table)
      .execute()
    const named = changes.map(({ changeId }) => changeId)
    const { changed, stoodApart } = await forgetInSets(within, row)
    let isAnyApart = stoodApart
    for (const changeId of named)
      if (await forget(within, changeId, { table, rowKey })) isAnyApart = true
    if (isAnyApart) await forgetUnnamed(within)
    await within
      .deleteFrom('tablewireChangeKeys')
      .where('rowKey', '=', rowKey)
      .where('tableName', '=', table)
      .execute()
    for (const changeId of new Set([...named, ...changed])) await forgetEmpty(within, changeId)
    await within
      .insertInto('tablewireErasures')
      .values({ ...erasure, tableName: table, rowDigest: digestOf(rowKey) })
      .execute()
  })
}

/** Takes the images of a row out of a change; returns whether values may have stood apart from them. */
async function forget(
  within: Kysely<LedgerTables>,
  changeId: string,
  { table, rowKey }: Row,
): Promise<boolean> {
  const chunks = await within
    .selectFrom('tablewireChangeImages')
    .select(['changeId', 'place', 'images'])
    .where('changeId', '=', changeId)
    .where('tableName', '=', table)
    .where('firstKey', 'is', null)
    .execute()
  let stoodApart = false
  for (const chunk of chunks) {
    const kept = withoutRow(table, chunk.images, rowKey)
    if (kept && (await keep(within, chunk, kept))) stoodApart = true
  }
  return stoodApart
}

/** The same for all sets, of which those alone are read that may hold the row. */
async function forgetInSets(
  within: Kysely<LedgerTables>,
  { table, key }: { readonly table: string; readonly key: KeyValues },
): Promise<{ readonly changed: readonly string[]; readonly stoodApart: boolean }> {
  const { first, last } = keyRangeOf([key])
  const places = await within
    .selectFrom('tablewireChangeImages')
    .select(['changeId', 'place', 'firstKey', 'lastKey'])
    .where('tableName', '=', table)
    .where('firstKey', '<=', last)
    .where('lastKey', '>=', first)
    .execute()
  const changed: string[] = []
  let stoodApart = false
  for await (const chunk of setsHolding(within, [key], places)) {
    changed.push(chunk.changeId)
    if (await keep(within, chunk, ofSet(table, chunk.images, rowKeyOf(key)))) stoodApart = true
  }
  return { changed, stoodApart }
}

/** Returns whether values may have stood apart from what is no longer kept. */
async function keep(
  within: Kysely<LedgerTables>,
  { changeId, place, images }: Pick<ImageRow, 'changeId' | 'place' | 'images'>,
  kept: Kept,
): Promise<boolean> {
  await within
    .updateTable('tablewireChangeImages')
    .set(kept)
    .where('changeId', '=', changeId)
    .where('place', '=', place)
    .execute()
  return digestsIn(images).length > 0
}

type Kept = Partial<Pick<ImageRow, 'images' | 'firstKey' | 'lastKey'>>

/** `undefined` if there is no such row. */
function withoutRow(table: string, images: string, rowKey: string): Kept | undefined {
  const all = decodeImages(table, images)
  const kept = all.filter(({ key }) => rowKeyOf(key) !== rowKey)
  return kept.length < all.length ? { images: encodeImages(kept) } : undefined
}

/** The same for a set that holds the row; without its last row, it is none any more. */
function ofSet(table: string, images: string, rowKey: string): Kept {
  const all = decodeSet(table, images)
  const kept = someOf(all, (at) => rowKeyOf(all.keys[at] ?? []) !== rowKey)
  if (kept.keys.length === 0) return { images: encodeImages([]), firstKey: null, lastKey: null }
  const { first, last } = keyRangeOf(kept.keys)
  return { images: encodeSet(kept), firstKey: first, lastKey: last }
}

/** Forgets who made a change of which no row is left, unless its tables are yet to be told of it. */
async function forgetEmpty(within: Kysely<LedgerTables>, changeId: string): Promise<void> {
  const { numDeletedRows } = await within
    .deleteFrom('tablewireChanges')
    .where('id', '=', changeId)
    .where('hook', '!=', 'due')
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(
            selectFrom('tablewireChangeKeys')
              .select('rowKey')
              .where('tablewireChangeKeys.changeId', '=', changeId),
          ),
          exists(
            selectFrom('tablewireChangeImages')
              .select('place')
              .where('tablewireChangeImages.changeId', '=', changeId)
              .where('firstKey', 'is not', null),
          ),
        ]),
      ),
    )
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n)
    await within.deleteFrom('tablewireChangeImages').where('changeId', '=', changeId).execute()
}

/** Forgets the values that stood apart and that no image names any more. All images are gone through once. */
export async function forgetUnnamed(within: Kysely<LedgerTables>): Promise<void> {
  const values = await within.selectFrom('tablewireChangeValues').select('digest').execute()
  if (values.length === 0) return
  const named = await namedDigests(within)
  for (const { digest } of values)
    if (!named.has(digest))
      await within.deleteFrom('tablewireChangeValues').where('digest', '=', digest).execute()
}

/** One change at a time, as images may be many. */
async function namedDigests(within: Kysely<LedgerTables>): Promise<ReadonlySet<string>> {
  const naming = within.selectFrom('tablewireChangeImages').where('images', 'like', `%${DIGEST}%`)
  const named = new Set<string>()
  for (const { changeId } of await naming.select('changeId').distinct().execute()) {
    const chunks = await naming.select('images').where('changeId', '=', changeId).execute()
    for (const digest of chunks.flatMap(({ images }) => digestsIn(images))) named.add(digest)
  }
  return named
}

export async function readErasures(
  db: Kysely<LedgerTables>,
  { by, table, key, since, until, size }: Parameters<Ledger['erasures']>[0],
): Promise<Erasure[]> {
  let query = db.selectFrom('tablewireErasures').selectAll().orderBy('at', 'desc').limit(size)
  if (by !== undefined) query = query.where('byId', '=', by)
  if (table !== undefined) query = query.where('tableName', '=', table)
  if (key !== undefined) query = query.where('rowDigest', '=', digestOf(rowKeyOf(key)))
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  return (await query.execute()).map(({ id, at, byId, byName, tableName }) => ({
    ...{ id, at: Number(at), by: { id: byId, name: byName }, table: tableName },
  }))
}
