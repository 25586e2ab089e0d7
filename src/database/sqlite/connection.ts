/** One connection to a SQLite file: safe settings, cached statements, rows as arrays. */

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { render, type Sql } from '../query/sql.ts'
import { calculatedCell } from './computes.ts'
import { containsText, sqliteDialect, startsText, textLength, textStart } from './dialect.ts'
import { failureOf, isTooBig } from './failure.ts'
import { digestOf, narrow, toCell, type Cell } from './values.ts'

export type ConnectionOptions = {
  readonly readOnly: boolean
  /** How long to wait for another connection's lock, ms. */
  readonly busyMs: number
}

/** Some rows, and whether they end because they have the wanted length. */
export type RowsUpTo = { readonly rows: Cell[][]; readonly isCut: boolean }

type Prepared = {
  readonly statement: StatementSync
  hasBigInts: boolean
  /** Whether it has met a long value: it is then read row by row. */
  hasLong: boolean
}

/** Bytes of a value up to which rows may be read all at once. */
const SHORT = 1000

/** Cached statements; a list page needs about five. */
const STATEMENTS = 200

/** A connection's page cache, KiB. */
const CACHE_KIB = 8192

export class Connection {
  readonly #db: DatabaseSync
  readonly #isReader: boolean
  readonly #statements = new Map<string, Prepared>()

