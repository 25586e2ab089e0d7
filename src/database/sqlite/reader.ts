/** Answers questions: short ones in place, the others where they stop nobody. */

import * as v from 'valibot'
import type { Run } from '../../table/source/row-source.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, Question } from '../engine.ts'
import { briefly, race, type Way } from '../query/race.ts'
import { bind, name, sql, type Statement } from '../query/sql.ts'
import { timeFor } from '../table-time.ts'
import type { SourceTable } from '../tables.ts'
import {
  DENSE_SPAN,
  guardedDialect,
  scanDialect,
  sparseScanDialect,
  sqliteDialect,
} from './dialect.ts'
import { failureError, failureOf, isBusy, isOutdated, type Failure } from './failure.ts'
import type { SqliteFile } from './file.ts'
import type { Lanes } from './lanes.ts'
import { scanAnswerSchema } from './scan-messages.ts'
import type { SqliteTable } from './tables.ts'
import { rowsFromJson, toCell, toValues, type Cell } from './values.ts'

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
  readonly #small = new WeakMap<SourceTable, { isSmall: boolean; until: number }>()

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** The rows. Throws errors of the catalogue only, or the signal's reason. */
  async read(question: Question, run: Run = {}): Promise<Answer> {
    run.signal?.throwIfAborted()
    const statement = question.statement(sqliteDialect)
    const isServed = this.#attempt(() => this.#parts.file.plans.isServed(question, statement.text))
    const short = this.#isShort(question, isServed) ? this.#readInPlace(statement) : undefined
    const cells = short ?? (await this.#search(question, run))
    const isBoolean = question.cells.map((column) => column?.type === 'boolean')
    return { rows: toValues(cells, isBoolean), isServed }
  }

  #isShort({ table, isLong, isLocal, hasView }: Question, isServed: boolean): boolean {
    if (hasView) return false
    return (isServed && !isLong) || (isLocal && this.#isSmall(table))
  }

  /** `undefined` where somebody holds a lock, which a worker can wait for. */
  #readInPlace({ text, binds }: Statement): Cell[][] | undefined {
    try {
      return this.#parts.file.connection.all(text, binds.map(toCell))
    } catch (error) {
      if (isBusy(failureOf(error))) return undefined
      throw this.#failed(error)
    }
  }

  /**
   * Where matches are many, the first of them are soon found along an index of the order. Where they
   * are few, that looks at every row in the worst order, and one scan is several times faster. So
   * the walk begins alone, the scan soon sets out as well, and the walk gives up before long: it must
   * not keep the thread that somebody else's scan is waiting for.
   */
  async #search(question: Question, run: Run): Promise<Cell[][]> {
    if (!isWalked(question)) return this.#readElsewhere(question, guardedDialect, run)
    const rows = question.table.table.estimate
    const walk: Way<Cell[][]> = (run) => this.#readElsewhere(question, guardedDialect, run)
    const scan = this.#attempt(() => this.#isDense(question.table))
      ? scanDialect
      : sparseScanDialect
    return race(
      briefly(walk, timeFor(rows, WALK_MS)),
      (run) => this.#readElsewhere(question, scan, run),
      timeFor(rows, HEAD_START_MS),
      run,
    )
  }

  async #readElsewhere(question: Question, dialect: Dialect, run: Run): Promise<Cell[][]> {
    const lanes = question.hasView ? this.#parts.processes : this.#parts.threads
    const { text, binds } = question.statement(dialect)
    const asked = await lanes.ask({ text, binds: binds.map(toCell) }, run)
    const answer = v.parse(scanAnswerSchema, asked)
    if ('failure' in answer) throw this.#failed(answer.failure)
    return rowsFromJson(answer.rows)
  }

  /** Whether row numbers lie so close together that a scan can go by them. */
  #isDense(table: SourceTable): boolean {
    const { rowid } = table as SqliteTable // The only tables that a reader ever meets.
    if (rowid === null) return true
    const [row] = this.#parts.file.connection.read(
      sql`select (select max(${name(rowid)}) from ${table.from}) - (select min(${name(rowid)}) from ${table.from})`,
    )
    return Number(row?.[0] ?? 0) <= DENSE_SPAN
  }

  #isSmall(table: SourceTable): boolean {
    const now = this.#parts.now()
    const known = this.#small.get(table)
    if (known && known.until > now) return known.isSmall
    const isSmall = this.#attempt(() => this.#countSome(table)) <= this.#parts.smallRows
    this.#small.set(table, { isSmall, until: now + SMALL_MS })
    return isSmall
  }

  #countSome({ from }: SourceTable): number {
    const [row] = this.#parts.file.connection.read(
      sql`select count(*) from (select 1 from ${from} limit ${bind(this.#parts.smallRows + 1)})`,
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

/** How long a walk goes alone, and how long it goes at all, ms: for a million rows, and in all. */
const HEAD_START_MS = { aMillion: 6, least: 5, most: 60 }
const WALK_MS = { aMillion: 150, least: 50, most: 2000 }

/** Whether rows are wanted in an order, by a condition that no index can serve. */
const isWalked = ({ need, hasView }: Question): boolean =>
  !hasView && need.of === 'order' && need.runs.some(({ entered }) => entered === undefined)
