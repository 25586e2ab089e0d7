/**
 * Finds the first rows of an order under a condition that no index serves, in two ways at once.
 *
 * If many rows match, a walk along an index of the order finds the first of them soon. If few do, the
 * walk reads every row in the worst order, and one scan is several times faster. Nobody can know which
 * beforehand, so the likelier way gets a head start and then both compete. The walk has a short time
 * limit: it must not hold the worker or connection that another request's scan is waiting for.
 */

import type { Run } from '../../table/source/row-source.ts'
import { isTimeout } from '../failure.ts'
import { timeFor, type TableTime } from '../table-time.ts'

/** Reads in one of the two ways; it must end when the signal aborts. */
export type Way<T> = (run: Run) => Promise<T>

export type Ways<T> = {
  readonly walk: Way<T>
  readonly scan: Way<T>
  /** Whether the scan is the likelier way. Default false. */
  readonly isScanLikelier?: boolean
  /** Estimated rows of the table; `null` if unknown. */
  readonly rows: number | null
  /** How long the likelier way runs alone, and how long a walk may take. */
  readonly times: { readonly headStart: TableTime; readonly walk: TableTime }
}

/** Returns the first answer and cancels the other way. */
export function walkOrScan<T>(
  { walk, scan, isScanLikelier = false, rows, times }: Ways<T>,
  run: Run,
): Promise<T> {
  const walkBriefly = briefly(walk, timeFor(rows, times.walk))
  const [first, second] = isScanLikelier ? [scan, walkBriefly] : [walkBriefly, scan]
  return race(first, second, timeFor(rows, times.headStart), run)
}

/**
 * If one way fails, the other still may answer. If both fail, throws the later error, except that of
 * reaching a way's own limit.
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
    // The head start is over.
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

/** A way has reached its own limit, not the question's. */
class GaveUp extends Error {}

/** The same way, limited to `ms`. A shorter limit of the question still applies. */
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
