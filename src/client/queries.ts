/** Sends queries: beside every update, with no edits, and without waiting for one under way. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import type { Json } from '../protocol/json.ts'
import { type ComponentResponse, UPDATE_LIMITS, type UpdateResponse } from '../protocol/wire.ts'
import { badAnswer, CallError, leftPage } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, reportRefusal } from './failures.ts'
import type { FinalAnswer, Retry } from './retry.ts'
import type { Store } from './store.ts'
import type { Transport } from './transport.ts'
import { settle, type WaitingCall } from './waiting-call.ts'

export type Queries = {
  /** Asks one query, with whatever else is asked within 5 ms (spec §7). Always settles. */
  ask(store: Store, method: string, params: Json[]): Promise<Json>
}

export type QueriesOptions = {
  environment: Environment
  transport: Transport
  retry: Retry
  failures: Failures
  updateUrl(): string
  /** The snapshot was outdated: the page is to be fetched anew, and the calls made again. */
  renew(store: Store, calls: readonly WaitingCall[]): void
}

/** The queries of one component that travel together. */
type Asked = { readonly store: Store; readonly calls: readonly WaitingCall[] }

export function createQueries(options: QueriesOptions): Queries {
  const { environment, transport, retry, failures } = options
  let waiting: (WaitingCall & { store: Store })[] = []

  function flush(): void {
    const calls = waiting.splice(0, UPDATE_LIMITS.calls)
    if (waiting.length > 0) environment.later(flush, 0)
    const byStore = Map.groupBy(calls, ({ store }) => store)
    const asked: Asked[] = []
    for (const [store, calls] of byStore) {
      if (store.isLeft) for (const call of calls) call.reject(leftPage())
      else asked.push({ store, calls })
    }
    if (asked.length > 0) void send(asked, environment.newKey())
  }

  async function send(asked: readonly Asked[], key: string): Promise<void> {
    const components = asked.map(({ store, calls }) => ({
      snapshot: store.snapshot,
      updates: {},
      calls: calls.map(({ method, params }) => ({ method, params })),
    }))
    try {
      const answer = await retry.ask(() => transport.update(options.updateUrl(), components, key))
      settleAll(asked, key, answer)
    } catch (error) {
      refuse(asked, error instanceof CallError ? error : badAnswer(error))
    }
  }

  function settleAll(
    asked: readonly Asked[],
    key: string,
    answer: FinalAnswer<UpdateResponse>,
  ): void {
    if (answer.kind === 'ok') return apply(asked, answer.body.components)
    const { status, error } = answer
    // One bad question must not take the others with it.
    if (asked.length > 1 && status !== 419)
      for (const [place, one] of asked.entries()) void send([one], `${key}.${place}`)
    else refuse(asked, new CallError(error.code, error.message, status), error.reference)
  }

  function apply(asked: readonly Asked[], answers: readonly ComponentResponse[]): void {
    if (answers.length !== asked.length) throw badAnswer('another number of components')
    for (const [place, { store, calls }] of asked.entries()) {
      const { effects } = answers[place]!
      if (effects.outdated) options.renew(store, calls)
      else settle(calls, effects)
    }
  }

  function refuse(asked: readonly Asked[], error: CallError, reference?: string): void {
    for (const call of asked.flatMap(({ calls }) => calls)) call.reject(error)
    if (!TOLD_IN_PLACE.includes(error.code)) reportRefusal(failures, error, reference)
  }

  return {
    ask: (store, method, params) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
        waiting.push({ store, method, params, resolve, reject })
      }),
  }
}

/** Whoever asked says so where the answer would stand: the rest of the page works on. */
const TOLD_IN_PLACE: readonly string[] = ['QUERY_TIMEOUT'] satisfies ErrorCode[]
