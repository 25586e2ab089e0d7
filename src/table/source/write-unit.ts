/** A unit of writing: changes to the rows of one table that happen together, or not at all. */

import type { Predicate } from './predicate.ts'
import type { KeyValues, Value } from './value.ts'

export type Values = Readonly<Record<string, Value>>

/**
 * A change to one row. `expect` holds values that the row must still have, else it is a conflict.
 */
export type RowChange =
  | { readonly insert: Values }
  | { readonly update: KeyValues; readonly set: Values; readonly expect?: Values }
  | { readonly delete: KeyValues; readonly expect?: Values }

/** Most keys in one change. */
export const CHUNK_KEYS = 10_000

/**
 * The same change to many rows: those whose key is in the chunk and that still match `where`. Key
 * columns cannot be set this way.
 */
export type SetChange = {
  /** At most `CHUNK_KEYS`, each once. */
  readonly in: readonly KeyValues[]
  readonly where: Predicate
  /** How many rows must match; with any other number the whole unit is rolled back. */
  readonly expect?: { readonly matched: number }
} & ({ readonly set: Values } | { readonly delete: true })

/**
 * Moves rows within an order that a column of numbers keeps. The source chooses the numbers: it
 * writes as few rows as it can, and all other rows keep their order.
 */
export type RankChange = {
  readonly column: string
  /** The rows that are ordered among themselves, such as the children of one parent. Default: all. */
  readonly within?: Predicate
  /** Whether the order goes from the greatest value to the least. Default false. */
  readonly descending?: boolean
  /**
   * The rows to move, each with its new place in the whole order, counted from 1; at most
   * `CHUNK_KEYS`.
   */
  readonly at: readonly (readonly [key: KeyValues, rank: number])[]
  /**
   * Whether all rows of the order get new numbers that are far apart, in the same order; then `at`
   * is empty. Default false.
   */
  readonly isSpacedOut?: boolean
  /**
   * The neighbours that a person saw where they put a moved row, and where they took it from; any others
   * are a conflict.
   */
  readonly expect?: readonly Neighbours[]
}

/** The rows before and after a row; `null` at an end of the order. A side left out is not checked. */
export type Sides = {
  readonly previous?: KeyValues | null
  readonly next?: KeyValues | null
}

/** What a row of `at` stands between once it has moved. */
export type Neighbours = Sides & {
  readonly key: KeyValues
  /** What it stands between before; in a conflict, only where that is not what was expected. */
  readonly from?: Sides
}

/** A row for one of Tablewire's own tables, whose name begins with `tablewire_`. */
export type LedgerEntry = { readonly table: string; readonly values: Values }

/** Changes that are written together: ledger entries first, then rows, sets and ranks. */
export type Unit = {
  readonly rows?: readonly RowChange[]
  readonly sets?: readonly SetChange[]
  readonly ranks?: RankChange
  /** Whether the result has the values from before the change. Default false. */
  readonly before?: boolean
  readonly ledger?: readonly LedgerEntry[]
}

/** A rule of the database refuses these columns' values; `message` is the text of a trigger. */
export type Refused = {
  readonly status: 'refused'
  readonly rule: 'unique' | 'required' | 'check' | 'reference' | 'type' | 'trigger' | 'other'
  readonly columns: readonly string[]
  readonly message?: string
}

export type RowResult =
  | { readonly status: 'done'; readonly key: KeyValues }
  /** There is no such row, or the actor may not change it. */
  | { readonly status: 'missing' }
  /** The row no longer holds the expected values, but these. */
  | { readonly status: 'conflict'; readonly current: Values }
  | Refused

export type SetResult =
  | ({ readonly status: 'done' } & Counts)
  /**
   * Another number of rows matches than expected; `missing` are the keys that are gone or no longer
   * match.
   */
  | {
      readonly status: 'mismatch'
      readonly matched: number
      readonly missing: readonly KeyValues[]
    }
  | Refused

export type RankResult =
  | ({ readonly status: 'done' } & Counts)
  /** The order that the actor sees does not contain these rows. */
  | { readonly status: 'missing'; readonly keys: readonly KeyValues[] }
  /** The moved rows would get other neighbours than expected, or the order has become too short. */
  | { readonly status: 'conflict'; readonly current: readonly Neighbours[] }
  | Refused

export type LedgerResult = { readonly status: 'done' } | Pick<Refused, 'status' | 'rule'>

export type Counts = {
  /** Rows that the change applies to. */
  readonly matched: number
  /** Rows that were written; MySQL and MariaDB do not count rows that already held the values. */
  readonly changed: number
}

/** What rows held before the change: the columns set by an update, all columns of a deleted row. */
export type BeforeImages = {
  /** Only columns that the actor may read. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: KeyValues; readonly values: readonly Value[] }[]
}

/** The result of a unit, with an entry for each of its parts, in the same order. */
export type UnitResult = {
  /** Whether the unit was written. If not, nothing was, even if single parts say `done`. */
  readonly isDone: boolean
  readonly rows: readonly RowResult[]
  readonly sets: readonly SetResult[]
  readonly ranks?: RankResult
  readonly ledger: readonly LedgerResult[]
  /**
   * For all rows that were updated, deleted or moved, if the unit asked for it; none if not done.
   */
  readonly before?: readonly BeforeImages[]
}
