/** Writes a unit on a server: tried again while nothing has happened, and told where nobody knows. */

import { AppError } from '../../server/app-error.ts'
import type { Refused } from '../../table/source/write-unit.ts'
import type { UnitPlan } from './plan.ts'
import { runUnit, type Outcome, type Rules } from './run-unit.ts'
import { runLater, type Ask, type Command, type Ran } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'
import { Interfered } from './writing.ts'

/** Answers one statement or command after the other, on one connection. */
export type WriteSession = (asked: Command | Ask) => Promise<Ran>

/** A server, as far as writing needs it. Errors are what the driver throws. */
export type WriteServer = {
  readonly dialect: WriteDialect
  readonly rules: Rules<Refused>
  /** Lends a session of its own to `work`. */
  use<T>(work: (session: WriteSession) => Promise<T>): Promise<T>
  /** Whether the server rolled everything back for the sake of others, or the connection was lost. */
  isPassing(error: unknown): boolean
  /** Whether a commit that failed so has certainly done nothing. */
  isUndone(error: unknown): boolean
  /** Called before another try. */
  onRetry?(error: unknown): void
  /** The error as one of the catalogue. */
  told(error: unknown): unknown
}

/** How often a unit is tried that others kept from happening. */
const TRIES = 4

/** How far a unit came: only while it is being committed can nobody tell whether it happened. */
type Progress = { isCommitting: boolean; isGivenUp: boolean; failed?: unknown }

/** Throws errors of the catalogue, `OUTCOME_UNKNOWN` and `BUSY` among them. */
export async function writeOnServer(
  server: WriteServer,
  plan: UnitPlan,
): Promise<Outcome<Refused>> {
  // A savepoint for each part costs a round trip: set only where a part was refused without.
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
      if (!isInterfered && !server.isPassing(failed)) throw server.told(error)
      if (left === 0)
        throw isInterfered ? new AppError('BUSY', { retryAfter: 1 }) : server.told(error)
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
  return use(async (session) => {
    const run: WriteSession = (asked) => {
      // Whoever asked has been told that nothing happens.
      if (asked === 'commit' && progress.isGivenUp) throw new AppError('QUERY_TIMEOUT')
      if (asked === 'commit') progress.isCommitting = true
      return session(asked)
    }
    try {
      return await runLater(runUnit(plan, { dialect, rules, isCareful }), run)
    } catch (error) {
      progress.failed = error
      throw error
    }
  })
}
