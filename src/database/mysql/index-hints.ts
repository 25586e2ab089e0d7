/**
 * Which index a statement is told to use: the planners of MySQL and MariaDB walk an index in order
 * for the sake of a limit, whatever the conditions throw away on the way, and enter an index by its
 * first column alone where the walk is backwards.
 */

import type { IndexedRun } from '../query-runner.ts'
import { indexServing, type IndexHabits, type Serving } from '../query/serving.ts'
import { join, name, sql, type Sql } from '../query/sql.ts'
import type { MysqlTable } from './tables.ts'

export const habitsOf = ({ isClustered }: MysqlTable): IndexHabits => ({
  endsWithKey: isClustered,
  nulls: 'least',
  sortsTies: false,
})

/** The index that gives a run's order, were there no conditions on its rows. */
export const walkedIndex = (of: MysqlTable, run: IndexedRun): Serving | undefined =>
  indexServing(of, run.unfiltered, habitsOf(of))

/** Whether the index is the table itself, so that walking along it is the same as a scan. */
export const isTableItself = ({ isClustered }: MysqlTable, { name }: Serving): boolean =>
  name === 'PRIMARY' && isClustered

/** The index that serves the run, else the one that gives its order. */
export function usedIndex(of: MysqlTable, run: IndexedRun): Sql {
  const index = indexServing(of, run, habitsOf(of)) ?? walkedIndex(of, run)
  return index?.name === undefined ? sql`` : sql` force index (${name(index.name)})`
}

/** Conditions may be answered by an index; the order is not to be. */
export function anyIndexUnused({ table }: MysqlTable): Sql {
  if (table.indexes.length === 0) return sql``
  return sql` ignore index for order by (${join(table.indexes.map((index) => name(index.name)))})`
}
