/** One component of a page: its store, and what edits and calls it. */

import type { LiveComponent } from './component.ts'
import { createDelayedSend, lossOf } from './delayed-send.ts'
import type { Environment } from './environment.ts'
import type { Failures } from './failures.ts'
import type { Queries } from './queries.ts'
import type { Refreshes } from './refresh.ts'
import type { Sender } from './sender.ts'
import type { Store } from './store.ts'

export type Part = {
  readonly store: Store
  readonly component: LiveComponent
  /** Whether leaving the document would lose an edit that a person made. */
  isUnsaved(): boolean
}

export type Senders = {
  readonly sender: Sender
  readonly queries: Queries
  readonly refreshes: Refreshes
  readonly environment: Environment
  readonly failures: Pick<Failures, 'getState'>
}

export function createPart(
  store: Store,
  { sender, queries, refreshes, environment, failures }: Senders,
): Part {
  const delayed = createDelayedSend(environment, () => sender.request(store))
  const component: LiveComponent = {
    id: store.id,
    name: store.name,
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    waitingFor: store.waitingFor,
    set(path, value, options = {}) {
      store.edit(path, value, lossOf(options))
      delayed.edited(options)
    },
    hold: (path, value) => store.hold(path, value),
    letGo: (path) => store.letGo(path),
    call(method, ...params) {
      if (store.queries.has(method)) {
        const answer = queries.ask(store, method, params)
        store.waitingFor.asked({ method, params }, answer)
        return answer
      }
      const settled = store.call(method, params)
      delayed.now()
      // The page shows why a call failed; a caller need not.
      settled.catch(() => undefined)
      return settled
    },
    cancel: () => sender.cancel(store),
    ask(signal, method, ...params) {
      if (!store.queries.has(method)) throw new TypeError(`The action [${method}] is no query.`)
      return queries.ask(store, method, params, signal)
    },
    refresh: () => refreshes.refresh(store),
    screen: (by) => store.screen(by),
    show: (refresh) => store.show(refresh),
    showForNow: (view) => store.showForNow(view),
    draw() {
      if (store.wantView()) sender.request(store)
    },
  }
  const isUnsaved = () => store.hasUnsaved(failures.getState() !== null)
  return { store, component, isUnsaved }
}
