/** What the reading of pages, labels, keys and counts needs of a database. */

import type { Access } from '../table/source/access.ts'
import type { Predicate } from '../table/source/predicate.ts'
import type { RelatedLabel, Run } from '../table/source/row-source.ts'
import type { Column } from '../table/source/schema.ts'
import type { Value } from '../table/source/value.ts'
import type { Dialect } from './dialect.ts'
import type { KnownLabels } from './query/label-cache.ts'
import type { Term } from './query/order.ts'
import { relatedAccesses } from '../table/source/related-tables.ts'
import { isLocal } from './query/predicate-sql.ts'
import { tableOf } from './query/scope.ts'
import type { Statement } from './query/sql.ts'
import type { Catalogue, SourceTable } from './tables.ts'

export interface Engine {
  readonly dialect: Dialect
  readonly catalogue: Catalogue
  /** Answers a question. Throws errors of the catalogue only, or the signal's reason. */
  read(question: Question, run?: Run): Promise<Answer>
  /** What is known of each relation's labels; new ones may be added. */
  labels(relations: readonly RelatedLabel[]): readonly KnownLabels[]
}

export type Answer = {
  readonly rows: Value[][]
  /** Whether an index served order and conditions. */
  readonly isServed: boolean
  /** The statement that makes an index which would, where the engine knows one. */
  readonly advice?: string
}

/** What is asked, and what decides where and how it is answered. */
export type Question = {
  /** The table whose rows are asked for. */
  readonly table: SourceTable
  /** The statement in a dialect. Its text depends on the shape of the question alone. */
  statement(dialect: Dialect): Statement
  /** The column that each value of an answer's row is of, where it is one's. */
  readonly cells: readonly (Column | undefined)[]
  readonly need: Need
  /** Whether it takes long even from an index. */
  readonly isLong: boolean
  /** Whether it looks at its table's short values alone, so that a small table makes it short. */
  readonly isLocal: boolean
  /** Whether a view takes part, whose scan no guard can stop. */
  readonly hasView: boolean
}

/** What indexes have to do so that an answer costs the same at any size of the table. */
export type Need =
  | { readonly of: 'order'; readonly runs: readonly IndexedRun[] }
  /** Every table is entered by an index. */
  | { readonly of: 'lookup' }
  /** Whatever indexes there are, all that match is looked at. */
  | { readonly of: 'scan' }

/** A run of rows that lie together in an order. */
export type IndexedRun = {
  readonly terms: readonly Term[]
  /** Columns whose value is given. */
  readonly equal: readonly string[]
  /** Columns an index must be entered by, given ones among them; `undefined`: none can serve. */
  readonly entered: readonly string[] | undefined
  /** The same without the conditions on its rows: what its order alone wants of an index. */
  readonly unfiltered: Pick<IndexedRun, 'terms' | 'equal' | 'entered'>
  /** The run's own statement, whose plan tells. */
  explained(dialect: Dialect): Statement
}

/** What a condition and its policy say about where a question can be answered. */
export function queryScope(
  catalogue: Catalogue,
  access: Access,
  where: Predicate,
): Pick<Question, 'table' | 'isLocal' | 'hasView'> {
  const predicate: Predicate = { op: 'and', all: [access.grant.rows, where] }
  const table = tableOf(catalogue, access)
  const others = relatedAccesses(access, predicate).map((other) => tableOf(catalogue, other))
  return { table, isLocal: isLocal(predicate), hasView: [table, ...others].some(isDerived) }
}

const isDerived = ({ table }: SourceTable): boolean => table.kind === 'view'
