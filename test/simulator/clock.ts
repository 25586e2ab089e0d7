/** The simulator's clock: time passes only from one event to the next, as fast as they can run. */

export type Clock = {
  /** Ms since the start. */
  now(): number
  /** Runs `task` after `delayMs`; returns a function that cancels it. */
  later(task: () => void, delayMs: number): () => void
  /** Runs what is due until that moment, in order. */
  runUntil(moment: number): Promise<void>
  /** Runs until nothing is left to do; throws if that does not happen within `limitMs`. */
  runOut(limitMs: number): Promise<void>
}

type Timer = { readonly at: number; readonly task: () => void; isCancelled: boolean }

export function createClock(): Clock {
  let now = 0
  /** Sorted by time; of the same time, the oldest comes first. */
  let timers: Timer[] = []

  async function runNext(): Promise<void> {
    const timer = timers.shift()
    if (!timer || timer.isCancelled) return
    now = timer.at
    timer.task()
    await settled()
  }

  return {
    now: () => now,
    later(task, delayMs) {
      const timer: Timer = { at: now + Math.max(0, delayMs), task, isCancelled: false }
      const place = timers.findLastIndex(({ at }) => at <= timer.at)
      timers.splice(place + 1, 0, timer)
      return () => {
        timer.isCancelled = true
        timers = timers.filter((other) => other !== timer)
      }
    },
    async runUntil(moment) {
      await settled()
      while (timers[0] && timers[0].at <= moment) await runNext()
      now = moment
    },
    async runOut(limitMs) {
      const end = now + limitMs
      await settled()
      while (timers[0]) {
        if (timers[0].at > end) throw new Error(`Timers remain after ${limitMs} ms.`)
        await runNext()
      }
    },
  }
}

/** Lets everything go on that waits for nothing but its turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
