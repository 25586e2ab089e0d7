/** Refreshes the components of the shown page when their channels send events. */

import { BATCH_DELAY_MS, DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageData } from '../protocol/page.ts'
import { retryDelay } from './backoff.ts'
import type { Environment } from './environment.ts'
import { watchInteraction } from './interaction.ts'
import type { Listening } from './listening.ts'
import type { Observable } from './observable.ts'
import type { Refreshes } from './refresh.ts'
import type { Store } from './store.ts'

/** Whether events may change what the person sees, and whether some wait until they may. */
export type Yielding = {
  readonly isPaused: Observable<boolean>
  readonly waits: Observable<boolean>
  /** Follows at once what waits. */
  catchUp(): void
}

export type PageRefreshesOptions = {
  readonly environment: Pick<Environment, 'later' | 'random' | 'watchInteraction'>
  readonly page: Pick<Observable<PageData>, 'getState' | 'subscribe'>
  readonly listening: Pick<Listening, 'listen'>
  readonly refreshes: Refreshes
  /** The stores of the page that is shown. */
  stores(): readonly Store[]
  readonly yielding: Yielding
}

type Followed = { readonly channels: string; readonly refresh: PacedRefresh; stop(): void }

type ToFollow = {
  readonly store: Store
  readonly channels: readonly string[]
  /** Whether it waits while nothing may change. */
  readonly yields: boolean
}

type OnEvents = {
  /** Refreshes all components but the one that has written, whose answer shows it. */
  wrote(writer: Store): void
  /** Looks again which channels they have. */
  follow(): void
}

/** Pages that are kept for the back button do not listen: they are refreshed when they are shown. */
export function refreshOnEvents(options: PageRefreshesOptions): OnEvents {
  const { page, listening, yielding, environment } = options
  const { isPaused, waits } = yielding
  let followed = new Map<Store, Followed>()
  let isInteracting = false

  /** Nothing changes while the person interacts with the page or has paused it. */
  function isHeld(): boolean {
    interaction.look()
    return isInteracting || isPaused.getState()
  }

  function note(): void {
    waits.setState([...followed.values()].some(({ refresh }) => refresh.isWaiting()))
  }

  /** Follows what waits, once it may. */
  function release(asked = false): void {
    if (!asked && isHeld()) return
    for (const { refresh } of followed.values()) refresh.release(asked)
    note()
  }

  /** Nothing may change from now on. */
  function hold(): void {
    for (const { refresh } of followed.values()) refresh.hold()
  }

  function start({ store, channels, yields }: ToFollow): Followed {
    const whether = yields ? isHeld : () => false
    const refresh = createPacedRefresh(store, { ...options, yields, isHeld: whether, note })
    const stops = channels.map((channel) => {
      // When a channel is joined at first, the page has only just been drawn.
      let wasJoined = false
      return listening.listen(channel, {
        event: refresh.soon,
        missed() {
          refresh.now({ isOutdated: wasJoined })
          wasJoined = true
        },
      })
    })
    return {
      channels: channels.join(),
      refresh,
      stop() {
        refresh.stop()
        for (const stop of stops) stop()
      },
    }
  }

  function follow(): void {
    const before = followed
    const stores = new Map(options.stores().map((store) => [store.id, store]))
    followed = new Map()
    for (const { id, channels: first = [], yields = true } of page.getState().components) {
      const store = stores.get(id)
      if (!store || first.length === 0) continue
      // None is left: a step back in the history may show what needs it.
      const channels = [...new Set([...first, ...store.channels])]
      const known = before.get(store)
      const isKnown = known?.channels === channels.join()
      followed.set(store, isKnown ? known : start({ store, channels, yields }))
    }
    // After the new ones, so that no channel is left that goes on.
    for (const [store, known] of before) if (followed.get(store) !== known) known.stop()
    note()
  }

  const interaction = (environment.watchInteraction ?? watchInteraction)((now) => {
    isInteracting = now
    if (now) hold()
    else release()
  })
  isPaused.subscribe(() => (isPaused.getState() ? hold() : release()))
  yielding.catchUp = () => release(true)
  follow()
  page.subscribe(follow)
  return {
    follow,
    wrote(writer) {
      for (const [store, { refresh }] of followed) if (store !== writer) refresh.own()
    },
  }
}

