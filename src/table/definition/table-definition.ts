/** How a table is shown: labels, kinds, default order and default columns. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import type { BulkAction } from '../actions/bulk-action.ts'
import type { TableRules } from '../changes/table-rules.ts'
import type { FormOptions } from './define-table.ts'
import type { FileColumn } from './file-column.ts'
import type { Kind } from './kind.ts'
import type { ShownMoments } from './kinds/datetime.ts'
import type { FilterDeclaration } from '../filters/declare.ts'
import type { PageSize } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'
import type { ForeignKey, Table } from '../source/schema.ts'

/** By its code in ISO 4217, with the digits after the point that amounts of a column have at least. */
export type FixedCurrency = { readonly code: string; readonly digits: number }

export type ColumnDefinition = {
  readonly name: string
  readonly label: string
  readonly kind: ColumnKind
  /** The kind itself, if it is a custom one. */
  readonly ownKind?: Kind
  /** The custom kind whose field takes its values, if one is declared or it is of one. */
  readonly field?: string
  /** Pages may load the pictures that its values are addresses of: its kind is declared. */
  readonly loads?: true
  /** Names of stored values, by the values as texts. */
  readonly values?: ReadonlyMap<string, string>
  /** What it takes, where it holds files. */
  readonly file?: FileColumn
  readonly unit?: string
  /** What it is about: the declared text, else the database's comment. */
  readonly help?: string
  /** Taken out of every grant, so that nobody can read or write it. */
  readonly hidden: boolean
  /** It is declared to be shown, whatever its values look like. */
  readonly isDeclared?: true
  /** The column of names that says in which rows its value is masked. */
  readonly maskedBy?: string
  /** Whether the listing may be ordered by it. */
  readonly sortable: boolean
  /** The names of the rows that it refers to are shown, not what is stored. */
  readonly showsLabels?: true
  /** Whether a search looks into it. */
  readonly searchable: boolean
  /** The summary under each page. */
  readonly summary?: 'sum' | 'mean'
  /** Its texts are filled up with blanks, which nobody is shown. */
  readonly isPadded?: boolean
  /** The column beside it that holds the currencies of its amounts. */
  readonly currency?: string
  /** The one currency of all its amounts, where one is declared. */
  readonly fixedCurrency?: FixedCurrency
  /** What its amounts count, such as `cents`, where that is the smallest unit of their currency. */
  readonly minorUnit?: string
  /** Digits after the point that all of its values are written with, where that is known. */
  readonly digits?: number
  /** How the times of a page of a list are written. Default: each whole. */
  readonly moments?: ShownMoments
  /** Digits after the point that its type names, and that most of its values have. */
  readonly namedScale?: number
  /** The single-column foreign key behind a relation. */
  readonly relation?: ForeignKey
  /** The reference is not declared: the name of the column tells it. */
  readonly isGuess?: true
  /** The column beside it that says which table its values are keys of. */
  readonly typedBy?: string
}

/** How the rows of a table are put in order by hand. */
export type ReorderDefinition = {
  /** The column of numbers that keeps the order. */
  readonly column: string
  /** The columns within whose values it counts. */
  readonly within: readonly string[]
  readonly descending: boolean
  /** Whether the column is shown only while people reorder. */
  readonly hidesColumn: boolean
}

export type TableDefinition = {
  readonly table: Table
  readonly label: string
  readonly help?: string
  /** Taken out of every grant, as a hidden column is. */
  readonly hidden: boolean
  /** Whether its rows can be changed; if not, every grant leaves out all changes. */
  readonly write: boolean
  readonly columns: ReadonlyMap<string, ColumnDefinition>
  /** The column that names a row for people, if there is one. */
  readonly labelColumn: string | undefined
  /** The columns that name a row together, such as a first and a last name; the first is `labelColumn`. */
  readonly labelColumns: readonly string[]
  readonly defaultSort: readonly SortColumn[]
  /** Absent if the rows have no order of their own. */
  readonly reorder?: ReorderDefinition
  /** The column that marks a row as deleted, if there is one: NULL in all others. */
  readonly softDelete?: string
  /** Its list leaves out marked rows until somebody asks for them. */
  readonly hidesDeleted?: true
  /** Rows on a page until the person chooses otherwise. */
  readonly pageSize: PageSize
  /** Whether the panel of filters is open when the list is. Default: false. */
  readonly filterSlideDownDefaultVisible?: boolean
  /** Declared filters by key; `false` takes the inferred one away. */
  readonly filters?: { readonly [key: string]: FilterDeclaration | false | undefined }
  /** Whether rows can be selected, and exported. */
  readonly bulkActions: boolean
  /** Whether what can be done with selected rows is shown only while some are selected. */
  readonly hideBulkActionsWhenEmpty: boolean
  /** Columns shown until the person chooses others, in order. */
  readonly defaultColumns: readonly string[]
  /** Sections and conditional fields of its form, where some are declared. */
  readonly form?: FormOptions
  /** What is asked before its rows change, and told after. */
  readonly rules: TableRules
  /** Actions of the table's own on selected rows, by name. */
  readonly actions: { readonly [name: string]: BulkAction }
}

const foreignKeys = new WeakMap<TableDefinition, readonly ForeignKey[]>()

/**
 * The table's foreign keys and the relations of its columns, each once, in the order of their
 * columns.
 */
export function foreignKeysOf(definition: TableDefinition): readonly ForeignKey[] {
  const known = foreignKeys.get(definition) ?? distinctKeys(definition)
  foreignKeys.set(definition, known)
  return known
}

function distinctKeys({ table, columns }: TableDefinition): ForeignKey[] {
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
