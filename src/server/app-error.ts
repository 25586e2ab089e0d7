/** The one error class: a code of the catalogue, with what a person needs to know. */

import { ERRORS, type ErrorCode } from '../protocol/errors.ts'

export type AppErrorOptions = {
  /** What it was about: the value in brackets, what was expected, where to change it. */
  detail?: string
  /** Seconds after which another try makes sense. */
  retryAfter?: number
  cause?: unknown
}

/** Thrown wherever a request cannot be served as asked. The message may be shown to anyone. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(ERRORS[code].message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}
