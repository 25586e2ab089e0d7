/** The channels of a page: the script that listens to them is loaded when something first listens. */

import { UNAVAILABLE_TIMEOUT_MS } from '../protocol/constants.ts'
import type { ChannelHandlers, PushState } from './channel-handlers.ts'
import type { LivePush, LivePushOptions } from './live-push.ts'
import type { Yielding } from './page-refreshes.ts'
import { createObservable, type Observable } from './observable.ts'
import type { Store } from './store.ts'

/** The channels of the page. */
export type Push = {
  /** Whether events arrive. */
  readonly state: Pick<Observable<PushState>, 'getState' | 'subscribe'>
  /**
   * Listens to a channel, by its name on the wire, such as `private-table.orders`; returns what stops
   * it. Does nothing on a page whose server sends no events.
   */
  listen(channel: string, handlers: ChannelHandlers): () => void
  /** Whether components have events to follow, and wait until the person no longer interacts with the page. */
  readonly waits: Observed<boolean>
  /** Whether the person has paused all that is live. */
  readonly isPaused: Observable<boolean>
  /** Follows at once what waits. */
  catchUp(): void
  /** Id of the connected socket, or `null`. */
  socketId(): string | null
}

type Observed<Value> = Pick<Observable<Value>, 'getState' | 'subscribe'>

export type PagePush = Push & {
  /** Refreshes the other components of the page, because that one has written. */
  wrote(writer: Store): void
  /** Refreshes a component on events of these channels as well, from now on. */
  follow(store: Store, channels: readonly string[]): void
  /** Begins to refresh components on events of their channels, if any has one. */
  start(): void
}

export function createPush(options: Omit<LivePushOptions, 'state' | 'yielding'>): PagePush {
  const { environment, page } = options
  const state = createObservable<PushState>('off')
  const yielding: Yielding = {
    isPaused: createObservable(false),
    waits: createObservable(false),
    catchUp() {},
  }
  let live: LivePush | undefined
  let loading: Promise<LivePush> | undefined

  /** Tries again, later each time: what is missing may be so until the page is loaded anew. */
  const load = (tries = 0): Promise<LivePush> =>
    import('./live-push.ts').then(
      (module) => (live = module.startPush({ ...options, state, yielding })),
      async (error: Error) => {
        if (tries === 0) environment.logError(error)
        state.setState('unavailable')
        const delayMs = UNAVAILABLE_TIMEOUT_MS * 2 ** Math.min(tries, 6)
        await new Promise<void>((resolve) => environment.later(resolve, delayMs))
        return load(tries + 1)
      },
    )
  const loaded = () => (loading ??= load())

  return {
    ...{ state, waits: yielding.waits, isPaused: yielding.isPaused },
    catchUp: () => yielding.catchUp(),
    socketId: () => live?.socketId() ?? null,
    wrote: (writer) => live?.wrote(writer),
    follow(store, channels) {
      store.channels = [...new Set([...store.channels, ...channels])]
      live?.follow()
    },
    start() {
      const { realtime, components } = page.getState()
      if (realtime && components.some(({ channels }) => channels)) void loaded()
    },
    listen(channel, handlers) {
      if (!page.getState().realtime) return () => {}
      const listening = loaded().then(({ listen }) => listen(channel, handlers))
      return () => void listening.then((stop) => stop())
    },
  }
}
