/** A change as the statement that writes it under all its conditions, and one that tells why it did not. */

import { AppError } from '../../server/app-error.ts'
import type { Access, RowAction } from '../../table/source/access.ts'
import type { Change, Values } from '../../table/source/row-source.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import { equals, policyConditions } from '../query/predicate-sql.ts'
import {
  columnSql,
  fromSql,
  operand,
  readableColumn,
  scopeOf,
  unknownColumn,
  type Scope as ScopeOf,
} from '../query/scope.ts'
import { all, bind, join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import { castOf, expectsSql } from './dialect.ts'
import { writtenText } from './written.ts'
import type { PostgresCatalogue, PostgresColumn, PostgresTable } from './tables.ts'

type Scope = ScopeOf<PostgresTable>

export type Step = {
  /** Gives the written row's key, and whether the policy lets the actor see the row still. */
  readonly run: Statement | null
  /** Gives whether a row that the actor may touch holds what was expected, and keeps it so. */
  readonly check: Statement | null
  /** The key of a row that `run` does not give. */
  readonly key: KeyValues
  /** Columns whose values their types cannot hold; then nothing is to be run. */
  readonly misfits: readonly string[]
}

const ACTIONS = { insert: 'create', update: 'update', delete: 'delete' } as const satisfies Record<
  Change['kind'],
  RowAction
>

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for numbers that do not fit. */
export function changeStep(
  catalogue: PostgresCatalogue,
  dialect: Dialect<PostgresTable>,
  access: Access,
  change: Change,
): Step {
  if (!access.may(ACTIONS[change.kind])) throw new AppError('FORBIDDEN')
  const scope = scopeOf({ catalogue, dialect }, access)
  const written = change.kind === 'delete' ? [] : Object.entries(change.values)
  const columns = written.map(([column]) => writableColumn(scope, column))
  const given = columns.map((column, i) => writtenText(column, written[i]![1]))
  const misfits = columns.filter((_, i) => given[i] === undefined).map(({ name }) => name)
  const values = columns.map((column, i) => sql`${bind(given[i] ?? null)}${castOf(column)}`)
  if (change.kind === 'insert')
    return { run: insertSql(scope, columns, values), check: null, key: [], misfits }
  const { key, expect = {} } = change
  const target = targetSql(scope, key, expect)
  const run =
    change.kind === 'delete'
      ? sql`delete from ${fromSql(scope)} where ${target} returning ${join(keyOf(scope))}, true`
      : updateSql(scope, columns, values, target)
  return {
    run: run && statement(scope, run),
    check: checkSql(scope, key, expect, run === null),
    key,
    misfits,
  }
}

/**
 * Locks the rows of a batch in the order of their key, so that two batches never wait for each other;
 * `undefined` where there is no such danger, or the key has several columns.
 */
export function lockSql(
  catalogue: PostgresCatalogue,
  dialect: Dialect<PostgresTable>,
  access: Access,
  changes: readonly Change[],
): Statement | undefined {
  const scope = scopeOf({ catalogue, dialect }, access)
  const [column, ...others] = scope.of.table.key
  const keys = changes.flatMap((change) =>
    change.kind === 'insert' ? [] : [change.key[0] ?? null],
  )
  const given = keys.filter((key) => key !== null)
  const canLock = changes.some(({ kind }) => kind === 'update')
  if (column === undefined || others.length > 0 || given.length < 2 || !canLock) return undefined
  const key = operand(scope, scope.of.columns.get(column)!)
  const rows = sql`${fromSql(scope)} where ${dialect.among(key, given)}`
  return statement(scope, sql`select 1 from ${rows} order by ${key.sql} for update`)
}

const statement = ({ bench }: Scope, fragment: Sql): Statement => render(fragment, bench.dialect)

function insertSql(
  scope: Scope,
  columns: readonly PostgresColumn[],
  values: readonly Sql[],
): Statement {
  const names = join(columns.map((column) => name(column.name)))
  const row = columns.length === 0 ? sql`default values` : sql`(${names}) values (${join(values)})`
  return statement(scope, sql`insert into ${fromSql(scope)} ${row} ${returningSql(scope)}`)
}

/** Nothing is left to write where no value is given. */
function updateSql(
  scope: Scope,
  columns: readonly PostgresColumn[],
  values: readonly Sql[],
  target: Sql,
): Sql | null {
  if (columns.length === 0) return null
  const sets = columns.map((column, i) => sql`${name(column.name)} = ${values[i]!}`)
  return sql`update ${fromSql(scope)} set ${join(sets)} where ${target} ${returningSql(scope)}`
}

/** The policy is asked about the row as it was written. */
const returningSql = (scope: Scope): Sql =>
  sql`returning ${join(keyOf(scope))}, ${all(policyConditions(scope))}`

const keyOf = (scope: Scope): Sql[] => scope.of.table.key.map((column) => columnSql(scope, column))

/**
 * Tells a row that is not there for the actor from one that has been changed. Where nothing else is
 * written, the row is held as it is until the batch has been.
 */
function checkSql(scope: Scope, key: KeyValues, expect: Values, isHeld: boolean): Statement {
  const stands = all(expectations(scope, expect))
  const row = all([...keyConditions(scope, key), ...policyConditions(scope)])
  const held = isHeld ? sql` for update` : sql``
  return statement(scope, sql`select (${stands}) from ${fromSql(scope)} where ${row}${held}`)
}

const targetSql = (scope: Scope, key: KeyValues, expect: Values): Sql =>
  all([...keyConditions(scope, key), ...policyConditions(scope), ...expectations(scope, expect)])

function keyConditions(scope: Scope, key: KeyValues): Sql[] {
  const columns = scope.of.table.key
  if (key.length !== columns.length)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.keyParts(scope.of.table.name, number(columns.length)),
    })
  return columns.map((column, i) =>
    equals(scope.bench.dialect, operand(scope, scope.of.columns.get(column)!), key[i]!),
  )
}

const expectations = (scope: Scope, expect: Values): Sql[] =>
  Object.entries(expect).map(([column, value]) =>
    expectsSql(operand(scope, readableColumn(scope, column)), value),
  )

function writableColumn({ of, access }: Scope, wanted: string): PostgresColumn {
  const column = of.columns.get(wanted)
  if (!column || !(access.canRead(wanted) || access.canWrite(wanted))) throw unknownColumn(wanted)
  if (!access.canWrite(wanted))
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.column(wanted) })
  if (column.generated)
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.generated(wanted) })
  return column
}
