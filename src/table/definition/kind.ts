/** The server half of a kind of column, as one object. */

import type { Messages } from '../../messages/messages.ts'
import type { FieldValue } from '../../protocol/record-view.ts'
import type { Cell, ColumnLayout } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import type { ColumnFacts, ColumnTest } from './column-facts.ts'
import type { ColumnDefinition } from './table-definition.ts'

/**
 * A kind of column: when it is inferred, and how its values are shown. Only the name is required;
 * the defaults are those of text.
 */
export type Kind = {
  /** Small letters, digits and dashes, such as `rating`; columns name their kind by it. */
  readonly name: string
  /** Rules by which columns are of this kind. Default: only columns that declare it. */
  readonly infer?: readonly KindRule[]
  /** Types whose columns are of this kind if no rule holds. Default: none. */
  readonly defaultFor?: readonly ValueType[]
  /** Reports why a column that declares this kind cannot have it. Default: every column can. */
  readonly check?: (column: Column, table: Table, report: (reason: string) => void) => void
  /**
   * Makes the function that formats cells, once for each reader. It returns `text`, or `[text,
   * more]` with data for the browser half, and is called for every value but NULL and bytes.
   * Default: the text, cut if it is long.
   */
  readonly cell?: (formats: Formats) => CellWriter
  /**
   * What a record page shows of a value; not called for NULL, bytes and empty text. Default: the
   * same as the cell if `cell` is given, else the whole text.
   */
  readonly value?: (value: WrittenValue, context: ValueContext) => DrawnValue
  /**
   * The words for an order by the column. Default: by the type of its values, such as “smallest
   * first” for numbers.
   */
  readonly order?: OrderWords
  /** How the column is laid out in a table. Default: cells are cut if there is no room. */
  readonly layout?: ColumnLayout
  /** The summary under each page, for columns that declare none. Default: none. */
  readonly summary?: KindSummary
  /** Last words of a column's name that its label leaves out, such as `at` of dates. */
  readonly endings?: readonly string[]
  /**
   * First words of a column's name that its label leaves out, such as `is` of `is_open`, unless another column
   * has the shorter name. Default: none.
   */
  readonly beginnings?: readonly string[]
  /** Whether a column of this kind may name the rows of its table. Default: false. */
  readonly namesRows?: boolean
  /** Whether columns of this kind come after the others by default. Default: false. */
  readonly isShownLast?: boolean
  /**
   * Whether its cells are addresses of pictures. Pages may load them for columns that declare the
   * kind; those that a rule has found have no `loads` in the browser. Default: false.
   */
  readonly showsPictures?: boolean
  /**
   * The filter that its columns have in the list. Default: by the type of their values, such as a
   * range for numbers.
   */
  readonly filter?: ColumnFilter
}

/** A rule holds for a column of one of these types that passes all the tests. */
export type KindRule = {
  /**
   * Rules by structure are tried before all others: they find keys, references and lists. Default:
   * `content`, for rules by name, declaration and sample.
   */
  readonly by?: 'structure' | 'content'
  /** Default: all types. */
  readonly types?: readonly ValueType[]
  readonly when: readonly ColumnTest[]
}

/** A value that is shown as text: neither NULL nor bytes. */
export type WrittenValue = Exclude<Value, null | Uint8Array>

export type CellWriter = (value: WrittenValue, column: ColumnDefinition) => Cell

/** The formats of one reader. */
export type Formats = {
  /** The locale of numbers and dates, such as `en-GB`. */
  readonly locale: string
  /** The reader's time zone, if it is known. */
  readonly timeZone: string | undefined
  /** The copy of cells in the reader's language. */
  readonly copy: Messages['cell']
  /** Numbers with all their digits, grouped. */
  readonly plain: Intl.NumberFormat
  /** The text as a cell shows it: cut if it is long. */
  cut(text: string): Cell
}

/** What `value` of a kind may use to draw a value. */
export type ValueContext = {
  readonly column: ColumnDefinition
  readonly reader: Reader
  /** All copy in the reader's language. */
  readonly copy: Messages
  /** The value as a cell shows it. */
  cell(value: WrittenValue): Cell
  /** The text, in a block of its own if it is long. */
  text(text: string): FieldValue
  /** `code` as lines of code; `text` is the stored value, shown instead if `code` is too long. */
  code(code: string, text: string): FieldValue
}

/** What a record page shows of a value, and a note about it. */
export type DrawnValue = {
  readonly value: FieldValue
  readonly note?: string
  /** A time that is in no zone: the page says so once. */
  readonly isZoneless?: true
}

/** An order that every language has words for, or words of your own. */
export type OrderWords =
  | keyof Messages['order']['ascending']
  | { readonly ascending: string; readonly descending: string }

export type KindSummary = {
  /** The summary of a column that declares none. */
  readonly infer: (facts: ColumnFacts) => 'sum' | 'mean' | undefined
  /** Written with two digits after the point, as its cells are. Default: false. */
  readonly isMoney?: boolean
}

/**
 * Filters of a column: a range of numbers, a range of days, a test of a text, some of its values, yes
 * or no, or none.
 */
export const COLUMN_FILTERS = ['number', 'date', 'text', 'choice', 'boolean', 'none'] as const
export type ColumnFilter = (typeof COLUMN_FILTERS)[number]

/**
 * Declares a kind of column. List it under `kinds` of the configuration; its rules by content are
 * tried before the built-in ones.
 *
 * @example
 * export const rating = defineKind({
 *   name: 'rating',
 *   infer: [{ types: ['integer'], when: [({ last }) => last === 'stars'] }],
 *   cell: ({ cut }) => (value) => {
 *     const stars = String(value)
 *     return /^[0-5]$/.test(stars) ? ['★'.repeat(Number(stars)), stars] : cut(stars)
 *   },
 *   order: { ascending: 'worst first', descending: 'best first' },
 *   layout: { width: 'whole' },
 * })
 */
export const defineKind = (kind: Kind): Kind => kind
