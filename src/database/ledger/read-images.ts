/** Reads images of entries, whether they stand row by row or column by column. */

import type { Kysely } from 'kysely'
import type { ImageQuery } from '../../table/changes/ledger.ts'
import { type ImageChunk, isSet, someOf } from '../../table/source/ledger-entry.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { decodeImages, rowKeyOf } from './image-codec.ts'
import { decodeSet, rangeKeyOf } from './set-codec.ts'
import { placesOf } from './steps.ts'
import type { ImageRow, LedgerTables } from './tables.ts'

/** Chunks of images that one query looks through. */
const SEARCHED_AT_ONCE = 100

/** A byte order mark belongs to the value. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

export async function* readChunks(
  db: Kysely<LedgerTables>,
  id: string,
  query: ImageQuery,
): AsyncGenerator<ImageChunk> {
  const { key } = query
  const wanted = key && rowKeyOf(key)
  const { whole, from, until } = await placesOf(db, id)
  for (let place = from - 1; ;) {
    const row = await chunkAfter(db, { whole, place, ...query })
    if (!row || Number(row.place) >= until) return
    place = Number(row.place)
    const chunk = chunkIn(row, (one) => wanted === undefined || rowKeyOf(one) === wanted)
    if ((isSet(chunk) ? chunk.keys : chunk).length > 0) yield chunk
  }
}

/** Of these rows, as they stand there. */
function chunkIn(row: ImageRow, isWanted: (key: KeyValues) => boolean): ImageChunk {
  if (row.firstKey === null)
    return decodeImages(row.tableName, row.images).filter(({ key }) => isWanted(key))
  const all = decodeSet(row.tableName, row.images)
  const wanted = all.keys.map(isWanted)
  return wanted.includes(false) ? someOf(all, (at) => wanted[at] === true) : all
}

type Next = ImageQuery & { readonly whole: string; readonly place: number }

function chunkAfter(db: Kysely<LedgerTables>, { whole, place, table, key }: Next) {
  let query = db
    .selectFrom('tablewireChangeImages')
    .selectAll()
    .where('changeId', '=', whole)
    .where('place', '>', place)
    .orderBy('place')
    .limit(1)
  if (table !== undefined) query = query.where('tableName', '=', table)
  if (key) {
    const text = rangeKeyOf(key)
    query = query.where(({ or, and, eb }) =>
      or([
        eb('firstKey', 'is', null),
        and([eb('firstKey', '<=', text), eb('lastKey', '>=', text)]),
      ]),
    )
  }
  return query.executeTakeFirst()
}

export async function readValue(
  db: Kysely<LedgerTables>,
  digest: string,
): Promise<Uint8Array | string | undefined> {
  const row = await db
    .selectFrom('tablewireChangeValues')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (!row) return undefined
  const bytes = new Uint8Array(row.bytes)
  return Number(row.isText) === 1 ? UTF8.decode(bytes) : bytes
}

/**
 * Those of the texts that values of rows held, whole or as a part; values that stand apart are not looked into. It
 * reads few chunks at a time, so that nobody waits for it.
 */
export async function heldTexts(
  db: Kysely<LedgerTables>,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const written = texts.map((text) => [text, JSON.stringify(text).slice(1, -1)] as const)
  const found = new Set<string>()
  for (let after = ''; ;) {
    const chunks = await db
      .selectFrom('tablewireChangeImages')
      .select('changeId')
      .where('changeId', '>', after)
      .orderBy('changeId')
      .limit(SEARCHED_AT_ONCE)
      .execute()
    const last = chunks.at(-1)?.changeId
    if (last === undefined) return found
    const some = await db
      .selectFrom('tablewireChangeImages')
      .select('images')
      .where('changeId', '>', after)
      .where('changeId', '<=', last)
      .where(({ or, eb }) => or(written.map(([, json]) => eb('images', 'like', `%${json}%`))))
      .execute()
    for (const [text, json] of written)
      if (some.some(({ images }) => images.includes(json))) found.add(text)
    after = last
  }
}
