/**
 * Writing as generators that yield statements and receive their results, so that the same code runs
 * synchronously in SQLite's writer thread and asynchronously over a connection.
 */

import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import { render, type Sql, type Statement } from '../query/sql.ts'
import type { RecordRequest } from '../../table/source/recorder.ts'

/** `save` sets a savepoint, and `undo` rolls back to it. */
export type Command = 'begin' | 'commit' | 'rollback' | 'save' | 'undo'

export type StatementRequest = {
  readonly statement: Statement
  /** The rows that the statement returns, or how many it wrote. */
  readonly wants: 'rows' | 'count'
  /** Whether the same text is unlikely to be used again, so that preparing it does not pay. */
  readonly isRare: boolean
}

export type StatementResult = {
  readonly rows: readonly Value[][]
  /** Rows that matched the statement's conditions. */
  readonly matched: number
  /** Those of them that were written. */
  readonly changed: number
  /** The first generated key, if the database reports it. */
  readonly insertId: Value
}

/** What a unit asks of the engine. */
export type Request = Command | StatementRequest | RecordRequest

export type Work<T> = Generator<Request, T, StatementResult>

export const NOTHING: StatementResult = { rows: [], matched: 0, changed: 0, insertId: null }

export function* rowsOf(statement: Statement): Work<readonly Value[][]> {
  return (yield { statement, wants: 'rows', isRare: false }).rows
}

/** Rows of a fragment whose text depends on how many keys it holds. */
export function* rareRows(fragment: Sql, dialect: Dialect): Work<readonly Value[][]> {
  return (yield { statement: render(fragment, dialect), wants: 'rows', isRare: true }).rows
}

/** The single number that a fragment gives. */
export function* numberOf(fragment: Sql, dialect: Dialect): Work<number> {
  return Number((yield* rareRows(fragment, dialect))[0]?.[0])
}

export function* rareCounts(fragment: Sql, dialect: Dialect): Work<StatementResult> {
  return yield { statement: render(fragment, dialect), wants: 'count', isRare: true }
}

/** Runs work synchronously. */
export function runSync<T>(work: Work<T>, run: (request: Request) => StatementResult): T {
  let next = work.next()
  while (!next.done) {
    let result: StatementResult
    try {
      result = run(next.value)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(result)
  }
  return next.value
}

/** Runs work over a connection. */
export async function runAsync<T>(
  work: Work<T>,
  run: (request: Request) => Promise<StatementResult>,
): Promise<T> {
  let next = work.next()
  while (!next.done) {
    let result: StatementResult
    try {
      result = await run(next.value)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(result)
  }
  return next.value
}
