/** The columns that a change names, each checked against what the actor may read and write. */

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

/** A column and what it is set to. */
export type Assignment = { readonly name: string; readonly value: Sql }

/**
 * Columns, as far as the actor may read them, whose types would not keep the values whole; `null`
 * where all would. Else nothing is to be run.
 */
export type Misfits = readonly string[] | null

export type Assignments = {
  readonly list: readonly Assignment[]
  readonly misfits: Misfits
}

/** Values as a statement writes them. Throws what `writableColumn` and `encode` throw. */
export function assignmentsOf(scope: Scope, dialect: WriteDialect, values: Values): Assignments {
  const columns = Object.keys(values).map((wanted) => writableColumn(scope, wanted))
  const encoded = columns.map((column) => dialect.encode(column, values[column.name] ?? null))
  const misfits = columns.filter((_, i) => encoded[i] === undefined).map((column) => column.name)
  return {
    list: columns.map((column, i) => ({ name: column.name, value: encoded[i] ?? sql`null` })),
    misfits: misfits.length > 0 ? misfits.filter((one) => scope.access.canRead(one)) : null,
  }
}

export const assigned = ({ name: column, value }: Assignment): Sql =>
  sql`${name(column)} = ${value}`

/** A column for a plan, which may travel to another thread: without the values that it samples. */
export function planned(scope: Scope, column: Column): Operand {
  const { sample: _, ...rest } = column
  return { sql: columnSql(scope, column.name), column: rest }
}

/** The table's columns of these names that the actor may read. */
export const readableOf = (scope: Scope, wanted: Iterable<string>): Operand[] =>
  [...wanted].flatMap((column) => {
    const found = scope.of.columns.get(column)
    return found && scope.access.canRead(column) ? [planned(scope, found)] : []
  })

/** A column as a select gives it. */
export const readSql = (dialect: WriteDialect, operand: Operand): Sql =>
  dialect.read?.(operand) ?? operand.sql

/** What a select gave for a column, as everybody else sees it. */
export const decoded = (dialect: WriteDialect, column: Column, value: Value = null): Value =>
  dialect.decode?.(column, value) ?? value
