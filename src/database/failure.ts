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

/** The database itself refuses to read a table; `sentence` is what it says, for administrators. */
export const refused = (sentence: string, cause?: unknown): AppError =>
  new AppError('DATABASE_REFUSED', {
    detail: ({ database }) => database.refused(sentence.trim().replace(/\.$/, '')),
    cause,
  })

/** What the database said, by error. */
const OUTDATED = new WeakMap<AppError, string>()

/** A table or column in a statement was dropped or changed; `sentence` is what the database says. */
export function outdated(name: string, sentence: string, cause?: unknown): AppError {
  const error = unavailable(({ database }) => database.changed(name), cause)
  OUTDATED.set(error, sentence)
  return error
}

/** The error of a second attempt: if something is missing even then, the database refuses to read it. */
export function settled(error: unknown): unknown {
  const sentence = error instanceof AppError ? OUTDATED.get(error) : undefined
  return sentence === undefined ? error : refused(sentence, error)
}

/** Whether the error comes from tables that changed after the statement was made. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof AppError && OUTDATED.has(error)

export const notAllowed = (): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.notAllowed })

/** `role` is the one that lacks every right to write; `null` for a file. */
export const cannotWrite = (database: string, role: string | null): AppError =>
  new AppError('TABLE_READ_ONLY', {
    detail: ({ rows }) =>
      role === null ? rows.unwritable(database) : rows.noRights(role, database),
  })

/** `database` is its name for people. */
export const openedReadOnly = (database: string): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.readOnly(database) })
