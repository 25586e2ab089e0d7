/** The members of a presence channel, while something watches it. */

import type { Presence } from './channel-handlers.ts'
import type { Push } from './create-push.ts'
import { createObservable, type Observable } from './observable.ts'

export const NOBODY: Presence = { members: [], me: null }

/** The members of a presence channel; the tab is in it while there is a subscriber. */
export function watchPresence(
  push: Pick<Push, 'listen'>,
  channel: string,
): Pick<Observable<Presence>, 'getState' | 'subscribe'> {
  const presence = createObservable(NOBODY)
  let watching = 0
  let leave = () => {}
  return {
    getState: presence.getState,
    subscribe(listener) {
      const stop = presence.subscribe(listener)
      if (watching++ === 0) leave = push.listen(channel, { members: presence.setState })
      return () => {
        stop()
        if (--watching === 0) leave()
      }
    },
  }
}
