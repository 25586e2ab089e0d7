/** Errors that are the same for every engine. */

import { AppError, type Detail } from '../server/app-error.ts'

export const unavailable = (detail: Detail, cause?: unknown): AppError =>
  new AppError('DATABASE_UNAVAILABLE', { detail, cause, retryAfter: 1 })

/** For requests during shutdown. Its cause, an `AbortError`, keeps it out of the failures. */
export const closing = (): AppError =>
  unavailable(({ database }) => database.closing, new DOMException('Closing', 'AbortError'))

/** `ms` is the limit that was exceeded. */
export const timedOut = (ms: number, cause?: unknown): AppError =>
  new AppError('QUERY_TIMEOUT', {
    detail: ({ database }, number) => database.tooSlow(number(ms)),
    retryAfter: 1,
    cause,
  })

export const isTimeout = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'QUERY_TIMEOUT'

const OUTDATED = new WeakSet<AppError>()

/** A table or column in a statement was dropped or changed. */
export function outdated(name: string, cause?: unknown): AppError {
  const error = unavailable(({ database }) => database.changed(name), cause)
  OUTDATED.add(error)
  return error
}

/** Whether the error comes from tables that changed after the statement was made. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof AppError && OUTDATED.has(error)

/** `database` is its name for people. */
export const openedReadOnly = (database: string): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.readOnly(database) })
