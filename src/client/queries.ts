/** Sends queries beside updates: without edits, and without waiting for an update in flight. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import type { Json } from '../protocol/json.ts'
import { type ComponentResponse, UPDATE_LIMITS, type UpdateResponse } from '../protocol/wire.ts'
import { badAnswer, CallError, cancelled, type ClientErrorCode, leftPage } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, type Refusal, reportRefusal } from './failures.ts'
import { itemsAt, laterOf } from './later.ts'
import type { FinalAnswer, Retry } from './retry.ts'
import type { Store } from './store.ts'
import type { Transport } from './transport.ts'
import { settle, type WaitingCall } from './waiting-call.ts'

export type Queries = {
  /**
   * Sends one query, together with others made within 5 ms (spec §7). Always settles. Once `signal` is
   * aborted it rejects with `CANCELLED`, and if nobody else waits for the request, that is aborted too.
   */
  ask(store: Store, method: string, params: readonly Json[], signal?: AbortSignal): Promise<Json>
}

export type QueriesOptions = {
  environment: Environment
  transport: Transport
  retry: Retry
  failures: Failures
  updateUrl(): string
  /** Called if the snapshot was outdated: fetches the page anew. */
  renew(store: Store): void
}

type Query = WaitingCall & { readonly signal?: AbortSignal | undefined }

/** The queries of one component in one request. */
type Group = { readonly store: Store; readonly calls: readonly Query[] }

/** One request, with the snapshot that each group was sent with. */
type Sent = { readonly groups: readonly Group[]; readonly snapshots: readonly string[] }

const partOf = ({ groups, snapshots }: Sent, places: readonly number[]): Sent => ({
  groups: itemsAt(groups, places),
  snapshots: itemsAt(snapshots, places),
})

export function createQueries(options: QueriesOptions): Queries {
  const { environment, transport, retry, failures } = options
  let waiting: (Query & { store: Store })[] = []

  function flush(): void {
    waiting = waiting.filter((call) => !isCancelled(call))
    const calls = waiting.splice(0, UPDATE_LIMITS.calls)
    if (waiting.length > 0) environment.later(flush, 0)
    const byStore = Map.groupBy(calls, ({ store }) => store)
    const groups: Group[] = []
    for (const [store, calls] of byStore) {
      if (store.isLeft) for (const call of calls) call.reject(leftPage())
      else groups.push({ store, calls })
    }
    const snapshots = groups.map(({ store }) => store.snapshot)
    if (groups.length > 0) void send({ groups, snapshots }, environment.newKey())
  }

  async function send({ groups, snapshots }: Sent, key: string): Promise<void> {
    const components = groups.map(({ calls }, place) => ({
      // There are as many snapshots as groups.
      snapshot: snapshots[place]!,
      updates: {},
      calls: calls.map(({ method, params }) => ({ method, params })),
    }))
    const stop = whenAllAreCancelled(groups)
    try {
      const answer = await retry.ask(() => {
        // Nobody reads the answer of a page that was left.
        if (groups.every(({ store }) => store.isLeft)) throw leftPage()
        stop.throwIfAborted()
        return transport.update(options.updateUrl(), components, key, stop)
      })
      settleAll({ groups, snapshots }, key, answer)
    } catch (error) {
      // Others that are still tried say so again.
      if (stop.aborted) failures.clear(['offline', 'busy'])
      refuse(groups, error instanceof CallError ? error : badAnswer(error))
    }
  }

  function settleAll(
    { groups, snapshots }: Sent,
    key: string,
    answer: FinalAnswer<UpdateResponse>,
  ): void {
    const sent = { groups, snapshots }
    if (answer.kind === 'ok') return apply(sent, answer.body.components)
    const { status, error, html } = answer
    // Send each alone, so that one bad query does not fail the others.
    if (groups.length > 1 && status !== 419)
      for (const place of groups.keys()) void send(partOf(sent, [place]), `${key}.${place}`)
    else {
      const refusal = { reference: error.reference, html }
      refuse(groups, new CallError(error.code, error.message, status), refusal)
    }
  }

  function apply(sent: Sent, answers: readonly ComponentResponse[]): void {
    const { groups, snapshots } = sent
    if (answers.length !== groups.length) throw badAnswer('another number of components')
    for (const { key, places } of laterOf(answers)) void send(partOf(sent, places), key)
    for (const [place, { store, calls }] of groups.entries()) {
      // There are as many answers as groups.
      const { effects } = answers[place]!
      if (effects.later !== undefined) continue
      if (!effects.outdated) settle(calls, effects)
      else if (store.snapshot === snapshots[place]) repeatRenewed(store, calls)
      else repeat(store, calls)
    }
  }

  function repeat(store: Store, calls: readonly Query[]): void {
    if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
    waiting.push(...calls.map((call) => ({ ...call, store })))
  }

  /** Repeats the calls once the page was fetched anew, or was left. */
  function repeatRenewed(store: Store, calls: readonly Query[]): void {
    options.renew(store)
    const { snapshot } = store
    const stop = store.subscribe(() => {
      if (store.snapshot === snapshot && !store.isLeft) return
      stop()
      repeat(store, calls)
    })
  }

  function refuse(groups: readonly Group[], error: CallError, refusal?: Refusal): void {
    for (const call of groups.flatMap(({ calls }) => calls)) call.reject(error)
    if (!NOT_SHOWN.includes(error.code)) reportRefusal(failures, error, refusal)
  }

  return {
    ask: (store, method, params, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(cancelled())
        signal?.addEventListener('abort', () => reject(cancelled()), { once: true })
        if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
        waiting.push({ store, method, params: [...params], resolve, reject, signal })
      }),
  }
}

const isCancelled = ({ signal }: Query): boolean => signal?.aborted ?? false

/** Aborted once every query of a request is cancelled. */
function whenAllAreCancelled(groups: readonly Group[]): AbortSignal {
  const stop = new AbortController()
  const calls = groups.flatMap((group) => group.calls)
  const check = () => calls.every(isCancelled) && stop.abort(cancelled())
  for (const { signal } of calls) signal?.addEventListener('abort', check, { once: true })
  check()
  return stop.signal
}

/** The caller shows a timeout where the answer would be; a page that was left shows nothing. */
const NOT_SHOWN: readonly string[] = ['QUERY_TIMEOUT', 'LEFT_PAGE', 'CANCELLED'] satisfies (
  | ErrorCode
  | ClientErrorCode
)[]
