/** Labels of related rows as further columns of a table, so that rows can be sorted by them. */

import type { Access } from '../../table/source/access.ts'
import type { SortColumn, SortTerm } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'
import { policyConditions, refersTo } from './predicate-sql.ts'
import {
  fromSql,
  knownColumn,
  operand,
  readableColumn,
  scopeOf,
  tableOf,
  type LabelColumn,
  type Scope,
  type SqlContext,
} from './scope.ts'
import { all, join, sql, type Sql } from './sql.ts'

/** A table, and an order of its rows by columns alone: the labels that it needs are among them. */
export type SortedTable = {
  readonly of: SourceTable
  readonly labels: readonly LabelColumn[]
  readonly sort: readonly SortColumn[]
}

/** Throws `TABLE_UNKNOWN_COLUMN` for columns that the actor may not read, of either table. */
export function sortedTable(
  catalogue: Catalogue,
  access: Access,
  terms: readonly SortTerm[],
): SortedTable {
  const of = tableOf(catalogue, access)
  for (const { column } of terms) readableColumn({ of, access }, column)
  const labels = terms.flatMap(({ column, by }, place): LabelColumn[] =>
    by ? [{ ...by, column, name: labelName(place) }] : [],
  )
  if (labels.length === 0) return { of, labels, sort: terms }
  const named = labels.map((label): [string, Column] => [label.name, labelColumn(catalogue, label)])
  const sort = terms.map(({ column, descending, by }, place) => ({
    column: by ? labelName(place) : column,
    descending,
  }))
  return { of: { ...of, columns: new Map([...of.columns, ...named]) }, labels, sort }
}

/** Cannot clash with a column of the table unless that was made to. */
const labelName = (place: number): string => `tablewire_label_${place}`

/** The column of the related table, which is NULL where there is no row. */
function labelColumn(catalogue: Catalogue, { access, references, label, name }: LabelColumn) {
  const other = { of: tableOf(catalogue, access), access }
  readableColumn(other, references)
  return { ...readableColumn(other, label), name, nullable: true }
}

/** The table within a statement that needs its order. */
export const scopeOfSorted = (
  context: SqlContext,
  access: Access,
  { of, labels }: Omit<SortedTable, 'sort'>,
): Scope => ({ context, of, depth: 0, access, ...(labels.length > 0 && { labels }) })

/**
 * Joins the rows that have the labels, after the table's name. None is joined where the actor may not see
 * the row, so that the order says nothing of it.
 */
export const joinsSql = (scope: Scope): Sql =>
  join(
    (scope.labels ?? []).map(({ access, column, references }, label) => {
      const other: Scope = { ...scopeOf(scope.context, access, scope.depth), label }
      const from = operand(scope, knownColumn(scope, column))
      const to = operand(other, knownColumn(other, references))
      const demands = [refersTo(scope, from, to), ...policyConditions(other)]
      return sql` left join ${fromSql(other)} on ${all(demands)}`
    }),
    '',
  )
