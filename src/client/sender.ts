/** Sends edits and calls: batched for 5 ms, one request at a time for each component, retried. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import {
  type ComponentRequest,
  type Effects,
  IS_PATIENT,
  type UpdateResponse,
} from '../protocol/wire.ts'
import { badAnswer, CallError, cancelled } from './call-error.ts'
import type { Environment } from './environment.ts'
import { eventsOf, type SentEvent } from './events.ts'
import type { Looking } from './failure.ts'
import { type Failures, type Refusal, reportRefusal } from './failures.ts'
import { itemsAt, laterOf } from './later.ts'
import type { FinalAnswer, Retry } from './retry.ts'
import type { Store } from './store.ts'
import type { Transport } from './transport.ts'

export type Sender = {
  /** Sends all that waits in this store, together with others that ask within 5 ms (spec §7). */
  request(store: Store): void
  /**
   * Cancels the store's request in flight: its calls reject, its edits wait for the next request. A
   * write that has reached the server goes on there. Does nothing while others share the request.
   */
  cancel(store: Store): void
  /** Resolves once no request is in flight. */
  idle(): Promise<void>
}

export type SenderOptions = {
  environment: Environment
  transport: Transport
  retry: Retry
  failures: Failures
  updateUrl(): string
  /** Performs the effects of an answer, other than drawing. */
  perform(effects: Effects, store: Store): void
  /** Passes an event on to the listeners that have not handled it on the server. */
  forward(event: SentEvent, store: Store): void
  /** Fetches the store's page anew, because it has outdated snapshots. */
  refetch(store: Store): void
  /** Called after an answer to edits or calls. */
  answered(): void
}

/** One request in flight; a retry sends the same one. */
type Batch = {
  readonly stores: readonly Store[]
  readonly components: readonly ComponentRequest[]
  readonly key: string
  /** Somebody has asked to go on with it though it took too long. */
  readonly isPatient?: true
}

const partOf = ({ stores, components }: Batch, places: readonly number[], key: string): Batch => ({
  stores: itemsAt(stores, places),
  components: itemsAt(components, places),
  key,
})

export function createSender(options: SenderOptions): Sender {
  const { environment, transport, retry, failures } = options
  const waiting = new Set<Store>()
  /** What cancels the request of a store that travels alone. */
  const cancels = new Map<Store, AbortController>()
  let scheduled = false
  let inFlight = 0
  let idle = Promise.withResolvers<void>()

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
    const stores = uniqueById([...waiting].filter((store) => store.isReady))
    if (stores.length === 0) return
    const components = stores.map((store) => store.begin())
    for (const store of stores) if (!store.isWaiting) waiting.delete(store)
    for (const store of waiting) if (store.isReady) request(store)
    void send({ stores, components, key: environment.newKey() })
  }

  async function send(batch: Batch): Promise<void> {
    const { stores, components, key, isPatient } = batch
    const marker = isPatient && IS_PATIENT
    inFlight++
    const stop = new AbortController()
    const [alone] = stores.length === 1 ? stores : []
    if (alone) cancels.set(alone, stop)
    const question = () =>
      transport.update(options.updateUrl(), components, key, stop.signal, marker)
    try {
      settle(batch, await retry.ask(question))
    } catch (error) {
      refuse(stores, error instanceof CallError ? error : badAnswer(error))
    }
    if (alone && cancels.get(alone) === stop) cancels.delete(alone)
    for (const store of stores) if (waiting.has(store)) request(store)
    if (--inFlight > 0) return
    idle.resolve()
    idle = Promise.withResolvers<void>()
  }

  function settle(batch: Batch, answer: FinalAnswer<UpdateResponse>): void {
    if (answer.kind === 'ok') return apply(batch, answer.body)
    const { status, error, html } = answer
    if (batch.stores.length > 1 && status !== 419) return sendOneByOne(batch)
    const again = () => void sendAsBefore(batch)
    const keepLooking = (): Looking => ({
      done: sendAsBefore({ ...batch, isPatient: true }),
      cancel: () => batch.stores.forEach(cancel),
    })
    const refusal = { reference: error.reference, html, again, keepLooking }
    refuse(batch.stores, new CallError(error.code, error.message, status), refusal)
  }

  function apply(batch: Batch, { components }: UpdateResponse): void {
    const { stores } = batch
    if (components.length !== stores.length) throw badAnswer('another number of components')
    for (const { key, places } of laterOf(components)) void send(partOf(batch, places, key))
    const performed: { id: string; store: Store; effects: Effects }[] = []
    for (const [place, store] of stores.entries()) {
      // There are as many components as stores.
      const { snapshot, effects } = components[place]!
      if (effects.later !== undefined) continue
      // The stored effects of an outdated request are performed as if it had just run.
      const isDone = effects.outdated
        ? renew(store, effects)
        : store.apply({ snapshot, effects }) || sendAgain(store)
      if (isDone && !store.isLeft) performed.push({ id: store.id, store, effects })
    }
    options.answered()
    for (const { effects, store } of performed) options.perform(effects, store)
    for (const store of stores) if (store.isOutdated && !store.isLeft) options.refetch(store)
    const byId = new Map(performed.map(({ id, store }) => [id, store]))
    for (const event of eventsOf(performed)) {
      const sent = byId.get(event.from)
      if (sent) options.forward(event, sent)
    }
  }

  /** The snapshot is outdated; returns whether to perform the effects. */
  function renew(store: Store, effects: Effects): boolean {
    if (store.renewals === RENEWALS_MAX && !effects.returns) {
      refuse([store], outdatedAgain())
      return false
    }
    const isDone = store.outdated(effects)
    if (store.isReady) sendAgain(store)
    return isDone
  }

  /** Sends once the whole answer has been applied. */
  function sendAgain(store: Store): false {
    if (store.isWaiting) waiting.add(store)
    return false
  }

  /** Sends each component alone, under its own key, so that one that fails stops no other. */
  function sendOneByOne(batch: Batch): void {
    for (const place of batch.stores.keys())
      void send(partOf(batch, [place], `${batch.key}.${place}`))
  }

  function refuse(stores: readonly Store[], error: CallError, refusal?: Refusal): void {
    for (const store of stores) store.fail(error)
    reportRefusal(failures, error, refusal)
  }

  /** Sends a refused request as it was, under its own key: what it has written is not repeated. */
  async function sendAsBefore(batch: Batch): Promise<void> {
    const [store, request] = [batch.stores[0], batch.components[0]]
    if (!store || !request || batch.stores.length > 1 || store.isLeft || !store.isReady) return
    store.resume(request)
    await send(batch)
  }

  function cancel(store: Store): void {
    cancels.get(store)?.abort(cancelled())
    // It may wait for its next try, and what is shown of that is over.
    failures.clear(['offline', 'busy'])
    retry.now()
  }

  return {
    request,
    idle: async () => void (inFlight > 0 && (await idle.promise)),
    cancel,
  }
}

/** Components of two pages may have the same id; in one request, ids tell who sent an event. */
const uniqueById = (stores: readonly Store[]): Store[] =>
  stores.filter(({ id }, at) => stores.findIndex((other) => other.id === id) === at)

/** During a rolling deploy an old node may answer again, but not for ever. */
const RENEWALS_MAX = 3

const outdatedAgain = () =>
  new CallError('PAGE_EXPIRED', 'The server does not accept the page that it has just sent.', 419)
