/** Polls components: refreshes them on a shared clock, and never more than they need. */

import { POLL_INTERVAL_MS, POLL_SKIP_RATIO } from '../protocol/constants.ts'
import type { LiveComponent } from './component.ts'
import type { Environment } from './environment.ts'

export type PollOptions = {
  /** Time between two polls, ms. Default: 2000 (spec §9). */
  interval?: number
  /** Share of polls that a hidden tab skips, 0 to 1. Default: 0.05 (spec §9). */
  skipRatio?: number
  /** Polls only while this element is in the viewport. Default: wherever the page is scrolled. */
  element?: Element | null
}

/** Polls skipped at most after refreshes that the server did not answer. */
const LONGEST_PAUSE = 15

/**
 * Refreshes the component every `interval`; returns what stops it. A poll is skipped while the
 * browser is offline, the element is out of the viewport, or a request of the component is out, so
 * polls never pile up. Where the server does not answer, pauses grow.
 */
export function startPoll(
  component: Pick<LiveComponent, 'getState' | 'refresh'>,
  environment: Environment,
  { interval = POLL_INTERVAL_MS, skipRatio = POLL_SKIP_RATIO, element }: PollOptions = {},
): () => void {
  let isOut = false
  let isInView = true
  let failed = 0
  let pause = 0

  async function poll(): Promise<void> {
    isOut = true
    const isAnswered = await component.refresh()
    isOut = false
    failed = isAnswered ? 0 : failed + 1
    pause = Math.min(2 ** failed - 1, LONGEST_PAUSE)
  }

  function tick(): void {
    if (isOut || !isInView || !environment.isOnline() || component.getState().pending) return
    if (environment.isHidden() && environment.random() < skipRatio) return
    if (pause > 0) pause--
    else void poll()
  }

  const stopClock = onTick(environment, interval, tick)
  const stopWatching = element
    ? environment.onInView(element, (inView) => void (isInView = inView))
    : undefined
  return () => {
    stopClock()
    stopWatching?.()
  }
}

type Clock = { readonly tasks: Set<() => void>; stop(): void }

const clocks = new WeakMap<Environment, Map<number, Clock>>()

/** Polls of one interval share a clock, so that they travel in one request. */
function onTick(environment: Environment, interval: number, task: () => void): () => void {
  const byInterval = clocks.get(environment) ?? new Map<number, Clock>()
  clocks.set(environment, byInterval)
  const clock = byInterval.get(interval) ?? startClock(environment, interval)
  byInterval.set(interval, clock)
  clock.tasks.add(task)
  return () => {
    clock.tasks.delete(task)
    if (clock.tasks.size > 0) return
    clock.stop()
    if (byInterval.get(interval) === clock) byInterval.delete(interval)
  }
}

function startClock({ later }: Environment, interval: number): Clock {
  const tasks = new Set<() => void>()
  const tick = () => {
    stop = later(tick, interval)
    for (const task of tasks) task()
  }
  let stop = later(tick, interval)
  return { tasks, stop: () => stop() }
}
