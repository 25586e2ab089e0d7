/** Where rows come from: the interface that every kind of database implements. */

import type { Access } from './access.ts'
import type { Predicate } from './predicate.ts'
import type { Schema } from './schema.ts'
import type { KeyValues, Value } from './value.ts'
import type { Unit, UnitResult } from './write-unit.ts'

/** One column of an order. NULLs come last in both directions. */
export type SortColumn = { readonly column: string; readonly descending: boolean }

/** A related row's label, to be shown in place of the column that refers to it. */
export type RelatedLabel = {
  /** The foreign key's column, which must be among `columns`. */
  readonly column: string
  /** What the actor may see of the related table. */
  readonly access: Access
  /** Column of the related table that the foreign key refers to, and the one that names its row. */
  readonly references: string
  readonly label: string
}

/** Which page of the ordered rows is wanted. */
export type Place =
  | { readonly at: 'first' }
  /** The last page; `rows` of it, so that it ends where full pages would (count mod size). */
  | { readonly at: 'last'; readonly rows: number }
  /** The rows that follow or go before a row, given by its sort values and key. */
  | { readonly at: 'after' | 'before'; readonly anchor: Anchor }
  /** A jump: skips this many rows, counted from the nearer end where `total` is exact. */
  | { readonly at: 'offset'; readonly skip: number; readonly total?: number }

/** A row's place in an order: the values of the sort columns, then those of the key. */
export type Anchor = { readonly sort: readonly Value[]; readonly key: KeyValues }

/** A question for rows. It names columns of the access's table and holds values, never SQL. */
export type RowQuery = {
  /** Columns to read, in order. */
  readonly columns: readonly string[]
  readonly where: Predicate
  /** The order; the key is added as tie-break, in the direction of the last column. */
  readonly sort: readonly SortColumn[]
}

export type PageQuery = RowQuery & {
  readonly size: number
  readonly place: Place
  /** Columns whose values are cut to so many characters, or bytes, by the database itself. */
  readonly cut?: { readonly columns: readonly string[]; readonly length: number }
  readonly related?: readonly RelatedLabel[]
}

export type PageRow = {
  /** Empty for a table without a key. */
  readonly key: KeyValues
  /** One value for each asked column. */
  readonly values: readonly Value[]
  /** Whole lengths of the values that were cut, by their place; absent where none was. */
  readonly lengths?: ReadonlyMap<number, number>
  /** Values of the sort columns, for an anchor at this row. */
  readonly sort: readonly Value[]
  /**
   * One label for each asked relation: `null` where the row's own label is NULL, `undefined` where
   * there is no such row or none that may be seen, which nobody is to tell apart.
   */
  readonly labels: readonly (string | null | undefined)[]
}

export type RowPage = {
  readonly rows: readonly PageRow[]
  /** Whether rows come before and after these. */
  readonly before: boolean
  readonly after: boolean
  /** Whether an index serves order and conditions. When not, the cost grows with the table. */
  readonly indexed: boolean
  /** The statement that makes an index which would serve, where none does and the source knows one. */
  readonly advice?: string
}

/** A relation of one row, by all columns of a foreign key. */
export type RelationQuery = {
  /** The foreign key's columns, which must be among `columns`. */
  readonly columns: readonly string[]
  /** What the actor may see of the related table. */
  readonly access: Access
  /** The columns that they refer to, in the same order. */
  readonly references: readonly string[]
  /** The column that names the related row; left out where none does. */
  readonly label?: string
}

/** Which part of one row is wanted. */
export type RowLookup = Pick<PageQuery, 'columns' | 'cut'> & {
  readonly related?: readonly RelationQuery[]
  /**
   * Longest time for related rows, ms; where they take longer, or find no room, the row comes without
   * them. Left out, they may take as long as the row itself, and fail it.
   */
  readonly relatedTimeoutMs?: number
}

/** A row that another one refers to. */
export type RelatedRow = {
  /** Empty for a table without a key. */
  readonly key: KeyValues
  /** At most 200 characters; `null` where it is NULL or nothing names the row. */
  readonly label: string | null
}

export type FoundRow = Pick<PageRow, 'key' | 'values' | 'lengths'> & {
  /**
   * For each asked relation its row: `undefined` where the row refers to none, or to none that may be
   * seen. Absent where they were not found in time.
   */
  readonly related?: readonly (RelatedRow | undefined)[]
}

/** A value of a column, and how many rows hold it. */
export type Facet = {
  readonly value: Value
  readonly count: number
  /** Whether only the first 200 characters or bytes of the value were read. */
  readonly isCut: boolean
}

export type Facets = {
  /** The most frequent first, equally frequent ones by value, NULL after all values. */
  readonly facets: readonly Facet[]
  /** Whether there are more values than these. */
  readonly hasMore: boolean
}

/** How many rows match: exactly, at least (the bound was reached), or as the catalogue guesses. */
export type Count = { readonly kind: 'exact' | 'atLeast' | 'estimate'; readonly count: number }

/** Options of every call. */
export type Run = {
  /** Ends the work in the database as well, not only the waiting for it. */
  readonly signal?: AbortSignal
  /** Longest time the database may take, ms. Default 5000. */
  readonly timeoutMs?: number
}

/**
 * A database's rows. Every method names the columns and tables of the schema, takes what the
 * actor was granted, and throws an `AppError` of the catalogue: `TABLE_UNKNOWN_COLUMN` for a
 * column that does not exist or may not be read (wherever it stands: read, condition or order),
 * `QUERY_TIMEOUT`, `DATABASE_UNAVAILABLE`, `TABLE_READ_ONLY`.
 */
export interface RowSource {
  /** What the database holds. Kept until `dataVersion` or the schema changes. */
  describe(run?: Run): Promise<Schema>
  /** One page of rows, keys first and related labels in at most one query more. */
  page(access: Access, query: PageQuery, run?: Run): Promise<RowPage>
  /** Counts up to `bound`, then says “at least”; without a bound counts them all. */
  count(access: Access, where: Predicate, options?: Run & { bound?: number }): Promise<Count>
  /**
   * The values of a column among the rows that match, each with its count; no more than `limit` of
   * them (default 50, at most 1000). Two values are one where
   * a condition takes them for equal, so that a count is that of the rows which `eq` finds.
   */
  facets(
    access: Access,
    where: Predicate,
    column: string,
    options?: Run & { limit?: number },
  ): Promise<Facets>
  /** The place of a row in the order of all that match, from 1; `undefined` where it does not. */
  rank(
    access: Access,
    where: Predicate,
    sort: readonly SortColumn[],
    key: KeyValues,
    run?: Run,
  ): Promise<number | undefined>
  /**
   * One row by its key, and the rows it refers to in at most one query more; `undefined` where there
   * is none, or none that may be seen.
   */
  row(access: Access, key: KeyValues, lookup: RowLookup, run?: Run): Promise<FoundRow | undefined>
  /** The keys of all that match, in key order, in chunks; for sealed plans. */
  keys(
    access: Access,
    where: Predicate,
    options?: Run & { chunk?: number },
  ): AsyncIterable<KeyValues[]>
  /**
   * Writes a unit, whole or not at all; acknowledged only when it is on disk. Throws `FORBIDDEN`
   * where the actor may not do this, `UPDATE_INVALID` for what is no value of a column, and
   * `OUTCOME_UNKNOWN` where nobody can tell whether it was written.
   */
  write(access: Access, unit: Unit, run?: Run): Promise<UnitResult>
  /** Changes whenever rows may have changed; it may say “changed” wrongly, never the reverse. */
  dataVersion(): Promise<string>
  close(): Promise<void>
}
