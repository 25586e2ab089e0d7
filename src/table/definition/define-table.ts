/** The options of a table and of its columns; everything left out is inferred. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import type { BulkAction } from '../actions/bulk-action.ts'
import type { TableRules } from '../changes/table-rules.ts'
import type { FilterDeclaration } from '../filters/declare.ts'
import type { PageSize } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'

/** Longest label, characters. */
export const LABEL_MAX = 100
/** Longest unit, characters. */
export const UNIT_MAX = 12

export type ColumnOptions = {
  /** What it is called. */
  readonly label?: string | undefined
  /**
   * How its values are shown: the name of a built-in kind or of one listed under `kinds`. Values
   * are never converted.
   */
  readonly kind?: ColumnKind | undefined
  /**
   * Names for people of values that are stored, such as `{ 1: 'Open', 2: 'Closed' }`; other values are shown as
   * they are. Only for columns of whole numbers or texts, which are then of the kind `status`.
   */
  readonly values?: { readonly [stored: string]: string } | undefined
  /**
   * Where the files are kept that it holds the paths of, for the kinds `file` and `image`: in the data
   * folder. Default: it holds no files.
   */
  readonly storage?: 'local' | undefined
  /** Types of files that it takes, such as `image/png`. Default: all of its kind. */
  readonly types?: readonly string[] | undefined
  /** Most bytes of a file. Default: 12 MiB. */
  readonly maxBytes?: number | undefined
  /**
   * Whether it holds several files, as a list: a text or column of JSON, or an array of texts in PostgreSQL. A
   * number is how many at most. Default: false, it holds one.
   */
  readonly multiple?: boolean | number | undefined
  /**
   * How its values are entered: the name of a kind listed under `kinds`, whose browser half draws the
   * field. Default: that of the column's own kind, else by the type of its values.
   */
  readonly field?: string | undefined
  /** Shown once in the head, such as `€` or `km`. */
  readonly unit?: string | undefined
  /**
   * The column that says in which currency its amounts are, as `EUR`; `{ code: 'EUR' }`: all are in this one, by its
   * code in ISO 4217; `false`: nothing says. Only for money. Default: the column that its name says so of, such as
   * `currency`.
   */
  readonly currency?: string | { readonly code: string } | false | undefined
  /**
   * What its whole numbers count, such as `cents`: the smallest unit of their currency; `false`: they are whole
   * amounts. Only for money. Default: what the name says, as `price_cents` does where its currency is known.
   */
  readonly minorUnit?: string | false | undefined
  /** What it is about, shown at its head. Default: the database's own comment. */
  readonly help?: string | undefined
  /** The summary under each page. */
  readonly summary?: 'sum' | 'mean' | 'none' | undefined
  /**
   * Nobody can read, sort by, search or write a hidden column. Default: whether its name looks
   * secret. Columns of the key cannot be hidden.
   */
  readonly hidden?: boolean | undefined
  /** Whether the list may be ordered by it. */
  readonly sortable?: boolean | undefined
  /** Whether a search looks into it. */
  readonly searchable?: boolean | undefined
}

/** How the rows of a table are put in order by hand. */
export type ReorderOptions<Column extends string = string> = {
  /** The column of numbers that keeps the order; no column of the key. */
  readonly column: Column
  /** Columns within whose values the order counts, such as the parent of the rows. Default: none. */
  readonly within?: Column | readonly Column[] | undefined
  /** Whether the greatest number comes first. Default: false. */
  readonly descending?: boolean | undefined
  /** Whether the column is shown only while people reorder. Default: false. */
  readonly hideColumnUnlessReordering?: boolean | undefined
}

type AnyRow = { readonly [column: string]: unknown }

/** Names of a row's columns. */
type ColumnName<Row> = keyof Row & string

/** Fields of a form under a title. */
export type FormSection<Column extends string = string> = {
  readonly title: string
  /** What its fields are about, shown below the title. */
  readonly help?: string | undefined
  /** Its columns, in order. */
  readonly columns: readonly Column[]
}

/** Declared as a method, so that the options of any table are `TableOptions`. */
type IsShown<Row> = { isShown(row: Readonly<Partial<Row>>): boolean }['isShown']

/** The form in which people create and edit rows. */
export type FormOptions<Row = AnyRow> = {
  /** Columns that none of them names come last. Default: one list of all fields. */
  readonly sections?: readonly FormSection<ColumnName<Row>>[] | undefined
  /**
   * Whether a field is shown, by the row as it will be, as far as its reader may see it. What a form does
   * not show, it does not write. Default: every field is.
   */
  readonly shown?: { readonly [Column in ColumnName<Row>]?: IsShown<Row> | undefined } | undefined
  /**
   * Tables that refer to this one and whose rows are changed in its form, as the lines of an order are.
   * Default: those whose rows end with their row, few of them to each; `false` for none.
   */
  readonly lines?: readonly string[] | false | undefined
}

