/** What the reading of pages, labels, keys and counts needs of a database: something that runs queries. */

import type { Access } from '../table/source/access.ts'
import type { Predicate } from '../table/source/predicate.ts'
import type { RelatedLabel, Run } from '../table/source/row-source.ts'
import type { Value } from '../table/source/value.ts'
import type { KnownLabels } from './query/label-cache.ts'
import type { Term } from './query/order.ts'
import { relatedAccesses } from '../table/source/related-tables.ts'
import { isLocal } from './query/predicate-sql.ts'
import { tableOf, type SqlContext } from './query/scope.ts'
import type { Select } from './query/select.ts'
import type { Catalogue, ColumnOf, SourceTable } from './tables.ts'

export interface QueryRunner<Of extends SourceTable = SourceTable> extends SqlContext<Of> {
  /** Answers a question. Throws errors of the catalogue only, or the signal's reason. */
  read(question: Question<Of>, run?: Run): Promise<Answer>
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
export type Question<Of extends SourceTable = SourceTable> = {
  /** The table whose rows are asked for. */
  readonly table: Of
  /** What is selected; `statementOf` writes it, its text depending on the question's shape alone. */
  readonly select: Select
  /** Which rows of the table: those that the policy allows and the actor wants. */
  readonly where: Predicate
  /** The column that each value of an answer's row is of, where it is one's. */
  readonly cells: readonly (ColumnOf<Of> | undefined)[]
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
}

/** What a condition and its policy say about where a question can be answered. */
export function queryScope(
  catalogue: Catalogue,
  access: Access,
  wanted: Predicate,
): Pick<Question, 'table' | 'where' | 'isLocal' | 'hasView'> {
  const where: Predicate = { op: 'and', all: [access.grant.rows, wanted] }
  const table = tableOf(catalogue, access)
  const others = relatedAccesses(access, where).map((other) => tableOf(catalogue, other))
  return { table, where, isLocal: isLocal(where), hasView: [table, ...others].some(isDerived) }
}

const isDerived = ({ table }: SourceTable): boolean => table.kind === 'view'
