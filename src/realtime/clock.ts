/** The clock and timers of the realtime server, which tests replace. */

import { later } from '../server/timer.ts'

export type Clock = {
  /** Ms since some moment. */
  now(): number
  /** Runs `task` after `delayMs`; returns a function that cancels it. */
  later(task: () => void, delayMs: number): () => void
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = { now: () => Date.now(), later }

/** Runs `task` every `intervalMs` until the returned function is called. */
export function every(clock: Clock, intervalMs: number, task: () => void): () => void {
  let cancel = () => {}
  const next = () => {
    cancel = clock.later(() => {
      next()
      task()
    }, intervalMs)
  }
  next()
  return () => cancel()
}
