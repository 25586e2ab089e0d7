/** Sends queries beside updates: without edits, and without waiting for an update in flight. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import type { Json } from '../protocol/json.ts'
import { type ComponentResponse, UPDATE_LIMITS, type UpdateResponse } from '../protocol/wire.ts'
import { badAnswer, CallError, type ClientErrorCode, leftPage } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, reportRefusal } from './failures.ts'
import type { FinalAnswer, Retry } from './retry.ts'
import type { Store } from './store.ts'
import type { Transport } from './transport.ts'
import { settle, type WaitingCall } from './waiting-call.ts'

export type Queries = {
  /** Sends one query, together with others made within 5 ms (spec §7). Always settles. */
  ask(store: Store, method: string, params: Json[]): Promise<Json>
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

/** The queries of one component in one request. */
type Group = { readonly store: Store; readonly calls: readonly WaitingCall[] }

/** One request, with the snapshot that each group was sent with. */
type Sent = { readonly groups: readonly Group[]; readonly snapshots: readonly string[] }

export function createQueries(options: QueriesOptions): Queries {
  const { environment, transport, retry, failures } = options
  let waiting: (WaitingCall & { store: Store })[] = []

  function flush(): void {
    const calls = waiting.splice(0, UPDATE_LIMITS.calls)
    if (waiting.length > 0) environment.later(flush, 0)
    const byStore = Map.groupBy(calls, ({ store }) => store)
    const groups: Group[] = []
    for (const [store, calls] of byStore) {
      if (store.isLeft) for (const call of calls) call.reject(leftPage())
      else groups.push({ store, calls })
    }
    if (groups.length > 0) void send(groups, environment.newKey())
  }

  async function send(groups: readonly Group[], key: string): Promise<void> {
    const snapshots = groups.map(({ store }) => store.snapshot)
    const components = groups.map(({ calls }, place) => ({
      snapshot: snapshots[place]!,
      updates: {},
      calls: calls.map(({ method, params }) => ({ method, params })),
    }))
    try {
      const answer = await retry.ask(() => {
        // Nobody reads the answer of a page that was left.
        if (groups.every(({ store }) => store.isLeft)) throw leftPage()
        return transport.update(options.updateUrl(), components, key)
      })
      settleAll({ groups, snapshots }, key, answer)
    } catch (error) {
      refuse(groups, error instanceof CallError ? error : badAnswer(error))
    }
  }

  function settleAll(
    { groups, snapshots }: Sent,
    key: string,
    answer: FinalAnswer<UpdateResponse>,
  ): void {
    if (answer.kind === 'ok') return apply({ groups, snapshots }, answer.body.components)
    const { status, error } = answer
    // Send each alone, so that one bad query does not fail the others.
    if (groups.length > 1 && status !== 419)
      for (const [place, one] of groups.entries()) void send([one], `${key}.${place}`)
    else refuse(groups, new CallError(error.code, error.message, status), error.reference)
  }

  function apply({ groups, snapshots }: Sent, answers: readonly ComponentResponse[]): void {
    if (answers.length !== groups.length) throw badAnswer('another number of components')
    for (const [place, { store, calls }] of groups.entries()) {
      const { effects } = answers[place]!
      if (!effects.outdated) settle(calls, effects)
      else if (store.snapshot === snapshots[place]) repeatRenewed(store, calls)
      else repeat(store, calls)
    }
  }

  function repeat(store: Store, calls: readonly WaitingCall[]): void {
    if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
    waiting.push(...calls.map((call) => ({ ...call, store })))
  }

  /** Repeats the calls once the page was fetched anew, or was left. */
  function repeatRenewed(store: Store, calls: readonly WaitingCall[]): void {
    options.renew(store)
    const { snapshot } = store
    const stop = store.subscribe(() => {
      if (store.snapshot === snapshot && !store.isLeft) return
      stop()
      repeat(store, calls)
    })
  }

  function refuse(groups: readonly Group[], error: CallError, reference?: string): void {
    for (const call of groups.flatMap(({ calls }) => calls)) call.reject(error)
    if (!NOT_SHOWN.includes(error.code)) reportRefusal(failures, error, reference)
  }

  return {
    ask: (store, method, params) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
        waiting.push({ store, method, params, resolve, reject })
      }),
  }
}

/** The caller shows a timeout where the answer would be; a page that was left shows nothing. */
const NOT_SHOWN: readonly string[] = ['QUERY_TIMEOUT', 'LEFT_PAGE'] satisfies (
  | ErrorCode
  | ClientErrorCode
)[]
