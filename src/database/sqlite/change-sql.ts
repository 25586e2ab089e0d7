/** A change as the statements that check it, write it, and check what was written. */

import { AppError } from '../../server/app-error.ts'
import type { Access, RowAction } from '../../table/source/access.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Change, Values } from '../../table/source/row-source.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { all, bind, join, name, render, sql, type Sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'
import { policyConditions } from '../query/predicate-sql.ts'
import {
  columnSql,
  fromSql,
  readableColumn,
  scopeOf,
  unknownColumn,
  type Scope,
} from '../query/scope.ts'
import type { SqliteCatalogue } from './tables.ts'
import { isInt64, toCell, type Cell } from './values.ts'
import type { Step } from './write-messages.ts'

const ACTIONS = { insert: 'create', update: 'update', delete: 'delete' } as const satisfies Record<
  Change['kind'],
  RowAction
>

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for values that do not fit. */
export function changeStep(catalogue: SqliteCatalogue, access: Access, change: Change): Step {
  if (!access.may(ACTIONS[change.kind])) throw new AppError('FORBIDDEN')
  const scope = scopeOf({ catalogue, dialect: sqliteDialect }, access)
  switch (change.kind) {
    case 'insert':
      return insertStep(scope, change.values)
    case 'update':
      return updateStep(scope, change)
    case 'delete':
      return deleteStep(scope, change)
  }
}

function insertStep(scope: Scope, values: Values): Step {
  const columns = Object.keys(values)
  for (const column of columns) writableColumn(scope, column)
  const table = scope.of.from
  const list = join(columns.map(name))
  const given = join(columns.map((column) => bind(writableValue(values[column]!, column))))
  const row = columns.length === 0 ? sql`default values` : sql`(${list}) values (${given})`
  return {
    check: null,
    run: statement(sql`insert into ${table} ${row} returning ${keyList(scope)}`),
    key: [],
    verify: verifyStatement(scope),
  }
}

function updateStep(scope: Scope, change: Extract<Change, { kind: 'update' }>): Step {
  const { key, values, expect = {} } = change
  const columns = Object.keys(values)
  for (const column of columns) writableColumn(scope, column)
  const sets = columns.map(
    (column) => sql`${name(column)} = ${bind(writableValue(values[column]!, column))}`,
  )
  const target = targetSql(scope, key, expect)
  return {
    check: checkStatement(scope, key, expect),
    run:
      columns.length === 0
        ? null
        : statement(
            sql`update ${fromSql(scope)} set ${join(sets)} where ${target} returning ${keyList(scope)}`,
          ),
    key: key.map(toCell),
    verify: verifyStatement(scope),
  }
}

function deleteStep(scope: Scope, { key, expect = {} }: Extract<Change, { kind: 'delete' }>): Step {
  const target = targetSql(scope, key, expect)
  return {
    check: checkStatement(scope, key, expect),
    run: statement(sql`delete from ${fromSql(scope)} where ${target} returning ${keyList(scope)}`),
    key: key.map(toCell),
    verify: null,
  }
}

/** Tells a row that is not there for the actor from one that has been changed. */
function checkStatement(scope: Scope, key: KeyValues, expect: Values): Step['check'] {
  const stands = all(expectations(scope, expect))
  const row = all([...keyConditions(scope, key), ...policyConditions(scope)])
  return statement(sql`select (${stands}) from ${fromSql(scope)} where ${row}`)
}

/** The write carries all its conditions itself, whatever was checked before. */
const targetSql = (scope: Scope, key: KeyValues, expect: Values): Sql =>
  all([...keyConditions(scope, key), ...policyConditions(scope), ...expectations(scope, expect)])

function verifyStatement(scope: Scope): Step['verify'] {
  const conditions = policyConditions(scope)
  if (conditions.length === 0) return null
  // The writer puts the written row's key in place of these.
  const key = scope.of.table.key.map((column) => sql`${columnSql(scope, column)} = ${bind(null)}`)
  return statement(sql`select 1 from ${fromSql(scope)} where ${all([...key, ...conditions])}`)
}

function keyConditions(scope: Scope, key: KeyValues): Sql[] {
  const columns = scope.of.table.key
  if (key.length !== columns.length)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.keyParts(scope.of.table.name, number(columns.length)),
    })
  return columns.map((column, i) => sql`${columnSql(scope, column)} = ${bind(key[i]!)}`)
}

/** Binary comparison: a column that ignores letter case must still notice a changed letter. */
const expectations = (scope: Scope, expect: Values): Sql[] =>
  Object.entries(expect).map(
    ([column, value]) =>
      sql`${columnSql(scope, readableColumn(scope, column).name)} is ${bind(value)} collate binary`,
  )

/** `returning` knows no alias. */
const keyList = ({ of }: Scope): Sql => join(of.table.key.map(name))

function writableColumn({ of, access }: Scope, wanted: string): Column {
  const column = of.columns.get(wanted)
  if (!column || !(access.canRead(wanted) || access.canWrite(wanted))) throw unknownColumn(wanted)
  if (!access.canWrite(wanted))
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.column(wanted) })
  if (column.generated)
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.generated(wanted) })
  return column
}

/** SQLite would store these as something else, without a word. */
function writableValue(value: Value, column: string): Value {
  if (typeof value === 'string' && !value.isWellFormed())
    throw new AppError('UPDATE_INVALID', {
      detail: ({ rows }) => rows.halfCharacter(column),
    })
  const isLost =
    (typeof value === 'bigint' && !isInt64(value)) || (typeof value === 'number' && isNaN(value))
  if (isLost)
    throw new AppError('UPDATE_INVALID', {
      detail: ({ rows }) => rows.noInt64(column, String(value)),
    })
  return value
}

function statement(fragment: Sql): { text: string; binds: Cell[] } {
  const { text, binds } = render(fragment, sqliteDialect)
  return { text, binds: binds.map(toCell) }
}
