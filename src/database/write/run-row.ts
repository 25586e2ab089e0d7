/** Writes one row under all its conditions, or tells which of them did not hold. */

import type { Refused, RowResult } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { all, join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import { assigned, decoded, readSql } from './columns.ts'
import { isRow, keyIn } from './keys.ts'
import type { RowPlan } from './row-plan.ts'
import type { Target } from './target.ts'
import { ambiguous, invalidValues, untouched, type Writing } from './writing.ts'
import { rowsOf, type StatementResult, type Work } from './work.ts'

export function* writeRow(writing: Writing, row: RowPlan): Work<RowResult> {
  const { plan, dialect, images } = writing
  const { kind, key: old, list, invalid } = row
  const isNew = kind === 'insert'
  const run = isNew || kind === 'delete' || list.length > 0 ? writeSql(writing, row) : null
  const isUncertain = plan.target.isKeyDeclared
  if (isUncertain && !isNew && (yield* rowsOfKey(writing, old)) > 1)
    return ambiguous(namesOf(plan.target.key))
  if (images && !isNew) {
    const set = kind === 'delete' ? null : list.map((one) => one.name)
    yield* images.keep(plan.imaged, isRow(dialect, plan.target.key, old), set)
  }
  const seen = !isNew && (dialect.readsFirst || !run) ? yield* look(writing, row, true) : undefined
  if (seen?.result) return seen.result
  if (invalid) return invalidValues(invalid)
  const wants = isReturned(writing, row) ? 'rows' : 'count'
  const result: StatementResult | undefined = run
    ? yield { statement: render(run, dialect), wants, isRare: false }
    : undefined
  if (result && !wasWritten(wants, result)) {
    const why = !isNew && !seen ? yield* look(writing, row, false) : undefined
    return why?.result ?? untouched
  }
  const key = keyOf(writing, row, result)
  const stray = isUncertain ? yield* strayAfter(writing, row, key) : undefined
  if (stray) return stray
  if (!(yield* isAllowed(writing, row, { key, result }))) return { status: 'forbidden' }
  if (isNew) images?.inserted(plan.imaged, key)
  else images?.moved(plan.imaged, old, key)
  return { status: 'done', key }
}

const namesOf = (columns: readonly Operand[]): string[] => columns.map(({ column }) => column.name)

/** How many rows have this key: at most two are looked at. */
function* rowsOfKey({ plan, dialect }: Writing, key: KeyValues): Work<number> {
  const { from, key: columns } = plan.target
  const some = sql`select 1 from ${from} where ${isRow(dialect, columns, key)} limit 2`
  return (yield* rowsOf(render(some, dialect))).length
}

/** What is wrong once a row has been written by a key that the database does not know as one. */
function* strayAfter(
  writing: Writing,
  { kind }: RowPlan,
  key: KeyValues,
): Work<Refused | undefined> {
  const names = namesOf(writing.plan.target.key)
  const empty = names.filter((_, at) => (key[at] ?? null) === null)
  // Nobody could say which row it is.
  if (empty.length > 0) return { status: 'refused', rule: 'required', columns: empty }
  const found = yield* rowsOfKey(writing, key)
  if (kind === 'delete') return found > 0 ? untouched : undefined
  if (found > 1) return ambiguous(names)
  return found === 0 ? { status: 'refused', rule: 'leaving', columns: [] } : undefined
}

/** The write repeats all conditions, even if the row was read before. */
function writeSql(writing: Writing, row: RowPlan): Sql {
  const { plan, dialect } = writing
  const { from, policy } = plan.target
  const { kind, list } = row
  if (kind === 'insert') return insertSql(writing, row)
  const { guard } = plan.target.changes[kind]
  const chosen = all([rowSql(writing, row), ...guard, ...expectations(writing, row)])
  const { isLookedUp, table } = plan.target
  const [to, where] = isLookedUp ? [table, isAmongRows(plan.target, chosen)] : [from, chosen]
  if (kind === 'delete')
    return sql`${dialect.deletes(to)} where ${where}${returningSql(writing, row, [])}`
  const set = join(list.map(assigned))
  return sql`update ${to} set ${set} where ${where}${returningSql(writing, row, policy)}`
}

/** By the keys of the rows that are chosen under the alias. */
const isAmongRows = ({ from, key }: Target, chosen: Sql): Sql =>
  sql`(${join(namesOf(key).map(name))}) in (select ${join(key.map((column) => column.sql))} from ${from} where ${chosen})`

function insertSql(writing: Writing, row: RowPlan): Sql {
  const { plan, dialect } = writing
  const { table, from, policy } = plan.target
  const { list } = row
  const columns = join(list.map((one) => name(one.name)))
  const given = join(list.map(({ value }) => value))
  const values = list.length === 0 ? dialect.noValues : sql`(${columns}) values (${given})`
  // A policy in `returning` refers to the table by its alias.
  const into = dialect.returnsPolicy ? from : table
  return sql`insert into ${into} ${values}${returningSql(writing, row, policy)}`
}

const rowSql = ({ plan, dialect }: Writing, { key }: RowPlan): Sql =>
  isRow(dialect, plan.target.key, key)

const expectations = ({ plan, dialect }: Writing, { expect }: RowPlan): Sql[] =>
  Object.entries(expect).flatMap(([column, value]) => {
    const operand = columnOf(plan.imaged.columns, column)
    return operand ? [dialect.holds(operand, value)] : []
  })

const columnOf = (columns: readonly Operand[], wanted: string): Operand | undefined =>
  columns.find(({ column }) => column.name === wanted)

/** Whether the statement returns the key of the row. */
const isReturned = ({ dialect }: Writing, { kind, newKey }: RowPlan): boolean =>
  kind === 'insert' ? newKey.from === 'rows' : dialect.returning === 'all'

/** The key, then whether the policy holds. */
function returningSql(writing: Writing, row: RowPlan, policy: readonly Sql[]): Sql {
  if (!isReturned(writing, row)) return sql``
  const key = returningKey(writing.plan.target.key)
  return writing.dialect.returnsPolicy ? sql`${key}, ${all(policy)}` : key
}

/** Without an alias, because not every engine allows one here. */
export const returningKey = (key: readonly Operand[]): Sql =>
  sql` returning ${join(key.map(({ column }) => name(column.name)))}`

/** Several rows count as none: tables that inherit from this one may hold rows with the same key. */
const wasWritten = (wants: 'rows' | 'count', { rows, matched }: StatementResult): boolean =>
  wants === 'rows' ? rows.length === 1 : matched === 1

function keyOf(writing: Writing, row: RowPlan, result: StatementResult | undefined): KeyValues {
  const { newKey } = row
  if (result && isReturned(writing, row))
    return keyIn(writing.dialect, writing.plan.target.key, result.rows[0] ?? [])
  if (newKey.from === 'rows') return row.key
  return newKey.from === 'values'
    ? newKey.values
    : newKey.values.map((value, i) => (i === newKey.place ? (result?.insertId ?? null) : value))
}

type Written = { readonly key: KeyValues; readonly result: StatementResult | undefined }

/** Whether the policy allows the row as written. */
function* isAllowed(writing: Writing, row: RowPlan, { key, result }: Written): Work<boolean> {
  const { plan, dialect } = writing
  if (row.kind === 'delete' || plan.target.policy.length === 0) return true
  if (dialect.returnsPolicy) return !result || isTrue(result.rows[0]?.at(-1))
  return yield* isWithinPolicy(writing, key)
}

/** Whether the policy allows the row of this key as it is now. */
export function* isWithinPolicy({ plan, dialect }: Writing, key: KeyValues): Work<boolean> {
  const { from, key: columns, policy } = plan.target
  const row = all([isRow(dialect, columns, key), ...policy])
  const statement = render(sql`select 1 from ${from} where ${row}${dialect.lockForShare}`, dialect)
  return (yield* rowsOf(statement)).length > 0
}

type Seen = {
  /** Why the row cannot be written; `undefined` if it exists and is as expected. */
  readonly result?: RowResult
}

/** Tells a row that the actor cannot see from one that they may not change, and from one that has changed. */
function* look(writing: Writing, row: RowPlan, isLocked: boolean): Work<Seen> {
  const { dialect } = writing
  const expected = Object.keys(row.expect)
  const [found] = yield* rowsOf(lookSql(writing, row, isLocked))
  if (!found) return { result: { status: 'missing' } }
  const [isAllowed, isHolding, ...held] = found
  if (!isTrue(isAllowed)) return { result: { status: 'forbidden' } }
  if (isTrue(isHolding)) return {}
  const { columns } = writing.plan.imaged
  const valueOf = (wanted: string): Value => {
    const operand = columnOf(columns, wanted)
    const value = held[expected.indexOf(wanted)]
    return operand ? decoded(dialect, operand.column, value) : null
  }
  const current = Object.fromEntries(expected.map((one) => [one, valueOf(one)]))
  return { result: { status: 'conflict', current } }
}

/** Whether it may be changed, whether it holds what was expected, then what it holds; no row if the policy hides it. */
function lookSql(writing: Writing, row: RowPlan, isLocked: boolean): Statement {
  const { plan, dialect } = writing
  const { from, policy } = plan.target
  const { before } = plan.target.changes[row.kind === 'delete' ? 'delete' : 'update']
  const isSo = (conditions: readonly Sql[]) => sql`(${all(conditions)}) is true`
  const stands = [isSo(before), isSo(expectations(writing, row))]
  const seen = Object.keys(row.expect).map((wanted) => {
    const operand = columnOf(plan.imaged.columns, wanted)
    return operand ? readSql(dialect, operand) : sql`null`
  })
  const where = all([rowSql(writing, row), ...policy])
  const lock = isLocked ? dialect.lockForUpdate : sql``
  return render(
    sql`select ${join([...stands, ...seen])} from ${from} where ${where}${lock}`,
    dialect,
  )
}

const isTrue = (value: Value | undefined): boolean => value === true || value === 1
