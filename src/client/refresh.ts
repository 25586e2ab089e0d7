/** Refreshes components: asks for a view anew, beside everything, with no edits and no turn of its own. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import { UPDATE_LIMITS, type UpdateResponse } from '../protocol/wire.ts'
import { CallError } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, reportRefusal } from './failures.ts'
import type { Store } from './store.ts'
import type { Answer, Transport } from './transport.ts'

export type Refreshes = {
  /**
   * Asks for the component's view, with whatever else is refreshed within 5 ms (spec §7). The answer
   * is dropped where an update of the component began or was answered meanwhile. Settles once it
   * has been taken in or dropped; a network that fails is left for the next refresh.
   */
  refresh(store: Store): Promise<void>
}

export type RefreshOptions = {
  environment: Environment
  transport: Transport
  failures: Failures
  updateUrl(): string
  /** The snapshot was outdated: the page is to be fetched anew. */
  renew(store: Store): void
}

type Asked = { readonly store: Store; readonly version: number; readonly done: () => void }

export function createRefreshes(options: RefreshOptions): Refreshes {
  const { environment, transport, failures } = options
  /** Refreshes that wait or are under way; asking again joins them. */
  const asked = new Map<Store, Promise<void>>()
  let waiting: { store: Store; done: () => void }[] = []

  function flush(): void {
    const batch = waiting.splice(0, UPDATE_LIMITS.components)
    if (waiting.length > 0) environment.later(flush, 0)
    void send(batch.map((one) => ({ ...one, version: one.store.version })))
  }

  async function send(batch: readonly Asked[]): Promise<void> {
    const components = batch.map(({ store }) => ({
      snapshot: store.snapshot,
      updates: {},
      calls: [],
    }))
    const key = environment.newKey()
    try {
      apply(batch, await transport.update(options.updateUrl(), components, key))
    } catch (error) {
      if (error instanceof CallError) reportRefusal(failures, error)
    } finally {
      for (const { done } of batch) done()
    }
  }

  /** Nobody asked in person, so only a page that has expired is worth telling. */
  function apply(batch: readonly Asked[], answer: Answer<UpdateResponse>): void {
    if (answer.kind === 'refused' && answer.status === 419)
      throw new CallError(answer.error.code, answer.error.message, answer.status)
    if (answer.kind !== 'ok') return
    for (const [place, { store, version }] of batch.entries()) {
      const response = answer.body.components[place]
      if (response?.effects.outdated) {
        if (version === store.version) options.renew(store)
      } else if (response) store.applyRefresh(response, version)
    }
  }

  return {
    refresh(store) {
      const known = asked.get(store)
      if (known || store.isLeft) return known ?? Promise.resolve()
      if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ store, done: resolve })
      const settled = promise.finally(() => asked.delete(store))
      asked.set(store, settled)
      return settled
    },
  }
}
