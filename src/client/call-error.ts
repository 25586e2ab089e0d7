/** The error that a call's promise rejects with. */

import type { ErrorCode } from '../protocol/errors.ts'

/** Codes of failures that only the client knows, besides the server's. */
export type ClientErrorCode = 'CSRF_MISSING' | 'BAD_ANSWER' | 'LEFT_PAGE'

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

export const leftPage = (): CallError =>
  new CallError('LEFT_PAGE', 'The page was left before an answer came.', 0)
