/** Takes rows that were changed alike back as a set: those that hold what the entry left, compared by digests. */

import type { Actor } from '../../server/actor.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { isOneList, rowsPredicate } from '../selection.ts'
import { type ColumnImages, type ImageSet, isKept, someOf } from '../source/ledger-entry.ts'
import { everything } from '../source/predicate.ts'
import { type DigestedRows, rowDigest } from '../source/row-digest.ts'
import type { RowSource } from '../source/row-source.ts'
import { uniqueSets } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { CHUNK_KEYS, type ColumnValues, type SetChange } from '../source/write-unit.ts'
import { isByRow } from './expand-sets.ts'
import { placesIn } from './key-places.ts'
import type { Entry } from './ledger.ts'

/** Fewer rows than this are taken back one by one. */
const LEAST_ROWS = 500
/** Keys in one question where each is a condition of its own. */
const BATCH = 500

export type SetJudging = {
  readonly source: Pick<RowSource, 'digests'>
  readonly actor: Actor
  readonly entry: Entry
  catalog(): Catalog
}

/** What takes a set back, and those of its rows that are to be judged one by one. */
export type JudgedSet = { readonly sets: readonly SetChange[]; readonly others: ImageSet }

/** `mayWrite`: which columns of a row that they have changed are theirs to write back; none where they may not. */
export async function judgeSet(
  judging: SetJudging,
  set: ImageSet,
  mayWrite: (open: OpenTable, names: readonly string[]) => readonly string[],
): Promise<JudgedSet> {
  const open = judging.catalog().find(judging.actor, set.table)
  const names = Object.keys(set.after)
  const written = open ? mayWrite(open, names) : []
  const after = valuesIn(set.after)
  const before = valuesIn(set.before)
  if (!open || !after || !before || written.length === 0 || !isPlain(judging, open, set))
    return { sets: [], others: set }
  const digests = set.keys.map((_, at) => rowDigest(names.map((name) => after[name]?.[at] ?? null)))
  const isSame = await sameRows(judging, open, { set, names, digests })
  const those = <T>(list: readonly T[]): readonly T[] => list.filter((_, at) => isSame[at])
  const [keys, found] = [those(set.keys), those(digests)]
  const values = written.map((name) => [name, those(before[name] ?? [])] as const)
  const sets: SetChange[] = []
  for (let from = 0; from < keys.length; from += CHUNK_KEYS) {
    const some = <T>(list: readonly T[]): readonly T[] => list.slice(from, from + CHUNK_KEYS)
    sets.push({
      ...{ in: some(keys), where: everything },
      expect: {
        matched: some(keys).length,
        holding: { columns: names, digests: some(found) },
      },
      each: Object.fromEntries(values.map(([name, list]) => [name, some(list)])),
    })
  }
  return { sets, others: someOf(set, (at) => isSame[at] !== true) }
}

/** Whether nothing has to be asked of single rows: no rule, no place of another row, and nobody else's secret. */
function isPlain({ entry, actor }: SetJudging, open: OpenTable, { keys, after }: ImageSet) {
  const { access } = open
  const { table } = access
  const known = new Set(table.columns.map(({ name }) => name))
  const apart = new Set([...table.key, ...uniqueSets(table).flatMap(({ columns }) => columns)])
  return (
    keys.length >= LEAST_ROWS &&
    table.kind === 'table' &&
    !isByRow(open) &&
    (access.seesAllRows || entry.by.id === actor.id) &&
    Object.keys(after).every((name) => known.has(name) && !apart.has(name))
  )
}

/** `undefined` where values are too large to stand in the images. */
function valuesIn(columns: ColumnImages): ColumnValues | undefined {
  const values = Object.entries(columns).map(([name, list]) => [name, list.filter(isKept)] as const)
  const isWhole = values.every(([name, list]) => list.length === columns[name]?.length)
  return isWhole ? Object.fromEntries<readonly Value[]>(values) : undefined
}

type Compared = {
  readonly set: ImageSet
  readonly names: readonly string[]
  readonly digests: readonly number[]
}

/** For each row whether it is there, may be changed, and holds what the entry left. */
async function sameRows(
  { source }: SetJudging,
  open: OpenTable,
  { set: { keys }, names, digests }: Compared,
): Promise<readonly boolean[]> {
  const placeOf = placesIn(keys)
  const isSame = keys.map(() => false)
  const compare = (found: DigestedRows): void => {
    for (const [i, key] of found.keys.entries()) {
      const at = placeOf(key)
      if (at >= 0 && digests[at] === found.digests?.[i]) isSame[at] = true
    }
  }
  const access = open.access.changeable('update').ofAllColumns()
  const atOnce = isOneList(access) ? CHUNK_KEYS : BATCH
  for (let from = 0; from < keys.length; from += atOnce) {
    const where = rowsPredicate(keys.slice(from, from + atOnce), open)
    for await (const found of source.digests(access, where, names)) compare(found)
  }
  return isSame
}
