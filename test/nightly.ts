/** Tests that `npm test` leaves to greater runs, by the reason why every night is soon enough. */

import { test } from 'vitest'
import { isPlain } from './tier.ts'

const later = test.runIf(!isPlain)

export const nightly = {
  /** A detail of a journey that every run makes, or of a rule that is tested without a browser. */
  detail: later,
  /** Layout at several widths, in several themes or languages. */
  layout: later,
  /** What takes long: builds, walks through all states of all pages, hundreds of moves. */
  lengthy: later,
  /** What measures time, which a busy machine adds to. */
  benchmark: later,
}
