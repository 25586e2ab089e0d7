/** Keeps answers that were not ready when their batch was answered, until the client asks for them. */

import { UPDATE_LIMITS } from '../../protocol/wire.ts'
import { later as timer } from '../timer.ts'
import type { Answered } from './run.ts'

/** The answers of parts that go on after their batch was answered. */
export type GoingOn = {
  readonly answers: Promise<Answered[]>
  /** Stops the work behind them. */
  abort(): void
}

export type LaterAnswers = {
  /** Runs `task` after `delayMs`; returns a function that cancels it. */
  after(task: () => void, delayMs: number): () => void
  /** Keeps them under a name; returns `false` if this person has as many as they may have. */
  keep(person: string, name: string, goingOn: GoingOn): boolean
  /**
   * The answers of that name, which are no longer kept; `undefined` if there are none. Few requests ask
   * for any, so the name is made only while some are kept.
   */
  take(name: () => string): GoingOn | undefined
}

export type LaterOptions = {
  /** Runs `task` after `delayMs`; returns a function that cancels it. Default: a timer. */
  later?(task: () => void, delayMs: number): () => void
}

/** The client asks at once; if it has not for this long, it is gone, and the work stops, ms. */
export const UNCLAIMED_MS = 5000

/** Makes the store of one process. Another process has none of these answers and runs the parts anew. */
export function laterAnswers({ later = timer }: LaterOptions = {}): LaterAnswers {
  const kept = new Map<string, { person: string; goingOn: GoingOn; cancel(): void }>()
  const countOf = (person: string) =>
    [...kept.values()].filter((one) => one.person === person).length
  return {
    after: later,
    keep(person, name, goingOn) {
      if (kept.has(name) || countOf(person) >= UPDATE_LIMITS.components) return false
      const cancel = later(() => {
        kept.delete(name)
        goingOn.abort()
      }, UNCLAIMED_MS)
      kept.set(name, { person, goingOn, cancel })
      return true
    },
    take(nameOf) {
      if (kept.size === 0) return undefined
      const name = nameOf()
      const found = kept.get(name)
      kept.delete(name)
      found?.cancel()
      return found?.goingOn
    },
  }
}
