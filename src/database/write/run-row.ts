/** Writes one row under all its conditions, or tells which of them did not hold. */

import type { RowResult } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { all, render, sql } from '../query/sql.ts'
import { decoded } from './columns.ts'
import { isRow, keyIn } from './keys.ts'
import type { OldRow, RowPlan } from './row-plan.ts'
import { invalidValues, untouched, type Writing } from './writing.ts'
import { rowsOf, type StatementResult, type Work } from './work.ts'

export function* writeRow(writing: Writing, row: RowPlan): Work<RowResult> {
  const { plan, dialect, images } = writing
  const { old, run, invalid } = row
  const readsFirst = dialect.readsFirst || !run
  if (images && old) {
    const rows = isRow(dialect, plan.target.key, old.key)
    yield* images.keep(plan.imaged, rows, old.sets)
  }
  const seen = old && readsFirst ? yield* look(writing, old, true) : undefined
  if (seen?.result) return seen.result
  if (invalid) return invalidValues(invalid)
  const result: StatementResult | undefined = run
    ? yield { statement: run, wants: wantsOf(row), isRare: false }
    : undefined
  if (result && !wasWritten(row, result)) {
    const why = old && !seen ? yield* look(writing, old, false) : undefined
    return why?.result ?? untouched
  }
  const key = keyOf(writing, row, result)
  const isAllowed = yield* isWithinPolicy(writing, row, { key, result })
  if (!isAllowed) return { status: 'forbidden' }
  if (old) images?.moved(plan.imaged, old.key, key)
  else images?.inserted(plan.imaged, key)
  return { status: 'done', key }
}

const wantsOf = ({ key }: RowPlan): 'rows' | 'count' => (key.from === 'rows' ? 'rows' : 'count')

/** Several rows count as none: tables that inherit from this one may hold rows with the same key. */
const wasWritten = ({ key }: RowPlan, { rows, matched }: StatementResult): boolean =>
  key.from === 'rows' ? rows.length === 1 : matched > 0

function keyOf(
  { plan, dialect }: Writing,
  { key }: RowPlan,
  result: StatementResult | undefined,
): KeyValues {
  if (key.from === 'values') return key.values
  if (key.from === 'count')
    return key.values.map((value, i) => (i === key.place ? (result?.insertId ?? null) : value))
  return keyIn(dialect, plan.target.key, result?.rows[0] ?? [])
}

type Written = { readonly key: KeyValues; readonly result: StatementResult | undefined }

/** Whether the policy allows the row as written. */
function* isWithinPolicy(
  { plan, dialect }: Writing,
  { isVerified }: RowPlan,
  { key, result }: Written,
): Work<boolean> {
  const { from, key: columns, policy } = plan.target
  if (!isVerified || policy.length === 0) return true
  if (dialect.returnsPolicy) return !result || isTrue(result.rows[0]?.at(-1))
  const row = all([isRow(dialect, columns, key), ...policy])
  const statement = render(sql`select 1 from ${from} where ${row}${dialect.lockForShare}`, dialect)
  return (yield* rowsOf(statement)).length > 0
}

type Seen = {
  /** Why the row cannot be written; `undefined` if it exists and is as expected. */
  readonly result?: RowResult
}

/** Tells a row that the actor cannot see from one that has changed. */
function* look({ dialect }: Writing, old: OldRow, isLocked: boolean): Work<Seen> {
  const { text, binds } = old.look
  const lock = isLocked ? render(dialect.lockForUpdate, dialect).text : ''
  const [row] = yield* rowsOf({ text: `${text}${lock}`, binds })
  if (!row) return { result: { status: 'missing' } }
  if (isTrue(row[0])) return {}
  const values = old.columns.map((column, i) => decoded(dialect, column, row[i + 1]))
  const valueOf = (name: string): Value =>
    values[old.columns.findIndex((column) => column.name === name)] ?? null
  const current = Object.fromEntries(old.expected.map((name) => [name, valueOf(name)]))
  return { result: { status: 'conflict', current } }
}

const isTrue = (value: Value | undefined): boolean => value === true || value === 1
