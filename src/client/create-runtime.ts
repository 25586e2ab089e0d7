/** Makes the runtime of a page in the browser. */

import type { PageData } from '../protocol/page.ts'
import { createPush } from './create-push.ts'
import { browserEnvironment, type Environment } from './environment.ts'
import { createFailures, type Failures } from './failures.ts'
import { createNavigation } from './navigation/navigation.ts'
import { createPrefetches, type Prefetches } from './navigation/prefetches.ts'
import { createPart, type Senders } from './part.ts'
import { createQueries } from './queries.ts'
import { createReactions, type ReactingParts, type Reactions } from './reactions.ts'
import { createRefreshes } from './refresh.ts'
import { createRetry } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { createSender } from './sender.ts'
import { createTransport } from './transport.ts'

export type RuntimeOptions = {
  /** Called before another page is shown; what it returns is waited for. Default: nothing. */
  readonly prepare?: (page: PageData) => Promise<void> | undefined
}

/**
 * Makes a page live: its components can be edited and called, answers of the server change them, and
 * links show other pages in place. Default environment: the browser.
 */
export function createRuntime(
  page: PageData,
  environment: Environment = browserEnvironment(),
  options: RuntimeOptions = {},
): Runtime {
  const reactions: Reactions = createReactions(() => parts)
  const parts: Parts = createParts(page, environment, reactions, options)
  start(parts)
  return runtimeOf(parts, reactions)
}

type Parts = ReactingParts & {
  readonly failures: Failures
  tryNow(): void
  readonly prefetches: Prefetches
}

/** Makes the parts and connects them. */
function createParts(
  page: PageData,
  environment: Environment,
  { renew, forward, perform, leave }: Reactions,
  { prepare = () => undefined }: RuntimeOptions,
): Parts {
  const failures = createFailures()
  const transport = createTransport({
    fetch: environment.fetch,
    csrf: environment.csrf,
    socketId: () => push.socketId(),
  })
  const waiting = () => navigation.stores().reduce((sum, store) => sum + store.waiting, 0)
  const retry = createRetry({ environment, failures, waiting })
  const updateUrl = () => navigation.page.getState().updateUrl
  const prefetches = createPrefetches({
    environment,
    load: (href, signal) => transport.page(href, { as: 'prefetch', signal }),
    current: environment.location,
  })
  const sender = createSender({
    environment,
    transport,
    retry,
    failures,
    updateUrl,
    perform,
    forward,
    refetch: renew,
    // What was fetched ahead may show what the update has changed.
    answered: prefetches.clear,
  })
  const shared = { environment, transport, failures, updateUrl, renew }
  const queries = createQueries({ ...shared, retry })
  const refreshes = createRefreshes(shared)
  const senders: Senders = { sender, queries, refreshes, environment, failures }
  const navigation = createNavigation(page, {
    environment,
    transport,
    retry,
    prefetches,
    createPart: (store) => createPart(store, senders),
    request: sender.request,
    refresh: (store) => void refreshes.refresh(store),
    idle: sender.idle,
    leave: (href) => void leave(href),
    prepare,
  })
  const push = createPush({
    environment,
    transport,
    page: navigation.page,
    refreshes,
    stores: navigation.shownStores,
  })
  /** Where nothing waits, the page is asked for: an answer tells that the server can be reached. */
  const tryNow = () => {
    if (retry.now()) return
    for (const store of navigation.shownStores()) void refreshes.refresh(store)
  }
  // The browser knows of a lost network before any request fails. Back online, components with channels are
  // refreshed as these are joined again; the shell tells sooner.
  environment.watchNetwork?.((isOnline) => {
    if (!isOnline) return failures.report({ kind: 'offline', waiting: waiting() })
    if (push.state.getState() === 'off') return tryNow()
    retry.now()
    const { shell } = navigation.page.getState()
    for (const store of navigation.shownStores())
      if (store.id === shell) void refreshes.refresh(store)
  })
  return { environment, failures, tryNow, prefetches, sender, navigation, push }
}

/** Goes on with what the last document has saved, and begins to listen to the person. */
function start({ environment, failures, prefetches, navigation }: Parts): void {
  navigation.resume()
  failures.subscribe(() => {
    // Somebody else may be signed in by now.
    if (failures.getState()?.kind === 'expired') navigation.forget()
  })
  environment.onLinks({
    here: () => ({ ...navigation.page.getState(), href: environment.href() }),
    open: (href) => void navigation.visit(href),
    enter: prefetches.enter,
    leave: prefetches.leave,
    touch: prefetches.start,
  })
  environment.onLeave(navigation.hasUnsaved)
}

function runtimeOf(parts: Parts, { leave }: Reactions): Runtime {
  const { environment, failures, tryNow, navigation, push } = parts
  return {
    getState: navigation.page.getState,
    subscribe: navigation.page.subscribe,
    component(id) {
      const part = navigation.part(id)
      if (!part) throw new Error(`There is no component [${id}] on this page.`)
      return part.component
    },
    environment,
    failures: {
      getState: failures.getState,
      subscribe: failures.subscribe,
      dismiss: () => failures.clear(['expired', 'server', 'final', 'offline', 'busy']),
      retry: tryNow,
    },
    move: navigation.move,
    isWaiting: navigation.isWaiting,
    arrive() {
      navigation.arrive()
      push.start()
    },
    push,
    kept: navigation.kept,
    inTab: navigation.inTab,
    guardLeaving: navigation.guardLeaving,
    hasUnsaved: navigation.hasUnsaved,
    reload: () => void leave(environment.location()),
    load: environment.load,
    visit: navigation.visit,
  }
}
