/** Writes one row: under all its conditions, or telling which of them did not hold. */

import type { RowResult } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { all, render, sql } from '../query/sql.ts'
import { decoded } from './columns.ts'
import { isRow, keyIn } from './keys.ts'
import type { OldRow, RowPlan } from './row-plan.ts'
import { misfit, outOfReach, untouched, type Writing } from './writing.ts'
import { rowsOf, type Ran, type Work } from './work.ts'

export function* writeRow(writing: Writing, row: RowPlan): Work<RowResult> {
  const { plan, dialect } = writing
  const { old, run, misfits } = row
  const looksFirst = dialect.looksFirst || plan.before || !run
  const seen = old && looksFirst ? yield* look(writing, old, true) : undefined
  if (seen?.result) return seen.result
  if (misfits) return misfit(misfits)
  const ran: Ran | undefined = run
    ? yield { statement: run, wants: wantsOf(row), isRare: false }
    : undefined
  if (ran && !wasWritten(row, ran)) {
    const why = old && !seen ? yield* look(writing, old, false) : undefined
    return why?.result ?? untouched
  }
  const key = keyOf(writing, row, ran)
  if (!(yield* isReachable(writing, row, { key, ran }))) throw outOfReach()
  if (plan.before && old && seen) keepImage(writing, old, seen.values)
  return { status: 'done', key }
}

const wantsOf = ({ key }: RowPlan): 'rows' | 'count' => (key.from === 'rows' ? 'rows' : 'count')

/** More than one row is none: tables that inherit from this one may hold rows of the same key. */
const wasWritten = ({ key }: RowPlan, { rows, matched }: Ran): boolean =>
  key.from === 'rows' ? rows.length === 1 : matched > 0

function keyOf({ plan, dialect }: Writing, { key }: RowPlan, ran: Ran | undefined): KeyValues {
  if (key.from === 'values') return key.values
  if (key.from === 'count')
    return key.values.map((value, i) => (i === key.place ? (ran?.insertId ?? null) : value))
  return keyIn(dialect, plan.target.key, ran?.rows[0] ?? [])
}

type Written = { readonly key: KeyValues; readonly ran: Ran | undefined }

/** The policy is asked about the row as it was written. */
function* isReachable(
  { plan, dialect }: Writing,
  { isVerified }: RowPlan,
  { key, ran }: Written,
): Work<boolean> {
  const { from, key: columns, policy } = plan.target
  if (!isVerified || policy.length === 0) return true
  if (dialect.returnsPolicy) return !ran || isTrue(ran.rows[0]?.at(-1))
  const row = all([isRow(dialect, columns, key), ...policy])
  const statement = render(sql`select 1 from ${from} where ${row}${dialect.share}`, dialect)
  return (yield* rowsOf(statement)).length > 0
}

type Seen = {
  /** Why the row cannot be written; `undefined` for one that is there and as expected. */
  readonly result?: RowResult
  /** Its columns, as the plan lists them. */
  readonly values: readonly Value[]
}

/** Tells a row that is not there for the actor from one that has been changed. */
function* look({ dialect }: Writing, old: OldRow, isHeld: boolean): Work<Seen> {
  const { text, binds } = old.look
  const hold = isHeld ? render(dialect.hold, dialect).text : ''
  const [row] = yield* rowsOf({ text: `${text}${hold}`, binds })
  if (!row) return { result: { status: 'missing' }, values: [] }
  const values = old.columns.map((column, i) => decoded(dialect, column, row[i + 1]))
  if (isTrue(row[0])) return { values }
  const valueOf = (name: string): Value =>
    values[old.columns.findIndex((column) => column.name === name)] ?? null
  const current = Object.fromEntries(old.expected.map((name) => [name, valueOf(name)]))
  return { result: { status: 'conflict', current }, values }
}

const isTrue = (value: Value | undefined): boolean => value === true || value === 1

function keepImage(
  { before }: Writing,
  { key, columns, images }: OldRow,
  values: readonly Value[],
): void {
  const kept = images.map(
    (name) => values[columns.findIndex((column) => column.name === name)] ?? null,
  )
  before.push({ columns: images, rows: [{ key, values: kept }] })
}
