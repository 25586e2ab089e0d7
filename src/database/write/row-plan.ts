/** A change to one row as two statements: one writes it, the other tells why that failed. */

import { AppError } from '../../server/app-error.ts'
import type { RowAction } from '../../table/source/access.ts'
import type { Column } from '../../table/source/schema.ts'
import type { RowChange, Values } from '../../table/source/write-unit.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { checkKey } from '../query/keys.ts'
import { operand, readableColumn } from '../query/scope.ts'
import { all, join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import {
  assigned,
  assignmentsOf,
  readableOf,
  readSql,
  type Assignment,
  type InvalidColumns,
} from './columns.ts'
import { isRow } from './keys.ts'
import type { Target, WriteScope } from './target.ts'
import type { WrittenKey } from './write-dialect.ts'

export type RowPlan = {
  /** Writes the row; `null` if there is nothing to write. */
  readonly run: Statement | null
  /** How to find the key of the written row. */
  readonly key: WrittenKey
  /** The existing row; `null` for an insert. */
  readonly old: OldRow | null
  /** Whether the policy must allow the row as written. */
  readonly isVerified: boolean
  readonly invalid: InvalidColumns
  /** The assignments, to find out which value the database rejects. */
  readonly trials: readonly Assignment[]
}

export type OldRow = {
  /** The columns that are set; `null` if the row is deleted. */
  readonly sets: readonly string[] | null
  readonly key: KeyValues
  /** Selects whether the row holds what was expected, then the columns; no row if the policy hides it. */
  readonly look: Statement
  readonly columns: readonly Column[]
  readonly expected: readonly string[]
}

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for an invalid value. */
export function planRow(scope: WriteScope, target: Target, change: RowChange): RowPlan {
  if ('insert' in change) return planInsert(scope, target, change.insert)
  return 'update' in change ? planUpdate(scope, target, change) : planDelete(scope, target, change)
}

/** Throws `FORBIDDEN` if the actor may not do this to any row. */
export function checkAction({ access }: WriteScope, action: RowAction): void {
  if (!access.may(action)) throw new AppError('FORBIDDEN')
}

function planInsert(scope: WriteScope, target: Target, values: Values): RowPlan {
  checkAction(scope, 'create')
  const { of, context } = scope
  const { dialect } = context
  const { list, invalid } = assignmentsOf(scope, dialect, values)
  // A policy in `returning` refers to the table by its alias.
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
    invalid,
    trials: trialsOf(scope, list),
  }
}

type Update = Extract<RowChange, { update: KeyValues }>
type Delete = Extract<RowChange, { delete: KeyValues }>

function planUpdate(scope: WriteScope, target: Target, change: Update): RowPlan {
  checkAction(scope, 'update')
  const { update: key, set, expect = {} } = change
  const { list, invalid } = assignmentsOf(scope, scope.context.dialect, set)
  const head = sql`update ${target.from} set ${join(list.map(assigned))}`
  const rows = rowSql(scope, target, { key, expect })
  const after = scope.of.table.key.map((column, i) => set[column] ?? key[i] ?? null)
  return {
    ...writing(scope, after, list.length > 0 && sql`${head} where ${rows}`, target.policy),
    old: { ...oldRow(scope, target, { key, expect }), sets: Object.keys(set) },
    isVerified: true,
    invalid,
    trials: trialsOf(scope, list),
  }
}

function planDelete(scope: WriteScope, target: Target, change: Delete): RowPlan {
  checkAction(scope, 'delete')
  const { delete: key, expect = {} } = change
  const rows = rowSql(scope, target, { key, expect })
  return {
    ...writing(scope, key, sql`${scope.context.dialect.deletes(target.from)} where ${rows}`, []),
    old: { ...oldRow(scope, target, { key, expect }), sets: null },
    isVerified: false,
    invalid: null,
    trials: [],
  }
}

/** The statement, and how to find the key of the row that it wrote; `false` if there is nothing to run. */
function writing(
  scope: WriteScope,
  after: KeyValues,
  statement: Sql | false,
  policy: readonly Sql[],
): Pick<RowPlan, 'run' | 'key'> {
  const { dialect } = scope.context
  if (!statement) return { run: null, key: { from: 'values', values: after } }
  if (dialect.returning !== 'all')
    return { run: render(statement, dialect), key: { from: 'values', values: after } }
  const run = render(sql`${statement}${returningSql(scope, policy)}`, dialect)
  return { run, key: { from: 'rows' } }
}

/** The key, without an alias because not every engine allows one here; then whether the policy holds. */
function returningSql({ of, context }: WriteScope, policy: readonly Sql[]): Sql {
  const key = join(of.table.key.map(name))
  return context.dialect.returnsPolicy
    ? sql` returning ${key}, ${all(policy)}`
    : sql` returning ${key}`
}

const trialsOf = (
  { context, access }: WriteScope,
  list: readonly Assignment[],
): readonly Assignment[] =>
  context.dialect.needsSavepoints ? list.filter((one) => access.canRead(one.name)) : []

type Wanted = { readonly key: KeyValues; readonly expect: Values }

/** The write repeats all conditions, even if the row was read before. */
const rowSql = (scope: WriteScope, target: Target, { key, expect }: Wanted): Sql =>
  all([keySql(scope, target, key), ...target.guard, ...expectations(scope, expect)])

function oldRow(scope: WriteScope, target: Target, { key, expect }: Wanted): Omit<OldRow, 'sets'> {
  const { dialect } = scope.context
  const expected = Object.keys(expect)
  const seen = readableOf(scope, expected)
  const stands = sql`(${all(expectations(scope, expect))}) is true`
  const list = join([stands, ...seen.map((column) => readSql(dialect, column))])
  const row = all([keySql(scope, target, key), ...target.policy])
  return {
    key,
    look: render(sql`select ${list} from ${target.from} where ${row}`, dialect),
    columns: seen.map(({ column }) => column),
    expected,
  }
}

function keySql({ context, of }: WriteScope, target: Target, key: KeyValues): Sql {
  checkKey(of.table, key)
  return isRow(context.dialect, target.key, key)
}

const expectations = (scope: WriteScope, expect: Values): Sql[] =>
  Object.entries(expect).map(([column, value]) =>
    scope.context.dialect.holds(operand(scope, readableColumn(scope, column)), value),
  )
