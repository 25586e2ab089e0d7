/** Makes the runtime of a page in the browser. */

import { LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageComponent, PageData } from '../protocol/page.ts'
import { type Effects, EVENT_METHOD, type UrlEffect } from '../protocol/wire.ts'
import { leftPage } from './call-error.ts'
import { keepEdits, restoreEdits } from './saved-edits.ts'
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
import type { WaitingCall } from './waiting-call.ts'

type Visit = { readonly history: 'push' | 'replace' | 'none'; readonly isRetried: boolean }

type Part = { readonly store: Store; readonly component: LiveComponent }

/**
 * Brings a page to life: its components can be edited and called, and what the server answers is
 * drawn. Default environment: the browser.
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
    tell,
    refresh,
  })
  const beside = { environment, transport, failures, updateUrl: () => current.getState().updateUrl }
  const queries = createQueries({ ...beside, retry, renew })
  const refreshes = createRefreshes({ ...beside, renew })
  const senders: Senders = { sender, queries, refreshes, environment }

  /** Takes over a page: what stays keeps its edits, what is new comes, what is gone is told. */
  function adopt(next: PageData, { isRetried: isRefresh }: Pick<Visit, 'isRetried'>): void {
    const kept = new Set(next.components.map(({ id }) => id))
    for (const [id, { store }] of parts) {
      if (kept.has(id)) continue
      store.leave()
      parts.delete(id)
    }
    for (const component of next.components) {
      const store = parts.get(component.id)?.store
      // A refresh is nobody's wish: it must not undo what was asked of other components meanwhile.
      if (isRefresh && store && !store.isOutdated) continue
      if (store?.name === component.name && store.path === pathOf(component)) {
        store.remount(component)
        if (store.renewals > 0 && store.isWaiting) sender.request(store)
        continue
      }
      // The same component for another page starts afresh: what was typed belongs to the old one.
      store?.leave()
      parts.set(component.id, createPart(new Store(component), senders))
    }
  }

  let newest = 0
  let underWay = 0
  let visits = 0

  /** Fetches a page and takes it over, unless another one is asked for in the meantime. */
  async function go(href: string, asked: Visit): Promise<void> {
    const { history, isRetried } = asked
    const own = ++newest
    const question = () => transport.page(href)
    underWay++
    const answer = await (isRetried ? retry.ask(question) : question())
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
    await go(href, { history, isRetried: false }).finally(() => visits--)
  }

  /** A page that is on its way already brings new snapshots as well. */
  function refresh(): void {
    if (underWay === 0) void go(environment.location(), { history: 'none', isRetried: true })
  }

  /** What travelled beside updates met an outdated snapshot; its calls go with the next request. */
  function renew(store: Store, calls: readonly WaitingCall[] = []): void {
    if (store.isLeft) return calls.forEach((call) => call.reject(leftPage()))
    store.callAgain(calls)
    // An update under way finds out by itself.
    if (store.isReady) store.outdated()
    if (store.isOutdated) refresh()
    else if (store.isWaiting) sender.request(store)
  }

  /** Passes an event on to the components that listen and do not know of it yet. */
  function tell({ name, detail, from, toldOnServer }: SentEvent): void {
    for (const { store, component } of parts.values()) {
      const isConcerned = store.listens.has(name) && store.id !== from
      if (!isConcerned || toldOnServer.includes(store.id)) continue
      // Why it went wrong is shown by the failures of the page.
      component.call(`${EVENT_METHOD}${name}`, detail).catch(() => undefined)
    }
  }

  let address = environment.location()

  /** Says in the address bar where the page is. */
  function moveTo(effect: UrlEffect): void {
    environment.history(effect)
    address = environment.location()
  }

  /** Carries out what an answer asks of the browser. */
  function perform({ redirect, url, dispatches = [], download }: Effects): void {
    if (redirect !== undefined) return environment.load(redirect)
    // The address is that of the page that the person is going to.
    if (url && visits === 0) moveTo(url)
    for (const { name, detail } of dispatches) environment.dispatch(name, detail)
    if (download) environment.download(download.href, download.name)
  }

  /** A full load: another client build or language, a page that needs signing in, or no answer. */
  function leave(href: string): void {
    keepEdits(environment, stores())
    environment.load(href)
  }

  adopt(page, { isRetried: false })
  for (const store of restoreEdits(environment, stores())) sender.request(store)
  environment.onHistory(() => {
    // A link to a place on this very page is a step of history as well.
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
      return settled
    },
    refresh: () => refreshes.refresh(store),
  }
  return { store, component }
}
