/** A unit of writing: changes to rows that happen together, or not at all. */

import type { Access } from './access.ts'
import type { NewValues } from './computed.ts'
import type { EntryDraft, RowImage } from './ledger-entry.ts'
import type { Predicate } from './predicate.ts'
import type { KeyValues, Value } from './value.ts'

export type Values = Readonly<Record<string, Value>>

/** A row that an earlier part inserts, and whose key a new row takes, such as one that the database numbers. */
export type KeyOf = {
  /** Place of the part in the unit, and of the row in the part. */
  readonly part: number
  readonly row: number
  /** By column of the new row: the column of that row's key. */
  readonly columns: Readonly<Record<string, string>>
}

/**
 * A change to one row. `expect` holds values that the row must still have, else it is a conflict.
 */
export type RowChange =
  | { readonly insert: Values; readonly keyOf?: KeyOf }
  | { readonly update: KeyValues; readonly set: NewValues; readonly expect?: Values }
  | { readonly delete: KeyValues; readonly expect?: Values }

/**
 * How long a change may take on a server, all its attempts together, ms: until then nobody says that nothing
 * was written. Its statements have time limits, and its connection ends with its process.
 */
export const WRITE_MS = 5 * 60_000

/** Most keys in one change. */
export const CHUNK_KEYS = 10_000

/**
 * The same change to many rows: those whose key is in the chunk and that still match `where`. `each`: every row
 * gets values of its own. Key columns cannot be set this way.
 */
export type SetChange = {
  /** At most `CHUNK_KEYS`, each once. */
  readonly in: readonly KeyValues[]
  readonly where: Predicate
  /** With any other numbers the whole unit is rolled back. */
  readonly expect?: ExpectedRows
} & ({ readonly set: NewValues } | { readonly each: ColumnValues } | { readonly delete: true })

/** Values of many rows, column by column: each list holds one for each key, in the order of the keys. */
export type ColumnValues = Readonly<Record<string, readonly Value[]>>

export type ExpectedRows = {
  /** How many rows of the chunk must match. */
  readonly matched: number
  /** How many rows of the whole table must match before this set is written. Default: any number. */
  readonly inAll?: number
  /** What they must still hold: for each key the digest (`rowDigest`) of these columns. Default: anything. */
  readonly holding?: { readonly columns: readonly string[]; readonly digests: readonly number[] }
}

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

/** Changes to rows of one table: rows first, then sets and ranks. */
export type Changes = {
  readonly rows?: readonly RowChange[]
  readonly sets?: readonly SetChange[]
  readonly ranks?: RankChange
}

/** Changes to rows of one table, on behalf of one actor. */
export type Part = Changes & { readonly access: Access }

/**
 * Changes that are written together, or not at all: part after part. Several parts may name one
 * table; all are on behalf of one actor.
 */
export type Unit = {
  readonly parts: readonly Part[]
  /** Kept in the ledger, with images of all rows. Left out: nothing is recorded. */
  readonly entry?: EntryDraft
  /** Whether it is only tried: all of it is written, looked at and rolled back. Default: false. */
  readonly isTrial?: boolean
}

/**
 * A rule of the database refuses these columns' values; `message` is the text of a trigger. `ambiguous`: a
 * declared key does not tell one row from all others; `leaving`: the view would no longer show the row;
 * `view`: the database does not write this through the view.
 */
export type Refused = {
  readonly status: 'refused'
  readonly rule:
    | 'unique'
    | 'required'
    | 'check'
    | 'reference'
    | 'type'
    | 'trigger'
    | 'ambiguous'
    | 'leaving'
    | 'view'
    | 'other'
  readonly columns: readonly string[]
  readonly message?: string
  /** Of a check: its condition, where the engine says it. */
  readonly condition?: string | undefined
}

export type RowResult =
  | { readonly status: 'done'; readonly key: KeyValues }
  /** There is no such row, or the actor may not change it. */
  | { readonly status: 'missing' }
  /** The row no longer holds the expected values, but these. */
  | { readonly status: 'conflict'; readonly current: Values }
  /** The policy does not allow the row as it would be. */
  | { readonly status: 'forbidden' }
  | Refused

export type SetResult =
  | ({ readonly status: 'done' } & Counts)
  /**
   * Another number of rows matches than expected, or some hold something else; `missing` are the keys of the
   * chunk that are gone or no longer match: none, where the number in the whole table is another, or where
   * rows hold something else.
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

export type Counts = {
  /** Rows that the change applies to. */
  readonly matched: number
  /** Rows that were written; MySQL and MariaDB do not count rows that already held the values. */
  readonly changed: number
}

/** The result of a part, with an entry for each of its changes, in the same order. */
export type PartResult = {
  readonly rows: readonly RowResult[]
  readonly sets: readonly SetResult[]
  readonly ranks?: RankResult
}

/** What an entry of the ledger says of a written unit; rows that cascades took are counted, too. */
export type Recorded = {
  readonly tables: readonly {
    readonly table: string
    readonly inserted: number
    readonly updated: number
    readonly deleted: number
  }[]
  /**
   * What the images lack, so that undo lacks it: columns of rows whose values were too large to
   * keep, or, with no columns, rows that a cascade took beyond the bound.
   */
  readonly lacks: readonly {
    readonly table: string
    readonly columns: readonly string[]
    readonly rows: number
  }[]
  /** Everything is as it was before, so that no entry is kept. */
  readonly isAsBefore?: true
}

/** The result of a unit, with an entry for each of its parts, in the same order. */
export type UnitResult = {
  /** Whether the unit was written. If not, nothing was, even if single changes say `done`. */
  readonly isDone: boolean
  readonly parts: readonly PartResult[]
  /** Only if the unit was recorded and is done, or was tried. */
  readonly recorded?: Recorded
  /** What the first rows held before and after, where the unit was tried. */
  readonly tried?: readonly RowImage[]
}
