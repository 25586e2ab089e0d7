/** Answers questions: short ones in place, the others where they stop nobody. */

import * as v from 'valibot'
import type { Run } from '../../table/row-source.ts'
import { bind, name, sql, type Statement } from '../sql.ts'
import { failureError, failureOf, isBusy, isOutdated, type Failure } from './failure.ts'
import type { SqliteFile } from './file.ts'
import type { LabelCache } from './label-cache.ts'
import type { Lanes } from './lanes.ts'
import type { Question } from './question.ts'
import { readRows, type Batch } from './rows.ts'
import { scanAnswerSchema } from './scan-messages.ts'
import type { SqliteTable } from './tables.ts'
import { rowsFromJson, toCell, type Cell } from './values.ts'

export type Answer = {
  readonly rows: Cell[][]
  /** Whether an index served order and conditions. */
  readonly isServed: boolean
}

/** What the reading of pages, counts and keys shares. */
export type Sources = {
  readonly file: SqliteFile
  readonly reader: Reader
  readonly labels: LabelCache
}

/** How long a table is held to be small, ms. */
const SMALL_MS = 1000

export type ReaderParts = {
  readonly file: SqliteFile
  readonly threads: Lanes
  /** Processes, for what cannot be stopped in a thread. */
  readonly processes: Lanes
  readonly now: () => number
  /** Tables of no more rows are read in place, however. */
  readonly smallRows: number
}

export class Reader {
  readonly #parts: ReaderParts
  readonly #small = new WeakMap<SqliteTable, { isSmall: boolean; until: number }>()

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** The rows. Throws errors of the catalogue only, or the signal's reason. */
  async read(question: Question, run: Run = {}): Promise<Answer> {
    run.signal?.throwIfAborted()
    const isServed = this.#attempt(() => question.isServed())
    const rows = this.#isShort(question, isServed)
      ? this.#readInPlace(batchOf(question.statements, question.limit))
      : undefined
    return { rows: rows ?? (await this.#readElsewhere(question, run)), isServed }
  }

  #isShort({ table, isLong, isLocal, hasView }: Question, isServed: boolean): boolean {
    if (hasView) return false
    return (isServed && !isLong) || (isLocal && this.#isSmall(table))
  }

  /** `undefined` where somebody holds a lock, which a worker can wait for. */
  #readInPlace(batch: Batch): Cell[][] | undefined {
    try {
      return readRows(this.#parts.file.connection, batch)
    } catch (error) {
      if (isBusy(failureOf(error))) return undefined
      throw this.#failed(error)
    }
  }

  async #readElsewhere(question: Question, run: Run): Promise<Cell[][]> {
    const lanes = question.hasView ? this.#parts.processes : this.#parts.threads
    const batch = batchOf(question.guarded(), question.limit)
    const answer = v.parse(scanAnswerSchema, await lanes.ask(batch, run))
    if ('failure' in answer) throw this.#failed(answer.failure)
    return rowsFromJson(answer.rows)
  }

  #isSmall(table: SqliteTable): boolean {
    const now = this.#parts.now()
    const known = this.#small.get(table)
    if (known && known.until > now) return known.isSmall
    const isSmall = this.#attempt(() => this.#countSome(table)) <= this.#parts.smallRows
    this.#small.set(table, { isSmall, until: now + SMALL_MS })
    return isSmall
  }

  #countSome({ table }: SqliteTable): number {
    const [row] = this.#parts.file.connection.read(
      sql`select count(*) from (select 1 from ${name(table.name)} limit ${bind(this.#parts.smallRows + 1)})`,
    )
    return Number(row?.[0])
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): Error {
    const failure = error instanceof Error ? failureOf(error) : (error as Failure)
    if (isOutdated(failure)) this.#parts.file.distrust()
    return failureError(failure, this.#parts.file.path, error)
  }
}

const batchOf = (statements: readonly Statement[], limit: number | null): Batch => ({
  statements: statements.map(({ text, binds }) => ({ text, binds: binds.map(toCell) })),
  limit,
})
