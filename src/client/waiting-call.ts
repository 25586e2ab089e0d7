/** Calls that wait for their answer: their queue, and how an answer settles them. */

import type { Json } from '../protocol/json.ts'
import type { Call, Effects } from '../protocol/wire.ts'
import { CallError, leftPage } from './call-error.ts'
import type { Edits } from './edits.ts'
import type { Unsent } from './unsent.ts'

export type WaitingCall = Call & { resolve(value: Json): void; reject(error: CallError): void }

/** The request in flight: its edits and calls, and the epoch of the page when it left. */
export type InFlight = {
  readonly edits: Edits
  readonly calls: readonly WaitingCall[]
  readonly epoch: number
}

/** The calls of a component that no request has yet, in their order. */
export class CallQueue {
  #calls: WaitingCall[] = []
  /** Calls that are left to the next document. */
  readonly #givenUp: Unsent['calls'][number][] = []

  get waiting(): readonly WaitingCall[] {
    return this.#calls
  }

  add(method: string, params: Json[]): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ method, params, resolve, reject })
    })
  }

  take(count: number): WaitingCall[] {
    return this.#calls.splice(0, count)
  }

  putBack(calls: readonly WaitingCall[]): void {
    this.#calls = [...calls, ...this.#calls]
  }

  /** Gives all up for the next document; here they reject. Returns these, and those of before. */
  giveUp(): Unsent['calls'] {
    for (const { method, params, reject } of this.take(Infinity)) {
      this.#givenUp.push([method, params])
      reject(leftPage())
    }
    return this.#givenUp
  }
}

/** A call that was refused and is made again: the page shows how it ends, and nobody waits for it. */
export const unawaited = (call: Call): WaitingCall => ({
  ...call,
  resolve: () => undefined,
  reject: () => undefined,
})

/** Settles the calls by an answer. Errors without a return mean that the call did not run. */
export function settle(calls: readonly WaitingCall[], { returns, errors }: Effects): void {
  for (const [place, call] of calls.entries()) {
    const returned = returns?.[place]
    if (returned === undefined && errors) call.reject(notRun(errors))
    else call.resolve(returned ?? null)
  }
}

const notRun = (errors: { readonly [field: string]: readonly string[] }) =>
  new CallError('UPDATE_INVALID', Object.values(errors).flat().join(' '), 422)
