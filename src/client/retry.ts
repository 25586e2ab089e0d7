/** Retries while the network is down or the server is busy. */

import { FINAL_CODES } from '../protocol/errors.ts'
import { retryDelay } from './backoff.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'
import type { Failures } from './failures.ts'
import type { Answer } from './transport.ts'

export type Retry = {
  /** Repeats the request until an answer is final. */
  ask<T>(question: () => Promise<Answer<T>>): Promise<FinalAnswer<T>>
  /** Retries at once whatever waits for its next try. */
  now(): void
}

export type FinalAnswer<T> = Exclude<Answer<T>, { kind: 'unreachable' }>

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
    async ask(question) {
      for (let attempt = 0; ; attempt++) {
        const answer = await question()
        if (answer.kind === 'ok' || (answer.kind === 'refused' && !isBusy(answer))) {
          failures.clear(['offline', 'busy'])
          return answer
        }
        failures.report(failureOf(answer, waiting()))
        const retryAfterMs = answer.kind === 'refused' ? answer.retryAfterMs : null
        await sleep(retryDelay(attempt, retryAfterMs, environment.random()))
      }
    },
    now() {
      for (const wake of sleeping) wake()
    },
  }
}

const failureOf = (answer: Exclude<Answer<unknown>, { kind: 'ok' }>, waiting: number): Failure =>
  answer.kind === 'refused'
    ? { kind: 'busy', waiting, message: answer.error.message }
    : { kind: 'offline', waiting }

const isBusy = ({ status, error }: Extract<Answer<unknown>, { kind: 'refused' }>): boolean =>
  (status === 429 || status === 503) && !FINAL_CODES.includes(error.code)
