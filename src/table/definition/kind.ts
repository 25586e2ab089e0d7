/** What a kind of column is: all that the server knows of it, in one object. */

import type { Messages } from '../../messages/messages.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { FieldValue } from '../../protocol/record-view.ts'
import type { Cell, ColumnLayout } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import type { ColumnFacts, ColumnTest } from './column-facts.ts'
import type { ColumnDefinition } from './table-definition.ts'

/**
 * A kind of column: when it is inferred, and how its values are shown. Everything but the name may
 * be left out; what is left out is as for text.
 */
export type Kind = {
  /** Small letters, digits and dashes, such as `rating`; a column names its kind by it. */
  readonly name: string
  /** When a column is taken for this kind. Default: only where it is declared. */
  readonly infer?: readonly KindRule[]
  /** Types of values whose columns are of this kind where no rule fits. Default: none. */
  readonly defaultFor?: readonly ValueType[]
  /** Reports why a column that is declared so cannot be of this kind. Default: every column can. */
  readonly check?: (column: Column, table: Table, report: (reason: string) => void) => void
  /**
   * How a cell of a list is written, made once for each reader: `text`, or `[text, more]` with
   * what the browser half draws with besides. It is asked for every value but NULL and bytes.
   * Default: the text, cut where it is long.
   */
  readonly cell?: (formats: Formats) => CellWriter
  /**
   * What a record page shows of a value; not asked for NULL, bytes and empty text. Default: the
   * same as the cell, where `cell` is given, else the whole text.
   */
  readonly value?: (value: WrittenValue, context: ValueContext) => DrawnValue
  /**
   * What an order by the column is called. Default: by the type of its values, such as
   * “smallest first” of numbers.
   */
  readonly order?: OrderWords
  /** How the column takes its place in a table. Default: its cells are cut where there is no room. */
  readonly layout?: ColumnLayout
  /** What stands under the column on each page, where nothing is declared. Default: nothing. */
  readonly summary?: KindSummary
  /** Last words of a column's name that its label does not repeat, such as `at` of dates. */
  readonly endings?: readonly string[]
  /** Whether a column of this kind may name the rows of its table. Default: false. */
  readonly namesRows?: boolean
  /** Whether columns of this kind are shown after the others at first. Default: false. */
  readonly isShownLast?: boolean
  /** Whether its cells are addresses of pictures, which pages then may load. Default: false. */
  readonly showsPictures?: boolean
  /** The filter that its columns have in the list. Nothing reads this yet. */
  readonly filter?: KindControl
  /** The field that its values are written in. Nothing reads this yet. */
  readonly field?: KindControl
}

/** A rule holds for a column of one of these types of which all the tests hold. */
export type KindRule = {
  /**
   * Rules of the structure come before all others, whatever their kind: they say what a key, a
   * reference or a list is. Default: `content`, for rules by name, declaration and sample.
   */
  readonly by?: 'structure' | 'content'
  /** Default: all types. */
  readonly types?: readonly ValueType[]
  readonly when: readonly ColumnTest[]
}

/** A value that is written out: not NULL, and no bytes. */
export type WrittenValue = Exclude<Value, null | Uint8Array>

export type CellWriter = (value: WrittenValue, column: ColumnDefinition) => Cell

/** How things are written for a reader. */
export type Formats = {
  /** Of numbers and dates, such as `en-GB`. */
  readonly locale: string
  /** The reader's time zone, where it is known. */
  readonly timeZone: string | undefined
  /** What cells say in the reader's language. */
  readonly copy: Messages['cell']
  /** Numbers with all their digits, grouped. */
  readonly plain: Intl.NumberFormat
  /** The text as a cell holds it: cut where it is long. */
  cut(text: string): Cell
}

/** What there is to know when a value of a record is drawn. */
export type ValueContext = {
  readonly column: ColumnDefinition
  readonly reader: Reader
  /** All that is said in the reader's language. */
  readonly copy: Messages
  /** The value as a cell holds it. */
  cell(value: WrittenValue): Cell
  /** The text, in a block of its own where there is much of it. */
  text(text: string): FieldValue
  /** `code` as lines of code, for a value stored as `text`, which is shown where they are too many. */
  code(code: string, text: string): FieldValue
}

/** What a record page shows of a value, and what else there is to know of it. */
export type DrawnValue = { readonly value: FieldValue; readonly note?: string }

/** Orders that there are words for in every language, or words of one's own. */
export type OrderWords =
  | keyof Messages['order']['ascending']
  | { readonly ascending: string; readonly descending: string }

export type KindSummary = {
  /** What fits a column that declares nothing. */
  readonly infer: (facts: ColumnFacts) => 'sum' | 'mean' | undefined
  /** Written with two digits after the point, as its cells are. Default: false. */
  readonly isMoney?: boolean
}

/** A control of the browser by its name, with settings for it as data. */
export type KindControl = { readonly name: string; readonly settings?: JsonObject }

/**
 * A kind of column. One of one's own is named in `kinds` of the configuration; it comes before the
 * built-in ones where both would be inferred by their content.
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
