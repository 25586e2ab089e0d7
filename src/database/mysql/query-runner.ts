/** Answers questions on MySQL and MariaDB: with an index that serves, else by walk or scan. */

import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, EngineRunner, Need, Question } from '../query-runner.ts'
import { statementOf } from '../query/select.ts'
import { servesOrder } from '../query/serving.ts'
import { booleanOf } from '../query/standard.ts'
import { walkOrScan, type Way } from '../query/walk-or-scan.ts'
import type { ReadClass } from '../source/driver.ts'
import { indexAdvice } from './advice.ts'
import { inUtc } from './cells.ts'
import { mysqlDialect, scanDialect } from './dialect.ts'
import { indexBehaviourOf, isTableItself, rowsOfValue, walkedIndex } from './index-hints.ts'
import { expectedRows } from './plan.ts'
import type { Server } from './server.ts'
import type { MysqlCatalogue, MysqlColumn, MysqlTable } from './tables.ts'

type TableQuestion = Question<MysqlTable>

export type QueryRunnerParts = {
  readonly server: Server
  readonly catalogue: MysqlCatalogue
  readonly work: ReadClass
  /** Default time limit of a question, ms. */
  readonly timeoutMs: number
}

/** In ms. */
const TIMES = {
  headStart: { aMillion: 80, least: 10, most: 800 },
  walk: { aMillion: 400, least: 50, most: 4000 },
}

export class MysqlQueryRunner implements EngineRunner<MysqlTable> {
  readonly dialect = mysqlDialect
  readonly #parts: QueryRunnerParts

  constructor(parts: QueryRunnerParts) {
    this.#parts = parts
  }

  get catalogue(): MysqlCatalogue {
    return this.#parts.catalogue
  }

  async read(question: TableQuestion, run: Run = {}): Promise<Answer> {
    const { need, table, cells } = question
    if (need.of !== 'order') {
      const rows = await this.#ask(question, mysqlDialect, run)
      return { rows: decoded(rows, cells), isServed: need.of === 'lookup' }
    }
    const isServed = !question.hasView && servesOrder(table, need, indexBehaviourOf(table))
    const rows = isServed
      ? await this.#ask(question, mysqlDialect, run)
      : await this.#search(question, need, run)
    const advice = isServed || question.hasView ? undefined : indexAdvice(table, need)
    return { rows: decoded(rows, cells), isServed, ...(advice !== undefined && { advice }) }
  }

  async #search(question: TableQuestion, need: OrderNeed, run: Run): Promise<Value[][]> {
    const by =
      (dialect: Dialect<MysqlTable>): Way<Value[][]> =>
      (run) =>
        this.#ask(question, dialect, run)
    const [walk, scan] = [by(mysqlDialect), by(scanDialect)]
    const way = question.hasView ? 'scan' : await this.#way(question, need, run)
    if (way === 'walk') return walk(run)
    if (way === 'scan') return scan(run)
    const rows = question.table.table.estimate
    // With an explicit limit, so that a walk never gets more time than the question.
    return walkOrScan(
      { walk, scan, rows, times: TIMES },
      { timeoutMs: this.#parts.timeoutMs, ...run },
    )
  }

  /** Chooses the way that reads few rows, if one is known to. */
  async #way({ table, select }: TableQuestion, { runs }: OrderNeed, run: Run): Promise<Ways> {
    const walked = runs.map((run) => walkedIndex(table, run))
    if (walked.includes(undefined)) return 'scan'
    const all = table.table.estimate ?? 0
    // So few that sorting them is faster than a walk along the order.
    const isFew = (rows: number): boolean => rows ** 2 <= PAGE * all
    if (runs.every((run) => isFew(rowsOfValue(table, run)))) return 'walk'
    const { server, work, catalogue } = this.#parts
    const statement = statementOf({ catalogue, dialect: scanDialect }, select)
    const expected = await expectedRows(server, work, statement, catalogue.flavour, run)
    if (expected && isFew(expected.rows)) return 'scan'
    // A scan of the table itself that no index shortens would read what the walk reads.
    const isItself = walked.every((index) => index && isTableItself(table, index))
    return isItself && !(expected && expected.rows < all / 2) ? 'walk' : 'both'
  }

  #ask({ select }: TableQuestion, dialect: Dialect<MysqlTable>, run: Run): Promise<Value[][]> {
    const { server, work, catalogue } = this.#parts
    return server.read(work, statementOf({ catalogue, dialect }, select), run)
  }
}

type OrderNeed = Extract<Need, { of: 'order' }>

type Ways = 'walk' | 'scan' | 'both'

/** Approximate rows of a page. */
const PAGE = 50

/** Converts what the driver does not: booleans, which are numbers, and moments without their zone. */
function decoded(rows: Value[][], cells: TableQuestion['cells']): Value[][] {
  const decoders = cells.map((column) => column && decoderOf(column))
  if (decoders.every((one) => one === undefined)) return rows
  for (const row of rows)
    decoders.forEach((decode, i) => {
      if (decode) row[i] = decode(row[i] ?? null)
    })
  return rows
}

/** Turns a cell into the row source's value; `undefined` if there is nothing to convert. */
export function decoderOf({ type, kind }: MysqlColumn): ((value: Value) => Value) | undefined {
  if (type === 'boolean') return booleanOf
  if (kind.is === 'datetime' && kind.zoned)
    return (value) => (typeof value === 'string' ? inUtc(value) : value)
  return undefined
}
