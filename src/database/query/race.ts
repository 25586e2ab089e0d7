/** Two ways to the same answer, of which nobody can know which is the quicker one. */

import type { Run } from '../../table/source/row-source.ts'
import { isTimeout } from '../failure.ts'

/** Reads by one of the ways; it has to end when the signal says so. */
export type Way<T> = (run: Run) => Promise<T>

/**
 * The answer of whichever way is there first; the other is ended. The likelier one goes alone for
 * `headStartMs`. A way that fails by itself leaves the other its chance; where both do, the failure of
 * the later is thrown, unless it only gave up.
 */
export async function race<T>(
  leading: Way<T>,
  following: Way<T>,
  headStartMs: number,
  { signal, ...run }: Run,
): Promise<T> {
  const loser = new AbortController()
  const ending = signal ? AbortSignal.any([signal, loser.signal]) : loser.signal
  const start = Promise.withResolvers<void>()
  const timer = setTimeout(start.resolve, headStartMs)
  let failure: unknown
  const failed = (error: unknown): never => {
    if (!(error instanceof GaveUp)) failure = error
    // There is nobody to be ahead of any more.
    start.resolve()
    throw error
  }
  try {
    return await Promise.any([
      leading({ ...run, signal: ending }).catch(failed),
      start.promise.then(() => following({ ...run, signal: ending })).catch(failed),
    ])
  } catch {
    throw failure
  } finally {
    clearTimeout(timer)
    loser.abort()
  }
}

/** A way has come to a limit of its own: that says nothing about the question. */
class GaveUp extends Error {}

/** The same way, but for no longer than `ms`. A time that the question has itself still counts. */
export const briefly =
  <T>(way: Way<T>, ms: number): Way<T> =>
  async (run) => {
    if (run.timeoutMs !== undefined && run.timeoutMs <= ms) return way(run)
    try {
      return await way({ ...run, timeoutMs: ms })
    } catch (error) {
      throw isTimeout(error) ? new GaveUp() : error
    }
  }
