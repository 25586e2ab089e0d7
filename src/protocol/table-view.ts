/** What a table listing shows, as plain data: `table/` makes it on the server, and React draws it. */

import type { Typed } from './component-types.ts'

/** The built-in kinds of columns. */
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

export type ColumnView = {
  /** Name in the database and in the address. */
  name: string
  label: string
  kind: ColumnKind
  /** Only for custom kinds; the browser has the layouts of the built-in ones. */
  layout?: ColumnLayout
  /** Unit, shown once in the head, such as `$` or `kt`. */
  unit?: string
  /** What the column is about: `help` of its definition, else the database's comment. */
  help?: string
  /** Value of the `sort` parameter after a plain click on the head. Absent: not sortable. */
  sortValue?: string
  /** Place in the sort order, 1 first. */
  sorted?: { direction: 'ascending' | 'descending'; place: number }
  /** The column that names the row: it is drawn first. */
  isLabel?: true
  /** Address of the table that the cells refer to; absent where its rows cannot be opened. */
  related?: string
}

/**
 * One cell. `null` is NULL, `''` is empty text, `0` stands for “no access”, a string is text
 * ready to show. A pair is a text with more: for a status its tone, for text that was cut its
 * full length in characters, for a relation the key of the related row, for a custom kind whatever
 * its browser half needs.
 */
export type Cell = string | null | 0 | [text: string, more: string | number]

/** Stands for the row's key, which many rows would hold three times: as key, name and cell. */
export const SAME_AS_KEY = 1

/** One row: its key as text, its name for people, then one cell for each column in order. */
export type Row = [
  key: string,
  label: string | typeof SAME_AS_KEY,
  ...cells: (Cell | typeof SAME_AS_KEY)[],
]

/** The name of a row. */
export const labelOfRow = ([key, label]: Row): string => (label === SAME_AS_KEY ? key : label)

/** An active filter. */
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

/** A column that nobody reads, by its name alone. */
export type HiddenColumnView = {
  name: string
  /** Why it is hidden, in words. */
  why: string
}

export type TableView = {
  name: string
  label: string
  /** What the table is about: `help` of its definition, else the database's comment. */
  help?: string
  /** Base address of the listing, without a query. */
  href: string
  /** All columns that may be shown, in order, and whether they are. */
  allColumns: { name: string; label: string; shown: boolean }[]
  /** Columns that are hidden from everybody, told to administrators; absent where there are none. */
  hidden?: HiddenColumnView[]
  columns: ColumnView[]
  rows: Row[]
  /** Sums or means of the page under numeric columns, by column place; absent where there are none. */
  sums?: { place: number; kind: 'sum' | 'mean'; text: string }[]
  total: Total
  /** The rows are still being counted; the query `total` may return a better total. */
  counting?: true
  page: Pagination
  /** Present where rows have pages: `query` follows the key in their addresses. */
  records?: {
    query: string
    /** Places of the rows without a page, where there are any. */
    except?: number[]
  }
  /** The active filters, and the address without them; absent where there are none. */
  filters?: { all: FilterView[]; clearHref: string }
  /** The search as it was applied. */
  search: string
  /** Address without the search, for “clear”. */
  clearHref: string
  /** Current query parameters but those of the place; every form submits them. */
  params: [name: string, value: string][]
  /** The order in words, such as “Date, newest first”. */
  sortText: string
  /** The order already has the most columns allowed. */
  orderFull?: true
  /** A sentence when rows may change places between pages. */
  unordered?: string
  /** Why the rows cannot be changed, in words, or `null` where they can. */
  readOnly: string | null
  /** A sentence when the order or the search has no index to serve it. */
  slow: string | null
  /** SQL that creates the missing index, for people who may create one. */
  advice: string | null
}

/** Which page to turn to. */
export type PageTurn = 'first' | 'previous' | 'next' | 'last'

/** The types of the list component. */
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
