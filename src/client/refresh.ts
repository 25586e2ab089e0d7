/** Refreshes components: fetches their views beside updates, without edits and without waiting. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import { UPDATE_LIMITS, type UpdateResponse } from '../protocol/wire.ts'
import { CallError } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, reportRefusal } from './failures.ts'
import type { Store } from './store.ts'
import type { Answer, Transport } from './transport.ts'

export type Refreshes = {
  /**
   * Fetches the component's view, together with all others refreshed within 5 ms (spec §7). Drops the
   * answer if an update of the component began or was answered meanwhile. Resolves when the answer was
   * applied or dropped, or the request failed; the next refresh tries again.
   */
  refresh(store: Store): Promise<void>
}

export type RefreshOptions = {
  environment: Environment
  transport: Transport
  failures: Failures
  updateUrl(): string
  /** Called if the snapshot was outdated: fetches the page anew. */
  renew(store: Store): void
}

type Sent = { readonly store: Store; readonly version: number; readonly done: () => void }

export function createRefreshes(options: RefreshOptions): Refreshes {
  const { environment, transport, failures } = options
  /** Refreshes that were not sent yet; another refresh of the same store joins them. */
  const unsent = new Map<Store, Promise<void>>()
  const inFlight = new Map<Store, Promise<void>>()
  /** Refreshes that follow the one in flight, which may have been read before what they are for. */
  const following = new Map<Store, Promise<void>>()
  let waiting: { store: Store; done: () => void }[] = []

  function flush(): void {
    const batch = waiting.splice(0, UPDATE_LIMITS.components)
    if (waiting.length > 0) environment.later(flush, 0)
    for (const { store } of batch) {
      const sent = unsent.get(store)
      unsent.delete(store)
      if (sent) inFlight.set(store, sent)
    }
    void send(batch.map((one) => ({ ...one, version: one.store.version })))
  }

  async function send(batch: readonly Sent[]): Promise<void> {
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

  /** No person asked for a refresh, so of all failures only an expired page is shown. */
  function apply(batch: readonly Sent[], answer: Answer<UpdateResponse>): void {
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

  function enqueue(store: Store): Promise<void> {
    if (store.isLeft) return Promise.resolve()
    if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ store, done: resolve })
    const settled = promise.finally(() => inFlight.delete(store))
    unsent.set(store, settled)
    return settled
  }

  function follow(store: Store, sent: Promise<void>): Promise<void> {
    const next = sent.then(() => {
      following.delete(store)
      return enqueue(store)
    })
    following.set(store, next)
    return next
  }

  return {
    refresh(store) {
      const joined = unsent.get(store) ?? following.get(store)
      if (joined) return joined
      const sent = inFlight.get(store)
      return sent ? follow(store, sent) : enqueue(store)
    },
  }
}
