/** What a database offers for reading pages, labels, keys and counts: it runs their queries. */

import type { Lines, LinesWanted } from '../table/source/lines.ts'
import type { Predicate } from '../table/source/predicate.ts'
import type { RelatedLabel, Run } from '../table/source/row-source.ts'
import type { Value } from '../table/source/value.ts'
import type { CachedLabels } from './query/label-cache.ts'
import type { Term } from './query/order.ts'
import type { SqlContext } from './query/scope.ts'
import type { Select } from './query/select.ts'
import type { ColumnOf, SourceTable } from './tables.ts'

export interface QueryRunner<Of extends SourceTable = SourceTable> extends SqlContext<Of> {
  /** Answers a question. Throws only `AppError`s, or the signal's reason. */
  read(question: Question<Of>, run?: Run): Promise<Answer>
  /** Answers a question with lines of a file, made of the first values of each row. */
  readLines(question: Question<Of>, wanted: WantedLines, run?: Run): Promise<LinesAnswer>
  /** Whether it stops at the limit of bytes; if not, only a cut keeps rows from being long. */
  readonly stopsAtBytes: boolean
  /** The cached labels of a relation; callers may add to them. */
  labels(relation: RelatedLabel): CachedLabels
}

export type Answer = {
  readonly rows: Value[][]
  /** Whether an index served the order and the conditions. */
  readonly isServed: boolean
  /** The statement that creates such an index, where the engine can suggest one. */
  readonly advice?: string
}

export type WantedLines = LinesWanted & {
  /** As `LinesQuery.bytes`; the first line does not count. */
  readonly bytes: number
}

export type LinesAnswer = Lines & {
  /** The first and the last row; absent if there is none. */
  readonly ends?: { readonly first: Value[]; readonly last: Value[] }
  readonly isServed: boolean
}

/** What an engine runs itself; the row source adds the rest. */
export type EngineRunner<Of extends SourceTable = SourceTable> = Omit<
  QueryRunner<Of>,
  'labels' | 'readLines' | 'stopsAtBytes'
> &
  Partial<Pick<QueryRunner<Of>, 'readLines'>>

/** What to read, and what the engine needs to decide where and how to read it. */
export type Question<Of extends SourceTable = SourceTable> = {
  /** The table whose rows are read. */
  readonly table: Of
  /** What is selected. `statementOf` renders it; the text depends only on the question's shape. */
  readonly select: Select
  /** Which rows of the table: those that the policy allows and the actor asked for. */
  readonly where: Predicate
  /** The column of each value in an answer's row, where there is one. */
  readonly cells: readonly (ColumnOf<Of> | undefined)[]
  readonly need: Need
  /** Whether it is slow even with an index. */
  readonly isLong: boolean
  /** Whether it reads only short values of its own table, and is therefore quick on a small one. */
  readonly isLocal: boolean
  /** Whether it reads a view, whose scan no guard can cancel. */
  readonly hasView: boolean
}

/** What indexes must do so that an answer costs the same at any size of the table. */
export type Need =
  | { readonly of: 'order'; readonly runs: readonly IndexedRun[] }
  /** An index must find the rows of every table. */
  | { readonly of: 'lookup' }
  /** All matching rows are read, whatever indexes there are. */
  | { readonly of: 'scan' }

/** A run of rows that are contiguous in an order. */
export type IndexedRun = {
  readonly terms: readonly Term[]
  /** Columns that a condition fixes to one value. */
  readonly equal: readonly string[]
  /** Columns that an index must seek by, including fixed ones; `undefined` where no index can serve. */
  readonly entered: readonly string[] | undefined
  /** The same without the conditions on its rows: what the order alone needs of an index. */
  readonly unfiltered: Pick<IndexedRun, 'terms' | 'equal' | 'entered'>
}
