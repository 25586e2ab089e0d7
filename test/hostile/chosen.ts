/** Which of a long series of hostile cases a run tries. */

import { HOSTILE_STEPS } from '../tier.ts'

/** Cases of a series that every run tries. */
const ALWAYS = 150

/** The first cases, and of those after them as many as the run tries, spread over the rest. */
export function* chosen<T>(cases: Iterable<T>): Iterable<T> {
  let at = 0
  for (const one of cases) {
    // By a hash of the place, so that no property and no value falls between the steps.
    const drawn = (Math.imul(at, 0x9e3779b1) >>> 16) % HOSTILE_STEPS
    if (at++ < ALWAYS || drawn === 0) yield one
  }
}
