/** The one failure that is shown at a time. */

import { FINAL_CODES } from '../protocol/errors.ts'
import type { CallError } from './call-error.ts'
import type { Failure, Looking } from './failure.ts'
import { createObservable } from './observable.ts'

/** The graver kind wins; failures that the client retries give way. */
const GRAVITY: { readonly [Kind in Failure['kind']]: number } = {
  offline: 0,
  busy: 1,
  final: 2,
  server: 3,
  expired: 4,
}

export type Failures = {
  getState(): Failure | null
  subscribe(listener: () => void): () => void
  /** Shows a failure, unless a graver one is shown. */
  report(failure: Failure): void
  /** Removes the failure if it is of one of these kinds. */
  clear(kinds: readonly Failure['kind'][]): void
}

export function createFailures(): Failures {
  const shown = createObservable<Failure | null>(null)
  return {
    getState: shown.getState,
    subscribe: shown.subscribe,
    report(failure) {
      const current = shown.getState()
      if (!current || GRAVITY[failure.kind] >= GRAVITY[current.kind]) shown.setState(failure)
    },
    clear(kinds) {
      const current = shown.getState()
      if (current && kinds.includes(current.kind)) shown.setState(null)
    },
  }
}

/** One object, so that ten refused requests of an expired page are one failure. */
const EXPIRED = { kind: 'expired' } as const

/** What a refusal says beyond its error. */
export type Refusal = {
  /** The server's name for the failure, in its log. */
  readonly reference?: string | undefined
  /** The answer of something other than this server, such as a proxy. */
  readonly html?: string | null
  /** Sends the request again. */
  readonly again?: () => void
  /** The same with more time. */
  readonly keepLooking?: () => Looking
}

/** Shows why a request was refused. Whoever cancelled it or left its page knows. */
export function reportRefusal(
  failures: Pick<Failures, 'report'>,
  { code, status, message }: CallError,
  { reference, html = null, again, keepLooking }: Refusal = {},
): void {
  if (code === 'CANCELLED' || code === 'LEFT_PAGE') return
  // The same request would get the same answer: what it did is not known.
  const mayRepeat = again && code !== 'OUTCOME_UNKNOWN'
  const refused = {
    ...{ code, status, message },
    ...(mayRepeat && { again }),
    ...(keepLooking && code === 'QUERY_TIMEOUT' && { keepLooking }),
  }
  if (status === 419) failures.report(EXPIRED)
  else if (FINAL_CODES.includes(code)) failures.report({ kind: 'final', ...refused })
  else failures.report({ kind: 'server', ...refused, reference: reference ?? null, html })
}
