/**
 * Finds the first rows of an order under a condition that no index serves, in two ways at once.
 *
 * Where many rows match, the first of them are soon found along an index of the order. Where few do,
 * that walk looks at every row in the worst order, and one scan is several times faster. Nobody can
 * know which, so the likelier way begins alone and the other one soon sets out as well. The walk gives
 * up before long: it must not hold what somebody else's scan is waiting for.
 */

import type { Run } from '../../table/source/row-source.ts'
import { isTimeout } from '../failure.ts'
import { timeFor, type TableTime } from '../table-time.ts'

/** Reads by one of the ways; it has to end when the signal says so. */
export type Way<T> = (run: Run) => Promise<T>

export type Ways<T> = {
  readonly walk: Way<T>
  readonly scan: Way<T>
  /** Whether the scan is the likelier way. Default false. */
  readonly isScanLikelier?: boolean
  /** Rows of the table, as far as anybody knows. */
  readonly rows: number | null
  /** How long the likelier way goes alone, and how long a walk goes at all. */
  readonly times: { readonly headStart: TableTime; readonly walk: TableTime }
}

/** The answer of whichever way is there first; the other one is ended. */
export function walkOrScan<T>(
  { walk, scan, isScanLikelier = false, rows, times }: Ways<T>,
  run: Run,
): Promise<T> {
  const walkBriefly = briefly(walk, timeFor(rows, times.walk))
  const [first, second] = isScanLikelier ? [scan, walkBriefly] : [walkBriefly, scan]
  return race(first, second, timeFor(rows, times.headStart), run)
}

/**
 * A way that fails by itself leaves the other its chance; where both do, the failure of the later is
 * thrown, unless it only gave up.
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
