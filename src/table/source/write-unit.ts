/** A unit of writing: changes to the rows of one table that happen together, or not at all. */

import type { Predicate } from './predicate.ts'
import type { KeyValues, Value } from './value.ts'

export type Values = Readonly<Record<string, Value>>

/** A change to one row. `expect` holds values that must still stand, else it is a conflict. */
export type RowChange =
  | { readonly insert: Values }
  | { readonly update: KeyValues; readonly set: Values; readonly expect?: Values }
  | { readonly delete: KeyValues; readonly expect?: Values }

/** Keys that one change may hold. */
export const CHUNK_KEYS = 10_000

/**
 * The same change to many rows: to those whose key is in the chunk and that still match, whatever
 * else has happened to the table. Key columns cannot be set this way.
 */
export type SetChange = {
  /** At most `CHUNK_KEYS`, each once. */
  readonly in: readonly KeyValues[]
  readonly where: Predicate
  /** How many rows must match; with any other number the whole unit is rolled back. */
  readonly expect?: { readonly matched: number }
} & ({ readonly set: Values } | { readonly delete: true })

/**
 * Moves rows to places in an order that a column of numbers keeps. The source picks the values: it
 * writes as few rows as it can, and all other rows keep their order.
 */
export type RankChange = {
  readonly column: string
  /** The rows that are ordered among themselves, such as the children of one parent. Default: all. */
  readonly within?: Predicate
  /** Whether the order goes from the greatest value to the least. Default false. */
  readonly descending?: boolean
  /**
   * The rows whose place was decided, each with its place in the whole order, counted from 1; at most
   * `CHUNK_KEYS`.
   */
  readonly at: readonly (readonly [key: KeyValues, rank: number])[]
  /** The rows that a person saw beside a moved one where it was put; other ones are a conflict. */
  readonly expect?: readonly Neighbours[]
}

/** The rows before and after a row of `at`; `null` at an end of the order. One left out may be any. */
export type Neighbours = {
  readonly key: KeyValues
  readonly previous?: KeyValues | null
  readonly next?: KeyValues | null
}

/** A row for one of Tablewire's own tables, whose name begins with `tablewire_`. */
export type LedgerEntry = { readonly table: string; readonly values: Values }

/** What is written together. Ledger entries come first, then rows, sets and ranks, in this order. */
export type Unit = {
  readonly rows?: readonly RowChange[]
  readonly sets?: readonly SetChange[]
  readonly ranks?: RankChange
  /** Whether the answer tells what the changed rows held before. Default false. */
  readonly before?: boolean
  readonly ledger?: readonly LedgerEntry[]
}

/** The database's own rules refuse these columns' values; a trigger says why in its own words. */
export type Refused = {
  readonly status: 'refused'
  readonly rule: 'unique' | 'required' | 'check' | 'reference' | 'type' | 'trigger' | 'other'
  readonly columns: readonly string[]
  readonly message?: string
}

export type RowResult =
  | { readonly status: 'done'; readonly key: KeyValues }
  /** No such row that the actor may touch. */
  | { readonly status: 'missing' }
  /** It no longer holds what was expected, but these values of the expected columns. */
  | { readonly status: 'conflict'; readonly current: Values }
  | Refused

export type SetResult =
  | ({ readonly status: 'done' } & Counts)
  /** Not as many as expected: these keys of the chunk are gone or match no more. */
  | {
      readonly status: 'mismatch'
      readonly matched: number
      readonly missing: readonly KeyValues[]
    }
  | Refused

export type RankResult =
  | ({ readonly status: 'done' } & Counts)
  /** These rows are not in the order that the actor sees. */
  | { readonly status: 'missing'; readonly keys: readonly KeyValues[] }
  /** Other rows than expected would be beside the moved ones, or the order is too short by now. */
  | { readonly status: 'conflict'; readonly current: readonly Neighbours[] }
  | Refused

export type LedgerResult = { readonly status: 'done' } | Pick<Refused, 'status' | 'rule'>

export type Counts = {
  /** Rows that the change was for. */
  readonly matched: number
  /** Rows that were written; MySQL and MariaDB leave out those that held the values already. */
  readonly changed: number
}

/** What rows held before a change of theirs: of an update what was set, of a delete all columns. */
export type BeforeImages = {
  /** Only columns that the actor may read. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: KeyValues; readonly values: readonly Value[] }[]
}

/** What became of a unit: an answer to each of its parts, in their order. */
export type UnitResult = {
  /** Whether everything was written; else nothing was, though single parts may say `done`. */
  readonly isDone: boolean
  readonly rows: readonly RowResult[]
  readonly sets: readonly SetResult[]
  readonly ranks?: RankResult
  readonly ledger: readonly LedgerResult[]
  /** Of all rows that were updated, deleted or moved, where it was asked for; none if not done. */
  readonly before?: readonly BeforeImages[]
}
