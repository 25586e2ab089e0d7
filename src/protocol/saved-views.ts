/** Saved views of a list: their names, the queries that they stand for, and what can be done with them. */

import type { Typed } from './component-types.ts'

/** Most views of a person, and most of everyone, for each table. */
export const VIEWS_MAX = 100
/** Most views of everyone that stand as tabs. */
export const TABS_MAX = 4
/** Longest name, characters. */
export const VIEW_NAME_MAX = 80

/** The parameter of a list's address that names the view at which it is open. */
export const VIEW_PARAM = 'view'
/** Its value where somebody has chosen all rows in place of the view that the table opens with. */
export const ALL_ROWS = 'all'

/** Parameters of a list that are no part of a view: which one is open, and what passes. */
const NOT_SAVED: readonly string[] = [VIEW_PARAM, 'left', 'reorder']

type Params = readonly (readonly [name: string, value: string])[]

/** What of a list's parameters a view keeps. */
export const savedParams = (params: Params): Params =>
  params.filter(([name]) => !NOT_SAVED.includes(name))

/** The same as the text of a query, as the list writes it. */
export const savedQuery = (params: Params): string =>
  savedParams(params)
    .map((parameter) => parameter.map(encodeURIComponent).join('='))
    .join('&')

/** The address of a list, open at a view. */
export const viewHref = (list: string, { id, query }: { id: string; query: string }): string =>
  `${list}?${query === '' ? '' : `${query}&`}${VIEW_PARAM}=${id}`

export type SavedView = {
  id: string
  name: string
  /** The parameters that it stands for, as far as the reader may know of their columns. */
  query: string
  /** Whether it is everyone's; else it is the reader's own. */
  isShared: boolean
  /** Whether the table opens with it: for everyone who has chosen none, or for the reader. */
  isDefault: boolean
  /** Whether it stands as a tab, for everyone. */
  isTab: boolean
  /** Who saved it, where that was somebody else. */
  by?: string
  /** Present where the reader may change it. */
  mayChange?: true
  /** Present where parts of it are about columns that the reader may not read. */
  isNarrowed?: true
  /** When it was changed last, milliseconds since 1970. */
  changedAt: number
}

export type SavedViewsView = {
  /** The reader's own, then everyone's, each in their order. */
  views: SavedView[]
  /** The id of the one that the table opens with for the reader; `null` for all rows. */
  opensWith: string | null
  /** Whether the reader decides about tabs and with what the table opens for everyone. */
  mayDecide: boolean
}

/** What a person says of a view. `isTab` counts for everyone's alone. */
export type ViewSettings = { name: string; isShared: boolean; isDefault: boolean; isTab: boolean }

/** The view that was written or removed; or why nothing was, in a sentence, and whether that is about its name. */
export type ViewOutcome = { id: string } | { refused: string; isName: boolean }

/**
 * How many rows views find, in words by their ids; `ALL_ROWS` names the table's. One that takes too long to
 * count is left out.
 */
export type ViewCounts = { [id: string]: string }

/** The types of the component `views`, whose parameter `table` names the table. */
export type SavedViewsComponent = Typed<{
  view: SavedViewsView
  state: object
  writable: never
  actions: {
    countViews: { args: []; returns: Promise<ViewCounts> }
    saveViewAs: { args: [settings: ViewSettings, query: string]; returns: Promise<ViewOutcome> }
    /** `seen`: when the view that the person saw was changed last; one that was changed since stays. */
    saveView: { args: [id: string, query: string, seen: number]; returns: Promise<ViewOutcome> }
    changeView: {
      args: [id: string, settings: ViewSettings, seen: number]
      returns: Promise<ViewOutcome>
    }
    removeView: { args: [id: string, seen: number]; returns: Promise<ViewOutcome> }
    /** All of the person's own, or all of everyone's, in their new order. */
    orderViews: { args: [ids: string[]]; returns: Promise<void> }
  }
}>
