/** Turns on the main thread: people take them in rotation, however many requests each has. */

import { AppError } from './app-error.ts'
import { FairQueue } from './fair-queue.ts'

export type Turns = {
  /**
   * Resolves when a new request of this person may begin. Throws `TOO_MANY_REQUESTS` if as many of
   * theirs wait as may.
   */
  begin(person: string, signal?: AbortSignal): Promise<void>
  /** Resolves when a request that has begun may go on with work that takes a while. */
  goOn(person: string, signal?: AbortSignal): Promise<void>
}

/** Requests of one person that may wait to begin. */
const WAITING = 128

/**
 * A turn lasts until the work that it began waits for something or ends. What comes over the network is
 * read between turns, so whoever asks meanwhile is served next.
 */
export function createTurns(waiting = WAITING): Turns {
  const queue = new FairQueue<() => void>()
  /** How many wait to begin, by person. */
  const beginning = new Map<string, number>()
  /** Whether somebody has had the turn of this round of the event loop. */
  let isTaken = false

  function next(): void {
    const go = queue.next()
    if (!go) return void (isTaken = false)
    setImmediate(next)
    go()
  }

  function take(person: string, add: 'add' | 'addFirst', signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (!isTaken) {
      isTaken = true
      setImmediate(next)
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue[add](person, resolve)
    const leave = () => {
      // Whoever has left takes no turn.
      if (queue.delete(person, resolve)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return {
    async begin(person, signal) {
      const before = beginning.get(person) ?? 0
      if (before >= waiting) throw new AppError('TOO_MANY_REQUESTS')
      beginning.set(person, before + 1)
      try {
        await take(person, 'add', signal)
      } finally {
        const left = (beginning.get(person) ?? 1) - 1
        if (left === 0) beginning.delete(person)
        else beginning.set(person, left)
      }
    },
    // Before the person's own new requests, so that what has begun is answered first.
    goOn: async (person, signal) => take(person, 'addFirst', signal),
  }
}
