/** Two ways to the same answer, of which nobody can know which is the quicker one. */

import type { Run } from '../table/row-source.ts'

/** Reads by one of the ways; it has to end when the signal says so. */
export type Way<T> = (run: Run) => Promise<T>

/**
 * The answer of whichever way is there first; the other is ended. The likelier one goes alone for
 * `headStartMs`. A way that fails by itself leaves the other its chance; where both do, the failure of
 * the later is thrown.
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
    failure = error
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

/** A time in ms that grows with a table: for a million rows, and its bounds. */
export type TableTime = {
  readonly aMillion: number
  readonly least: number
  readonly most: number
}

export const timeFor = (rows: number, { aMillion, least, most }: TableTime): number =>
  Math.min(Math.max((rows / 1e6) * aMillion, least), most)
