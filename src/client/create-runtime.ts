/** Makes the runtime of a page in the browser. */

import { LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageData } from '../protocol/page.ts'
import type { Effects, UrlEffect } from '../protocol/wire.ts'
import { keepEdits, restoreEdits } from './saved-edits.ts'
import type { LiveComponent } from './component.ts'
import { browserEnvironment, type Environment } from './environment.ts'
import { createFailures } from './failures.ts'
import { createObservable } from './observable.ts'
import { createRetry } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { createSender, type Sender } from './sender.ts'
import { parseSnapshot, Store } from './store.ts'
import { createTransport } from './transport.ts'

type Trip = { readonly history: 'push' | 'replace' | 'none'; readonly isRetried: boolean }

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
    refresh,
  })

  /** Takes over a page: what stays keeps its edits, what is new comes, what is gone is told. */
  function adopt(next: PageData, { isRetried: isRefresh }: Pick<Trip, 'isRetried'>): void {
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
      if (store?.path === parseSnapshot(component.snapshot).memo.path) {
        store.remount(component)
        if (store.renewals > 0 && store.isWaiting) sender.request(store)
        continue
      }
      // The same component for another page starts afresh: what was typed belongs to the old one.
      store?.leave()
      parts.set(component.id, createPart(new Store(component), sender, environment))
    }
  }

  let newest = 0
  let underWay = 0
  let visits = 0

  /** Fetches a page and takes it over, unless another one is asked for in the meantime. */
  async function go(href: string, trip: Trip): Promise<void> {
    const { history, isRetried } = trip
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
    adopt(next, trip)
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

function createPart(store: Store, sender: Sender, environment: Environment): Part {
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
      const settled = store.call(method, params)
      send()
      return settled
    },
  }
  return { store, component }
}
