/** Answers questions on PostgreSQL: as the planner decides, and searches by walk or scan. */

import type { Run } from '../../table/source/row-source.ts'
import type { Index } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, EngineRunner, Need, Question } from '../query-runner.ts'
import { searchesOf, type Searched } from '../query/predicate-sql.ts'
import { statementOf } from '../query/select.ts'
import { servesOrder, servingColumns, type IndexBehaviour } from '../query/serving.ts'
import { join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import { walkOrScan } from '../query/walk-or-scan.ts'
import type { ReadClass } from '../source/driver.ts'
import type { PostgresDatabase } from './database.ts'
import { dialectOf } from './dialect.ts'
import { notation } from './notation.ts'
import { explaining, isWalk, planOf } from './plan.ts'
import type { ConnectionClass } from './server.ts'
import type { PostgresCatalogue, PostgresTable } from './tables.ts'

type TableQuestion = Question<PostgresTable>

const INDEX_BEHAVIOUR: IndexBehaviour = { endsWithKey: false, nulls: 'greatest' }

/** In ms. A scan has fewer cores while a walk runs. */
const TIMES = {
  headStart: { aMillion: 50, least: 8, most: 400 },
  walk: { aMillion: 150, least: 100, most: 1000 },
}

export class PostgresQueryRunner implements EngineRunner<PostgresTable> {
  readonly catalogue: PostgresCatalogue
  readonly dialect: Dialect<PostgresTable>
  readonly #database: PostgresDatabase
  readonly #work: ReadClass

  constructor(database: PostgresDatabase, catalogue: PostgresCatalogue, work: ReadClass) {
    this.catalogue = catalogue
    this.dialect = dialectOf(catalogue)
    this.#database = database
    this.#work = work
  }

  async read(question: TableQuestion, run: Run = {}): Promise<Answer> {
    const { catalogue, dialect } = this
    const runDialect = hasOrder(question) ? dialect : { ...dialect, isOneRun: true }
    const statement = statementOf({ catalogue, dialect: runDialect }, question.select)
    const answer = served(question)
    // A generic plan is good enough only if an index serves every value.
    const isRare = !answer.isServed
    const read = (by: ConnectionClass, options: Run): Promise<Value[][]> =>
      this.#database.read(by, statement, { ...options, isRare })
    const searched = isLargeOrder(question) ? searchesOf(question.where) : []
    // The planner cannot know whether a walk finds anything, and can be wrong by a factor of thousands.
    const isRace = searched.length > 0 && (await this.#walks(statement, run))
    const rows = isRace
      ? await walkOrScan(
          {
            walk: (run) => read(this.#work, run),
            scan: (run) => read('search', run),
            isScanLikelier: searched.every((one) => canTrigramsFind(question.table, one)),
            rows: question.table.table.estimate,
            times: TIMES,
          },
          run,
        )
      : await read(this.#work, run)
    return { rows, ...answer }
  }

  /** Whether the planner would walk. Without a readable plan, both ways are tried. */
  async #walks(statement: Statement, run: Run): Promise<boolean> {
    const rows = await this.#database.read('rows', explaining(statement), { ...run, isRare: true })
    try {
      return isWalk(planOf(rows))
    } catch {
      return true
    }
  }
}

/** Whether a trigram index can find the text, which needs three letters or digits in a row. */
const canTrigramsFind = ({ trigrams }: PostgresTable, searched: Searched): boolean =>
  searched !== 'elsewhere' &&
  trigrams.has(searched.column) &&
  /[\p{L}\p{N}]{3}/u.test(searched.text)

/** Smaller tables are scanned in no noticeable time. */
const LARGE_ROWS = 20_000

/** Whether a question wants rows of a large table in an order, under a condition that no ordered index can serve. */
const isLargeOrder = ({ need, table: { table } }: TableQuestion): boolean =>
  need.of === 'order' &&
  need.runs.some(({ entered }) => entered === undefined) &&
  (table.estimate ?? Infinity) >= LARGE_ROWS

/** Whether an index gives the order, ignoring conditions; otherwise each run would be a scan. */
const hasOrder = ({ need, table }: TableQuestion): boolean =>
  need.of !== 'order' ||
  servesOrder(
    table,
    { of: 'order', runs: need.runs.map((run) => ({ ...run, entered: [] })) },
    INDEX_BEHAVIOUR,
  )

function served({ need, table }: TableQuestion): Pick<Answer, 'isServed' | 'advice'> {
  if (need.of !== 'order') return { isServed: need.of === 'lookup' }
  if (servesOrder(table, need, INDEX_BEHAVIOUR)) return { isServed: true }
  const columns = servingColumns(table, need, INDEX_BEHAVIOUR)
  const advice = columns && wouldServe(table, need, columns) && adviceOf(table, columns)
  return { isServed: false, ...(advice && { advice }) }
}

/** Whether an index on these columns would serve; none does if there is a range on another column. */
function wouldServe(of: PostgresTable, need: Need, columns: Index['columns']): boolean {
  const index: Index = { name: '', columns, unique: false, partial: false }
  const table = { ...of.table, indexes: [...of.table.indexes, index] }
  return servesOrder({ ...of, table }, need, INDEX_BEHAVIOUR)
}

/** Suggests `concurrently`, which does not block writers, except for partitioned tables. */
function adviceOf(
  { table, from, columns: known }: PostgresTable,
  columns: Index['columns'],
): string | undefined {
  const canBe = columns.length > 0 && columns.every(({ name }) => known.get(name)?.pg.isOrdered)
  if (table.kind === 'view' || !canBe) return undefined
  const list = columns.map(({ name: column, descending }): Sql =>
    descending ? sql`${name(column)} desc` : name(column),
  )
  const way = table.partitions ? sql`create index on` : sql`create index concurrently on`
  return render(sql`${way} ${from} (${join(list)})`, notation).text
}
