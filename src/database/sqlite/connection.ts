/** One connection to a SQLite file: safe settings, cached statements, rows as arrays. */

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { render, type Sql } from '../sql.ts'
import { sqliteDialect } from './dialect.ts'
import { narrow, toCell, type Cell } from './values.ts'

export type ConnectionOptions = {
  readonly readOnly: boolean
  /** How long to wait for another connection's lock, ms. */
  readonly busyMs: number
}

/** Statements kept for their next use; a list page needs about five. */
const STATEMENTS = 200

export class Connection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string, { readOnly, busyMs }: ConnectionOptions) {
    this.#db = new DatabaseSync(file, {
      readOnly,
      timeout: busyMs,
      allowExtension: false,
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
      defensive: true,
    })
    this.#db.exec('pragma trusted_schema = off')
    if (readOnly) this.#db.exec('pragma query_only = on')
    else this.#db.exec('pragma journal_mode = wal; pragma synchronous = full')
  }

  /** All rows of a statement. */
  all(text: string, binds: readonly Cell[] = []): Cell[][] {
    return narrow(this.#prepare(text).all(...binds) as unknown as Cell[][])
  }

  /** All rows of a fragment. */
  read(fragment: Sql): Cell[][] {
    const { text, binds } = render(fragment, sqliteDialect)
    return this.all(text, binds.map(toCell))
  }

  /** Runs what is no query and has no values. */
  exec(text: string): void {
    this.#db.exec(text)
  }

  /** Lets statements call back: `body` runs as `name()`, never folded into a constant. */
  define(name: string, body: () => number): void {
    this.#db.function(name, { deterministic: false, directOnly: true }, body)
  }

  /** How long to wait for another connection's lock from now on, ms. */
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

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) this.#statements.delete(text)
    const statement = known ?? this.#create(text)
    this.#statements.set(text, statement)
    return statement
  }

  #create(text: string): StatementSync {
    const statement = this.#db.prepare(text)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const oldest = this.#statements.size >= STATEMENTS && this.#statements.keys().next().value
    if (oldest) this.#statements.delete(oldest)
    return statement
  }
}
