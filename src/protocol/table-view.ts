/** What a table listing shows, as plain data: `table/` makes it on the server, and React draws it. */

import type { FiltersView } from './filters.ts'
import type { ReorderView } from './reorder.ts'
import type { BulkOffer, LeftView } from './plan-view.ts'

/** The built-in kinds of columns. */
export const COLUMN_KINDS = [
  'text',
  'longtext',
  'key',
  'number',
  'coordinate',
  'money',
  'boolean',
  'date',
  'datetime',
  'time',
  'status',
  'email',
  'link',
  'image',
  'file',
  'colour',
  'json',
  'binary',
  'relation',
] as const

export type BuiltInKind = (typeof COLUMN_KINDS)[number]

/** How a column's values are shown: a built-in kind or one of the configuration's own. */
export type ColumnKind = BuiltInKind | (string & {})

/** How wide a column is, and where it stands on a card. */
export type ColumnLayout = {
  /**
   * `whole`: no cell is ever cut, so the column is as wide as its widest cell. `yields`: cells are
   * cut where there is no room for all columns. Default: `yields`.
   */
  width?: 'whole' | 'yields'
  /** Least width, half rems (8 px). Default: that of the column's head. */
  least?: number
  /** Width of what is drawn beside the text of a cell, px. Default: 0. */
  beside?: number
  /** Width of what is drawn in place of the text of a cell, px. Default: that of the text. */
  fixed?: number
  /** Width of each of the pictures in a cell, px, where there may be several. Default: 0. */
  each?: number
  /**
   * Where the column stands on a card, which shows a row on a narrow screen. In a table, a `figure`
   * is also aligned right, digit under digit. Default: nowhere.
   */
  place?: 'words' | 'figure' | 'date' | 'status'
  /** The values explain themselves, so a card shows them without a label. */
  speaks?: true
}

/** The five tints of a status. One whose words suggest none of the others is `idle`. */
export type Tone = 'new' | 'warn' | 'ok' | 'idle' | 'bad'

/** Longest text of a status, characters: what is longer is shown as text. */
export const STATUS_MAX = 40

/** The widths that a column may have, px. A text of a list has at most 160 letters; one of only wide ones is cut. */
export const COLUMN_PX = { least: 48, most: 1280 } as const

/** Columns that may stay in sight at once while others are scrolled. */
export const PINNED_MAX = 3

export type ColumnView = {
  /** Name in the database and in the address. */
  name: string
  label: string
  kind: ColumnKind
  /** Only for custom kinds; the browser has the layouts of the built-in ones. */
  layout?: ColumnLayout
  /** The page may load the pictures that its cells are addresses of. */
  loads?: true
  /** Unit, shown once in the head, such as `$` or `kt`. */
  unit?: string
  /** The zone of its times, named here once for all of the page. */
  zone?: string
  /** What the column is about: `help` of its definition, else the database's comment. */
  help?: string
  /** Value of the `sort` parameter after a plain click on the head. Absent: not sortable. */
  sortValue?: string
  /** What sorting goes by, in a sentence, where that is not what is shown. */
  sortNote?: string
  /** Why a list cannot be sorted by it, in a sentence; absent where it can. */
  unsortable?: string
  /** Why its cells cannot be edited, in a sentence; absent where they can, or where no row can be changed. */
  fixed?: string
  /** Place in the sort order, 1 first. */
  sorted?: { direction: 'ascending' | 'descending'; place: number }
  /** It names the row, alone or with others: it leads the row's card. */
  isLabel?: true
  /** Its values on this page begin alike, so that a cell without room for one shows both its ends. */
  endsTell?: true
  /** The width that the person has chosen, px. */
  width?: number
  /** It shows a correction that is not saved. */
  previewed?: true
  /** It stays in sight, beside what names the row, while other columns are scrolled. */
  pinned?: true
  /** Its cells may name rows of several tables: then each has the address of its row beside its text. */
  paired?: true
  /**
   * Address of the table that the cells refer to; absent where its rows cannot be opened. For files that are
   * no pictures, that of their own table.
   */
  related?: string
}

/**
 * One cell. `null` is NULL, `''` is empty text, `0` stands for “no access”, a string is text
 * ready to show. A pair is a text with more: for a status its tone, for text that was cut its
 * full length in characters, for a relation the key of the related row, for a row that a type and an id name its address, for a picture that a row holds its
 * address, for a time that is shown to the minute or without its zone the whole of it, for a custom kind whatever
 * its browser half needs.
 */
export type Cell = string | null | 0 | [text: string, more: string | number]

/** Stands for the row's key, which many rows would hold three times: as key, name and cell. */
export const SAME_AS_KEY = 1

/** In a row, key and name come before the cells. */
export const BEFORE_CELLS = 2

/** One row: its key as text, its name for people, then one cell for each column in order. */
export type Row = [
  key: string,
  label: string | typeof SAME_AS_KEY,
  ...cells: (Cell | typeof SAME_AS_KEY)[],
]

/** Parts of a text: where each begins and ends, in order. */
export type Marks = number[]

/** What a search has found that no cell of a row shows. */
export type FoundAway = {
  /** In which column, in words. */
  where: string
  /** The text around it. */
  text: string
  marks: Marks
}

