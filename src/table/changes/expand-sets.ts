/** Sets on a table with rules of its own, or whose key is declared, as changes to each of their rows. */

import { unknownColumn } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import { rowDigest } from '../source/row-digest.ts'
import type { KeyValues } from '../source/value.ts'
import type { Changes, RowChange, SetChange, Values } from '../source/write-unit.ts'
import type { ChangeProblem } from './change.ts'
import type { Judging } from './judge.ts'
import { keyName, readRows, type RowsByKey } from './read-rows.ts'

/** Keys in one question. */
const BATCH = 500

/** Whether sets on the table are written row by row. */
export const isByRow = ({ definition: { rules }, access }: OpenTable): boolean =>
  rules.rules !== undefined || rules.changing !== undefined || access.table.isKeyDeclared === true

export type Expanded = Changes & {
  readonly problems: readonly ChangeProblem[]
  /** The rows as they were before it was asked which of them match. */
  readonly read: RowsByKey
}

/**
 * Rules are asked about rows, so that a set becomes values by key where a table has some; by a key that is
 * declared, rows are written one by one. Other numbers of rows than a set expects are problems.
 */
export async function expandSets(judging: Judging, asked: Changes): Promise<Expanded> {
  const { rows = [], sets = [] } = asked
  if (sets.length === 0 || !isByRow(judging.open))
    return { ...asked, problems: [], read: new Map() }
  const expanded: RowChange[] = []
  const problems: ChangeProblem[] = []
  const read = new Map<string, Values>()
  for (const [at, set] of sets.entries()) {
    const found = await rowsOf(judging, set, read)
    const isSame = isHolding(judging, set, read) && (await isExpected(judging, set, found.length))
    if (isSame) expanded.push(...found)
    else
      problems.push({
        ...{ place: { table: judging.table, of: 'sets', at }, kind: 'missing', columns: [] },
      })
  }
  return { ...asked, rows: [...rows, ...expanded], sets: [], problems, read }
}

/** Whether the rows, as they were read, hold what they must. Throws `TABLE_UNKNOWN_COLUMN`. */
function isHolding({ open }: Judging, { in: keys, expect }: SetChange, read: RowsByKey): boolean {
  const { columns, digests } = expect?.holding ?? { columns: [], digests: [] }
  for (const name of columns) if (!open.access.canRead(name)) throw unknownColumn(name)
  return digests.every((digest, at) => {
    const row = read.get(keyName(keys[at] ?? []))
    return row && rowDigest(columns.map((name) => row[name] ?? null)) === digest
  })
}

async function isExpected(
  { source, open, run }: Judging,
  set: SetChange,
  matched: number,
): Promise<boolean> {
  const { expect, where } = set
  if (!expect) return true
  if (expect.matched !== matched) return false
  if (expect.inAll === undefined) return true
  return (await source.count(changeable(open, set), where, run)).count === expect.inAll
}

/** A change to each row of a set that still matches. What the rows hold is added to `read`. */
async function rowsOf(
  judging: Judging,
  set: SetChange,
  read: Map<string, Values>,
): Promise<RowChange[]> {
  const rows: RowChange[] = []
  for (let from = 0; from < set.in.length; from += BATCH)
    for (const key of await matching(judging, set.in.slice(from, from + BATCH), set, read))
      rows.push(changeOf(set, key))
  return rows
}

/**
 * The keys of rows that match. They are read before they are asked for: written as long as they are as they were
 * read, they still match then.
 */
async function matching(
  { source, open, run }: Judging,
  asked: readonly KeyValues[],
  set: SetChange,
  read: Map<string, Values>,
): Promise<KeyValues[]> {
  const found: KeyValues[] = []
  // The database may know a row by a key that is written in another way: then it is read by that one.
  for (let keys = asked; keys.length > 0;) {
    const before = await readRows(source, open.access.ofAllColumns(), keys, run)
    for (const [name, values] of before) read.set(name, values)
    const some = keys.map((key) => isRow(open.access.table.key, key))
    const where: Predicate = { op: 'and', all: [{ op: 'or', all: some }, set.where] }
    const unread: KeyValues[] = []
    for await (const chunk of source.keys(changeable(open, set), where, run))
      for (const key of chunk) (before.has(keyName(key)) ? found : unread).push(key)
    if (keys !== asked) break
    keys = unread
  }
  return found
}

function changeOf(set: SetChange, key: KeyValues): RowChange {
  if ('delete' in set) return { delete: key }
  if ('each' in set) throw new TypeError('Values of their own come from an undo alone.')
  return { update: key, set: set.set }
}

/** Access to the rows to which this may be done. */
const changeable = ({ access }: OpenTable, set: SetChange): Access =>
  access.changeable('delete' in set ? 'delete' : 'update')

const isRow = (columns: readonly string[], key: KeyValues): Predicate => ({
  op: 'and',
  all: columns.map((column, at) => ({ op: 'eq', column, value: key[at] ?? null })),
})
