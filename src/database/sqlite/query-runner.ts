/** Answers questions on a SQLite file: quick ones on the main thread, the others in workers. */

import * as v from 'valibot'
import type { Lines } from '../../table/source/lines.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, EngineRunner, LinesAnswer, Question, WantedLines } from '../query-runner.ts'
import { isHeldBack, partsOf } from '../query/policy-first.ts'
import { runsApart, statementOf } from '../query/select.ts'
import { bind, name, sql, type Statement } from '../query/sql.ts'
import { walkOrScan, type Way } from '../query/walk-or-scan.ts'
import {
  DENSE_SPAN,
  followedIndex,
  followingDialect,
  foundBy,
  guardedDialect,
  scanDialect,
  sparseScanDialect,
  sqliteDialect,
} from './dialect.ts'
import { failureOf, isBusy, readingError, readingFailure } from './failure.ts'
import type { SqliteFile } from './file.ts'
import { scanAnswerSchema, type ScanLines } from './scan-messages.ts'
import type { SqliteCatalogue, SqliteTable } from './tables.ts'
import { rowsFromJson, toCell, toValues, type Cell } from './values.ts'
import type { WorkerPool } from './worker-pool.ts'

type TableQuestion = Question<SqliteTable>

/** How long the runner remembers whether a table is small, ms. */
const SMALL_MS = 1000

/** In ms. */
const TIMES = {
  headStart: { aMillion: 6, least: 5, most: 60 },
  walk: { aMillion: 150, least: 50, most: 2000 },
}

/** How long the planner's way runs alone: usually it has answered by then. In ms. */
const PLANNED = { ...TIMES, headStart: { aMillion: 3, least: 3, most: 3 } }

export type QueryRunnerParts = {
  readonly file: SqliteFile
  readonly catalogue: SqliteCatalogue
  readonly threads: WorkerPool
  /** Processes, for scans that cannot be cancelled in a thread. */
  readonly processes: WorkerPool
  readonly now: () => number
  /** Tables of up to this many rows are read on the main thread even without an index. */
  readonly smallRows: number
}

/** A worker's answer: all rows; or lines, and the first and the last row. */
type ElsewhereAnswer = { readonly cells: Cell[][]; readonly lines: Lines | undefined }

export class SqliteQueryRunner implements EngineRunner<SqliteTable> {
  readonly dialect = sqliteDialect
  readonly catalogue: SqliteCatalogue
  readonly #parts: QueryRunnerParts
  readonly #small = new WeakMap<SqliteTable, { isSmall: boolean; until: number }>()

  constructor(parts: QueryRunnerParts) {
    this.#parts = parts
    this.catalogue = parts.catalogue
  }

  async read(question: TableQuestion, run: Run = {}): Promise<Answer> {
    run.signal?.throwIfAborted()
    const statement = statementOf(this, question.select)
    const isServed = this.#isServed(question, statement)
    const short = this.#isShort(question, isServed) ? this.#readInPlace(statement) : undefined
    const cells = short ?? (await this.#search(question, run)).cells
    return { rows: valuesOf(question, cells), isServed }
  }

  #isServed(question: TableQuestion, { text } = statementOf(this, question.select)): boolean {
    return this.#attempt(() => this.#parts.file.plans.isServed(question, text, this))
  }

  #isShort({ table, isLong, isLocal, hasView }: TableQuestion, isServed: boolean): boolean {
    if (hasView) return false
    return (isServed && !isLong) || (isLocal && this.#isSmall(table))
  }

  /** `undefined` if another program holds a lock, for which a worker can wait. */
  #readInPlace({ text, binds }: Statement): Cell[][] | undefined {
    try {
      return this.#parts.file.connection.all(text, binds.map(toCell))
    } catch (error) {
      if (isBusy(failureOf(error))) return undefined
      throw readingError(error, this.#parts.file.path)
    }
  }

  /** In a worker however few they are: exports must not take the main thread's time. */
  async readLines(
    question: TableQuestion,
    wanted: WantedLines,
    run: Run = {},
  ): Promise<LinesAnswer> {
    run.signal?.throwIfAborted()
    const isServed = this.#isServed(question)
    const { cells, lines } = await this.#search(question, run, { ...wanted, isServed })
    if (!lines) throw new Error('A worker has written no lines.')
    const [first, last] = valuesOf(question, cells)
    return { ...lines, ...(first && last && { ends: { first, last } }), isServed }
  }

