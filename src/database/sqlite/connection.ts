/** One connection to a SQLite file: safe settings, cached statements, rows as arrays. */

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { render, type Sql } from '../query/sql.ts'
import { containsText, sqliteDialect, startsText } from './dialect.ts'
import { narrow, toCell, type Cell } from './values.ts'

export type ConnectionOptions = {
  readonly readOnly: boolean
  /** How long to wait for another connection's lock, ms. */
  readonly busyMs: number
}

type Prepared = { readonly statement: StatementSync; hasBigInts: boolean }

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
    this.#db.exec(`pragma trusted_schema = off; pragma cache_size = -${CACHE_KIB}`)
    if (readOnly) this.#db.exec('pragma query_only = on')
    else this.#db.exec('pragma journal_mode = wal; pragma synchronous = full')
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
   * Hands the rows of a statement to `use` one after the other, which may stop anywhere; once more from
   * the first one where a row needs bigints.
   */
  each<T>(text: string, binds: readonly Cell[], use: (rows: Iterable<Cell[]>) => T): T {
    const prepared = this.#prepare(text)
    if (!prepared.hasBigInts) {
      try {
        return use(eachOf(prepared.statement, binds, checked))
      } catch (error) {
        if (!isOutOfRange(error)) throw error
      }
      prepared.hasBigInts = true
      prepared.statement.setReadBigInts(true)
    }
    return use(eachOf(prepared.statement, binds, (row) => narrow([row])))
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
    // Never retry on a writer: a statement that fails on a large integer has already written.
    const hasBigInts = !this.#isReader
    statement.setReadBigInts(hasBigInts)
    statement.setReturnArrays(true)
    const oldest = this.#statements.size >= STATEMENTS && this.#statements.keys().next().value
    if (oldest) this.#statements.delete(oldest)
    return { statement, hasBigInts }
  }
}

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

function* eachOf(
  statement: StatementSync,
  binds: readonly Cell[],
  check: (row: Cell[]) => void,
): Generator<Cell[]> {
  for (const row of statement.iterate(...binds)) {
    if (!isCells(row)) throw new TypeError('The statement does not return arrays.')
    check(row)
    yield row
  }
}

const isCells = (row: unknown): row is Cell[] => Array.isArray(row)

function checked(row: Cell[]): void {
  if (row.includes(LEAST_INT64))
    throw Object.assign(new Error('The integer needs a bigint.'), { code: OUT_OF_RANGE })
}