/** Where a search has found a row. */
export type RowFound = {
  /** What to mark in the cells, by the places of columns. */
  cells: { [place: string]: Marks }
  away?: FoundAway[]
}

/** The name of a row. */
export const labelOfRow = ([key, label]: Row): string => (label === SAME_AS_KEY ? key : label)

/** How many rows there are, and how sure that is. */
export type Total =
  | { kind: 'exact'; text: string; count: number }
  | { kind: 'estimate'; text: string; count: number }
  | { kind: 'atLeast'; text: string; count: number }
  | { kind: 'counting' }
  /** It could not be counted in time. */
  | { kind: 'unknown' }

export type Pagination = {
  /** 1-based number of this page, `null` after a jump whose place is not known. */
  number: number | null
  /** Number of pages as text, with “about” where estimated, or `null` where not known. */
  pages: string | null
  size: number
  /**
   * Numbers of the first and the last row as text, `null` on an empty page or where the place is not
   * known. The page puts the dash between them: one character beyond Latin-1 would make the JSON of
   * the whole view twice as large in memory, and dearer to hash and to send.
   */
  range: readonly [first: string, last: string] | null
  /** Links, absent where there is nowhere to go. */
  first?: string
  previous?: string
  next?: string
  last?: string
  sizes: number[]
}

/** A column that nobody reads, by its name alone. */
export type HiddenColumnView = {
  name: string
  /** Why it is hidden, in words. */
  why: string
}

/** Columns that are hidden from everybody, and what to know of them, in words. */
export type HiddenView = {
  title: string
  note: string
  /** What holds for each column. */
  text: string
  /** Copies the lines that show one. */
  copy: string
  columns: HiddenColumnView[]
}

/** `href`: the page of the table's corrections, to which `?column=` adds a column. */
export type CorrectView = { href: string; table: string; column: string }

/** Rows by their keys: those that others have added, and those that are no longer in the list. */
export type WaitingRows = { came: string[]; gone: string[] }

/** Rows that may be asked for by their keys at once: no page has more. */
export const ROWS_BY_KEY_MAX = 100

export type TableView = {
  /** Why there are no rows, in words, and links that lead on; absent while there are some. */
  nothing?: {
    kind: 'none' | 'no-match'
    title: string
    text: string
    ways: { href: string; label: string }[]
  }
  name: string
  label: string
  /** What the table is about: `help` of its definition, else the database's comment. */
  help?: string
  /** Base address of the listing, without a query. */
  href: string
  /** All columns that may be shown, in order; `columns` holds those that are. */
  allColumns: { name: string; label: string }[]
  /** Columns that are hidden from everybody, told to administrators; absent where there are none. */
  hidden?: HiddenView
  /** The corrections with which it is shown and which are not saved, as `previewCorrections` was given them. */
  preview?: string
  /** Where administrators correct the table, and the words for it; absent for everybody else. */
  correct?: CorrectView
  columns: ColumnView[]
  rows: Row[]
  /** Sums or means of the page under numeric columns, by column place; absent where there are none. */
  sums?: ({ place: number } & SumView)[]
  total: Total
  /** The rows are still being counted; the query `total` may return a better total. */
  counting?: true
  page: Pagination
  /** Present where rows have pages: `from` is the list's query, to which they lead back, or `''`. */
  records?: {
    from: string
    /** Places of the rows without a page, where there are any. */
    except?: number[]
  }
  /** Where the search has found each of the rows; absent without a search. */
  found?: RowFound[]
  /** Keys of the rows that are marked as deleted, where there are any. */
  markedKeys?: string[]
  filters: FiltersView
  /** The search as it was applied. */
  search: string
  /** Address without the search, for “clear”. */
  clearHref: string
  /** What is searched for, in words, and how many rows there are without that; absent without a search and rows. */
  searched?: { text: string; whole?: Total }
  /** Current query parameters but those of the place; every form submits them. */
  params: [name: string, value: string][]
  /** The order in words, such as “Date, newest first”. */
  sortText: string
  /** The order already has the most columns allowed. */
  orderFull?: true
  /** Present where this person may put the rows in order. */
  reorder?: ReorderView
  /** A sentence when rows may change places between pages. */
  unordered?: string
  /** Present where rows can be selected; `of` names the conditions that a selection was made under. */
  selection?: { of: string }
  /** Present where something can be done with selected rows but to export them. */
  bulk?: BulkOffer
  /** Present where only the rows are shown that a plan has left. */
  left?: LeftView
  /** Present where the rows can be exported. */
  exportable?: true
  /** Why the rows cannot be changed, in words, or `null` where they can. */
  readOnly: string | null
  /** Where a row is created; absent where the person may not. */
  newHref?: string
  /** Whether changes to the database are allowed, for people who may switch that. */
  changes?: 'allowed' | 'refused'
  /** A sentence when the order or the search has no index to serve it. */
  slow: string | null
  /** SQL that creates the missing index, for people who may create one. */
  advice: string | null
  /** What a live list tells before it moves any row. Only the browser sets it. */
  waiting?: WaitingRows
}

/** The sum or mean of numbers. `isReason`: the text says why there is none. */
export type SumView = { kind: 'sum' | 'mean'; text: string; isReason?: true }
