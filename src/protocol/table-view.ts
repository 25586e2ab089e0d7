/** What a table listing shows, as plain data: the server's table draws it up, React draws it. */

import type { Typed } from './component-types.ts'

/** The kinds of columns that Tablewire brings along. */
export const COLUMN_KINDS = [
  'text',
  'longtext',
  'key',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'time',
  'status',
  'email',
  'link',
  'image',
  'colour',
  'json',
  'binary',
  'relation',
] as const

export type BuiltInKind = (typeof COLUMN_KINDS)[number]

/** How a column's values are shown: a built-in kind or one of the configuration's own. */
export type ColumnKind = BuiltInKind | (string & {})

/** How a column takes its place among the others. */
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
  /**
   * Where the column is at home on a card, the look of a row on a narrow screen; in a table, a
   * `figure` also stands to the right, digit under digit. Default: nowhere.
   */
  place?: 'words' | 'figure' | 'date' | 'status'
  /** The values look like nothing else, so a card need not say what they are. */
  speaks?: true
}

/** The five tints a status may have; a sixth status is `idle`. */
export type Tone = 'new' | 'warn' | 'ok' | 'idle' | 'bad'

export type ColumnView = {
  /** Name in the database and in the address. */
  name: string
  label: string
  kind: ColumnKind
  /** For kinds that the browser does not bring along; it knows the layout of the others. */
  layout?: ColumnLayout
  /** Unit that stands once in the head, such as `$` or `kt`. */
  unit?: string
  /** What it is about, in words of the database or of its definition. */
  help?: string
  /** Value of the `sort` parameter after a plain click on the head. Absent: not sortable. */
  sortValue?: string
  /** Place in the sort order, 1 first. */
  sorted?: { direction: 'ascending' | 'descending'; place: number }
  /** The column that names the row: it is drawn first. */
  isLabel?: true
  /** Address of the listing that the cells' rows are in; absent where they cannot be opened. */
  related?: string
}

/**
 * One cell. `null` is NULL, `''` is empty text, `0` stands for “no access”, a string is text
 * ready to show. A pair is a text with more: for a status its tone, for text that was cut its
 * full length in characters, for a relation the key of the related row, for a kind of one's own
 * whatever its browser half draws with.
 */
export type Cell = string | null | 0 | [text: string, more: string | number]

/** Stands for the row's key, which many rows hold three times: as key, as name and in a cell. */
export const SAME_AS_KEY = 1

/** One row: its key as text, its name for people, then one cell for each column in order. */
export type Row = [
  key: string,
  label: string | typeof SAME_AS_KEY,
  ...cells: (Cell | typeof SAME_AS_KEY)[],
]

/** What a row is called. */
export const labelOfRow = ([key, label]: Row): string => (label === SAME_AS_KEY ? key : label)

/** A filter in force. */
export type FilterView = {
  column: string
  /** Its parameter in the address. */
  param: string
  /** What it is about and which value it asks for, such as `Species` and `Canada goose`. */
  label: string
  value: string
}

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
  /** Number of pages as text, with `≈` where estimated, or `null` where not known. */
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

export type TableView = {
  name: string
  label: string
  /** What the table is about, in words of the database or of its definition. */
  help?: string
  /** Base address of the listing, without a query. */
  href: string
  /** All columns that may be shown, in order, and whether they are. */
  allColumns: { name: string; label: string; shown: boolean }[]
  columns: ColumnView[]
  rows: Row[]
  /** Sums or means of the page under numeric columns, by column place; absent where there are none. */
  sums?: { place: number; kind: 'sum' | 'mean'; text: string }[]
  total: Total
  /** A better total may come: it is worth asking for it. */
  counting?: true
  page: Pagination
  /** Where rows have pages of their own: what follows the key in their addresses. */
  records?: {
    query: string
    /** Places of the rows that have none, where there are any. */
    except?: number[]
  }
  /** The filters in force, and the address without them; absent where there are none. */
  filters?: { all: FilterView[]; clearHref: string }
  /** The search as it was applied. */
  search: string
  /** Address without the search, for “clear”. */
  clearHref: string
  /** Query parameters in force, without those of the place: what each form carries along. */
  params: [name: string, value: string][]
  /** The order in words, such as “Date, newest first”. */
  sortText: string
  /** The order has as many columns as it may have. */
  orderFull?: true
  /** Why the rows cannot be changed, in words, or `null` where they can. */
  readOnly: string | null
  /** A sentence when the order or the search has no index to serve it. */
  slow: string | null
  /** The statement that makes the index which would help, for whoever may make one. */
  advice: string | null
}

/** Where a page is turned to. */
export type PageTurn = 'first' | 'previous' | 'next' | 'last'

/** The listing as the browser knows it. */
export type TableComponent = Typed<{
  view: TableView
  state: { search: string }
  writable: 'search'
  actions: {
    sortBy: { args: [column: string, add: boolean]; returns: boolean }
    removeFilter: { args: [column: string | null]; returns: void }
    turnPage: { args: [to: PageTurn]; returns: Promise<void> }
    setSize: { args: [rows: number]; returns: void }
    setColumns: { args: [names: string[] | null]; returns: void }
    total: {
      args: []
      returns: Promise<{ total: Total; page: Pagination; counting: boolean }>
    }
  }
}>
