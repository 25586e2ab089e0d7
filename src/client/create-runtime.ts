/** Makes the runtime of a page in the browser. */

import { LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageData } from '../protocol/page.ts'
import type { Effects } from '../protocol/wire.ts'
import { keepEdits, restoreEdits } from './carry.ts'
import type { LiveComponent } from './component.ts'
import { browserEnvironment, type Environment } from './environment.ts'
import { createFailures } from './failures.ts'
import { createObservable } from './observable.ts'
import type { Runtime } from './runtime.ts'
import { createSender, type Sender } from './sender.ts'
import { parseSnapshot, Store } from './store.ts'
import { createTransport } from './transport.ts'

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
  const sender = createSender({
    environment,
    transport,
    failures,
    updateUrl: () => current.getState().updateUrl,
    waiting: () => stores().reduce((sum, store) => sum + store.waiting, 0),
    perform: (effects) => perform(environment, effects),
    refresh: (outdated) => void refresh(outdated),
  })

  /** Takes over a page: what stays keeps its edits, what is new comes, what is gone is told. */
  function adopt(next: PageData): void {
    const kept = new Set(next.components.map(({ id }) => id))
    for (const [id, { store }] of parts) {
      if (kept.has(id)) continue
      store.leave()
      parts.delete(id)
    }
    for (const component of next.components) {
      const known = parts.get(component.id)
      // The same component for another page starts afresh: what was typed belongs to the old one.
      if (known?.store.path === parseSnapshot(component.snapshot).memo.path)
        known.store.remount(component)
      else parts.set(component.id, createPart(new Store(component), sender, environment))
    }
  }

  let visits = 0
  async function visit(
    href: string,
    { history = 'push' }: Parameters<Runtime['visit']>[1] = {},
  ): Promise<void> {
    const own = ++visits
    const answer = await transport.page(href)
    if (own !== visits) return
    const sameClient =
      answer.kind === 'ok' && answer.body.assets.version === current.getState().assets.version
    if (!sameClient) return leave(href)
    const next = answer.body
    if (history !== 'none') environment.history({ href: next.url, mode: history })
    adopt(next)
    environment.setCsrf(next.csrf)
    environment.setTitle(next.title)
    current.setState(next)
  }

  /** A full load: another client build, a page that needs signing in, or no answer. */
  function leave(href: string): void {
    keepEdits(environment, stores())
    environment.load(href)
  }

  const refreshed = new WeakSet<Store>()
  async function refresh(outdated: readonly Store[]): Promise<void> {
    if (outdated.some((store) => refreshed.has(store))) return leave(environment.location())
    for (const store of outdated) refreshed.add(store)
    await visit(environment.location(), { history: 'none' })
    for (const store of outdated) if (store.isWaiting) sender.request(store)
    for (const store of outdated) refreshed.delete(store)
  }

  adopt(page)
  for (const store of restoreEdits(environment, stores())) sender.request(store)
  environment.onHistory(() => void visit(environment.location(), { history: 'none' }))

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
      retry: sender.retry,
    },
    reload: () => leave(environment.location()),
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

function perform(environment: Environment, effects: Effects): void {
  if (effects.url) environment.history(effects.url)
  for (const { name, detail } of effects.dispatches ?? []) environment.dispatch(name, detail)
  if (effects.download) environment.download(effects.download.href, effects.download.name)
  if (effects.redirect !== undefined) environment.load(effects.redirect)
}
