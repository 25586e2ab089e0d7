/** What goes wrong alike whatever the database is. */

import { AppError, type Detail } from '../server/app-error.ts'

export const unavailable = (detail: Detail, cause?: unknown): AppError =>
  new AppError('DATABASE_UNAVAILABLE', { detail, cause, retryAfter: 1 })

/** For whoever still asks while the server ends. By its cause nobody takes it for a failure. */
export const closing = (): AppError =>
  unavailable(({ database }) => database.closing, new DOMException('Closing', 'AbortError'))

/** `ms` is what was allowed. */
export const timedOut = (ms: number, cause?: unknown): AppError =>
  new AppError('QUERY_TIMEOUT', {
    detail: ({ database }, number) => database.tooSlow(number(ms)),
    retryAfter: 1,
    cause,
  })

export const isTimeout = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'QUERY_TIMEOUT'

const OUTDATED = new WeakSet<AppError>()

/** A table or column that a statement named is not there as it was. */
export function outdated(name: string, cause?: unknown): AppError {
  const error = unavailable(({ database }) => database.changed(name), cause)
  OUTDATED.add(error)
  return error
}

/** Whether tables have changed since the statement was made. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof AppError && OUTDATED.has(error)

/** `database` is what a person calls it. */
export const openedReadOnly = (database: string): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.readOnly(database) })
