/** Sets on a table with rules of its own, or whose key is declared, as changes to each of their rows. */

import type { Predicate } from '../source/predicate.ts'
import type { KeyValues } from '../source/value.ts'
import type { Changes, RowChange, SetChange } from '../source/write-unit.ts'
import type { Judging } from './judge.ts'

/** Keys in one question. */
const BATCH = 500

/**
 * Rules are asked about rows, so that a set becomes values by key where a table has some; by a key that is
 * declared, rows are written one by one.
 */
export async function expandSets(judging: Judging, asked: Changes): Promise<Changes> {
  const { rows = [], sets = [] } = asked
  const { rules, changing } = judging.open.definition.rules
  const isByRow = rules ?? changing ?? judging.open.access.table.isKeyDeclared
  if (sets.length === 0 || !isByRow) return asked
  const expanded = await Promise.all(sets.map((set) => rowsOf(judging, set)))
  return { ...asked, rows: [...rows, ...expanded.flat()], sets: [] }
}

/** A change to each row of a set that still matches. */
async function rowsOf({ source, open }: Judging, set: SetChange): Promise<RowChange[]> {
  const rows: RowChange[] = []
  for (let from = 0; from < set.in.length; from += BATCH) {
    const some = set.in.slice(from, from + BATCH).map((key) => isRow(open.access.table.key, key))
    const where: Predicate = { op: 'and', all: [{ op: 'or', all: some }, set.where] }
    for await (const keys of source.keys(open.access, where))
      rows.push(...keys.map((key): RowChange => changeOf(set, key)))
  }
  return rows
}

const changeOf = (set: SetChange, key: KeyValues): RowChange =>
  'delete' in set ? { delete: key } : { update: key, set: set.set }

const isRow = (columns: readonly string[], key: KeyValues): Predicate => ({
  op: 'and',
  all: columns.map((column, at) => ({ op: 'eq', column, value: key[at] ?? null })),
})
