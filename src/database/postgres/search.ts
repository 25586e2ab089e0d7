/**
 * Searches for a part of a text in an order, by whichever way is the quicker one.
 *
 * Walking along the order's index is quick where many rows hold the text; finding them all first, by
 * a trigram index or a scan, and ordering them then is quick where few do. The planner cannot know
 * which, and when it walks in vain it is wrong by a factor of thousands; so where it would walk, both
 * ways are asked.
 */

import type { Run } from '../../table/row-source.ts'
import type { Value } from '../../table/value.ts'
import type { Lane } from './server.ts'

/** How long the more likely way goes alone, ms. */
const HEAD_START_MS = 8

export type Searching = {
  /** Reads by a lane's way: rows may be walked to, searches are not. */
  read(lane: Lane, run: Run): Promise<Value[][]>
  /** Whether the planner would walk. */
  walks(): Promise<boolean>
  /** Whether an index finds the text wherever it stands. */
  readonly hasIndex: boolean
}

export async function search(
  { read, walks, hasIndex }: Searching,
  { signal, ...run }: Run,
): Promise<Value[][]> {
  if (!(await walks())) return read('rows', { ...run, ...(signal && { signal }) })
  const [first, second]: [Lane, Lane] = hasIndex ? ['search', 'rows'] : ['rows', 'search']
  const loser = new AbortController()
  const ending = signal ? AbortSignal.any([signal, loser.signal]) : loser.signal
  const start = Promise.withResolvers<void>()
  const timer = setTimeout(start.resolve, HEAD_START_MS)
  const leading = read(first, { ...run, signal: ending })
  const following = start.promise.then(() => read(second, { ...run, signal: ending }))
  try {
    return await firstOf(leading, following)
  } finally {
    // What comes first is the answer; the other way is ended in the database as well.
    clearTimeout(timer)
    loser.abort()
  }
}

/** A way that fails by itself, as for want of a connection, leaves the other its chance. */
async function firstOf<T>(leading: Promise<T>, following: Promise<T>): Promise<T> {
  try {
    return await Promise.any([leading, following])
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  }
}
