/** How fast jobs have gone of late, by the steps that were seen: in memory, for jobs that run. */

import type { Job } from '../source/job-engine.ts'

/** How far a rate looks back, ms, and the shortest time between two of its steps. */
const WINDOW_MS = 30_000
const APART_MS = 500
/** From how many steps on a rate is steady, over how long, ms, and how much faster one half may be than the other. */
const STEPS = 4
const STEADY_MS = 2000
const FACTOR = 1.5
/** Most jobs that are known: those of other nodes may end unseen. */
const MOST_JOBS = 500

type Step = { readonly at: number; readonly done: number }

export type Rate = {
  readonly perSecond: number
  /** Whether it has been the same for a while, so that the time left can be told by it. */
  readonly isSteady: boolean
}

export type RecentRates = {
  /** Notes how far a job is; one that does not run is forgotten. */
  note(job: Pick<Job, 'id' | 'state' | 'run' | 'progress' | 'changedAt'>): void
  /** `undefined` where nothing of the job was done of late. */
  rateOf(id: string, now: number): Rate | undefined
}

export function createRecentRates(): RecentRates {
  const steps = new Map<string, readonly Step[]>()
  return {
    note({ id, state, run, progress: { done }, changedAt: at }) {
      if (state !== 'running' || !run) return void steps.delete(id)
      const known = steps.get(id) ?? []
      // It was paused meanwhile, or went back to an earlier step.
      const isAnew = (known[0]?.at ?? 0) < run.since || done < (known.at(-1)?.done ?? 0)
      const before = known.length === 0 || isAnew ? [{ at: run.since, done: run.done }] : known
      if (at <= (before.at(-1)?.at ?? 0)) return
      steps.set(id, recent([...before, { at, done }]))
      const [oldest] = steps.keys()
      if (steps.size > MOST_JOBS && oldest !== undefined) steps.delete(oldest)
    },
    rateOf(id, now) {
      const known = steps.get(id) ?? []
      const [first, last] = [known[0], known.at(-1)]
      if (!first || !last || last.done <= first.done) return undefined
      const middle = known[Math.floor(known.length / 2)] ?? last
      const [early, late] = [rate(first, middle), rate(middle, last)]
      const span = last.at - first.at
      // Nothing has come for longer than a few steps take: it may stand still.
      const isStuck = now - last.at > Math.max((3 * span) / (known.length - 1), STEADY_MS)
      return {
        perSecond: rate(first, last),
        isSteady:
          known.length > STEPS &&
          span >= STEADY_MS &&
          !isStuck &&
          Math.max(early, late) <= FACTOR * Math.min(early, late),
      }
    },
  }
}

const rate = (from: Step, to: Step): number =>
  ((to.done - from.done) / Math.max(to.at - from.at, 1)) * 1000

/** Those of the window, and the last one before it; of steps that come close together the last. */
function recent(all: readonly Step[]): readonly Step[] {
  const [last, before, earlier] = [all.at(-1), all.at(-2), all.at(-3)]
  if (!last) return all
  const kept = before && earlier && before.at - earlier.at < APART_MS ? all.toSpliced(-2, 1) : all
  const from = kept.findLastIndex(({ at }) => at <= last.at - WINDOW_MS)
  return kept.slice(Math.max(from, 0))
}
