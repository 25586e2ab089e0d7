/** What a person may declare about a table: everything else keeps what is inferred. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import type { BulkAction } from '../actions/bulk-action.ts'
import type { PageSize } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'

/** Longest label, characters. */
export const LABEL_MAX = 100

export type ColumnOptions = {
  /** What it is called. */
  readonly label?: string | undefined
  /**
   * How its values are shown, by the name of a built-in kind or of one among `kinds`; the values
   * themselves are never converted.
   */
  readonly kind?: ColumnKind | undefined
  /** Stands once in the head, such as `€` or `km`. */
  readonly unit?: string | undefined
  /** What it is about, shown at its head. Default: the database's own comment. */
  readonly help?: string | undefined
  /** What stands under each page. */
  readonly summary?: 'sum' | 'mean' | 'none' | undefined
  /**
   * A hidden column cannot be read, sorted by, searched or written by anybody. Default: whether
   * its name looks secret. Columns of the key cannot be hidden.
   */
  readonly hidden?: boolean | undefined
  /** Whether the list may be ordered by it. */
  readonly sortable?: boolean | undefined
  /** Whether a search looks into it. */
  readonly searchable?: boolean | undefined
}

type AnyRow = { readonly [column: string]: unknown }

/** Names of a row's columns. */
type ColumnName<Row> = keyof Row & string

/** A column to order by; with `-` before it, the largest comes first. */
type SortOption<Row> = ColumnName<Row> | `-${ColumnName<Row>}`

/** `Row` is the row's type: only its keys count, and they are the columns that may be named. */
export interface TableOptions<Row = AnyRow> {
  /** What it is called. */
  readonly label?: string | undefined
  /** What it is about, shown beside its name. Default: the database's own comment. */
  readonly help?: string | undefined
  /** A hidden table cannot be seen by anybody. Default: false. */
  readonly hidden?: boolean | undefined
  /** The column that names a row for people; `null` where none does. */
  readonly labelColumn?: ColumnName<Row> | null | undefined
  /** The order until a person chooses another, at most 5 columns. */
  readonly sort?: SortOption<Row> | readonly SortOption<Row>[] | undefined
  /** Rows on a page until a person chooses otherwise. Default: 25. */
  readonly pageSize?: PageSize | undefined
  /** Columns shown until a person chooses others, in order. */
  readonly shown?: readonly ColumnName<Row>[] | undefined
  readonly columns?:
    | { readonly [Column in ColumnName<Row>]?: ColumnOptions | undefined }
    | undefined
  /** What can be done with rows that a person selects, by names of your own. */
  readonly actions?: { readonly [name: string]: BulkAction } | undefined
}

type AnyDatabase = { readonly [table: string]: AnyRow }

/** What is declared of each table, by name. `Database` holds the row type of each. */
export type Definitions<Database = AnyDatabase> = {
  readonly [Name in keyof Database & string]?: TableOptions<Database[Name]> | undefined
}

/**
 * A table's declaration, for a file of its own. Inside `defineAdmin<Database>` the columns are
 * known already; elsewhere the row's type says which there are, and without it any name compiles.
 *
 * @example
 * export const orders = defineTable<Database['orders']>({
 *   labelColumn: 'number',
 *   sort: '-placed_at',
 *   columns: { total: { kind: 'money', unit: '€' } },
 * })
 */
export const defineTable = <Row = AnyRow>(options: TableOptions<NoInfer<Row>>): TableOptions<Row> =>
  options

/** What a record holds itself: names of tables and columns may be those of an object's own making. */
export const own = <Value>(
  record: { readonly [name: string]: Value } | undefined,
  name: string,
): Value | undefined => (record && Object.hasOwn(record, name) ? record[name] : undefined)

/** An order as it is declared; where a column's own name begins with `-`, it is that column. */
export function readSort(sort: string | readonly string[], names: ReadonlySet<string>) {
  const parts = typeof sort === 'string' ? [sort] : sort
  return parts.map((part): SortColumn => {
    const descending = part.startsWith('-') && !names.has(part)
    return { column: descending ? part.slice(1) : part, descending }
  })
}
