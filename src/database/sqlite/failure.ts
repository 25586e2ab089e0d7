/** Turns SQLite's errors into `AppError`s. */

import { AppError } from '../../server/app-error.ts'
import { outdated, refused, unavailable } from '../failure.ts'
import { OVERFLOW } from './computes.ts'

/** SQLite's primary result codes that are handled here. */
const CODES = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  input: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  schema: 17,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const

/** A failure as it is sent between threads. */
export type Failure = { readonly errcode: number | null; readonly message: string }

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : null
  return { errcode: typeof errcode === 'number' ? errcode : null, message }
}

const primary = ({ errcode }: Failure): number | null => (errcode === null ? null : errcode & 0xff)

/** Whether another connection held a lock for too long. */
export function isBusy(failure: Failure): boolean {
  const code = primary(failure)
  return code === CODES.busy || code === CODES.locked
}

/** Whether a value was longer than the connection's limit. */
export const isTooBig = (failure: Failure): boolean => primary(failure) === CODES.tooBig

/** Whether a table or column in a statement no longer exists. */
const isOutdated = (failure: Failure): boolean =>
  primary(failure) === CODES.schema ||
  (primary(failure) === CODES.error && /^no such (table|column|view)/.test(failure.message))

/** Whether a constraint refused a value. */
export function isConstraint(failure: Failure): boolean {
  const code = primary(failure)
  return code === CODES.constraint || code === CODES.mismatch || failure.message === OVERFLOW
}

/** The error as an `AppError`; an `AppError` is returned unchanged. */
export function toAppError(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error
  return failureError(failureOf(error), file, error)
}

export function failureError(failure: Failure, file: string, cause?: unknown): AppError {
  if (isBusy(failure))
    return new AppError('BUSY', {
      detail: ({ database }) => database.locked(file),
      retryAfter: 1,
      cause,
    })
  if (isOutdated(failure)) return outdated(file, failure.message, cause)
  if (/^no such collation/.test(failure.message))
    return new AppError('TABLE_BAD_SORT', {
      detail: ({ sort }) => sort.collation(failure.message.split(': ')[1] ?? ''),
      cause,
    })
  const sentence = SENTENCES[primary(failure) ?? -1]
  if (sentence) return unavailable(({ database }) => database[sentence](file), cause)
  return new AppError('SERVER_ERROR', { detail: () => failure.message, cause })
}

/** The same for reading one table: the rest of the file may be sound. */
export const readingError = (error: unknown, file: string): AppError =>
  error instanceof AppError ? error : readingFailure(failureOf(error), file, error)

export function readingFailure(failure: Failure, file: string, cause?: unknown): AppError {
  const told = failureError(failure, file, cause)
  const isOfTable = told.code === 'SERVER_ERROR' || primary(failure) === CODES.corrupt
  return isOfTable && failure.errcode !== null ? refused(failure.message, cause) : told
}

/** Keys of messages, by result code. */
const SENTENCES: Readonly<Record<number, Sentence>> = {
  [CODES.readOnly]: 'unwritable',
  [CODES.input]: 'unreadable',
  [CODES.corrupt]: 'damaged',
  [CODES.full]: 'diskFull',
  [CODES.cannotOpen]: 'notOpened',
  [CODES.notADatabase]: 'notSqlite',
}

type Sentence = 'unwritable' | 'unreadable' | 'damaged' | 'diskFull' | 'notOpened' | 'notSqlite'