type PacedRefresh = {
  /** Whether it waits until it may, with changes that the person should know of. */
  isWaiting(): boolean
  /** Refreshes now what was held. `isAsked`: whatever holds it, because the person asked for it. */
  release(isAsked: boolean): void
  /** Nothing may change from now on: what is under way waits, too, unless the person asked for it. */
  hold(): void
  /** Refreshes in a moment, together with what else is asked for until then. */
  soon(): void
  /** The same, whatever holds it: what the person has written is shown to them at once. */
  own(): void
  /**
   * As `soon`, even while it waits for its next try: the connection is back. `isOutdated`: much may have
   * changed meanwhile, so the person is told if it has to wait.
   */
  now(after: { readonly isOutdated: boolean }): void
  stop(): void
}

type PacedOptions = Pick<PageRefreshesOptions, 'environment' | 'refreshes'> & {
  readonly yields: boolean
  /** Whether nothing may change now. */
  isHeld(): boolean
  /** Called when it begins to wait for that. */
  note(): void
}

/**
 * Refreshes the component at most once in 250 ms, one refresh after another, and always after the last
 * time that it was asked. Tries again where there was no answer, or where an update that was under way
 * made it void: unlike a poll, nothing else would follow.
 */
function createPacedRefresh(
  store: Store,
  { environment, refreshes, yields, isHeld, note }: PacedOptions,
): PacedRefresh {
  let isWanted = false
  let isOver = false
  let isWaiting = false
  /** Whether something has changed, or may have while the connection was lost. */
  let isOutdated = false
  /** Whether the person asked for it, whatever holds it. */
  let isReleased = false
  let isUnderWay = false
  /** Whether the refresh that is under way came to nothing, because nothing may change. */
  let isVoid = false
  let failed = 0
  let timer: (() => void) | null = null

  function wait(ms: number): void {
    timer?.()
    timer = environment.later(() => void next(), ms)
  }

  /** Nobody has asked for the view of a lazy component: it will be read when they do. */
  const isUnread = () => !store.getState().isDrawn && store.isReady

  async function next(): Promise<void> {
    timer = null
    // A refresh that is wanted while one is under way follows its answer.
    if (!isWanted || isUnderWay || isUnread()) return
    if (isHeld() && !isReleased) {
      isWaiting = true
      return note()
    }
    const ask = isReleased ? refreshes.refresh : refreshes.follow
    isUnderWay = true
    isReleased = false
    isVoid = false
    isWanted = false
    const wasOutdated = isOutdated
    isOutdated = false
    wait(DEBOUNCE_MS)
    const { version } = store
    const isAnswered = await ask(store)
    isUnderWay = false
    if (isOver) return
    failed = isAnswered ? 0 : failed + 1
    if (isAnswered && !isVoid && store.isReady && store.version === version) {
      if (isWanted && !timer) wait(BATCH_DELAY_MS)
      return
    }
    isWanted = true
    isOutdated ||= wasOutdated
    const pause = isAnswered ? 0 : retryDelay(failed - 1, null, environment.random())
    wait(Math.max(DEBOUNCE_MS, pause))
  }

  return {
    isWaiting: () => isWaiting && isOutdated,
    release(isAsked) {
      if (!isWaiting) return
      isWaiting = false
      isReleased = isAsked
      wait(BATCH_DELAY_MS)
    },
    hold() {
      if (yields && isUnderWay && refreshes.drop(store)) isVoid = true
    },
    soon() {
      isWanted = true
      isOutdated = true
      if (!timer) wait(BATCH_DELAY_MS)
    },
    own() {
      isWanted = true
      isOutdated = true
      isReleased = true
      if (!timer) wait(BATCH_DELAY_MS)
    },
    now(after) {
      isWanted = true
      isOutdated ||= after.isOutdated
      wait(BATCH_DELAY_MS)
    },
    stop() {
      isOver = true
      timer?.()
    },
  }
}
