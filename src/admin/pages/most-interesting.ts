/** Chooses the table that the admin opens first. */

import type { TableDefinition } from '../../table/definition/table-definition.ts'

/**
 * The table that people work in: its rows come one after the other, have a state and a name, and others refer to
 * it. A table of details, which refers to others and is referred to by none, is none, however large it is.
 * `undefined` without tables.
 */
export function mostInteresting(tables: readonly TableDefinition[]): TableDefinition | undefined {
  const referring = new Map<string, number>()
  for (const { table } of tables)
    for (const name of new Set(table.foreignKeys.map((link) => link.table)))
      if (name !== table.name) referring.set(name, (referring.get(name) ?? 0) + 1)
  const weights = new Map(
    tables.map((one) => [one, weightOf(one, referring.get(one.table.name) ?? 0)]),
  )
  return tables.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))[0]
}

/** Kinds of columns that say when a row came. */
const MOMENTS: ReadonlySet<string> = new Set(['date', 'datetime'])

/** Most tables that count as referring, and as referred to: a table of users has dozens. */
const LINKS_MAX = 3

function weightOf(
  { table, columns, defaultSort, labelColumns }: TableDefinition,
  referring: number,
): number {
  const [first] = defaultSort
  const isDated = first?.descending === true && MOMENTS.has(columns.get(first.column)?.kind ?? '')
  const hasState = [...columns.values()].some(({ kind }) => kind === 'status')
  const isNamed = labelColumns.some((name) => columns.get(name)?.relation === undefined)
  const isDetail = referring === 0 && table.foreignKeys.length > 0 && !isNamed
  return (
    (isDated ? 4 : 0) +
    (hasState ? 4 : 0) +
    (isNamed ? 1 : 0) +
    Math.min(referring, LINKS_MAX) +
    Math.min(table.foreignKeys.length, LINKS_MAX) +
    Math.log10((table.estimate ?? 0) + 1) -
    (isDetail ? 6 : 0) -
    (table.kind === 'table' ? 0 : 20) -
    (table.refused === undefined ? 0 : 40)
  )
}
