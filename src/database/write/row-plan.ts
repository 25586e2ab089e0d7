/** A change to one row as the statement that writes it, and one that tells why it could not. */

import { AppError } from '../../server/app-error.ts'
import type { RowAction } from '../../table/source/access.ts'
import type { Column } from '../../table/source/schema.ts'
import type { RowChange, Values } from '../../table/source/write-unit.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { operand, readableColumn } from '../query/scope.ts'
import { all, join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import {
  assigned,
  assignmentsOf,
  readableOf,
  readSql,
  type Assignment,
  type Misfits,
} from './columns.ts'
import { checkKey, isRow } from './keys.ts'
import type { Target, WriteScope } from './target.ts'
import type { WrittenKey } from './write-dialect.ts'

export type RowPlan = {
  /** Writes. Nothing is left to write where it is `null`. */
  readonly run: Statement | null
  /** How the key of the written row is known. */
  readonly key: WrittenKey
  /** The row that is there before; `null` for a new one. */
  readonly old: OldRow | null
  /** Whether the written row must still be within the actor's reach. */
  readonly isVerified: boolean
  readonly misfits: Misfits
  /** What is written, to find out which value the database would not take. */
  readonly trials: readonly Assignment[]
}

export type OldRow = {
  readonly key: KeyValues
  /** Gives whether the row holds what was expected, then the columns; no row if it is out of reach. */
  readonly look: Statement
  readonly columns: readonly Column[]
  readonly expected: readonly string[]
  /** Columns of the before-image. */
  readonly images: readonly string[]
}

/**
 * `before`: whether what the row held before is asked for. Throws `FORBIDDEN`,
 * `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for what is no value.
 */
export function planRow(
  scope: WriteScope,
  target: Target,
  change: RowChange,
  before: boolean,
): RowPlan {
  if ('insert' in change) return planInsert(scope, target, change.insert)
  return 'update' in change
    ? planUpdate(scope, target, change, before)
    : planDelete(scope, target, change, before)
}

/** Throws `FORBIDDEN` where the actor may not do this to any row. */
export function checkAction({ access }: WriteScope, action: RowAction): void {
  if (!access.may(action)) throw new AppError('FORBIDDEN')
}

function planInsert(scope: WriteScope, target: Target, values: Values): RowPlan {
  checkAction(scope, 'create')
  const { of, bench } = scope
  const { dialect } = bench
  const { list, misfits } = assignmentsOf(scope, dialect, values)
  // A policy in `returning` names the table by its alias.
  const table = dialect.returnsPolicy ? target.from : of.from
  const columns = join(list.map((one) => name(one.name)))
  const given = join(list.map(({ value }) => value))
  const row = list.length === 0 ? dialect.noValues : sql`(${columns}) values (${given})`
  const returning = dialect.returning === 'none' ? sql`` : returningSql(scope, target.policy)
  return {
    run: render(sql`insert into ${table} ${row}${returning}`, dialect),
    key: dialect.insertedKey?.(of, values) ?? { from: 'rows' },
    old: null,
    isVerified: true,
    misfits,
    trials: trialsOf(scope, list),
  }
}

type Update = Extract<RowChange, { update: KeyValues }>
type Delete = Extract<RowChange, { delete: KeyValues }>

function planUpdate(scope: WriteScope, target: Target, change: Update, before: boolean): RowPlan {
  checkAction(scope, 'update')
  const { update: key, set, expect = {} } = change
  const { list, misfits } = assignmentsOf(scope, scope.bench.dialect, set)
  const head = sql`update ${target.from} set ${join(list.map(assigned))}`
  const rows = rowSql(scope, target, { key, expect })
  const after = scope.of.table.key.map((column, i) => set[column] ?? key[i] ?? null)
  return {
    ...writing(scope, after, list.length > 0 && sql`${head} where ${rows}`, target.policy),
    old: oldRow(scope, target, { key, expect, images: before ? Object.keys(set) : [] }),
    isVerified: true,
    misfits,
    trials: trialsOf(scope, list),
  }
}

function planDelete(scope: WriteScope, target: Target, change: Delete, before: boolean): RowPlan {
  checkAction(scope, 'delete')
  const { delete: key, expect = {} } = change
  const rows = rowSql(scope, target, { key, expect })
  return {
    ...writing(scope, key, sql`${scope.bench.dialect.deletes(target.from)} where ${rows}`, []),
    old: oldRow(scope, target, { key, expect, images: before ? scope.of.columns.keys() : [] }),
    isVerified: false,
    misfits: null,
    trials: [],
  }
}

/** The statement, and how the key of what it wrote is known; nothing is run where it is `false`. */
function writing(
  scope: WriteScope,
  after: KeyValues,
  statement: Sql | false,
  policy: readonly Sql[],
): Pick<RowPlan, 'run' | 'key'> {
  const { dialect } = scope.bench
  if (!statement) return { run: null, key: { from: 'values', values: after } }
  if (dialect.returning !== 'all')
    return { run: render(statement, dialect), key: { from: 'values', values: after } }
  const run = render(sql`${statement}${returningSql(scope, policy)}`, dialect)
  return { run, key: { from: 'rows' } }
}

/** The key, without an alias, which not every engine knows here; then whether the policy holds. */
function returningSql({ of, bench }: WriteScope, policy: readonly Sql[]): Sql {
  const key = join(of.table.key.map(name))
  return bench.dialect.returnsPolicy
    ? sql` returning ${key}, ${all(policy)}`
    : sql` returning ${key}`
}

const trialsOf = (
  { bench, access }: WriteScope,
  list: readonly Assignment[],
): readonly Assignment[] =>
  bench.dialect.needsSavepoints ? list.filter((one) => access.canRead(one.name)) : []

type Wanted = { readonly key: KeyValues; readonly expect: Values }

/** The write carries all its conditions itself, whatever was looked at before. */
const rowSql = (scope: WriteScope, target: Target, { key, expect }: Wanted): Sql =>
  all([keySql(scope, target, key), ...target.guard, ...expectations(scope, expect)])

function oldRow(
  scope: WriteScope,
  target: Target,
  { key, expect, images }: Wanted & { readonly images: Iterable<string> },
): OldRow {
  const { dialect } = scope.bench
  const kept = readableOf(scope, images).map(({ column }) => column.name)
  const expected = Object.keys(expect)
  const seen = readableOf(scope, new Set([...expected, ...kept]))
  const stands = sql`(${all(expectations(scope, expect))}) is true`
  const list = join([stands, ...seen.map((column) => readSql(dialect, column))])
  const row = all([keySql(scope, target, key), ...target.policy])
  return {
    key,
    look: render(sql`select ${list} from ${target.from} where ${row}`, dialect),
    columns: seen.map(({ column }) => column),
    expected,
    images: kept,
  }
}

function keySql({ bench, of }: WriteScope, target: Target, key: KeyValues): Sql {
  checkKey(of.table, key)
  return isRow(bench.dialect, target.key, key)
}

const expectations = (scope: WriteScope, expect: Values): Sql[] =>
  Object.entries(expect).map(([column, value]) =>
    scope.bench.dialect.holds(operand(scope, readableColumn(scope, column)), value),
  )
