/** The bodies of uploads: how many at once, how long nothing may come, and whose piece is next. */

import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import type { Turns } from '../turns.ts'

/** Bodies of a person that may be under way at once. */
const AT_ONCE = 6
/** Most bytes of one request. */
export const LARGEST_BODY = 16 * 1024 ** 3
/** How long a body may take to arrive, ms; one that stands still is given up much sooner. */
export const BODY_MS = 6 * 60 * 60_000
/** How long nothing may arrive before a body is given up, ms. */
const STALL_MS = 30_000

/** The bodies that are under way. */
export type Bodies = {
  /**
   * Hands the pieces of a person's body to `task`. Throws `TOO_MANY_REQUESTS` if that person sends too many
   * already; `REQUEST_TIMEOUT` comes to whoever reads the pieces once nothing has come for a while.
   */
  receive<Result>(
    user: string,
    body: Readable,
    task: (pieces: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result>
}

/** `stallMs`: default `STALL_MS`. */
export function createBodies(turns: Pick<Turns, 'goOn'>, stallMs = STALL_MS): Bodies {
  const underWay = new Map<string, number>()

  /** Pages wait for one piece at most, however many bodies arrive. */
  async function* piecesOf(user: string, body: Readable): AsyncGenerator<Uint8Array> {
    const wait = () => setTimeout(() => body.destroy(new AppError('REQUEST_TIMEOUT')), stallMs)
    let timer = wait()
    try {
      for await (const piece of body) {
        // Only the sender is waited for: the disk may be slow, too.
        clearTimeout(timer)
        await turns.goOn(user)
        yield piece
        timer = wait()
      }
    } catch (error) {
      // The line broke, which is no fault of ours.
      throw error instanceof AppError ? error : new AppError('REQUEST_TIMEOUT', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async receive(user, body, task) {
      const others = underWay.get(user) ?? 0
      if (others >= AT_ONCE) throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 5 })
      underWay.set(user, others + 1)
      try {
        return await task(piecesOf(user, body))
      } finally {
        const left = (underWay.get(user) ?? 1) - 1
        if (left > 0) underWay.set(user, left)
        else underWay.delete(user)
      }
    },
  }
}
