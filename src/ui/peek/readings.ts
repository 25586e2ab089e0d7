/** When a row that is peeked at is read again: once for each change, though a change is told of in two ways. */

import type { Environment } from '../../client/environment.ts'
import { DEBOUNCE_MS } from '../../protocol/constants.ts'

/**
 * A change of others is told of by an event, and the list beside the row, which hears of it as well, may bring other
 * rows soon after; what the person has changed comes with the rows alone.
 */
export type Readings = {
  /** Somebody has changed the row, or what it refers to: it is read soon, unless the list brings other rows first. */
  event(): void
  /** The list has brought other rows: the row is read now. */
  rows(): void
  stop(): void
}

/** Time within which the list has usually been read anew, ms. */
const LIST_MS = 3 * DEBOUNCE_MS

export function createReadings({ later }: Pick<Environment, 'later'>, read: () => void): Readings {
  let stopWaiting: (() => void) | null = null
  const stop = () => {
    stopWaiting?.()
    stopWaiting = null
  }
  const now = () => {
    stop()
    read()
  }
  return {
    event: () => void (stopWaiting ??= later(now, LIST_MS)),
    rows: now,
    stop,
  }
}
