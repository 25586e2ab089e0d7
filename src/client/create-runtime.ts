/** Makes the runtime of a page in the browser. */

import type { PageData } from '../protocol/page.ts'
import { type Effects, EVENT_METHOD } from '../protocol/wire.ts'
import { createPush } from './create-push.ts'
import { browserEnvironment, type Environment } from './environment.ts'
import type { SentEvent } from './events.ts'
import { createFailures } from './failures.ts'
import { createNavigation } from './navigation/navigation.ts'
import { createPrefetches } from './navigation/prefetches.ts'
import { createPart, type Senders } from './part.ts'
import { createQueries } from './queries.ts'
import { createRefreshes } from './refresh.ts'
import { createRetry } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { createSender } from './sender.ts'
import type { Store } from './store.ts'
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
  { prepare = () => undefined }: RuntimeOptions = {},
): Runtime {
  const failures = createFailures()
  const transport = createTransport({
    fetch: environment.fetch,
    csrf: environment.csrf,
    socketId: () => push.socketId(),
  })
  const retry = createRetry({
    environment,
    failures,
    waiting: () => navigation.stores().reduce((sum, store) => sum + store.waiting, 0),
  })
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

  /** A snapshot is outdated. */
  function renew(store: Store): void {
    if (store.isLeft) return
    // An update in flight finds out by itself.
    if (store.isReady) store.outdated()
    if (store.isOutdated) navigation.refetch(store)
  }

  /** Passes an event on to the listeners that have not handled it yet. */
  function forward({ name, detail, from, handledOnServer }: SentEvent, sent: Store): void {
    for (const { store, component } of navigation.neighbours(sent)) {
      const isConcerned = store.listens.has(name) && store.id !== from
      if (!isConcerned || handledOnServer.includes(store.id)) continue
      // The page's failures show why it failed.
      component.call(`${EVENT_METHOD}${name}`, detail).catch(() => undefined)
    }
  }

  /** Performs the effects of an answer; those of a page that was left do not move the person. */
  function perform({ redirect, url, dispatches = [], download, wrote }: Effects, store: Store) {
    const isShown = navigation.isShown(store)
    if (redirect !== undefined && isShown) return environment.load(redirect)
    if (url) navigation.moveTo(url, store)
    if (isShown) for (const { name, detail } of dispatches) environment.dispatch(name, detail)
    if (download) environment.download(download.href, download.name)
    if (wrote) push.wrote(store)
  }

  /** Loads a page in full; what was not sent goes on there. */
  function load(href: string): void {
    navigation.save()
    environment.load(href)
  }

  /**
   * Loads a page in full, for another client build or language, to sign in or anew: once no request is
   * in flight, because nobody would learn what it has done.
   */
  async function leave(href: string): Promise<void> {
    const isHere = href === environment.location()
    await sender.idle()
    // An answer may have moved the address.
    load(isHere ? environment.location() : href)
  }

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
      retry: retry.now,
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