/** A column to order by; with `-` before it, the largest comes first. */
type SortOption<Row> = ColumnName<Row> | `-${ColumnName<Row>}`

/** `Row` is the row's type; its keys are the columns that may be named. */
export interface TableOptions<Row = AnyRow> extends TableRules<Row> {
  /** What it is called. */
  readonly label?: string | undefined
  /** What it is about, shown beside its name. Default: the database's own comment. */
  readonly help?: string | undefined
  /** Nobody can see a hidden table. Default: false. */
  readonly hidden?: boolean | undefined
  /** Whether its rows can be changed, where the database takes changes. Default: true. */
  readonly write?: boolean | undefined
  /**
   * Columns that tell the rows of a view apart, or of a table without a key; none of them may be NULL. Rows
   * are addressed and written by it, and a change that would write more than one row is refused.
   */
  readonly key?: readonly ColumnName<Row>[] | undefined
  /** The column that names a row for people, or several that do together; `null` for none. */
  readonly labelColumn?: ColumnName<Row> | readonly ColumnName<Row>[] | null | undefined
  /** The order until a person chooses another, at most 5 columns. */
  readonly sort?: SortOption<Row> | readonly SortOption<Row>[] | undefined
  /** Rows on a page until a person chooses otherwise. Default: 25. */
  readonly pageSize?: PageSize | undefined
  /** How people put the rows in order. Default: by a column such as `position`; `false` for not at all. */
  readonly reorder?: ReorderOptions<ColumnName<Row>> | false | undefined
  /**
   * The column that marks a row as deleted, by the moment or day when it was; NULL in all others. Default:
   * one called `deleted_at` or `deleted_on`; `false` for none.
   */
  readonly softDelete?: ColumnName<Row> | false | undefined
  /**
   * Whether the list leaves out rows marked as deleted until somebody takes that filter away. Default: true.
   */
  readonly hideDeleted?: boolean | undefined
  /** Columns shown until a person chooses others, in order. */
  readonly shown?: readonly ColumnName<Row>[] | undefined
  readonly columns?:
    | { readonly [Column in ColumnName<Row>]?: ColumnOptions | undefined }
    | undefined
  /** Sections and conditional fields of the form. */
  readonly form?: FormOptions<Row> | undefined
  /**
   * Filters of the list by keys of your own, made by `numberRange` and the like. The key of a column
   * replaces its inferred filter; `false` takes it away.
   */
  readonly filters?:
    | { readonly [key: string]: FilterDeclaration<ColumnName<Row>> | false | undefined }
    | undefined
  /** Whether the panel of filters is open when the list is opened. Default: false. */
  readonly filterSlideDownDefaultVisible?: boolean | undefined
  /**
   * Whether rows can be selected, and exported. Without that, the server refuses every action on many
   * rows. Default: true.
   */
  readonly bulkActions?: boolean | undefined
  /** Shows what can be done with selected rows only while some are selected. Default: false. */
  readonly hideBulkActionsWhenEmpty?: boolean | undefined
  /** Actions on rows that a person selects, by names of your own. */
  readonly actions?: { readonly [name: string]: BulkAction } | undefined
}

type AnyDatabase = { readonly [table: string]: AnyRow }

/** The options of each table, by name. `Database` holds the row type of each. */
export type Definitions<Database = AnyDatabase> = {
  readonly [Name in keyof Database & string]?: TableOptions<Database[Name]> | undefined
}

/**
 * A table's declaration, for a file of its own. Inside `defineAdmin<Database>` the compiler knows the
 * columns; elsewhere it takes them from the row's type, and without one any name compiles.
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

/** An own property: tables and columns may have names such as `constructor`. */
export const own = <Value>(
  record: { readonly [name: string]: Value } | undefined,
  name: string,
): Value | undefined => (record && Object.hasOwn(record, name) ? record[name] : undefined)

/** Parses a declared order; `-x` means the column `-x` if there is one. */
export function readSort(sort: string | readonly string[], names: ReadonlySet<string>) {
  const parts = typeof sort === 'string' ? [sort] : sort
  return parts.map((part): SortColumn => {
    const descending = part.startsWith('-') && !names.has(part)
    return { column: descending ? part.slice(1) : part, descending }
  })
}
