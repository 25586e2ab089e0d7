/** The error that a call's promise rejects with. */

import type { ErrorCode } from '../protocol/errors.ts'

/** Codes of failures that only the client knows, besides the server's. */
export type ClientErrorCode = 'CSRF_MISSING' | 'BAD_ANSWER' | 'LEFT_PAGE' | 'CANCELLED'

export class CallError extends Error {
  readonly code: ErrorCode | ClientErrorCode
  /** HTTP status; 503 where there was no answer at all (spec §8), 0 where nothing was sent. */
  readonly status: number

  constructor(code: ErrorCode | ClientErrorCode, message: string, status: number) {
    super(message)
    this.name = 'CallError'
    this.code = code
    this.status = status
  }
}

/** The server's answer does not follow the protocol. */
export const badAnswer = (cause: unknown): CallError =>
  new CallError('BAD_ANSWER', `The server’s answer could not be read: ${String(cause)}`, 500)

export const cancelled = (): CallError =>
  new CallError('CANCELLED', 'The request was cancelled before an answer came.', 0)

export const leftPage = (): CallError =>
  new CallError('LEFT_PAGE', 'The page was left before an answer came.', 0)

/** Logged where React is bound to a property that a component does not have (spec §8). */
export const missingProperty = (path: string, component: string): Error =>
  new Error(
    `The property [${path}] is entangled, but the component [${component}] does not have it.`,
  )
