/** What a statement reads of each row: its values, cut ones with their full length, and names of related rows. */

import type { RelatedLabel } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import { policyConditions, refersTo } from './predicate-sql.ts'
import {
  columnSql,
  fromSql,
  guards,
  knownColumn,
  operand,
  readableColumn,
  scopeOf,
  type Scope,
} from './scope.ts'
import { all, join, name, sql, whole, type Sql } from './sql.ts'

/** A column of a related row, read by a statement of its own within that of the rows. */
export type NameColumn = {
  readonly name: string
  readonly relation: RelatedLabel
  /** The column of the related row. */
  readonly column: Column
}

type Cells = {
  /** The columns of a row, names of related rows among them. */
  readonly columns: readonly string[]
  /** To how much those of them are cut that are. */
  readonly cut: ReadonlyMap<string, number>
  readonly names: readonly NameColumn[]
}

/** The columns of a page's rows, then the full length of each that is cut. */
export function cellList(scope: Scope, { columns, cut, names }: Cells): Sql {
  const list = columns.map((column) => {
    const named = names.find((one) => one.name === column)
    if (named) return nameSql(scope, named)
    const length = cut.get(column)
    return length === undefined ? readSql(scope, column) : cutSql(scope, column, length)
  })
  return join([...list, ...[...cut].map(([column, length]) => lengthSql(scope, column, length))])
}

/**
 * A name of the row that a column refers to; none where the actor may not see it. Unlike a join, this gives
 * one row for each row, whatever the other table holds.
 */
function nameSql(scope: Scope, { name: as, relation, column }: NameColumn): Sql {
  const { context } = scope
  const other = scopeOf(context, relation.access, scope.depth + 1)
  const from = operand(scope, knownColumn(scope, relation.column))
  const to = operand(other, readableColumn(other, relation.references))
  const demands = [...guards(other), refersTo(scope, from, to), ...policyConditions(other)]
  const cell = operand(other, column)
  const read = context.dialect.read?.(cell) ?? cell.sql
  return sql`(select ${read} from ${fromSql(other)} where ${all(demands)} ${context.dialect.limit(1)}) as ${name(as)}`
}

function readSql(scope: Scope, column: string): Sql {
  const cell = scope.of.columns.get(column)
  const read = cell && scope.context.dialect.read?.(operand(scope, cell))
  const isLabel = scope.labels?.some((one) => one.name === column)
  return read || isLabel
    ? sql`${read ?? columnSql(scope, column)} as ${name(column)}`
    : columnSql(scope, column)
}

/** The engine knows a value's bytes without reading it; a text never has more characters than bytes. */
function cutSql(scope: Scope, column: string, length: number): Sql {
  const { dialect } = scope.context
  const text = cutText(scope, column)
  return sql`case when ${dialect.bytes(text)} > ${whole(length)} then ${dialect.beginning(text, length)} else ${text} end as ${name(column)}`
}

function lengthSql(scope: Scope, column: string, length: number): Sql {
  const { dialect } = scope.context
  const cell = operand(scope, knownColumn(scope, column))
  return sql`case when ${dialect.bytes(cutText(scope, column))} > ${whole(length)} then ${dialect.length(cell)} end`
}

function cutText(scope: Scope, column: string): Sql {
  const { dialect } = scope.context
  const cell = operand(scope, knownColumn(scope, column))
  const isPlain = cell.column.type === 'text' || cell.column.type === 'binary'
  return dialect.sliced?.(cell) ?? (isPlain ? cell.sql : dialect.text(cell))
}
