/** The columns that a change names, checked against what the actor may read and write. */

import { AppError } from '../../server/app-error.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Values } from '../../table/source/write-unit.ts'
import { columnSql, unknownColumn, type Scope } from '../query/scope.ts'
import { name, sql, type Sql } from '../query/sql.ts'
import type { Operand } from '../dialect.ts'
import type { WriteDialect } from './write-dialect.ts'

/** A column that the actor may write. Throws `TABLE_UNKNOWN_COLUMN` and `FORBIDDEN`. */
export function writableColumn({ of, access }: Scope, wanted: string): Column {
  const column = of.columns.get(wanted)
  if (!column || !(access.canRead(wanted) || access.canWrite(wanted))) throw unknownColumn(wanted)
  if (!access.canWrite(wanted))
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.column(wanted) })
  if (column.generated)
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.generated(wanted) })
  return column
}

/** A column and its new value. */
export type Assignment = { readonly name: string; readonly value: Sql }

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
export function assignmentsOf(scope: Scope, dialect: WriteDialect, values: Values): Assignments {
  const columns = Object.keys(values).map((wanted) => writableColumn(scope, wanted))
  const encoded = columns.map((column) => dialect.encode(column, values[column.name] ?? null))
  const invalid = columns.filter((_, i) => encoded[i] === undefined).map((column) => column.name)
  return {
    list: columns.map((column, i) => ({ name: column.name, value: encoded[i] ?? sql`null` })),
    invalid: invalid.length > 0 ? invalid.filter((one) => scope.access.canRead(one)) : null,
  }
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
