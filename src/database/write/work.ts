/**
 * Work on a session, written once: a generator asks for statements, and one of two drivers answers,
 * without awaits in SQLite's writer thread and over a connection elsewhere.
 */

import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import { render, type Sql, type Statement } from '../query/sql.ts'

/** `save` marks a place in the transaction, and `undo` goes back to it. */
export type Command = 'begin' | 'commit' | 'rollback' | 'save' | 'undo'

export type Ask = {
  readonly statement: Statement
  /** Rows that the statement gives, or how many it wrote. */
  readonly wants: 'rows' | 'count'
  /** Whether the same text is unlikely to come again, so that preparing it is no use. */
  readonly isRare: boolean
}

export type Ran = {
  readonly rows: readonly Value[][]
  /** Rows that were found to be written. */
  readonly matched: number
  /** Those of them that were written. */
  readonly changed: number
  /** The first key that the database counted up, if it tells. */
  readonly insertId: Value
}

export type Work<T> = Generator<Command | Ask, T, Ran>

export const NOTHING: Ran = { rows: [], matched: 0, changed: 0, insertId: null }

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

export function* rareCounts(fragment: Sql, dialect: Dialect): Work<Ran> {
  return yield { statement: render(fragment, dialect), wants: 'count', isRare: true }
}

/** Runs work to its end without waiting for anybody. */
export function runNow<T>(work: Work<T>, run: (asked: Command | Ask) => Ran): T {
  let next = work.next()
  while (!next.done) {
    let ran: Ran
    try {
      ran = run(next.value)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(ran)
  }
  return next.value
}

/** Runs work to its end over a connection. */
export async function runLater<T>(
  work: Work<T>,
  run: (asked: Command | Ask) => Promise<Ran>,
): Promise<T> {
  let next = work.next()
  while (!next.done) {
    let ran: Ran
    try {
      ran = await run(next.value)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(ran)
  }
  return next.value
}
