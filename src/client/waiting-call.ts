/** Calls that wait for their answer. */

import type { Json } from '../protocol/json.ts'
import type { Call, Effects } from '../protocol/wire.ts'
import { CallError } from './call-error.ts'
import type { Edits } from './edits.ts'

export type WaitingCall = Call & { resolve(value: Json): void; reject(error: CallError): void }

/** The request in flight: its edits and calls, and the epoch of the page when it left. */
export type InFlight = {
  readonly edits: Edits
  readonly calls: readonly WaitingCall[]
  readonly epoch: number
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
