/** Long questions of a database take turns, so that quick counts find a connection free. */

import { AppError } from '../../server/app-error.ts'
import type { RowSource, Run } from '../source/row-source.ts'

/** Longest time of such a question, ms. */
export const LONG_MS = 20_000
/** Most people whose questions run or wait: a request must not wait for longer than it may take. */
const PEOPLE_MAX = 2
/** When a browser asks again whose question has no place, s. */
const RETRY_S = 2

const last = new WeakMap<RowSource, Promise<unknown>>()
const asking = new WeakMap<RowSource, Set<string>>()

/** Does the work once all before it has ended. */
export async function inTurn<T>(source: RowSource, work: () => Promise<T>): Promise<T> {
  const before = last.get(source)
  const own = before ? before.then(work) : work()
  const ended = own.catch(() => undefined)
  last.set(source, ended)
  try {
    return await own
  } finally {
    if (last.get(source) === ended) last.delete(source)
  }
}

/**
 * A question that somebody has asked to go on with. Throws `BUSY` while another one of theirs is under way,
 * or those of several others.
 */
export async function askedFor<T>(
  source: RowSource,
  person: string,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const people = asking.get(source) ?? new Set()
  if (people.has(person) || people.size >= PEOPLE_MAX)
    throw new AppError('BUSY', { retryAfter: RETRY_S })
  asking.set(source, people.add(person))
  try {
    return await inTurn(source, () => work({ isLong: true, timeoutMs: LONG_MS }))
  } finally {
    people.delete(person)
  }
}
