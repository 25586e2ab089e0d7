/** Gives moved rows values that put them where they are wanted, writing as few rows as it can. */

import { AppError } from '../../server/app-error.ts'
import type { RankResult } from '../../table/source/write-unit.ts'
import type { Value } from '../../table/source/value.ts'
import { all, sql } from '../query/sql.ts'
import { isAmong, keyText } from './keys.ts'
import { merged, runsOf, surprises, type Beside, type RankRow, type Run } from './rank-order.ts'
import type { RankPlan } from './rank-plan.ts'
import { handOn, valuesFor } from './rank-room.ts'
import { countBefore, countFilled, readByKeys, readPlaces, type Order } from './read-order.ts'
import { numberOf, rareRows, type Work } from './work.ts'
import { writeValues, type RankWrite } from './write-ranks.ts'
import { untouched, type Writing } from './writing.ts'

export function* writeRanks(writing: Writing, ranks: RankPlan): Work<RankResult> {
  yield* takeTurn(writing, ranks)
  const moved = ranks.at.map(({ key }) => key)
  if (moved.length === 0) return { status: 'done', matched: 0, changed: 0 }
  const order: Order = { ...writing, ranks, moved }
  const rows = yield* readByKeys(order, moved)
  const found = new Map(rows.map((row) => [keyText(row.key), row]))
  const missing = moved.filter((key) => !found.has(keyText(key)))
  if (missing.length > 0) return { status: 'missing', keys: missing }
  const runs = runsOf(ranks.at, (key) => found.get(keyText(key)) ?? { key, value: null })
  const beside = yield* readBeside(order, runs)
  const current = beside ? surprises(beside, ranks.expected) : []
  if (!beside || current) return { status: 'conflict', current: current ?? [] }
  const writes = (yield* intoGaps(order, beside)) ?? (yield* respaced(order, beside, rows))
  if (!writes) return { status: 'refused', rule: 'other', columns: [ranks.column.column.name] }
  const written = yield* writeValues(order, writes)
  return written === undefined
    ? untouched
    : { status: 'done', matched: moved.length, changed: written }
}

/** Two that read the same order before either has written would put rows into one place. */
function* takeTurn({ dialect }: Writing, { table }: RankPlan): Work<void> {
  const turn = dialect.turn?.(table)
  if (!turn) return
  const [row] = yield* rareRows(turn.take, dialect)
  if (!row || row[0] === 0 || row[0] === null) throw new AppError('BUSY', { retryAfter: 1 })
}

/** How many values beside a run tell how far apart they are. */
const BESIDE = 2

/** `undefined` where there are not as many rows as the places take. */
function* readBeside(order: Order, runs: readonly Run[]): Work<Beside[] | undefined> {
  const all: Beside[] = []
  for (const run of runs) {
    const count = Math.min(run.skip, BESIDE)
    const rows = yield* readPlaces(order, run.skip - count, count + BESIDE)
    if (rows.length < count) return undefined
    all.push({ run, before: rows.slice(0, count), after: rows.slice(count) })
  }
  return all
}

const valuesOf = (rows: readonly RankRow[]): Value[] => rows.map(({ value }) => value)

type Wanted = Record<'before' | 'rows' | 'after', readonly RankRow[]>

/** The rows whose values change, and those beside them by which their values were found. */
function* room(order: Order, wanted: Wanted): Work<RankWrite[] | undefined> {
  const { column, isDescending } = order.ranks
  const { before, rows, after } = wanted
  const kind = { column: column.column, isDescending }
  const window = { before: valuesOf(before), rows: valuesOf(rows), after: valuesOf(after) }
  for (const valuesIn of [valuesFor, handOn]) {
    const values = valuesIn(kind, window)
    if (!values) continue
    const writes = rows.map((row, i): RankWrite => ({ ...row, to: values[i] ?? null }))
    const changed = writes.filter(({ value, to }) => value !== to)
    const beside = [before.at(-1), after[0]].flatMap((row) =>
      row ? [{ ...row, to: row.value }] : [],
    )
    if (!(yield* isTaken(order, changed))) return [...changed, ...beside]
  }
  return undefined
}

/** Whether rows that are not in the order hold a value that no two rows may have. */
function* isTaken(order: Order, writes: readonly RankWrite[]): Work<boolean> {
  const { plan, dialect, ranks } = order
  if (!ranks.isUnique || ranks.conditions.length === 0 || writes.length === 0) return false
  const values = isAmong(
    dialect,
    [ranks.column],
    writes.map(({ to }) => [to]),
  )
  const taken = sql`select count(*) from ${plan.target.from} where ${values} and ${dialect.isNotTrue(all(ranks.conditions))}`
  return (yield* numberOf(taken, dialect)) > 0
}

/** Only the moved rows are written; `undefined` where one of them finds no gap. */
function* intoGaps(order: Order, beside: readonly Beside[]): Work<RankWrite[] | undefined> {
  const writes: RankWrite[] = []
  for (const { run, before, after } of beside) {
    const found = yield* room(order, { before, rows: run.rows, after })
    if (!found) return undefined
    writes.push(...found)
  }
  return writes
}

/** Rows looked at more on each side where there was no room. */
const LEAST_WIDER = 8
/** Rows that may be looked at: so many take some seconds to write. */
const MOST_ROWS = 100_000

/**
 * The rows between the old places and the new ones are written too, and more where those do not do;
 * `undefined` where that would be too many.
 */
function* respaced(
  order: Order,
  beside: readonly Beside[],
  moved: readonly RankRow[],
): Work<RankWrite[] | undefined> {
  const runs = beside.map(({ run }) => run)
  let [from, to] = yield* firstSpan(order, beside, moved)
  while (to - from <= MOST_ROWS) {
    const count = Math.min(from, BESIDE)
    const rows = yield* readPlaces(order, from - count, count + to - from + BESIDE)
    const others = rows.slice(count, count + to - from)
    const window = {
      before: rows.slice(0, count),
      rows: merged(runs, others, from),
      after: rows.slice(count + to - from),
    }
    const writes = yield* room(order, window)
    if (writes || window.before.length + window.after.length === 0) return writes
    const wider = Math.max(LEAST_WIDER, to - from)
    to = from + others.length + (window.after.length > 0 ? wider : 0)
    from = Math.max(0, from - wider)
  }
  return undefined
}

/** Which of the rows that are not moved are looked at first. */
function* firstSpan(
  order: Order,
  beside: readonly Beside[],
  moved: readonly RankRow[],
): Work<[from: number, to: number]> {
  const skips = beside.map(({ run }) => run.skip)
  const last = Math.max(...skips)
  // Rows without a value come last: those that stay before a moved one need values, too.
  if (beside.some(({ before }) => before.at(-1)?.value === null))
    return [Math.min(...skips, yield* countFilled(order)), last]
  for (const row of [moved[0], moved.at(-1)]) if (row) skips.push(yield* countBefore(order, row))
  return [Math.min(...skips), Math.max(...skips)]
}
