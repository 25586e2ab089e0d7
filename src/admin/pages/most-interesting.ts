/** Chooses the table that the admin opens first. */

import type { TableDefinition } from '../../table/definition/table-definition.ts'

/**
 * The table with the highest weight, by its foreign keys, size and columns; `undefined` without
 * tables.
 */
export function mostInteresting(tables: readonly TableDefinition[]): TableDefinition | undefined {
  const referred = (name: string) =>
    tables.flatMap(({ table }) => table.foreignKeys).filter(({ table }) => table === name).length
  const weight = ({ table, columns }: TableDefinition) =>
    table.foreignKeys.length * 2 +
    referred(table.name) * 2 +
    Math.log10((table.estimate ?? 0) + 1) * 2 +
    ([...columns.values()].some(({ kind }) => kind === 'status') ? 4 : 0) +
    Math.min(columns.size, 12) / 3 -
    (table.kind === 'table' ? 0 : 20) -
    (table.refused === undefined ? 0 : 40)
  return tables.toSorted((a, b) => weight(b) - weight(a))[0]
}
