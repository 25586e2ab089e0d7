/** Sends edits and calls: batched for 5 ms, one request at a time for each component, retried. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { ComponentRequest, Effects, UpdateResponse } from '../protocol/wire.ts'
import { badAnswer, CallError } from './call-error.ts'
import type { Environment } from './environment.ts'
import { eventsOf, type SentEvent } from './events.ts'
import { type Failures, reportRefusal } from './failures.ts'
import type { FinalAnswer, Retry } from './retry.ts'
import type { Store } from './store.ts'
import type { Transport } from './transport.ts'

export type Sender = {
  /** Sends all that waits in this store, together with others that ask within 5 ms (spec §7). */
  request(store: Store): void
}

export type SenderOptions = {
  environment: Environment
  transport: Transport
  retry: Retry
  failures: Failures
  updateUrl(): string
  /** Performs the effects of an answer, other than drawing. */
  perform(effects: Effects): void
  /** Passes an event on to the listeners that have not handled it on the server. */
  forward(event: SentEvent): void
  /** Fetches the page anew, because it has outdated snapshots. */
  refetch(): void
}

/** One request in flight; a retry sends the same one. */
type Batch = {
  readonly stores: readonly Store[]
  readonly components: readonly ComponentRequest[]
  readonly key: string
}

export function createSender(options: SenderOptions): Sender {
  const { environment, transport, retry, failures } = options
  const waiting = new Set<Store>()
  let scheduled = false

  function request(store: Store): void {
    waiting.add(store)
    if (scheduled) return
    scheduled = true
    environment.later(flush, BATCH_DELAY_MS)
  }

  /** Stores that are not ready keep waiting, and send when they are. */
  function flush(): void {
    scheduled = false
    for (const store of waiting) if (store.isLeft) waiting.delete(store)
    const stores = [...waiting].filter((store) => store.isReady)
    if (stores.length === 0) return
    const components = stores.map((store) => store.begin())
    for (const store of stores) if (!store.isWaiting) waiting.delete(store)
    void send({ stores, components, key: environment.newKey() })
  }

  async function send(batch: Batch): Promise<void> {
    const { stores, components, key } = batch
    const question = () => transport.update(options.updateUrl(), components, key)
    try {
      settle(batch, await retry.ask(question))
    } catch (error) {
      refuse(stores, error instanceof CallError ? error : badAnswer(error))
    }
    for (const store of stores) if (waiting.has(store)) request(store)
  }

  function settle(batch: Batch, answer: FinalAnswer<UpdateResponse>): void {
    if (answer.kind === 'ok') return apply(batch, answer.body)
    const { status, error } = answer
    if (batch.stores.length > 1 && status !== 419) return sendOneByOne(batch)
    refuse(batch.stores, new CallError(error.code, error.message, status), error.reference)
  }

  function apply({ stores }: Batch, { components }: UpdateResponse): void {
    if (components.length !== stores.length) throw badAnswer('another number of components')
    const performed: { id: string; effects: Effects }[] = []
    for (const [place, store] of stores.entries()) {
      const { snapshot, effects } = components[place]!
      if (effects.outdated) renew(store, effects)
      else if (!store.apply({ snapshot, effects })) sendAgain(store)
      else if (!store.isLeft) performed.push({ id: store.id, effects })
    }
    for (const { effects } of performed) options.perform(effects)
    for (const event of eventsOf(performed)) options.forward(event)
  }

  function renew(store: Store, effects: Effects): void {
    if (store.renewals === RENEWALS_MAX && !effects.returns) return refuse([store], outdatedAgain())
    store.outdated(effects)
    if (store.isReady) sendAgain(store)
    else if (!store.isLeft) options.refetch()
  }

  /** Sends once the whole answer has been applied. */
  function sendAgain(store: Store): void {
    if (store.isWaiting) waiting.add(store)
  }

  /** Sends each component alone, under its own key, so that one that fails stops no other. */
  function sendOneByOne({ stores, components, key }: Batch): void {
    for (const [place, store] of stores.entries())
      void send({ stores: [store], components: [components[place]!], key: `${key}.${place}` })
  }

  function refuse(stores: readonly Store[], error: CallError, reference?: string): void {
    for (const store of stores) store.fail(error)
    reportRefusal(failures, error, reference)
  }

  return { request }
}

/** During a rolling deploy an old node may answer again, but not for ever. */
const RENEWALS_MAX = 3

const outdatedAgain = () =>
  new CallError('PAGE_EXPIRED', 'The server does not accept the page that it has just sent.', 419)
