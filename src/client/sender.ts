/** Sends what waits: batched for 5 ms, one request a component, tried again until it is settled. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { ComponentRequest, ComponentResponse, UpdateResponse } from '../protocol/wire.ts'
import { retryDelay } from './backoff.ts'
import { CallError } from './call-error.ts'
import type { Environment } from './environment.ts'
import type { Failures } from './failures.ts'
import type { Store } from './store.ts'
import type { Answer, Transport } from './transport.ts'

export type Sender = {
  /** Sends all that waits in this store, with whatever else is sent within 5 ms (spec §7). */
  request(store: Store): void
  /** Tries again at once what waits for its next try. */
  retry(): void
}

export type SenderOptions = {
  environment: Environment
  transport: Transport
  failures: Failures
  updateUrl(): string
  /** Everything that waits on the page, for the words of a failure. */
  waiting(): number
  /** Carries out what an answer asks for besides drawing. */
  perform(effects: ComponentResponse['effects']): void
  /** Fetches the page anew, because these stores hold outdated snapshots. */
  refresh(stores: readonly Store[]): void
}

/** One request on its way; a retry sends the very same. */
type Batch = {
  readonly stores: readonly Store[]
  readonly components: readonly ComponentRequest[]
  readonly key: string
  readonly attempt: number
}

export function createSender(options: SenderOptions): Sender {
  const { environment, transport, failures } = options
  const wanting = new Set<Store>()
  const sleeping = new Set<() => void>()
  let scheduled = false

  function request(store: Store): void {
    wanting.add(store)
    if (scheduled) return
    scheduled = true
    environment.later(flush, BATCH_DELAY_MS)
  }

  /** A store that is under way stays wanting: its next request leaves when this one has landed. */
  function flush(): void {
    scheduled = false
    const stores = [...wanting].filter((store) => !store.isFlying)
    if (stores.length === 0) return
    for (const store of stores) wanting.delete(store)
    const components = stores.map((store) => store.takeOff())
    void send({ stores, components, key: environment.newKey(), attempt: 0 })
  }

  async function send(batch: Batch): Promise<void> {
    try {
      settle(batch, await transport.update(options.updateUrl(), [...batch.components], batch.key))
    } catch (error) {
      refuse(batch, error instanceof CallError ? error : badAnswer(error))
    }
    for (const store of batch.stores) if (wanting.has(store)) request(store)
  }

  function settle(batch: Batch, answer: Answer<UpdateResponse>): void {
    if (answer.kind === 'ok') return land(batch, answer.body)
    if (answer.kind === 'unreachable') return again(batch, null, 'offline')
    const { status, error, retryAfterMs } = answer
    const passes = (status === 429 || status === 503) && error.code !== 'OUTCOME_UNKNOWN'
    if (passes) return again(batch, retryAfterMs, 'busy')
    if (batch.stores.length > 1 && status !== 419) return sendOneByOne(batch)
    refuse(batch, new CallError(error.code, error.message, status), error.reference)
  }

  function land(batch: Batch, { components }: UpdateResponse): void {
    if (components.length !== batch.stores.length) throw badAnswer('another number of components')
    failures.clear(['offline', 'busy'])
    const outdated = batch.stores.filter((store, place) => {
      const { snapshot, effects } = components[place]!
      if (effects.outdated) return (store.turnBack(), true)
      store.land({ snapshot, effects })
      options.perform(effects)
      return false
    })
    if (outdated.length > 0) options.refresh(outdated)
  }

  function again(batch: Batch, wishMs: number | null, kind: 'offline' | 'busy'): void {
    failures.report({ kind, waiting: options.waiting() })
    const wake = () => {
      cancel()
      sleeping.delete(wake)
      void send({ ...batch, attempt: batch.attempt + 1 })
    }
    const cancel = environment.later(wake, retryDelay(batch.attempt, wishMs, environment.random()))
    sleeping.add(wake)
  }

  /** One bad component must not take others with it: each is asked for alone, under its own key. */
  function sendOneByOne({ stores, components, key }: Batch): void {
    stores.forEach((store, place) => {
      void send({
        stores: [store],
        components: [components[place]!],
        key: `${key}.${place}`,
        attempt: 0,
      })
    })
  }

  function refuse(batch: Batch, error: CallError, reference?: string): void {
    for (const store of batch.stores) store.crash(error)
    if (error.status === 419) failures.report({ kind: 'expired' })
    else
      failures.report({
        kind: 'server',
        status: error.status,
        message: error.message,
        reference: reference ?? null,
      })
  }

  return { request, retry: () => [...sleeping].forEach((wake) => wake()) }
}

const badAnswer = (cause: unknown) =>
  new CallError('BAD_ANSWER', `The server’s answer could not be read: ${String(cause)}`, 500)
