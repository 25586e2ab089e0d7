/** Writes a unit on a server: retries while nothing was committed, and reports an unknown outcome. */

import { AppError } from '../../server/app-error.ts'
import type { Refused } from '../../table/source/write-unit.ts'
import type { UnitPlan } from './plan.ts'
import { runUnit, type Outcome, type Rules } from './run-unit.ts'
import { runAsync, type StatementRequest, type Command, type StatementResult } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'
import { Interfered } from './writing.ts'

/** Runs one statement or command on a connection. */
export type RunRequest = (request: Command | StatementRequest) => Promise<StatementResult>

/** What writing needs of a server. Errors are what the driver throws. */
export type WriteServer = {
  readonly dialect: WriteDialect
  readonly rules: Rules<Refused>
  /** Runs `work` on a connection of its own. */
  use<T>(work: (run: RunRequest) => Promise<T>): Promise<T>
  /** Whether a retry may succeed: a deadlock, a serialization failure, or a lost connection. */
  isTemporary(error: unknown): boolean
  /** Whether a commit that failed with this error has certainly written nothing. */
  isUndone(error: unknown): boolean
  /** Called before a retry. */
  onRetry?(error: unknown): void
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
  plan: UnitPlan,
): Promise<Outcome<Refused>> {
  // A savepoint for each part costs a round trip, so it is set only after a part was refused.
  let isCareful = false
  for (let left = TRIES - 1; ; left--) {
    const progress: Progress = { isCommitting: false, isGivenUp: false }
    try {
      const outcome = await once(server, plan, { isCareful, progress })
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

type Try = { readonly isCareful: boolean; readonly progress: Progress }

function once(
  { dialect, rules, use }: WriteServer,
  plan: UnitPlan,
  { isCareful, progress }: Try,
): Promise<Outcome<Refused> | undefined> {
  return use(async (send) => {
    const run: RunRequest = (request) => {
      // The caller was already told that nothing was written.
      if (request === 'commit' && progress.isGivenUp) throw new AppError('QUERY_TIMEOUT')
      if (request === 'commit') progress.isCommitting = true
      return send(request)
    }
    try {
      return await runAsync(runUnit(plan, { dialect, rules, isCareful }), run)
    } catch (error) {
      progress.failed = error
      throw error
    }
  })
}