  constructor(file: string, { readOnly, busyMs }: ConnectionOptions) {
    this.#isReader = readOnly
    this.#db = new DatabaseSync(file, {
      readOnly,
      timeout: busyMs,
      allowExtension: false,
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
      defensive: true,
    })
    this.#db.function('contains_text', { deterministic: true, directOnly: true }, containsText)
    this.#db.function('starts_text', { deterministic: true, directOnly: true }, startsText)
    this.#db.function('text_start', { deterministic: true, directOnly: true }, textStart)
    this.#db.function('text_length', { deterministic: true, directOnly: true }, textLength)
    this.#db.exec(`pragma trusted_schema = off; pragma cache_size = -${CACHE_KIB}`)
    if (readOnly) this.#db.exec('pragma query_only = on')
    else {
      this.#db.function(
        'calculated_number',
        { useBigIntArguments: true, directOnly: true },
        calculatedCell,
      )
      this.#db.function('value_digest', { deterministic: true, directOnly: true }, digestOf)
      this.#db.exec('pragma journal_mode = wal; pragma synchronous = full')
    }
  }

  /** For each column of a table or view, the column of a table that its values come from unchanged. */
  origins(
    fragment: Sql,
  ): { readonly table: string; readonly column: string; readonly name: string }[] {
    const { text } = render(fragment, sqliteDialect)
    return this.#db
      .prepare(text)
      .columns()
      .flatMap(({ name, table, column }) =>
        table === null || column === null ? [] : [{ name, table, column }],
      )
  }

  /** All rows of a statement. */
  all(text: string, binds: readonly Cell[] = []): Cell[][] {
    const prepared = this.#prepare(text)
    if (!prepared.hasBigInts) {
      const rows = readNumbers(prepared.statement, binds)
      if (rows) return rows
      prepared.hasBigInts = true
      prepared.statement.setReadBigInts(true)
    }
    return narrow(rowsOf(prepared.statement, binds))
  }

  /**
   * All rows of a statement, if none of their values is long: `undefined` otherwise, and on Node before 24.15,
   * which cannot limit them. An order that no index gives fails only once SQLite has read every row.
   */
  allShort(text: string, binds: readonly Cell[]): RowsUpTo | undefined {
    const prepared = this.#prepare(text)
    if (prepared.hasLong || !('limits' in this.#db)) return undefined
    const { limits } = this.#db
    const most = limits.length
    limits.length = SHORT
    try {
      return { rows: this.all(text, binds), isCut: false }
    } catch (error) {
      if (!isTooBig(failureOf(error))) throw error
      prepared.hasLong = true
      return undefined
    } finally {
      limits.length = most
    }
  }

  /**
   * The rows of a statement, up to the one with which the values of those after the first have this length.
   * Takes a third longer than reading all of them.
   */
  upTo(length: number, text: string, binds: readonly Cell[]): RowsUpTo {
    const prepared = this.#prepare(text)
    if (!prepared.hasBigInts) {
      try {
        return collect(prepared.statement, binds, length)
      } catch (error) {
        if (!isOutOfRange(error)) throw error
      }
      prepared.hasBigInts = true
      prepared.statement.setReadBigInts(true)
    }
    const { rows, isCut } = collect(prepared.statement, binds, length)
    return { rows: narrow(rows), isCut }
  }

  /** Runs a statement and returns how many rows it wrote. */
  run(text: string, binds: readonly Cell[]): number {
    return Number(this.#prepare(text).statement.run(...binds).changes)
  }

  /** All rows of a fragment. */
  read(fragment: Sql): Cell[][] {
    const { text, binds } = render(fragment, sqliteDialect)
    return this.all(text, binds.map(toCell))
  }

  /** Runs statements that return no rows and bind no values. */
  exec(text: string): void {
    this.#db.exec(text)
  }

  /** Defines a SQL function that SQLite calls anew each time. */
  define(name: string, body: () => number): void {
    this.#db.function(name, { deterministic: false, directOnly: true }, body)
  }

  /** Sets how long to wait for another connection's lock, ms. */
  setBusyTimeout(ms: number): void {
    this.#db.exec(`pragma busy_timeout = ${Math.trunc(ms)}`)
  }

  get isInTransaction(): boolean {
    return this.#db.isTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) this.#statements.delete(text)
    const prepared = known ?? this.#create(text)
    this.#statements.set(text, prepared)
    return prepared
  }

  #create(text: string): Prepared {
    const statement = this.#db.prepare(text)
    // Whatever may write is never tried again: one that fails on a large integer has already written.
    const hasBigInts = !this.#isReader && !isSelect(text)
    statement.setReadBigInts(hasBigInts)
    statement.setReturnArrays(true)
    const oldest = this.#statements.size >= STATEMENTS && this.#statements.keys().next().value
    if (oldest) this.#statements.delete(oldest)
    return { statement, hasBigInts, hasLong: false }
  }
}

const isSelect = (text: string): boolean => text.startsWith('select ')

/** Node returns this one integer as a number, although a double cannot hold it. */
const LEAST_INT64 = -(2 ** 63)

// Node's types only know rows as objects; all statements here return arrays.
const rowsOf = (statement: StatementSync, binds: readonly Cell[]): Cell[][] =>
  statement.all(...binds) as unknown as Cell[][]

/** Avoids bigints, which can double a page's cost; `undefined` for the few rows that need them. */
function readNumbers(statement: StatementSync, binds: readonly Cell[]): Cell[][] | undefined {
  try {
    const rows = rowsOf(statement, binds)
    return rows.some((row) => row.includes(LEAST_INT64)) ? undefined : rows
  } catch (error) {
    if (isOutOfRange(error)) return undefined
    throw error
  }
}

const OUT_OF_RANGE = 'ERR_OUT_OF_RANGE'

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === OUT_OF_RANGE

/** Nothing else is done between two rows: SQLite and JavaScript get in each other's way then. */
function collect(statement: StatementSync, binds: readonly Cell[], length: number): RowsUpTo {
  const rows: Cell[][] = []
  let read = 0
  for (const row of statement.iterate(...binds)) {
    if (!isCells(row)) throw new TypeError('The statement does not return arrays.')
    checkNumbers(row)
    if (rows.push(row) > 1) read += lengthOf(row)
    if (read >= length) return { rows, isCut: true }
  }
  return { rows, isCut: false }
}

/** Characters and bytes of the values that can be long. */
function lengthOf(row: readonly Cell[]): number {
  let length = 0
  for (const cell of row)
    if (typeof cell === 'string' || cell instanceof Uint8Array) length += cell.length
  return length
}

const isCells = (row: unknown): row is Cell[] => Array.isArray(row)

function checkNumbers(row: Cell[]): void {
  if (row.includes(LEAST_INT64))
    throw Object.assign(new Error('The integer needs a bigint.'), { code: OUT_OF_RANGE })
}