  async #search(question: TableQuestion, run: Run, wanted?: ScanLines): Promise<ElsewhereAnswer> {
    const by =
      (dialect: Dialect<SqliteTable>): Way<ElsewhereAnswer> =>
      (run) =>
        this.#readElsewhere(question, dialect, run, wanted)
    const walk = by(guardedDialect)
    const rows = question.table.table.estimate
    if (isWalked(question)) {
      const isDense = this.#attempt(() => this.#isDense(question.table))
      const scan = by(isDense ? scanDialect : sparseScanDialect)
      return walkOrScan({ walk, scan, rows, times: TIMES }, run)
    }
    const other = question.hasView ? undefined : this.#attempt(() => this.#otherWay(question))
    if (!other) return walk(run)
    const ways = { walk: by(other), scan: walk, isScanLikelier: true }
    return walkOrScan({ ...ways, rows, times: PLANNED }, run)
  }

  /**
   * Another way than the planner's, which cannot tell how many rows fulfil a condition: along the order where
   * it would sort them all, else by an index of a condition that it does not use.
   */
  #otherWay({ need, table, select, isLong }: TableQuestion): Dialect<SqliteTable> | undefined {
    if (need.of !== 'order') return undefined
    const { plans } = this.#parts.file
    const planned = runsApart(select).map((one) => plans.planOf(statementOf(this, one).text))
    const isFollowed = need.runs.every((run) => followedIndex(table, run) !== undefined)
    if (isFollowed && planned.some(({ sorts }) => sorts)) return followingDialect
    // It would find and sort all that match for each part of a long answer.
    if (isLong || holdsBack(table, select)) return undefined
    const used = new Set(planned.flatMap(({ indexes }) => indexes))
    const [run] = need.runs
    // Columns that only say where the page begins tell little about which rows match.
    const isFiltered = (column: string): boolean =>
      run?.entered?.includes(column) === true && run.unfiltered.entered?.includes(column) !== true
    const unused = table.table.indexes.find(
      ({ name, columns: [first], partial }) =>
        first && isFiltered(first.name) && !partial && !used.has(name),
    )
    return unused && foundBy(unused.name)
  }

  async #readElsewhere(
    { hasView, select }: TableQuestion,
    dialect: Dialect<SqliteTable>,
    run: Run,
    wanted?: ScanLines,
  ): Promise<ElsewhereAnswer> {
    const workers = hasView ? this.#parts.processes : this.#parts.threads
    const { text, binds } = statementOf({ catalogue: this.catalogue, dialect }, select)
    const message = await workers.ask({ text, binds: binds.map(toCell), lines: wanted }, run)
    const answer = v.parse(scanAnswerSchema, message)
    if ('failure' in answer) throw readingFailure(answer.failure, this.#parts.file.path)
    return { cells: rowsFromJson(answer.rows), lines: answer.lines }
  }

  /** Whether row numbers are dense enough for a scan in pieces. */
  #isDense({ rowid, from }: SqliteTable): boolean {
    if (rowid === null) return true
    const [row] = this.#parts.file.connection.read(
      sql`select (select max(${name(rowid)}) from ${from}) - (select min(${name(rowid)}) from ${from})`,
    )
    return Number(row?.[0] ?? 0) <= DENSE_SPAN
  }

  #isSmall(table: SqliteTable): boolean {
    const now = this.#parts.now()
    const known = this.#small.get(table)
    if (known && known.until > now) return known.isSmall
    const isSmall = this.#attempt(() => this.#countSome(table)) <= this.#parts.smallRows
    this.#small.set(table, { isSmall, until: now + SMALL_MS })
    return isSmall
  }

  #countSome({ from }: SqliteTable): number {
    const [row] = this.#parts.file.connection.read(
      sql`select count(*) from (select 1 from ${from} limit ${bind(this.#parts.smallRows + 1)})`,
    )
    return Number(row?.[0])
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw readingError(error, this.#parts.file.path)
    }
  }
}

const valuesOf = ({ cells: columns }: TableQuestion, cells: Cell[][]): Value[][] =>
  toValues(
    cells,
    columns.map((column) => column?.type === 'boolean'),
  )

/** Whether an index of what the actor asks for must not be used, because one serves the policy. */
const holdsBack = (of: SqliteTable, select: TableQuestion['select']): boolean =>
  'shape' in select &&
  partsOf(select.shape.query.where).some((part) =>
    isHeldBack({ of, access: select.shape.access }, part),
  )

/** Whether a question wants rows in an order, under a condition that no index can serve. */
const isWalked = ({ need, hasView }: TableQuestion): boolean =>
  !hasView && need.of === 'order' && need.runs.some(({ entered }) => entered === undefined)
