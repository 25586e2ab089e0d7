/** The columns that a change names, checked against what the actor may read and write. */

import { AppError } from '../../server/app-error.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { type Computed, isComputed, type NewValues } from '../../table/source/computed.ts'
import { columnSql, readableColumn, unknownColumn, type Scope } from '../query/scope.ts'
import { name, sql, type Sql } from '../query/sql.ts'
import type { Operand } from '../dialect.ts'
import { computedSql } from './computes.ts'
import type { WriteDialect } from './write-dialect.ts'

/** A column that the actor may write. Throws `TABLE_UNKNOWN_COLUMN` and `FORBIDDEN`. */
export function writableColumn(
  { of, access }: Scope,
  wanted: string,
  action: 'create' | 'update' = 'update',
): Column {
  const column = of.columns.get(wanted)
  const may = access.canWrite(wanted, action)
  if (!column || !(access.canRead(wanted) || may)) throw unknownColumn(wanted)
  if (!may) throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.column(wanted) })
  if (column.generated)
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.generated(wanted) })
  return column
}

/** A column and its new value, which is given or worked out of the row. */
export type Assignment = {
  readonly name: string
  readonly value: Sql
  readonly isComputed?: true
}

/**
 * Columns whose types cannot hold their values, as far as the actor may read them; nothing is run
 * then. `null` if all values fit.
 */
export type InvalidColumns = readonly string[] | null

export type Assignments = {
  readonly list: readonly Assignment[]
  readonly invalid: InvalidColumns
}

/** The assignments for a change's values. Throws what `writableColumn` and `encode` throw. */
export function assignmentsOf(
  scope: Scope,
  dialect: WriteDialect,
  values: NewValues,
  action: 'create' | 'update' = 'update',
): Assignments {
  const columns = Object.keys(values).map((wanted) => writableColumn(scope, wanted, action))
  const given = columns.map((column) => values[column.name] ?? null)
  const encoded = columns.map((column, i) => {
    const value = given[i] ?? null
    return isComputed(value)
      ? computedFor(scope, dialect, { column, computed: value, values })
      : dialect.encode(column, value)
  })
  const invalid = columns.filter((_, i) => encoded[i] === undefined).map((column) => column.name)
  return {
    list: columns.map((column, i) => ({
      ...{ name: column.name, value: encoded[i] ?? sql`null` },
      ...(isComputed(given[i] ?? null) && { isComputed: true as const }),
    })),
    invalid: invalid.length > 0 ? invalid.filter((one) => scope.access.canRead(one)) : null,
  }
}

type Computing = {
  readonly column: Column
  readonly computed: Computed
  readonly values: NewValues
}

/**
 * Whoever may not read a column could learn what it holds by what becomes of sums. What identifies a row is
 * given; and engines differ in what a column holds while another one is set.
 */
function computedFor(
  scope: Scope,
  dialect: WriteDialect,
  { column, computed, values }: Computing,
): Sql | undefined {
  readableColumn(scope, column.name)
  const from = 'column' in computed ? readableColumn(scope, computed.column) : undefined
  if (scope.of.table.key.includes(column.name) || (from && from.name in values)) return undefined
  const operand = (column: Column): Operand => ({
    ...planned(scope, column),
    ...(dialect.cannotAliasViews && scope.of.table.kind === 'view' && { sql: name(column.name) }),
  })
  return computedSql(dialect.computes, computed, operand(column), from && operand(from))
}

export const assigned = ({ name: column, value }: Assignment): Sql =>
  sql`${name(column)} = ${value}`

/** A column without its sample, for a plan that may be sent to another thread. */
export function planned(scope: Pick<Scope, 'depth'>, column: Column): Operand {
  const { sample: _, ...rest } = column
  return { sql: columnSql(scope, column.name), column: rest }
}

/** What to select for a column. */
export const readSql = (dialect: WriteDialect, operand: Operand): Sql =>
  dialect.read?.(operand) ?? operand.sql

/** The value that a select gave for a column, as the row source returns it. */
export const decoded = (dialect: WriteDialect, column: Column, value: Value = null): Value =>
  dialect.decode?.(column, value) ?? value
