/** How a table is shown: labels, kinds, default order and default columns. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import type { Kind } from './kind.ts'
import type { PageSize } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'
import type { ForeignKey, Table } from '../source/schema.ts'

export type ColumnDefinition = {
  readonly name: string
  readonly label: string
  readonly kind: ColumnKind
  /** The kind itself, if it is a custom one. */
  readonly ownKind?: Kind
  readonly unit?: string
  /** What it is about: the declared text, else the database's comment. */
  readonly help?: string
  /** Taken out of every grant, so that nobody can read or write it. */
  readonly hidden: boolean
  /** Whether the listing may be ordered by it. */
  readonly sortable: boolean
  /** Whether a search looks into it. */
  readonly searchable: boolean
  /** The summary under each page. */
  readonly summary?: 'sum' | 'mean'
  /** Its texts are filled up with blanks, which nobody is shown. */
  readonly isPadded?: boolean
  /** Digits after the point that all of its values are written with, where that is known. */
  readonly digits?: number
  /** The single-column foreign key behind a relation. */
  readonly relation?: ForeignKey
}

export type TableDefinition = {
  readonly table: Table
  readonly label: string
  readonly help?: string
  /** Taken out of every grant, as a hidden column is. */
  readonly hidden: boolean
  readonly columns: ReadonlyMap<string, ColumnDefinition>
  /** The column that names a row for people, if there is one. */
  readonly labelColumn: string | undefined
  readonly defaultSort: readonly SortColumn[]
  /** Rows on a page until the person chooses otherwise. */
  readonly pageSize: PageSize
  /** Columns shown until the person chooses others, in order. */
  readonly defaultColumns: readonly string[]
}

/**
 * The table's foreign keys and the relations of its columns, each once, in the order of their
 * columns.
 */
export function foreignKeysOf({ table, columns }: TableDefinition): ForeignKey[] {
  const declared = [...columns.values()].flatMap(({ relation }) => relation ?? [])
  const distinct = new Map(
    [...table.foreignKeys, ...declared].map((key) => [
      JSON.stringify([key.columns, key.table, key.references]),
      key,
    ]),
  )
  const places = new Map(table.columns.map(({ name }, place) => [name, place]))
  const placeOf = ({ columns: [first = ''] }: ForeignKey) => places.get(first) ?? 0
  return [...distinct.values()].toSorted((a, b) => placeOf(a) - placeOf(b))
}
