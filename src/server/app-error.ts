/** The one error class: an error code, with what a person needs to know. */

import { messagesFor, type ServerMessages } from '../messages/messages.ts'
import { ERRORS, type ErrorCode } from '../protocol/errors.ts'
import { DEFAULT_READER, type Reader } from './http/locale.ts'

/** Picks a sentence of the copy and fills it in. `number` formats a number for the reader. */
export type Detail = (
  details: ServerMessages['details'],
  number: (value: number) => string,
) => string

export type AppErrorOptions = {
  /** What the error is about: the value, what was expected, where to change it. */
  detail?: Detail
  /** Shown instead of the message of the code; its author has put it into the reader's language. */
  sentence?: string
  /** Seconds after which another try makes sense. */
  retryAfter?: number
  cause?: unknown
}

/**
 * Thrown where the server refuses or fails a request. Its message may be shown to anyone.
 *
 * @example
 * throw new AppError('TABLE_BAD_SORT', { detail: ({ sort }) => sort.unsortable('photo') })
 */
export class AppError extends Error {
  readonly code: ErrorCode
  /** In English, like the message: for logs and terminals. */
  readonly detail: string | undefined
  readonly retryAfter: number | undefined
  readonly #detail: Detail | undefined
  readonly #sentence: string | undefined

  constructor(code: ErrorCode, { detail, sentence, retryAfter, cause }: AppErrorOptions = {}) {
    super(sentence ?? messagesFor(DEFAULT_READER.language).errors[code], { cause })
    this.name = 'AppError'
    this.code = code
    this.retryAfter = retryAfter
    this.#detail = detail
    this.#sentence = sentence
    this.detail = this.detailFor(DEFAULT_READER) ?? undefined
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  /** The message in the reader's language, or the sentence that replaces it. */
  messageFor({ language }: Reader): string {
    return this.#sentence ?? messagesFor(language).errors[this.code]
  }

  /** What the error is about, in the reader's language; `null` where it has no detail. */
  detailFor({ language, locale }: Reader): string | null {
    const number = (value: number) => value.toLocaleString(locale)
    return this.#detail?.(messagesFor(language).details, number) ?? null
  }
}
