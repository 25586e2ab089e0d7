/** Retries while the network is down or the server is busy. */

import { FINAL_CODES } from '../protocol/errors.ts'
import { retryDelay } from './backoff.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'
import type { Failures } from './failures.ts'
import type { Answer } from './transport.ts'

export type Retry = {
  /** Repeats the request until an answer is final. */
  ask<T extends AnyAnswer>(question: () => Promise<T>): Promise<Final<T>>
  /** Retries at once whatever waits for its next try; returns whether anything did. */
  now(): boolean
}

/** An answer of the server, or none; each kind of request has further kinds of answers. */
type AnyAnswer =
  | Exclude<Answer<unknown>, { kind: 'ok' }>
  | { readonly kind: 'ok' | 'page' | 'document' }

type Final<T> = Exclude<T, { kind: 'unreachable' }>

export type FinalAnswer<T> = Final<Answer<T>>

export type RetryOptions = {
  environment: Environment
  failures: Failures
  /** How many edits and calls of the page wait, to be shown with a failure. */
  waiting(): number
}

export function createRetry({ environment, failures, waiting }: RetryOptions): Retry {
  const sleeping = new Set<() => void>()

  const sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        cancel()
        sleeping.delete(wake)
        resolve()
      }
      const cancel = environment.later(wake, delayMs)
      sleeping.add(wake)
    })

  return {
    async ask<T extends AnyAnswer>(question: () => Promise<T>) {
      for (let attempt = 0; ; attempt++) {
        const answer: AnyAnswer = await question()
        if (answer.kind !== 'unreachable' && !(answer.kind === 'refused' && isBusy(answer))) {
          failures.clear(['offline', 'busy'])
          // The same object; only the compiler does not follow.
          return answer as Final<T>
        }
        failures.report(failureOf(answer, waiting()))
        const retryAfterMs = answer.kind === 'refused' ? answer.retryAfterMs : null
        await sleep(retryDelay(attempt, retryAfterMs, environment.random()))
      }
    },
    now() {
      const isAny = sleeping.size > 0
      for (const wake of sleeping) wake()
      return isAny
    },
  }
}

type Retried = Exclude<Answer<unknown>, { kind: 'ok' }>

const failureOf = (answer: Retried, waiting: number): Failure =>
  answer.kind === 'refused'
    ? { kind: 'busy', waiting, message: answer.error.message }
    : { kind: 'offline', waiting }

const isBusy = ({ status, error }: Extract<Answer<unknown>, { kind: 'refused' }>): boolean =>
  (status === 429 || status === 503) && !FINAL_CODES.includes(error.code)
