/** Whether lists can be sorted by the names of the rows that a column refers to. */

import { isUniqueColumn, type Table } from '../source/schema.ts'
import type { TableDefinition } from './table-definition.ts'

/**
 * Most rows of such a list, and of the table that has the names, by the database's estimates: no index serves
 * the order, so each page sorts all rows of the list, and PostgreSQL may read all names for that.
 */
const ROWS_MAX = 100_000
const NAMES_MAX = 1_000_000

/**
 * Whether it can be afforded, and each row refers to one other at most. It depends on what the reader may
 * know of the tables alone: from whom rows are hidden is not told how many there are.
 */
export function ordersByLabel(
  { table, columns, reorder }: TableDefinition,
  name: string,
  other: TableDefinition,
  references: string,
): boolean {
  const label = other.labelColumn === undefined ? undefined : other.columns.get(other.labelColumn)
  return (
    columns.get(name)?.showsLabels === true &&
    label?.sortable === true &&
    reorder?.column !== name &&
    table.key.length > 0 &&
    (table.estimate ?? 0) <= ROWS_MAX &&
    (other.table.estimate ?? 0) <= NAMES_MAX &&
    typeOf(table, name) === typeOf(other.table, references) &&
    isUniqueColumn(references, other.table)
  )
}

const typeOf = ({ columns }: Table, column: string) =>
  columns.find(({ name }) => name === column)?.type
