/**
 * Orders that a unique index decides alone: the server does not know that what follows decides nothing,
 * and would sort all rows for it.
 */

import type { IndexedRun } from '../query-runner.ts'
import type { Term } from '../query/order.ts'
import type { MysqlTable } from './tables.ts'

/** The terms up to those in which no two rows of the run are equal, as rows with NULL can be. */
export function decidingTerms(
  { table, columns }: MysqlTable,
  { terms, equal }: Pick<IndexedRun, 'terms' | 'equal'>,
): readonly Term[] {
  const uniques = table.indexes.filter(({ unique }) => unique)
  const decided = new Set(equal.filter((column) => columns.get(column)?.nullable === false))
  const last = terms.findIndex(({ column, nulls }) => {
    if (nulls === 'none') decided.add(column)
    return uniques.some((index) => index.columns.every(({ name }) => decided.has(name)))
  })
  return last < 0 ? terms : terms.slice(0, last + 1)
}
