/** The one failure that is shown at a time. */

import type { CallError } from './call-error.ts'
import type { Failure } from './failure.ts'
import { createObservable } from './observable.ts'

/** The graver kind wins; failures that the client retries give way. */
const GRAVITY: { readonly [Kind in Failure['kind']]: number } = {
  offline: 0,
  busy: 1,
  server: 2,
  expired: 3,
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

/** Shows why the server refused a request. */
export function reportRefusal(
  failures: Pick<Failures, 'report'>,
  { code, status, message }: CallError,
  reference: string | null = null,
): void {
  failures.report(status === 419 ? EXPIRED : { kind: 'server', code, status, message, reference })
}
