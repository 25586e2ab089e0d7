/** Writes a unit in one transaction, and reports the result of each part. */

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

/** How to interpret an engine's failures; `R` is a refusal that is not yet described. */
export type Rules<R> = {
  /** The refusal by a rule of the database; `undefined` for any other failure. */
  refusalOf(error: unknown, part: Part): R | undefined
  /** Whether the database does not say which value it rejected. */
  isUnclear?(refusal: R): boolean
}

/** The result of a part, or the database's refusal, not yet described. */
export type Step<T, R> =
  | { readonly result: T }
  | { readonly refusal: R; readonly invalid?: readonly string[] }

export type Outcome<R> = {
  readonly isDone: boolean
  readonly ledger: readonly Step<LedgerResult, R>[]
  readonly rows: readonly Step<RowResult, R>[]
  readonly sets: readonly Step<SetResult, R>[]
  readonly ranks: Step<RankResult, R> | null
  readonly before: readonly BeforeImages[]
}

type Running<R> = Writing & { readonly rules: Rules<R>; readonly isCareful: boolean }

/** A refused statement has aborted a transaction that sets no savepoints. */
class TransactionAborted extends Error {}

export type RunOptions<R> = {
  readonly dialect: WriteDialect
  readonly rules: Rules<R>
  /** Whether each part can be undone separately; costs a savepoint where the engine needs one. */
  readonly isCareful: boolean
}

/**
 * `undefined` if a part was refused and only a careful run can report on all parts. Throws what the
 * connection throws, and `FORBIDDEN` for rows that the policy would not allow once written.
 */
export function* runUnit<R>(
  plan: UnitPlan,
  { dialect, rules, isCareful }: RunOptions<R>,
): Work<Outcome<R> | undefined> {
  const running: Running<R> = { plan, dialect, rules, isCareful, before: [] }
  const lock = plan.ranks ? dialect.rankLock?.(plan.ranks.table) : undefined
  yield 'begin'
  try {
    const outcome = yield* runParts(running)
    if (outcome.isDone) return yield* commit(outcome, running)
    yield 'rollback'
    return outcome
  } catch (error) {
    yield* ignoringFailure('rollback')
    if (error instanceof TransactionAborted) return undefined
    throw error
  } finally {
    if (lock?.release) yield* ignoringFailure(render(lock.release, dialect))
  }
}

/** Tries every part, even after one has failed, to report on all of them. */
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

/** Runs a part; a refusal by the database's rules is a result, not an error. */
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
    if (dialect.needsSavepoints && !isSaved) throw new TransactionAborted()
    if (isSaved) yield 'undo'
    const isUnclear = isSaved && rules.isUnclear?.(refusal)
    return isUnclear ? { refusal, invalid: yield* invalidAmong(dialect, trials) } : { refusal }
  }
}

/** The columns whose values the database rejects, tried one by one. */
function* invalidAmong(dialect: WriteDialect, trials: readonly Assignment[]): Work<string[]> {
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

/** A deferred rule, checked at the commit, refuses the whole unit. */
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

/** The outcome of a unit whose commit was refused; `undefined` for any other failure. */
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

/** The error that came before matters, not one of the clean-up. */
function* ignoringFailure(ask: 'rollback' | Statement): Work<void> {
  try {
    yield ask === 'rollback' ? ask : { statement: ask, wants: 'rows', isRare: false }
  } catch {
    return
  }
}
