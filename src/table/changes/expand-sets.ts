/** Sets on a table with rules of its own, or whose key is declared, as changes to each of their rows. */

import type { OpenTable } from '../catalog.ts'
import type { Predicate } from '../source/predicate.ts'
import type { KeyValues } from '../source/value.ts'
import type { Changes, RowChange, SetChange } from '../source/write-unit.ts'
import type { ChangeProblem } from './change.ts'
import type { Judging } from './judge.ts'

/** Keys in one question. */
const BATCH = 500

/** Whether sets on the table are written row by row. */
export const isByRow = ({ definition: { rules }, access }: OpenTable): boolean =>
  rules.rules !== undefined || rules.changing !== undefined || access.table.isKeyDeclared === true

export type Expanded = Changes & { readonly problems: readonly ChangeProblem[] }

/**
 * Rules are asked about rows, so that a set becomes values by key where a table has some; by a key that is
 * declared, rows are written one by one. Other numbers of rows than a set expects are problems.
 */
export async function expandSets(judging: Judging, asked: Changes): Promise<Expanded> {
  const { rows = [], sets = [] } = asked
  if (sets.length === 0 || !isByRow(judging.open)) return { ...asked, problems: [] }
  const expanded: RowChange[] = []
  const problems: ChangeProblem[] = []
  for (const [at, set] of sets.entries()) {
    const found = await rowsOf(judging, set)
    if (await isExpected(judging, set, found.length)) expanded.push(...found)
    else
      problems.push({
        ...{ place: { table: judging.table, of: 'sets', at }, kind: 'missing', columns: [] },
      })
  }
  return { ...asked, rows: [...rows, ...expanded], sets: [], problems }
}

async function isExpected(
  { source, open }: Judging,
  { expect, where }: SetChange,
  matched: number,
): Promise<boolean> {
  if (!expect) return true
  if (expect.matched !== matched) return false
  return (
    expect.inAll === undefined || (await source.count(open.access, where)).count === expect.inAll
  )
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
