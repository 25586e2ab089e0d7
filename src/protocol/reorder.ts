/** Putting rows in order: moves that are not saved, and what the page is told of the order. */

import type { Row } from './table-view.ts'

/** Most rows that are moved at once. */
export const MOVES_MAX = 1000

/** Moves that are not saved: keys of rows, each with its final place in the whole order, from 1. */
export type Moves = [key: string, rank: number][]

/**
 * What `storeReorder` takes (spec §7): under the name of the key column (`key` for a composite key)
 * the row's key, and under that of `defaultReorderColumn` its place in the whole order, from 1.
 */
export type ReorderedRow = { [column: string]: string | number }

/**
 * The rows that a person saw before and after a moved one: `null` at an end of the order; left out
 * where none was in sight.
 */
export type SeenNeighbours = SeenSides & {
  key: string
  /** The same for where the row stood when the person first took it. */
  from?: SeenSides
}

export type SeenSides = { previous?: string | null; next?: string | null }

/** What a listing's view says of the order, where people may put its rows in order. */
export type ReorderView = {
  /** Why rows cannot be put in order just now, in a sentence, such as until a parent is chosen. */
  obstacle?: string
  /** Only while rows are put in order. */
  mode?: ReorderMode
}

export type ReorderMode = {
  /** Names in `storeReorder`. */
  keyName: string
  column: string
  /** Place of the column in the rows' cells. */
  place: number
  /** The numbers have no gaps, so a move may write all rows between the old place and the new one. */
  isDense: boolean
  /** The address of the list as it was. */
  leaveHref: string
  /** The order in words, such as “By position”. */
  order: string
  /** The copy of this mode; `{0}` and `{1}` stand for values. */
  words: { [name: string]: string }
}

/** A page of the order as it will be. */
export type OrderedPage = {
  rows: Row[]
  /** Places on the page of rows without a page of their own. */
  except: number[]
  /** How many rows come before these. */
  start: number
  /** How many rows there are, `null` if that is not known yet. */
  count: number | null
  hasMore: boolean
}

/** A row found by its text, and its place in the order as it is stored. */
export type FoundPlace = { key: string; label: string; rank: number }

/** A moved row between others than the person saw. */
export type ChangedNeighbours = NamedSides & {
  key: string
  label: string
  /** Where the row stands now, if that is not where the person took it from. */
  from?: NamedSides
}

/** Labels (or keys) of the rows on both sides; `null` at an end of the order. */
export type NamedSides = { previous: string | null; next: string | null }

export type ReorderResult =
  /** `entry`: what takes it back; `null` where no history is kept. */
  | { status: 'done'; written: number; entry: string | null }
  /** Others have changed the order meanwhile; nothing was written. */
  | { status: 'conflict'; changed: ChangedNeighbours[] }
  /** These rows have gone, or left the list; nothing was written. */
  | { status: 'missing'; keys: string[] }
  /** There is no room between the numbers; nothing was written. */
  | { status: 'full' }
  /** The database refused; `message` is what it says, if it says something to people. */
  | { status: 'refused'; message: string | null }
