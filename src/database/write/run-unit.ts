/** Writes a unit in one transaction, and reports the result of each change. */

import type { RowImage } from '../../table/source/ledger-entry.ts'
import type { RankResult, Recorded, RowResult, SetResult } from '../../table/source/write-unit.ts'
import { render, type Statement } from '../query/sql.ts'
import type { PartPlan, UnitPlan } from './plan.ts'
import { Images } from './images.ts'
import { slimmed, summaryOf } from './recorded-images.ts'
import { inBatches } from './keys.ts'
import { writeRanks } from './run-ranks.ts'
import { writeRows } from './run-rows.ts'
import { writeSet } from './run-set.ts'
import {
  guarded,
  TransactionAborted,
  type Guarding,
  type Place,
  type Rules,
  type Step,
} from './guarded.ts'
import { rowsOf, type Request, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'
import { withTakenKey } from './taken-key.ts'
import type { Writing } from './writing.ts'

export type PartOutcome<R> = {
  readonly rows: readonly Step<RowResult, R>[]
  readonly sets: readonly Step<SetResult, R>[]
  readonly ranks: Step<RankResult, R> | null
}

export type Outcome<R> = {
  readonly isDone: boolean
  readonly parts: readonly PartOutcome<R>[]
  /** Only if the unit was recorded, or tried. */
  readonly recorded?: Recorded
  readonly tried?: readonly RowImage[]
}

type Running<R> = Guarding<R> & {
  readonly unit: UnitPlan
  readonly images: Images | undefined
}

export type RunOptions<R> = {
  readonly dialect: WriteDialect
  readonly rules: Rules<R>
  /** Whether each change can be undone separately; costs a savepoint where the engine needs one. */
  readonly isCareful: boolean
  /** Whether there is a recorder; otherwise entries are ignored. */
  readonly isRecorded?: boolean
}

/**
 * `undefined` if a change was refused and only a careful run can report on all of them. Throws what
 * the connection throws, and `FORBIDDEN` for rows of a set or an order that the policy would not
 * allow once written.
 */
export function* runUnit<R>(
  unit: UnitPlan,
  { dialect, rules, isCareful, isRecorded = false }: RunOptions<R>,
): Work<Outcome<R> | undefined> {
  const isImaged = (isRecorded && unit.entry) || unit.isTrial
  const images = isImaged ? new Images(dialect, unit) : undefined
  const running: Running<R> = { unit, dialect, rules, isCareful, images }
  yield 'begin'
  try {
    const outcome = yield* runParts(running)
    const ended = outcome.isDone ? yield* endDeferral(outcome, running) : outcome
    if (ended.isDone && !unit.isTrial)
      return yield* commit(yield* recorded(ended, running), running)
    const told = ended.isDone ? yield* tried(ended, running) : ended
    yield 'rollback'
    return told
  } catch (error) {
    yield* ignoringFailure('rollback')
    if (error instanceof TransactionAborted) return undefined
    throw error
  } finally {
    for (const { ranks } of unit.parts) {
      const lock = ranks ? dialect.rankLock?.(ranks.table) : undefined
      if (lock?.release) yield* ignoringFailure(render(lock.release, dialect))
    }
  }
}

/** Tries every change, even after one has failed, to report on all of them. */
function* runParts<R>(running: Running<R>): Work<Outcome<R>> {
  const parts: PartOutcome<R>[] = []
  for (const [part, plan] of running.unit.parts.entries()) {
    const known = withKeys(plan, parts, running.dialect)
    parts.push(known ? yield* runPart(running, known, part) : notTried(plan))
  }
  const all = parts.flatMap(({ rows, sets, ranks }) => [
    ...rows,
    ...sets,
    ...(ranks ? [ranks] : []),
  ])
  const isDone = all.every((step) => 'result' in step && step.result.status === 'done')
  return { isDone, parts }
}

/** The part, its new rows with the keys that they take; `undefined` if one of those was not written. */
function withKeys<R>(
  plan: PartPlan,
  earlier: readonly PartOutcome<R>[],
  dialect: WriteDialect,
): PartPlan | undefined {
  const rows = plan.rows.map((row) => {
    if (!row.taken) return row
    const step = earlier[row.taken.part]?.rows[row.taken.row]
    const isDone = step && 'result' in step && step.result.status === 'done'
    return isDone ? withTakenKey(dialect, plan.target, row, step.result.key) : undefined
  })
  return rows.every((row) => row !== undefined) ? { ...plan, rows } : undefined
}

/** The unit is refused for the row whose key these would take; nothing is known of them. */
const notTried = <R>({ rows }: PartPlan): PartOutcome<R> => ({
  ...{ rows: rows.map(({ key }) => ({ result: { status: 'done', key } })), sets: [], ranks: null },
})

function* runPart<R>(running: Running<R>, plan: PartPlan, part: number): Work<PartOutcome<R>> {
  const { dialect, images } = running
  const writing: Writing = { plan, dialect, images }
  if (plan.lock) yield* rowsOf(plan.lock)
  const rows = yield* writeRows(running, writing, part)
  const sets: Step<SetResult, R>[] = []
  for (const [at, set] of plan.sets.entries())
    sets.push(
      yield* guarded(
        running,
        { part, of: 'sets', at },
        () => writeSet(writing, set),
        set.set ?? [],
      ),
    )
  const { ranks: moved } = plan
  const ranks = moved
    ? yield* guarded(running, { part, of: 'ranks', at: 0 }, () => writeRanks(writing, moved))
    : null
  return { rows, sets, ranks }
}

/** Images that are handed over at once. */
const IMAGES = 1000

/** Hands the images of all rows to the recorder, unless everything is as it was. */
function* recorded<R>(outcome: Outcome<R>, { unit, images }: Running<R>): Work<Outcome<R>> {
  if (!images || !unit.entry) return outcome
  const found = yield* images.finished()
  if (found.length === 0 && isUnchanged(unit, images))
    return { ...outcome, recorded: { tables: [], lacks: [], isAsBefore: true } }
  const chunks = inBatches(found, IMAGES).map(slimmed)
  const summary = summaryOf(
    chunks.flatMap((chunk) => chunk.images),
    images.missed,
    images.sets,
  )
  const last = chunks.pop() ?? { images: [], values: [] }
  for (const chunk of chunks) yield { record: unit.entry, ...chunk }
  yield { record: unit.entry, ...last, recorded: summary }
  return { ...outcome, recorded: summary }
}

/** Images that are told of a unit that is tried. */
const TRIED = 20

/** What all of it did, cascades and triggers too. */
function* tried<R>(outcome: Outcome<R>, { images }: Running<R>): Work<Outcome<R>> {
  if (!images) return outcome
  const found = yield* images.finished()
  const { images: first } = slimmed(found.slice(0, TRIED))
  return { ...outcome, recorded: summaryOf(found, images.missed), tried: first }
}

/**
 * Of new rows without a key there is no image; an undo without any still says what it has taken back, and the
 * step of a job that it was made.
 */
const isUnchanged = ({ entry, parts }: UnitPlan, { missed, sets }: Images): boolean =>
  missed.size === 0 &&
  sets.tables.size === 0 &&
  entry?.undoes === undefined &&
  entry?.step === undefined &&
  !parts.some(({ rows }) => rows.some(({ kind }) => kind === 'insert'))

/** Images tell what deferred triggers did, too. */
function* endDeferral<R>(outcome: Outcome<R>, running: Running<R>): Work<Outcome<R>> {
  const { endDeferral: statement } = running.dialect
  if (!running.images || !statement) return outcome
  return yield* refusable(outcome, running, { statement, wants: 'count', isRare: false })
}

const commit = <R>(outcome: Outcome<R>, running: Running<R>): Work<Outcome<R>> =>
  refusable(outcome, running, 'commit')

/** A deferred rule, checked at last, refuses the whole unit. */
function* refusable<R>(
  outcome: Outcome<R>,
  { unit, rules }: Running<R>,
  request: Request,
): Work<Outcome<R>> {
  try {
    yield request
    return outcome
  } catch (error) {
    const refused = refusedWhole(unit, (place) => rules.refusalOf(error, place))
    if (!refused) throw error
    return refused
  }
}

/** The outcome of a unit whose commit was refused; `undefined` for any other failure. */
export function refusedWhole<R>(
  { parts }: UnitPlan,
  refusalOf: (place: Place) => R | undefined,
): Outcome<R> | undefined {
  const first = refusalOf({ part: 0, of: 'rows', at: 0 })
  if (first === undefined) return undefined
  const stopped = (part: number, of: Place['of']) => (_: unknown, at: number) => ({
    refusal: refusalOf({ part, of, at }) ?? first,
  })
  return {
    isDone: false,
    parts: parts.map(({ rows, sets, ranks }, part) => ({
      rows: rows.map(stopped(part, 'rows')),
      sets: sets.map(stopped(part, 'sets')),
      ranks: ranks && stopped(part, 'ranks')(ranks, 0),
    })),
  }
}

/** The error that came before matters, not one of the clean-up. */
function* ignoringFailure(ask: 'rollback' | Statement): Work<void> {
  try {
    yield ask === 'rollback' ? ask : { statement: ask, wants: 'rows', isRare: false }
  } catch {
    return
  }
}
