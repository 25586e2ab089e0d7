/** Sends what waits: batched for 5 ms, one request a component, tried again until it is settled. */

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
  /** Sends all that waits in this store, with whatever else is sent within 5 ms (spec §7). */
  request(store: Store): void
}

export type SenderOptions = {
  environment: Environment
  transport: Transport
  retry: Retry
  failures: Failures
  updateUrl(): string
  /** Carries out what an answer asks for besides drawing. */
  perform(effects: Effects): void
  /** Passes an event on to the components that listen and were not told on the server. */
  tell(event: SentEvent): void
  /** Fetches the page anew, because there are outdated snapshots on it. */
  refresh(): void
}

/** One request on its way; a retry sends the very same. */
type Batch = {
  readonly stores: readonly Store[]
  readonly components: readonly ComponentRequest[]
  readonly key: string
}

export function createSender(options: SenderOptions): Sender {
  const { environment, transport, retry, failures } = options
  const wanting = new Set<Store>()
  let scheduled = false

  function request(store: Store): void {
    wanting.add(store)
    if (scheduled) return
    scheduled = true
    environment.later(flush, BATCH_DELAY_MS)
  }

  /** A store that is not ready stays wanting: its next request leaves when it is. */
  function flush(): void {
    scheduled = false
    for (const store of wanting) if (store.isLeft) wanting.delete(store)
    const stores = [...wanting].filter((store) => store.isReady)
    if (stores.length === 0) return
    const components = stores.map((store) => store.begin())
    for (const store of stores) if (!store.isWaiting) wanting.delete(store)
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
    for (const store of stores) if (wanting.has(store)) request(store)
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
    for (const event of eventsOf(performed)) options.tell(event)
  }

  function renew(store: Store, effects: Effects): void {
    if (store.renewals === RENEWALS_MAX && !effects.returns) return refuse([store], outdatedAgain())
    store.outdated(effects)
    if (store.isReady) sendAgain(store)
    else if (!store.isLeft) options.refresh()
  }

  /** Leaves once the whole answer has been taken in. */
  function sendAgain(store: Store): void {
    if (store.isWaiting) wanting.add(store)
  }

  /** One bad component must not take others with it: each is asked for alone, under its own key. */
  function sendOneByOne({ stores, components, key }: Batch): void {
    for (const [place, store] of stores.entries())
      void send({ stores: [store], components: [components[place]!], key: `${key}.${place}` })
  }

  function refuse(stores: readonly Store[], error: CallError, reference?: string): void {
    for (const store of stores) store.crash(error)
    reportRefusal(failures, error, reference)
  }

  return { request }
}

/** While nodes are replaced one by one, an old one may be met again, but not for ever. */
const RENEWALS_MAX = 3

const outdatedAgain = () =>
  new CallError('PAGE_EXPIRED', 'The server does not take the page that it has just sent.', 419)
