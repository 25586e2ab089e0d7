/** The bodies of uploads: how many at once, and how long nothing may come. */

import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'

/** Bodies of a person that may be under way at once. */
const AT_ONCE = 6
/** Most bytes of one request. */
export const LARGEST_BODY = 16 * 1024 ** 3
/** How long a body may take to arrive, ms; one that stands still is given up much sooner. */
export const BODY_MS = 6 * 60 * 60_000
/** How long nothing may arrive before a body is given up, ms. */
export const STALL_MS = 30_000

/** Counts the bodies of each person that are under way. */
export type Places = {
  /** Runs `task` in one of a person's places. Throws `TOO_MANY_REQUESTS` if none is free. */
  take<Result>(user: string, task: () => Promise<Result>): Promise<Result>
}

export function createPlaces(): Places {
  const underWay = new Map<string, number>()
  return {
    async take(user, task) {
      const others = underWay.get(user) ?? 0
      if (others >= AT_ONCE) throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 5 })
      underWay.set(user, others + 1)
      try {
        return await task()
      } finally {
        const left = (underWay.get(user) ?? 1) - 1
        if (left > 0) underWay.set(user, left)
        else underWay.delete(user)
      }
    },
  }
}

/** Those that wait for their turn. */
const waiting: (() => void)[] = []

/** Lets one piece of one body pass in each turn of the event loop: pages do not wait for uploads, however many those are. */
function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(begin)
  return promise
}

function begin(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(begin)
}

/** The pieces of a body, as long as they come. Throws `REQUEST_TIMEOUT` once nothing has come for a while. */
export async function* unlessStalled(body: Readable, ms: number): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => body.destroy(new AppError('REQUEST_TIMEOUT')), ms)
  try {
    for await (const piece of body) {
      timer.refresh()
      await turn()
      yield piece
    }
  } catch (error) {
    // The line broke, which is no fault of ours.
    throw error instanceof AppError ? error : new AppError('REQUEST_TIMEOUT', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
