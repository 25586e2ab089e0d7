/**
 * Index hints: because of a limit, the planners of MySQL and MariaDB walk an index in order however many
 * rows the conditions reject, and when walking backwards seek by its first column only.
 */

import type { IndexedRun } from '../query-runner.ts'
import { indexServing, type IndexBehaviour, type Serving } from '../query/serving.ts'
import { join, name, sql, type Sql } from '../query/sql.ts'
import type { MysqlTable } from './tables.ts'

export const indexBehaviourOf = ({ isClustered }: MysqlTable): IndexBehaviour => ({
  endsWithKey: isClustered,
  nulls: 'least',
  sortsTies: false,
})

/** The index that gives a run's order, ignoring the conditions on its rows. */
export const walkedIndex = (of: MysqlTable, run: IndexedRun): Serving | undefined =>
  indexServing(of, run.unfiltered, indexBehaviourOf(of))

/** Whether the index is the clustered table itself, so that walking it is the same as a scan. */
export const isTableItself = ({ isClustered }: MysqlTable, { name }: Serving): boolean =>
  name === 'PRIMARY' && isClustered

/**
 * Walks the rows that have one value in order, that of a column with as many values as possible, and leaves
 * other conditions to be checked on them: at most as many rows as the whole order has.
 */
function indexOfValue(of: MysqlTable, run: IndexedRun): Serving | undefined {
  // The fewer rows have one value, the fewer are left to be checked.
  const singly = run.equal.toSorted((a, b) => rowsOfOne(of, a) - rowsOfOne(of, b))
  const ways = [run.equal, ...singly.map((column) => [column])].filter(({ length }) => length > 0)
  for (const entered of ways) {
    const index = indexServing(of, { ...run, entered }, indexBehaviourOf(of))
    if (index) return index
  }
  return undefined
}

/** How many rows have one value of a column, as a mean; as many as there are where that is not known. */
const rowsOfOne = ({ table, columns }: MysqlTable, column: string): number =>
  (table.estimate ?? Infinity) / (columns.get(column)?.distinct ?? 1)

/** How many rows a walk along one value reads at most, as a mean; infinite if it walks all rows. */
export function rowsOfValue(of: MysqlTable, run: IndexedRun): number {
  const [first] = indexOfValue(of, run)?.columns ?? []
  return first ? rowsOfOne(of, first.name) : Infinity
}

/** Forces the index that serves the run, else one that gives its order. */
export function usedIndex(of: MysqlTable, run: IndexedRun): Sql {
  const index =
    indexServing(of, run, indexBehaviourOf(of)) ?? indexOfValue(of, run) ?? walkedIndex(of, run)
  return index?.name === undefined ? sql`` : sql` force index (${name(index.name)})`
}

/** Allows indexes for conditions, but not for the order. */
export function noIndexForOrder({ table }: MysqlTable): Sql {
  if (table.indexes.length === 0) return sql``
  return sql` ignore index for order by (${join(table.indexes.map((index) => name(index.name)))})`
}
