/** Finds the sets of images that hold rows, by the ranges of their keys and then by the keys themselves. */

import type { Kysely } from 'kysely'
import type { KeyValues } from '../../table/source/value.ts'
import { rowKeyOf } from './image-codec.ts'
import { decodeKeys, mayHold, rangeKeyOf } from './set-codec.ts'
import type { ImageRow, LedgerTables } from './tables.ts'

/** Where a set stands, and between which keys its rows lie. */
export type Place = Pick<ImageRow, 'changeId' | 'place' | 'firstKey' | 'lastKey'>

type Found = Pick<ImageRow, 'changeId' | 'place' | 'images'>

/** Sets that one query reads. */
const SETS_AT_ONCE = 16

/**
 * Those of the sets that hold one of the rows, in their order. A few are read at a time, so that whoever has enough
 * reads no more, and none of a change that is among `known` by then.
 */
export async function* setsHolding(
  db: Kysely<LedgerTables>,
  keys: readonly KeyValues[],
  places: readonly Place[],
  known: ReadonlySet<string> = new Set(),
): AsyncGenerator<Found> {
  const wanted = new Set(keys.map(rowKeyOf))
  const texts = keys.map(rangeKeyOf)
  const isBetween = ({ firstKey, lastKey }: Place): boolean =>
    firstKey !== null &&
    lastKey !== null &&
    texts.some((text) => text >= firstKey && text <= lastKey)
  const holds = ({ images }: Found): boolean =>
    mayHold(images, keys) && decodeKeys(images).some((key) => wanted.has(rowKeyOf(key)))
  let left = places.filter(isBetween)
  while (left.length > 0) {
    const read = await readSets(db, left.slice(0, SETS_AT_ONCE))
    left = left.slice(SETS_AT_ONCE)
    for (const one of read) if (holds(one)) yield one
    left = left.filter(({ changeId }) => !known.has(changeId))
  }
}

async function readSets(db: Kysely<LedgerTables>, places: readonly Place[]): Promise<Found[]> {
  const read = await db
    .selectFrom('tablewireChangeImages')
    .select(['changeId', 'place', 'images'])
    .where(({ or, and, eb }) =>
      or(
        places.map((one) => and([eb('changeId', '=', one.changeId), eb('place', '=', one.place)])),
      ),
    )
    .execute()
  const nameOf = ({ changeId, place }: Pick<ImageRow, 'changeId' | 'place'>): string =>
    `${changeId} ${place}`
  const of = new Map(read.map((one) => [nameOf(one), one]))
  return places.flatMap((one) => of.get(nameOf(one)) ?? [])
}
