/** Rows of a plan as they were confirmed: they fulfil its condition and hold what was shown. */

import { placesIn } from '../changes/key-places.ts'
import { isOneList, rowsPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import { type DigestedRows, rowsWhere } from '../source/row-digest.ts'
import type { KeyValues } from '../source/value.ts'
import { CHUNK_KEYS } from '../source/write-unit.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'
import { barredRows, changeableRows } from './changeable-rows.ts'
import type { PlanContent } from './plan-content.ts'

/** Rows that are looked for at once where each key is a condition of its own. */
const LOOKED_FOR = 500

/** How rows are named to be written only as they were confirmed. */
export const asConfirmed = (
  { where, compared }: Pick<PlanContent, 'where' | 'compared'>,
  { keys, digests }: DigestedRows,
) => ({
  ...{ in: keys, where },
  expect: { matched: keys.length, ...(digests && { holding: { columns: compared, digests } }) },
})

/** Rows of a plan that are written, and those that are so already. */
export const parted = (
  rows: DigestedRows,
): { readonly toWrite: DigestedRows; readonly so: DigestedRows } => ({
  toWrite: rowsWhere(rows, (at) => !rows.so?.[at]),
  so: rowsWhere(rows, (at) => rows.so?.[at] === true),
})

/** Rows of a plan, each in one of these lists, in the order of their keys. */
export type ComparedRows = {
  readonly same: DigestedRows
  /** Those that hold something else than was shown. */
  readonly changed: readonly KeyValues[]
  /** Those that no longer fulfil the condition, or are gone. */
  readonly gone: readonly KeyValues[]
  /** Those that the actor may not change, or not any more. */
  readonly barred: readonly KeyValues[]
}

/** Rows of which none is another, as long as what writes them finds none. */
export const allSame = (rows: DigestedRows): ComparedRows => ({
  ...{ same: rows, changed: [], gone: [], barred: [] },
})

/** Which of the rows are so now, as the actor may see them. */
export async function compareRows(
  { source, open, signal }: Pick<Asking, 'source' | 'open' | 'signal'>,
  { keys, digests }: DigestedRows,
  { where, compared, write }: Pick<PlanContent, 'where' | 'compared' | 'write'>,
): Promise<ComparedRows> {
  const { access } = changeableRows(open, write)
  const others = barredRows(open, write)
  const placeOf = placesIn(keys)
  const same = new Set<number>()
  const changed = new Set<number>()
  const barred = new Set<number>()
  const atOnce = isOneList(access) ? CHUNK_KEYS : LOOKED_FOR
  for (let from = 0; from < keys.length; from += atOnce) {
    const some = rowsPredicate(keys.slice(from, from + atOnce), open)
    const all: Predicate = { op: 'and', all: [where, some] }
    const run = { signal, timeoutMs: TIMEOUT_MS }
    for await (const found of source.digests(access, all, digests ? compared : [], run))
      for (const [i, key] of found.keys.entries()) {
        const at = placeOf(key)
        const isSame = digests?.[at] === found.digests?.[i]
        ;(isSame ? same : changed).add(at)
      }
    for await (const found of others ? source.keys(others, all, run) : [])
      for (const key of found) barred.add(placeOf(key))
  }
  const those = <T>(list: readonly T[], isOne: (at: number) => boolean): readonly T[] =>
    list.filter((_, at) => isOne(at))
  return {
    same: {
      keys: those(keys, (at) => same.has(at)),
      digests: digests && those(digests, (at) => same.has(at)),
    },
    changed: those(keys, (at) => changed.has(at)),
    gone: those(keys, (at) => !same.has(at) && !changed.has(at) && !barred.has(at)),
    // Between both questions a row may have become another.
    barred: those(keys, (at) => barred.has(at) && !same.has(at) && !changed.has(at)),
  }
}
