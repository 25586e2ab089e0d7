/** Decides when edits of one component are sent by themselves: after a pause, or at intervals. */

import { DEBOUNCE_MS, LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import type { SetOptions } from './component.ts'
import type { Environment } from './environment.ts'
import type { Loss } from './losses.ts'

export type DelayedSend = {
  /** An edit was made with these options. */
  edited(options: SetOptions): void
  /** Sends now what a delay would have sent later. */
  now(): void
}

/** Whether an edit with these options is sent by itself. */
const isSentByItself = ({ live, debounce, throttle }: SetOptions): boolean =>
  [live, debounce, throttle].some((option) => option !== undefined && option !== false)

/** When leaving the page would lose an edit with these options. */
export const lossOf = (options: SetOptions): Loss =>
  options.fleeting ? 'never' : isSentByItself(options) ? 'if sending fails' : 'until it is sent'

export function createDelayedSend(
  { later }: Pick<Environment, 'later'>,
  send: () => void,
): DelayedSend {
  let cancel: (() => void) | null = null
  /** Whether something was sent so recently that a throttled edit has to wait. */
  let isPausing = false
  let isWaiting = false

  function now(): void {
    cancel?.()
    cancel = null
    isWaiting = false
    send()
  }

  function after(delayMs: number): void {
    cancel?.()
    cancel = later(now, delayMs)
  }

  /** Sends at once unless it has just done so; the last edit is sent when the pause is over. */
  function atMostEvery(delayMs: number): void {
    isWaiting = true
    if (isPausing) return
    now()
    isPausing = true
    later(() => {
      isPausing = false
      if (isWaiting) atMostEvery(delayMs)
    }, delayMs)
  }

  return {
    edited(options) {
      const { throttle = false, debounce = false } = options
      if (throttle !== false) atMostEvery(throttle === true ? DEBOUNCE_MS : throttle)
      else if (debounce !== false) after(debounce === true ? DEBOUNCE_MS : debounce)
      else if (isSentByItself(options)) after(LIVE_INPUT_DEBOUNCE_MS)
    },
    now,
  }
}
