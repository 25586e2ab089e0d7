/** The types of the list component: its state, and what its actions take and return. */

import type { Typed } from './component-types.ts'
import type {
  BUILDER,
  FilterBounds,
  FilterComponents,
  FilterFacets,
  FilterOffer,
  FoundChoices,
} from './filters.ts'
import type { BulkActions } from './plan-view.ts'
import type { FieldValue, PeekView, RelatedView } from './record-view.ts'
import type {
  FoundPlace,
  Moves,
  OrderedPage,
  ReorderedRow,
  ReorderResult,
  SeenNeighbours,
} from './reorder.ts'
import type { Selected } from './selection.ts'
import type { Pagination, Row, SumView, TableView, Total } from './table-view.ts'

/** How many rows a selection has, and how sure that is. */
export type SelectedCount =
  | { kind: 'exact' | 'estimate' | 'atLeast'; text: string; count: number }
  | { kind: 'unknown' }

/** The sum or mean of a selection's rows under a column. */
export type SelectionSum = { column: string } & SumView

/** What a column holds, in words: its kind, its type in the database, and what it is about, if that is known. */
export type AboutColumn = { text: string; help: string | null }

/**
 * The key of a row on the page: a number where it is a whole one, else its text (spec §3). `String(key)` is
 * what `selected` and `data-row-key` have.
 */
export type PageKey = string | number

/** The highest number of a page: far beyond any table, and still exact when multiplied by a page's size. */
export const PAGE_MAX = 1_000_000_000

/** Which page to turn to: a number is that of the page, from 1; beyond the last one, that is shown. */
export type PageTurn = 'first' | 'previous' | 'next' | 'last' | number

/** A condition of a list, and the rows that there would be without it, in words that are ready to show. */
export type KeptOutLine = {
  label: string
  value: string
  count: string
  /** The list without the condition, and the name of the link; `null` where it would still be empty. */
  href: string | null
  name: string | null
}

/** What keeps a list empty, condition by condition. */
export type KeptOut = {
  title: string
  lead: string
  /** The heads of both columns. */
  without: string
  rows: string
  lines: KeptOutLine[]
  /** Without all of them; `null` if there is only one. */
  any: KeptOutLine | null
  note: string
}

export type TableComponent = Typed<{
  view: TableView
  state: {
    search: string
    filterComponents: FilterComponents
    filterSlideDownDefaultVisible: boolean
    selected: Selected
    hideBulkActionsWhenEmpty: boolean
    paginationCurrentItems: PageKey[]
    paginationCurrentCount: number
    paginationTotalItemCount: number | null
  }
  writable: 'search' | 'filterComponents' | 'filterSlideDownDefaultVisible' | 'selected'
  actions: BulkActions & {
    sortBy: { args: [column: string, add: boolean]; returns: boolean }
    removeFilter: { args: [key: string | null]; returns: void }
    /**
     * Keeps the rows that hold the value of a cell, or leaves them out. Returns whether the row was
     * still there.
     */
    filterByCell: {
      args: [row: string, column: string, how: 'in' | 'notIn']
      returns: Promise<boolean>
    }
    /**
     * `within`: that the values are for conditions of the builder, so that its own conditions do not count.
     * `null` if the same person has asked for the same facets under other conditions meanwhile.
     */
    facets: { args: [key: string, within?: typeof BUILDER]; returns: Promise<FilterFacets | null> }
    findRelated: { args: [key: string, text: string]; returns: Promise<FoundChoices> }
    /** The filters of the table whose rows a filter is about. */
    relatedOffers: { args: [key: string]; returns: FilterOffer[] }
    bounds: { args: [key: string]; returns: Promise<FilterBounds> }
    /** Answers with a sentence where there are fewer pages: the last one is shown then. */
    turnPage: { args: [to: PageTurn]; returns: Promise<string | null> }
    setSize: { args: [rows: number]; returns: void }
    enableReordering: { args: []; returns: void }
    disableReordering: { args: []; returns: void }
    storeReorder: {
      args: [rows: ReorderedRow[]] | [rows: ReorderedRow[], seen: SeenNeighbours[]]
      returns: Promise<ReorderResult>
    }
    spaceOutPositions: { args: []; returns: Promise<ReorderResult> }
    reorderPage: { args: [moves: Moves, page: number]; returns: Promise<OrderedPage> }
    findInOrder: { args: [text: string]; returns: Promise<FoundPlace[]> }
    orderLength: { args: []; returns: Promise<number> }
    describeColumn: { args: [name: string]; returns: AboutColumn }
    /** Shows these columns, in this order; `null` puts the table's own back, their widths too. */
    setColumns: { args: [names: string[] | null]; returns: Promise<void> }
    /** Keeps these in sight while others are scrolled, `PINNED_MAX` at most, in this order. */
    pinColumns: { args: [names: string[]]; returns: Promise<void> }
    /** Gives columns widths, px, in the bounds of `COLUMN_PX`; `null`: as wide as what it holds. */
    setWidths: { args: [widths: { [column: string]: number | null }]; returns: Promise<void> }
    setAllSelected: { args: []; returns: void }
    clearSelected: { args: []; returns: void }
    selectedCount: { args: [selected: Selected]; returns: Promise<SelectedCount> }
    selectedSums: {
      args: [selected: Selected, columns: string[]]
      returns: Promise<SelectionSum[]>
    }
    checkExport: { args: [selected: Selected]; returns: void }
    /** How many rows there would be without each condition of a list that is empty. */
    keptOut: { args: []; returns: Promise<KeptOut> }
    /**
     * Rows as the list would draw them on its page, whether or not it has them: `ROWS_BY_KEY_MAX` at most. Those
     * that are gone or not visible are left out.
     */
    rowsByKey: { args: [keys: string[]]; returns: Promise<Row[]> }
    /** A row as it is peeked at: its page, without what surrounds it. */
    peek: { args: [key: string]; returns: Promise<PeekView> }
    /** The tables whose rows refer to a row, and how many do. */
    peekRelated: { args: [key: string]; returns: Promise<RelatedView[]> }
    /** The whole value of a field of which only the beginning is shown; `null` if the row is gone. */
    peekWhole: { args: [key: string, column: string]; returns: Promise<FieldValue | null> }
    /** Shows an administrator the list with these corrections, which are not saved; an empty text is none. */
    previewCorrections: { args: [preview: string]; returns: void }
    /** Says at which saved view the list is; `null`: at none. */
    setView: { args: [id: string | null]; returns: void }
    total: {
      args: []
      returns: Promise<{ total: Total; page: Pagination; counting: boolean }>
    }
  }
}>
