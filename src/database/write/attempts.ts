/** Writes a unit on a server: retries while nothing was committed, and reports an unknown outcome. */

import { AppError } from '../../server/app-error.ts'
import type { Refused, Unit, UnitResult } from '../../table/source/write-unit.ts'
import { answerOf, writtenBy, type Written } from './answer.ts'
import { planUnit } from './plan.ts'
import type { Rules } from './guarded.ts'
import { runUnit, type Outcome } from './run-unit.ts'
import {
  NOTHING,
  runAsync,
  type Command,
  type Request,
  type StatementRequest,
  type StatementResult,
} from './work.ts'
import type { Recorder } from '../../table/source/recorder.ts'
import type { WriteContext } from './target.ts'
import { Interfered } from './writing.ts'

/** Runs one statement or command on a connection. */
export type RunStatement = (request: Command | StatementRequest) => Promise<StatementResult>

type RunRequest = (request: Request) => Promise<StatementResult>

/** What writing needs of a server. Errors are what the driver throws. */
export type WriteServer = {
  /** The refusal of `written` by a rule of the database; `undefined` for any other failure. */
  refusalOf(error: unknown, written: Written): Refused | undefined
  /** Whether the database does not say which value it rejected. */
  isUnclear?(refusal: Refused): boolean
  /** Runs `work` on a connection of its own. */
  use<T>(work: (run: RunStatement) => Promise<T>): Promise<T>
  /** Whether a retry may succeed: a deadlock, a serialization failure, or a lost connection. */
  isTemporary(error: unknown): boolean
  /** Whether a commit that failed with this error has certainly written nothing. */
  isUndone(error: unknown): boolean
  /** Called before a retry. */
  onRetry?(error: unknown): void
  /** Keeps units that have an entry. */
  readonly recorder: Recorder | undefined
  /** The error as an `AppError`. */
  toAppError(error: unknown): unknown
}

/** Attempts to write a unit while other transactions interfere. */
const TRIES = 4

/** How far a unit has come: only a failure during its commit leaves the outcome unknown. */
type Progress = { isCommitting: boolean; isGivenUp: boolean; failed?: unknown }

/** Throws `AppError`s, including `OUTCOME_UNKNOWN` and `BUSY`. */
export async function writeOnServer(
  server: WriteServer,
  context: WriteContext,
  unit: Unit,
): Promise<UnitResult> {
  const { recorder } = server
  const plan = planUnit(context, unit)
  const rules: Rules<Refused> = {
    refusalOf: (error, place) => server.refusalOf(error, writtenBy(unit, place)),
    isUnclear: (refusal) => server.isUnclear?.(refusal) ?? false,
  }
  const outcome = await attempts(server, (isCareful, run) =>
    runAsync(
      runUnit(plan, {
        dialect: context.dialect,
        rules,
        isCareful,
        isRecorded: recorder !== undefined,
      }),
      run,
    ),
  )
  return answerOf(outcome, unit, (refused) => refused)
}

/** Runs a unit; `undefined` if only a careful run can tell its outcome. */
type RunUnit = (isCareful: boolean, run: RunRequest) => Promise<Outcome<Refused> | undefined>

async function attempts(server: WriteServer, runUnit: RunUnit): Promise<Outcome<Refused>> {
  // A savepoint for each change costs a round trip, so it is set only after one was refused.
  let isCareful = false
  for (let left = TRIES - 1; ; left--) {
    const progress: Progress = { isCommitting: false, isGivenUp: false }
    try {
      const outcome = await once(server, progress, (run) => runUnit(isCareful, run))
      if (outcome) return outcome
      isCareful = true
    } catch (error) {
      progress.isGivenUp = true
      const failed = progress.failed ?? error
      if (progress.isCommitting && !server.isUndone(failed))
        throw new AppError('OUTCOME_UNKNOWN', { cause: failed })
      const isInterfered = failed instanceof Interfered
      if (!isInterfered && !server.isTemporary(failed)) throw server.toAppError(error)
      if (left === 0)
        throw isInterfered ? new AppError('BUSY', { retryAfter: 1 }) : server.toAppError(error)
      server.onRetry?.(failed)
    }
  }
}

const once = <T>(
  { use, recorder, isUndone }: WriteServer,
  progress: Progress,
  work: (run: RunRequest) => Promise<T>,
): Promise<T> =>
  use(async (send) => {
    let recorded: { readonly id: string; readonly isWhole: boolean } | undefined
    const settle = async (state: 'done' | 'void'): Promise<void> => {
      if (!recorded) return
      const { id, isWhole } = recorded
      // The data is what it is; the entry is settled when the ledger is opened next.
      await recorder?.settle?.(id, isWhole ? state : 'part').catch(() => undefined)
    }
    const run: RunRequest = async (request) => {
      if (typeof request === 'object' && 'record' in request) {
        await recorder?.record(request, async (statement) => {
          const { matched } = await send({ statement, wants: 'count', isRare: false })
          return matched
        })
        // Until then, whatever is kept under the id is another unit's.
        recorded = { id: request.record.id, isWhole: request.recorded !== undefined }
        return NOTHING
      }
      // The caller was already told that nothing was written.
      if (request === 'commit' && progress.isGivenUp) throw new AppError('QUERY_TIMEOUT')
      if (request === 'commit') progress.isCommitting = true
      return send(request)
    }
    try {
      const done = await work(run)
      await settle('done')
      return done
    } catch (error) {
      progress.failed = error
      if (!progress.isCommitting || isUndone(error)) await settle('void')
      throw error
    }
  })
