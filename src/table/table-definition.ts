/** What a listing knows of its table: labels, kinds, first order and first columns. */

import type { ColumnKind } from '../protocol/table-view.ts'
import type { SortColumn } from './row-source.ts'
import type { ForeignKey, Table } from './schema.ts'

export type ColumnDefinition = {
  readonly name: string
  readonly label: string
  readonly kind: ColumnKind
  readonly unit?: string
  /** Whether the listing may be ordered by it. */
  readonly sortable: boolean
  /** Whether a search looks into its text. */
  readonly searchable: boolean
  /** Under the page: the sum, the mean, or nothing. */
  readonly summary?: 'sum' | 'mean'
  /** The single-column foreign key behind a relation. */
  readonly relation?: ForeignKey
}

export type TableDefinition = {
  readonly table: Table
  readonly label: string
  readonly columns: ReadonlyMap<string, ColumnDefinition>
  /** The column that names a row for people, where one does. */
  readonly labelColumn: string | undefined
  readonly defaultSort: readonly SortColumn[]
  /** Columns shown until the person chooses others, in order. */
  readonly defaultColumns: readonly string[]
}
