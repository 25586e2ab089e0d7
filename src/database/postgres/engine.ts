/** Reads pages, labels, keys and counts of a PostgreSQL database. */

import type { RelatedLabel, Run } from '../../table/source/row-source.ts'
import type { Index } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect } from '../dialect.ts'
import type { Answer, Engine, Need, Question } from '../engine.ts'
import type { KnownLabels } from '../query/label-cache.ts'
import { servesOrder, servingColumns, type IndexHabits } from '../query/serving.ts'
import { join, name, render, sql, type Sql, type Statement } from '../query/sql.ts'
import type { SourceTable } from '../tables.ts'
import type { PostgresDatabase } from './database.ts'
import { dialectOf } from './dialect.ts'
import { notation } from './notation.ts'
import { explaining, isWalk, planOf } from './plan.ts'
import { search } from './search.ts'
import type { Lane } from './server.ts'
import type { PostgresCatalogue, PostgresColumn, PostgresTable } from './tables.ts'

const HABITS: IndexHabits = { endsWithKey: false, nulls: 'greatest' }

export type EngineParts = {
  readonly database: PostgresDatabase
  readonly catalogue: PostgresCatalogue
  /** Whose sessions are used. */
  readonly lane: Lane
  readonly labels: (relations: readonly RelatedLabel[]) => readonly KnownLabels[]
}

/** An engine for one question of a user's, over the tables as they are known now. */
export class PostgresEngine implements Engine {
  readonly dialect: Dialect
  readonly catalogue: PostgresCatalogue
  readonly labels: EngineParts['labels']
  readonly #database: PostgresDatabase
  readonly #lane: Lane

  constructor({ database, catalogue, lane, labels }: EngineParts) {
    this.catalogue = catalogue
    this.dialect = dialectOf(catalogue)
    this.labels = labels
    this.#database = database
    this.#lane = lane
  }

  async read(question: Question, run: Run = {}): Promise<Answer> {
    const searched: string[] = []
    const { hasIcu } = this.catalogue
    const onSearch = ({ name }: PostgresColumn, text: string): void =>
      void searched.push(canTrigramsFind(text) ? name : '')
    const isOneRun = !hasOrder(question)
    const statement = question.statement(dialectOf({ hasIcu, onSearch, isOneRun }))
    const answer = served(question)
    // A plan for any value is as good as one for this value only where an index serves them all.
    const isRare = !answer.isServed
    const read = (lane: Lane, options: Run): Promise<Value[][]> =>
      this.#database.read(lane, statement, { ...options, isRare })
    const isSearch = this.#lane === 'rows' && searched.length > 0 && isLargeOrder(question)
    const rows = isSearch
      ? await search(
          {
            read,
            walks: () => this.#walks(statement, run),
            rows: question.table.table.estimate,
            hasIndex: searched.every((name) => own(question.table).trigrams.has(name)),
          },
          run,
        )
      : await read(this.#lane, run)
    return { rows, ...answer }
  }

  /** A server that does not explain itself is asked both ways. */
  async #walks(statement: Statement, run: Run): Promise<boolean> {
    const rows = await this.#database.read('rows', explaining(statement), { ...run, isRare: true })
    try {
      return isWalk(planOf(rows))
    } catch {
      return true
    }
  }
}

/** Shorter texts have no three letters to be found by. */
const canTrigramsFind = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/** The only tables that this engine ever meets. */
const own = (table: SourceTable): PostgresTable => table as PostgresTable

/** Tables of fewer rows are read whole before anybody notices. */
const LARGE_ROWS = 20_000

/** Whether rows are wanted in an order, under a condition that no ordered index can serve. */
const isLargeOrder = ({ need, table: { table } }: Question): boolean =>
  need.of === 'order' &&
  need.runs.some(({ entered }) => entered === undefined) &&
  (table.estimate ?? Infinity) >= LARGE_ROWS

/** Whether an index gives the order, whatever else is asked; else each run would be a scan of its own. */
const hasOrder = ({ need, table }: Question): boolean =>
  need.of !== 'order' ||
  servesOrder(
    table,
    { of: 'order', runs: need.runs.map((run) => ({ ...run, entered: [] })) },
    HABITS,
  )

function served({ need, table }: Question): Pick<Answer, 'isServed' | 'advice'> {
  if (need.of !== 'order') return { isServed: need.of === 'lookup' }
  if (servesOrder(table, need, HABITS)) return { isServed: true }
  const columns = servingColumns(table, need, HABITS)
  const advice = columns && wouldServe(table, need, columns) && adviceOf(own(table), columns)
  return { isServed: false, ...(advice && { advice }) }
}

/** A range of another column than the order's is served by no index for the order. */
function wouldServe(of: SourceTable, need: Need, columns: Index['columns']): boolean {
  const index: Index = { name: '', columns, unique: false, partial: false }
  const table = { ...of.table, indexes: [...of.table.indexes, index] }
  return servesOrder({ ...of, table }, need, HABITS)
}

/** Made beside those who write, where the server can: a table with partitions cannot. */
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
