/** Answers questions on MySQL and MariaDB: by an index where one serves, else by the cheaper of two ways. */

import type { RelatedLabel, Run } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, Engine, Need, Question } from '../engine.ts'
import type { KnownLabels } from '../query/label-cache.ts'
import { briefly, race, type Way } from '../query/race.ts'
import { timeFor } from '../table-time.ts'
import { servesOrder } from '../query/serving.ts'
import type { SourceTable } from '../tables.ts'
import { indexAdvice } from './advice.ts'
import { mysqlDialect, scanDialect } from './dialect.ts'
import { expectedRows } from './plan.ts'
import { habitsOf, isTableItself, walkedIndex } from './index-hints.ts'
import type { Lane, Server } from './server.ts'
import type { MysqlCatalogue, MysqlColumn } from './tables.ts'

export type EngineParts = {
  readonly server: Server
  readonly catalogue: MysqlCatalogue
  readonly lane: Lane
  /** Longest time of a question unless a call says otherwise, ms. */
  readonly timeoutMs: number
  labels(relations: readonly RelatedLabel[]): readonly KnownLabels[]
}

/** How long a walk goes alone, and how long it goes at all, ms: for a million rows, and in all. */
const HEAD_START_MS = { aMillion: 80, least: 10, most: 800 }
const WALK_MS = { aMillion: 400, least: 50, most: 4000 }

export class MysqlEngine implements Engine {
  readonly dialect: Dialect = mysqlDialect
  readonly #parts: EngineParts

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  get catalogue(): MysqlCatalogue {
    return this.#parts.catalogue
  }

  labels(relations: readonly RelatedLabel[]): readonly KnownLabels[] {
    return this.#parts.labels(relations)
  }

  async read(question: Question, run: Run = {}): Promise<Answer> {
    const { need, table, cells } = question
    if (need.of !== 'order') {
      const rows = await this.#ask(question, mysqlDialect, run)
      return { rows: finished(rows, cells), isServed: need.of === 'lookup' }
    }
    const isServed = !question.hasView && servesOrder(table, need, habitsOf(table))
    const rows = isServed
      ? await this.#ask(question, mysqlDialect, run)
      : await this.#search(question, need, run)
    const advice = isServed || question.hasView ? undefined : indexAdvice(table, need)
    return { rows: finished(rows, cells), isServed, ...(advice !== undefined && { advice }) }
  }

  /**
   * Where matches are many, the first of them are soon found along an index that gives the order;
   * where they are few, the walk looks at every row in the worst order, and one scan is faster. So the
   * walk begins alone, the scan soon sets out as well, and the walk gives up before long: it takes
   * from what the scan has, and holds a session.
   */
  async #search(question: Question, need: OrderNeed, run: Run): Promise<Value[][]> {
    const way = question.hasView ? 'scan' : await this.#way(question, need, run)
    if (way === 'walk') return this.#ask(question, mysqlDialect, run)
    if (way === 'scan') return this.#ask(question, scanDialect, run)
    const rows = question.table.table.estimate
    const by =
      (dialect: Dialect): Way<Value[][]> =>
      (run) =>
        this.#ask(question, dialect, run)
    return race(
      briefly(by(mysqlDialect), timeFor(rows, WALK_MS)),
      by(scanDialect),
      timeFor(rows, HEAD_START_MS),
      // Said here, so that a walk is never given more time than a question has.
      { timeoutMs: this.#parts.timeoutMs, ...run },
    )
  }

  /** Where an index finds so few rows that sorting them is quicker than walking to a page of them. */
  async #way(question: Question, need: OrderNeed, run: Run): Promise<Ways> {
    const way = wayOf(question.table, need)
    if (way !== 'both') return way
    const { server, lane, catalogue } = this.#parts
    const statement = question.statement(scanDialect)
    const expected = await expectedRows(server, lane, statement, catalogue.flavour, run)
    const all = question.table.table.estimate ?? 0
    return expected && expected.rows ** 2 <= PAGE * all ? 'scan' : 'both'
  }

  #ask(question: Question, dialect: Dialect, run: Run): Promise<Value[][]> {
    return this.#parts.server.read(this.#parts.lane, question.statement(dialect), run)
  }
}

type OrderNeed = Extract<Need, { of: 'order' }>

type Ways = 'walk' | 'scan' | 'both'

/** Rows of a page, near enough. */
const PAGE = 50

function wayOf(table: SourceTable, { runs }: OrderNeed): Ways {
  const walked = runs.map((run) => walkedIndex(table, run))
  if (walked.includes(undefined)) return 'scan'
  return walked.every((index) => index && isTableItself(table, index)) ? 'walk' : 'both'
}

/** Booleans are numbers to the server, and it may forget that a moment is in UTC. */
function finished(rows: Value[][], cells: readonly (Column | undefined)[]): Value[][] {
  const finishers = cells.map((column) => column && finisherOf(column as MysqlColumn))
  if (finishers.every((one) => one === undefined)) return rows
  for (const row of rows)
    finishers.forEach((finish, i) => {
      if (finish) row[i] = finish(row[i] ?? null)
    })
  return rows
}

function finisherOf({ type, kind }: MysqlColumn): ((value: Value) => Value) | undefined {
  if (type === 'boolean') return (value) => (value === 1 ? true : value === 0 ? false : value)
  if (kind.is === 'datetime' && kind.zoned)
    return (value) => (typeof value === 'string' && !value.endsWith('+00') ? `${value}+00` : value)
  return undefined
}
