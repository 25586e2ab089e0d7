/** Writes a unit in one transaction, whole or not at all, and tells what became of each part. */

import type {
  BeforeImages,
  LedgerResult,
  RankResult,
  RowResult,
  SetResult,
} from '../../table/source/write-unit.ts'
import { render, sql, type Statement } from '../query/sql.ts'
import type { Assignment } from './columns.ts'
import type { UnitPlan } from './plan.ts'
import { writeRanks } from './run-ranks.ts'
import { writeRow } from './run-row.ts'
import { writeSet } from './run-set.ts'
import { rareRows, rowsOf, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'
import type { Writing } from './writing.ts'

/** A part of a unit. */
export type Part = {
  readonly of: 'ledger' | 'rows' | 'sets' | 'ranks'
  /** Its place in the list. */
  readonly at: number
}

/** How an engine's failures are understood; `R` is what a refusal is until it is put into words. */
export type Rules<R> = {
  /** What a rule of the database refused; `undefined` where something else has failed. */
  refusalOf(error: unknown, part: Part): R | undefined
  /** Whether the database does not say which value it would not take. */
  isUnclear?(refusal: R): boolean
}

/** What became of a part: its answer, or what the database refused, which is to be put into words. */
export type Step<T, R> =
  | { readonly result: T }
  | { readonly refusal: R; readonly misfits?: readonly string[] }

export type Outcome<R> = {
  readonly isDone: boolean
  readonly ledger: readonly Step<LedgerResult, R>[]
  readonly rows: readonly Step<RowResult, R>[]
  readonly sets: readonly Step<SetResult, R>[]
  readonly ranks: Step<RankResult, R> | null
  readonly before: readonly BeforeImages[]
}

type Running<R> = Writing & { readonly rules: Rules<R>; readonly isCareful: boolean }

/** A refused statement has spoilt a transaction whose statements were not guarded one by one. */
class Spoilt extends Error {}

export type RunOptions<R> = {
  readonly dialect: WriteDialect
  readonly rules: Rules<R>
  /** Whether each part can be taken back by itself; costs a savepoint where the engine needs one. */
  readonly isCareful: boolean
}

/**
 * `undefined` where a part was refused and only another run, a careful one, can tell about them all.
 * Throws what the session throws, and `FORBIDDEN` for rows that would be out of the actor's reach.
 */
export function* runUnit<R>(
  plan: UnitPlan,
  { dialect, rules, isCareful }: RunOptions<R>,
): Work<Outcome<R> | undefined> {
  const running: Running<R> = { plan, dialect, rules, isCareful, before: [] }
  const turn = plan.ranks ? dialect.turn?.(plan.ranks.table) : undefined
  yield 'begin'
  try {
    const outcome = yield* runParts(running)
    if (outcome.isDone) return yield* commit(outcome, running)
    yield 'rollback'
    return outcome
  } catch (error) {
    yield* ignoringFailure('rollback')
    if (error instanceof Spoilt) return undefined
    throw error
  } finally {
    if (turn?.leave) yield* ignoringFailure(render(turn.leave, dialect))
  }
}

/** Every part is tried even after one has failed, so that whoever asked is told about each. */
function* runParts<R>(running: Running<R>): Work<Outcome<R>> {
  const { plan, before } = running
  if (plan.lock) yield* rowsOf(plan.lock)
  const ledger: Step<LedgerResult, R>[] = []
  for (const [at, entry] of plan.ledger.entries())
    ledger.push(yield* guarded(running, { of: 'ledger', at }, () => writeEntry(entry)))
  const rows: Step<RowResult, R>[] = []
  for (const [at, row] of plan.rows.entries())
    rows.push(yield* guarded(running, { of: 'rows', at }, () => writeRow(running, row), row.trials))
  const sets: Step<SetResult, R>[] = []
  for (const [at, set] of plan.sets.entries())
    sets.push(
      yield* guarded(running, { of: 'sets', at }, () => writeSet(running, set), set.set ?? []),
    )
  const { ranks: moved } = plan
  const ranks = moved
    ? yield* guarded(running, { of: 'ranks', at: 0 }, () => writeRanks(running, moved))
    : null
  const all = [...ledger, ...rows, ...sets, ...(ranks ? [ranks] : [])]
  const isDone = all.every((step) => 'result' in step && step.result.status === 'done')
  return { isDone, ledger, rows, sets, ranks, before: isDone ? before : [] }
}

function* writeEntry(statement: Statement): Work<LedgerResult> {
  yield { statement, wants: 'count', isRare: false }
  return { status: 'done' }
}

/** A part whose refusal by the database's own rules is an answer. */
function* guarded<T, R>(
  { dialect, rules, isCareful }: Running<R>,
  part: Part,
  work: () => Work<T>,
  trials: readonly Assignment[] = [],
): Work<Step<T, R>> {
  const isSaved = isCareful && dialect.needsSavepoints
  if (isSaved) yield 'save'
  try {
    return { result: yield* work() }
  } catch (error) {
    const refusal = rules.refusalOf(error, part)
    if (refusal === undefined) throw error
    if (dialect.needsSavepoints && !isSaved) throw new Spoilt()
    if (isSaved) yield 'undo'
    const isUnclear = isSaved && rules.isUnclear?.(refusal)
    return isUnclear ? { refusal, misfits: yield* misfitsAmong(dialect, trials) } : { refusal }
  }
}

/** The columns whose values the database does not take for ones of their types, asked one by one. */
function* misfitsAmong(dialect: WriteDialect, trials: readonly Assignment[]): Work<string[]> {
  const found: string[] = []
  for (const { name, value } of trials) {
    yield 'save'
    try {
      yield* rareRows(sql`select ${value}`, dialect)
    } catch {
      yield 'undo'
      found.push(name)
    }
  }
  return found
}

/** A rule that was put off until now refuses the unit as a whole. */
function* commit<R>(outcome: Outcome<R>, { plan, rules }: Running<R>): Work<Outcome<R>> {
  try {
    yield 'commit'
    return outcome
  } catch (error) {
    const refused = refusedWhole(plan, (part) => rules.refusalOf(error, part))
    if (!refused) throw error
    return refused
  }
}

/** The outcome of a unit whose commit was refused; `undefined` where something else failed. */
export function refusedWhole<R>(
  { ledger, rows, sets, ranks }: UnitPlan,
  refusalOf: (part: Part) => R | undefined,
): Outcome<R> | undefined {
  const first = refusalOf({ of: 'rows', at: 0 })
  if (first === undefined) return undefined
  const stopped = (of: Part['of']) => (_: unknown, at: number) => ({
    refusal: refusalOf({ of, at }) ?? first,
  })
  return {
    isDone: false,
    ledger: ledger.map(stopped('ledger')),
    rows: rows.map(stopped('rows')),
    sets: sets.map(stopped('sets')),
    ranks: ranks && stopped('ranks')(ranks, 0),
    before: [],
  }
}

/** What failed before is told, not what came of it. */
function* ignoringFailure(ask: 'rollback' | Statement): Work<void> {
  try {
    yield ask === 'rollback' ? ask : { statement: ask, wants: 'rows', isRare: false }
  } catch {
    return
  }
}
