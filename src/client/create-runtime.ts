/** Makes the runtime of a page in the browser. */

import { LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageComponent, PageData } from '../protocol/page.ts'
import { type Effects, EVENT_METHOD, type UrlEffect } from '../protocol/wire.ts'
import { saveEdits, restoreEdits } from './saved-edits.ts'
import type { LiveComponent } from './component.ts'
import { browserEnvironment, type Environment } from './environment.ts'
import type { SentEvent } from './events.ts'
import { createFailures } from './failures.ts'
import { createObservable } from './observable.ts'
import { createQueries, type Queries } from './queries.ts'
import { createRefreshes, type Refreshes } from './refresh.ts'
import { createRetry } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { createSender, type Sender } from './sender.ts'
import { parseSnapshot, Store } from './store.ts'
import { createTransport } from './transport.ts'

type Visit = { readonly history: 'push' | 'replace' | 'none'; readonly isRefetch: boolean }

type Part = { readonly store: Store; readonly component: LiveComponent }

/**
 * Makes a page live: its components can be edited and called, and answers of the server change them.
 * Default environment: the browser.
 */
export function createRuntime(
  page: PageData,
  environment: Environment = browserEnvironment(),
): Runtime {
  const current = createObservable(page)
  const failures = createFailures()
  const parts = new Map<string, Part>()
  const stores = () => [...parts.values()].map(({ store }) => store)
  const transport = createTransport({
    fetch: environment.fetch,
    csrf: environment.csrf,
    socketId: () => null,
  })
  const retry = createRetry({
    environment,
    failures,
    waiting: () => stores().reduce((sum, store) => sum + store.waiting, 0),
  })
  const sender = createSender({
    environment,
    transport,
    retry,
    failures,
    updateUrl: () => current.getState().updateUrl,
    perform,
    forward,
    refetch,
  })
  const shared = { environment, transport, failures, updateUrl: () => current.getState().updateUrl }
  const queries = createQueries({ ...shared, retry, renew })
  const refreshes = createRefreshes({ ...shared, renew })
  const senders: Senders = { sender, queries, refreshes, environment }

  /** Adopts a page: components that stay keep their edits, new ones are added, others leave. */
  function adopt(next: PageData, { isRefetch }: Pick<Visit, 'isRefetch'>): void {
    const kept = new Set(next.components.map(({ id }) => id))
    for (const [id, { store }] of parts) {
      if (kept.has(id)) continue
      store.leave()
      parts.delete(id)
    }
    for (const component of next.components) {
      const store = parts.get(component.id)?.store
      // No person asked for a refetch, so it must not undo what other components did meanwhile.
      if (isRefetch && store && !store.isOutdated) continue
      if (store?.name === component.name && store.path === pathOf(component)) {
        store.remount(component)
        if (store.renewals > 0 && store.isWaiting) sender.request(store)
        continue
      }
      // The same component on another page starts afresh, because edits belong to the old page.
      store?.leave()
      parts.set(component.id, createPart(new Store(component), senders))
    }
  }

  let newest = 0
  let underWay = 0
  let visits = 0

  /** Fetches a page and adopts it, unless another one is requested in the meantime. */
  async function go(href: string, asked: Visit): Promise<void> {
    const { history, isRefetch } = asked
    const own = ++newest
    const question = () => transport.page(href)
    underWay++
    const answer = await (isRefetch ? retry.ask(question) : question())
    underWay--
    if (own !== newest) return
    const shown = current.getState()
    const isSameClient =
      answer.kind === 'ok' &&
      answer.body?.assets?.version === shown.assets.version &&
      answer.body.language === shown.language
    if (!isSameClient) return leave(href)
    const next = answer.body
    if (history !== 'none') moveTo({ href: next.url, mode: history })
    adopt(next, asked)
    environment.setCsrf(next.csrf)
    environment.setTitle(next.title)
    current.setState(next)
  }

  const visit: Runtime['visit'] = async (href, { history = 'push' } = {}) => {
    visits++
    await go(href, { history, isRefetch: false }).finally(() => visits--)
  }

  /** Fetches this page anew, unless a page is already being fetched: it brings new snapshots too. */
  function refetch(): void {
    if (underWay === 0) void go(environment.location(), { history: 'none', isRefetch: true })
  }

  /** A query or refresh met an outdated snapshot. */
  function renew(store: Store): void {
    if (store.isLeft) return
    // An update in flight finds out by itself.
    if (store.isReady) store.outdated()
    if (store.isOutdated) refetch()
  }

  /** Passes an event on to the listeners that have not handled it yet. */
  function forward({ name, detail, from, handledOnServer }: SentEvent): void {
    for (const { store, component } of parts.values()) {
      const isConcerned = store.listens.has(name) && store.id !== from
      if (!isConcerned || handledOnServer.includes(store.id)) continue
      // The page's failures show why it failed.
      component.call(`${EVENT_METHOD}${name}`, detail).catch(() => undefined)
    }
  }

  let address = environment.location()

  /** Shows an address in the address bar. */
  function moveTo(effect: UrlEffect): void {
    environment.history(effect)
    address = environment.location()
  }

  /** Performs the effects of an answer. */
  function perform({ redirect, url, dispatches = [], download }: Effects): void {
    if (redirect !== undefined) return environment.load(redirect)
    // During a visit, the address already belongs to the next page.
    if (url && visits === 0) moveTo(url)
    for (const { name, detail } of dispatches) environment.dispatch(name, detail)
    if (download) environment.download(download.href, download.name)
  }

  /** Loads the page in full: for another client build or language, to sign in, or after a failure. */
  function leave(href: string): void {
    saveEdits(environment, stores())
    environment.load(href)
  }

  adopt(page, { isRefetch: false })
  for (const store of restoreEdits(environment, stores())) sender.request(store)
  environment.onHistory(() => {
    // A link to an anchor on this page changes the history as well.
    if (environment.location() === address) return
    address = environment.location()
    void visit(address, { history: 'none' })
  })

  return {
    getState: current.getState,
    subscribe: current.subscribe,
    component(id) {
      const part = parts.get(id)
      if (!part) throw new Error(`There is no component [${id}] on this page.`)
      return part.component
    },
    failures: {
      getState: failures.getState,
      subscribe: failures.subscribe,
      dismiss: () => failures.clear(['expired', 'server', 'offline', 'busy']),
      retry: retry.now,
    },
    reload: () => leave(environment.location()),
    load: environment.load,
    visit,
  }
}

const pathOf = ({ snapshot }: PageComponent): string => parseSnapshot(snapshot).memo.path

type Senders = {
  readonly sender: Sender
  readonly queries: Queries
  readonly refreshes: Refreshes
  readonly environment: Environment
}

function createPart(store: Store, { sender, queries, refreshes, environment }: Senders): Part {
  let cancel: (() => void) | null = null
  const send = () => {
    cancel?.()
    cancel = null
    sender.request(store)
  }
  const component: LiveComponent = {
    id: store.id,
    name: store.name,
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    set(path, value, { live = false } = {}) {
      store.edit(path, value)
      if (!live) return
      cancel?.()
      cancel = environment.later(send, LIVE_INPUT_DEBOUNCE_MS)
    },
    hold: (path, value) => store.hold(path, value),
    letGo: (path) => store.letGo(path),
    call(method, ...params) {
      if (store.queries.has(method)) return queries.ask(store, method, params)
      const settled = store.call(method, params)
      send()
      // The page shows why a call failed; a caller need not.
      settled.catch(() => undefined)
      return settled
    },
    refresh: () => refreshes.refresh(store),
  }
  return { store, component }
}
