/** A change as the statements that check it, write it, and check what was written. */

import { AppError } from '../../server/app-error.ts'
import type { Access, RowAction } from '../../table/source/access.ts'
import type { Change, Values } from '../../table/source/row-source.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { relatedAccesses } from '../../table/source/related-tables.ts'
import { equals, policyConditions } from '../query/predicate-sql.ts'
import {
  fromSql,
  knownColumn,
  operand,
  readableColumn,
  scopeOf,
  unknownColumn,
  type Scope as ScopeOf,
} from '../query/scope.ts'
import { all, join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import { mysqlDialect } from './dialect.ts'
import { notation } from './notation.ts'
import type { MysqlCatalogue, MysqlColumn, MysqlTable } from './tables.ts'
import { writtenSql } from './written.ts'

type Scope = ScopeOf<MysqlTable>

export type Step = {
  /** Columns whose types would not keep the values whole; then nothing is to be run. */
  readonly misfits: readonly string[]
  /** Holds the row, and gives 1 where it is as expected; no row where there is none to be touched. */
  readonly check: Statement | null
  /** Writes. Nothing is left to write where it is `null`. */
  readonly run: Statement | null
  /** How the key of the written row is known. */
  readonly key: WrittenKey
  /** Gives a row if the one of this key may still be seen; `null` where all may. */
  verify(key: KeyValues): Statement | null
}

export type WrittenKey =
  | { readonly from: 'values'; readonly values: KeyValues }
  /** The statement gives it. */
  | { readonly from: 'rows' }
  /** Of these values, the one at this place was counted up by the server. */
  | { readonly from: 'count'; readonly values: KeyValues; readonly place: number }

const ACTIONS = { insert: 'create', update: 'update', delete: 'delete' } as const satisfies Record<
  Change['kind'],
  RowAction
>

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for what is no value. */
export function changeStep(catalogue: MysqlCatalogue, access: Access, change: Change): Step {
  if (!access.may(ACTIONS[change.kind])) throw new AppError('FORBIDDEN')
  const scope = scopeOf({ catalogue, dialect: mysqlDialect }, access)
  switch (change.kind) {
    case 'insert':
      return insertStep(scope, change.values, catalogue.flavour.isMariaDb)
    case 'update':
      return updateStep(scope, change)
    case 'delete':
      return deleteStep(scope, change)
  }
}

type Written = {
  readonly names: readonly Sql[]
  readonly values: readonly Sql[]
  readonly misfits: readonly string[]
}

function writtenOf(scope: Scope, values: Values): Written {
  const columns = Object.keys(values).map((column) => writableColumn(scope, column))
  const written = columns.map((column) => writtenSql(column, values[column.name]!))
  return {
    names: columns.map((column) => name(column.name)),
    values: written.map((value) => value ?? sql`null`),
    misfits: columns.filter((_, i) => written[i] === undefined).map((column) => column.name),
  }
}

function insertStep(scope: Scope, given: Values, isMariaDb: boolean): Step {
  const { names, values, misfits } = writtenOf(scope, given)
  const returning = isMariaDb ? sql` returning ${join(scope.of.table.key.map(name))}` : sql``
  return {
    misfits,
    check: null,
    run: statement(
      sql`insert into ${scope.of.from} (${join(names)}) values (${join(values)})${returning}`,
    ),
    key: isMariaDb ? { from: 'rows' } : insertedKey(scope, given),
    verify: (key) => verifyStatement(scope, key),
  }
}

/** MySQL tells of no value of its own but a number that it counted up. */
function insertedKey({ of }: Scope, given: Values): WrittenKey {
  const values = of.table.key.map((column) => given[column] ?? null)
  const place = values.indexOf(null)
  if (place < 0) return { from: 'values', values }
  const column = of.columns.get(of.table.key[place]!)
  if (column?.identity === true && values.lastIndexOf(null) === place)
    return { from: 'count', values, place }
  throw new AppError('UPDATE_INVALID', {
    detail: ({ mysql }) => mysql.keyWanted(of.table.key[place]!),
  })
}

function updateStep(
  scope: Scope,
  { key, values, expect = {} }: Extract<Change, { kind: 'update' }>,
): Step {
  const written = writtenOf(scope, values)
  const sets = written.names.map((column, i) => sql`${column} = ${written.values[i]!}`)
  const target = targetSql(scope, key, expect)
  const after = scope.of.table.key.map((column, i) => values[column] ?? key[i]!)
  return {
    misfits: written.misfits,
    check: checkStatement(scope, key, expect),
    run:
      sets.length === 0
        ? null
        : statement(sql`update ${fromSql(scope)} set ${join(sets)} where ${target}`),
    key: { from: 'values', values: after },
    verify: (found) => verifyStatement(scope, found),
  }
}

function deleteStep(scope: Scope, { key, expect = {} }: Extract<Change, { kind: 'delete' }>): Step {
  const target = targetSql(scope, key, expect)
  // An alias is only understood by this form, which several tables could be named in.
  const run = sql`delete t0 from ${fromSql(scope)} where ${target}`
  return {
    misfits: [],
    check: checkStatement(scope, key, expect),
    run: statement(run),
    key: { from: 'values', values: key },
    verify: () => null,
  }
}

/** Tells a row that is not there for the actor from one that has been changed, and holds it. */
function checkStatement(scope: Scope, key: KeyValues, expect: Values): Statement {
  const stands = all(expectations(scope, expect))
  const row = all([...keyConditions(scope, key), ...policyConditions(scope)])
  return statement(sql`select (${stands}) is true from ${fromSql(scope)} where ${row} for update`)
}

/**
 * The write carries all its conditions itself, whatever was checked before. Only where the policy
 * looks at the same table once more, which a write may not, must the row that is held do.
 */
function targetSql(scope: Scope, key: KeyValues, expect: Values): Sql {
  const { access, of } = scope
  const isOwn = relatedAccesses(access, access.grant.rows).some(
    (other) => other.table.name === of.table.name,
  )
  const policy = isOwn ? [] : policyConditions(scope)
  return all([...keyConditions(scope, key), ...policy, ...expectations(scope, expect)])
}

function verifyStatement(scope: Scope, key: KeyValues): Statement | null {
  const conditions = policyConditions(scope)
  if (conditions.length === 0) return null
  const row = all([...keyConditions(scope, key), ...conditions])
  return statement(sql`select 1 from ${fromSql(scope)} where ${row} lock in share mode`)
}

function keyConditions(scope: Scope, key: KeyValues): Sql[] {
  const columns = scope.of.table.key
  if (key.length !== columns.length)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.keyParts(scope.of.table.name, number(columns.length)),
    })
  return columns.map((column, i) => isStill(scope, column, key[i]!))
}

const expectations = (scope: Scope, expect: Values): Sql[] =>
  Object.entries(expect).map(([column, value]) =>
    isStill(scope, readableColumn(scope, column).name, value),
  )

const isStill = (scope: Scope, column: string, value: Value): Sql =>
  equals(scope.bench.dialect, operand(scope, knownColumn(scope, column)), value)

function writableColumn({ of, access }: Scope, wanted: string): MysqlColumn {
  const column = of.columns.get(wanted)
  if (!column || !(access.canRead(wanted) || access.canWrite(wanted))) throw unknownColumn(wanted)
  if (!access.canWrite(wanted))
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.column(wanted) })
  if (column.generated)
    throw new AppError('FORBIDDEN', { detail: ({ rows }) => rows.generated(wanted) })
  return column
}

const statement = (fragment: Sql): Statement => render(fragment, notation)
