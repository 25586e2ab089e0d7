/** Polls a component while the React component that asks for it is mounted. */

import { type RefObject, useEffect } from 'react'
import { type PollOptions as ClientPollOptions, startPoll } from '../client/poll.ts'
import { useRuntime } from './runtime-context.tsx'

export type PollOptions = Pick<ClientPollOptions, 'interval' | 'skipRatio'> & {
  /** Polls only while this element is in the viewport. Default: wherever the page is scrolled. */
  readonly within?: RefObject<Element | null>
}

/**
 * Refreshes the component every 2000 ms (spec §9), beside updates and without edits. Skips polls while
 * the browser is offline, `within` is out of the viewport or a request of the component is out, and
 * about 5 % of them in a hidden tab.
 *
 * @example
 * const queue = useRef<HTMLElement>(null)
 * usePoll(components.board, { interval: 5000, within: queue })
 */
export function usePoll(id: string, { interval, skipRatio, within }: PollOptions = {}): void {
  const runtime = useRuntime()
  const component = runtime.component(id)
  useEffect(
    () =>
      startPoll(component, runtime.environment, {
        ...(interval !== undefined && { interval }),
        ...(skipRatio !== undefined && { skipRatio }),
        element: within?.current ?? null,
      }),
    [component, runtime, interval, skipRatio, within],
  )
}
