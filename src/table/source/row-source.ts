/** Where rows come from: the interface that every kind of database implements. */

import type { FileFormat } from '../../protocol/export.ts'
import type { Access } from './access.ts'
import type { OwnPlace } from './own-tables.ts'
import type { Recording } from './recorder.ts'
import type { Predicate, Referred } from './predicate.ts'
import type { DigestedRows } from './row-digest.ts'
import type { Schema } from './schema.ts'
import type { KeyValues, Value } from './value.ts'
import type { WriteLog } from './write-log.ts'
import type { Unit, UnitResult } from './write-unit.ts'
import type { Writing } from './writing.ts'

/** One column of an order. NULLs come last in both directions. */
export type SortColumn = { readonly column: string; readonly descending: boolean }

/** What names the rows that a foreign key refers to. */
export type RowLabel = {
  /** What the actor may see of the related table. */
  readonly access: Access
  /** Column of the related table that the foreign key refers to, and the one that names its row. */
  readonly references: string
  readonly label: string
  /** Columns whose texts follow the label, such as the last name after the first. Default: none. */
  readonly more?: readonly string[]
}

/** A related row's label, to be shown in place of the column that refers to it. */
export type RelatedLabel = RowLabel & {
  /** The foreign key's column, which must be among `columns`. */
  readonly column: string
}

/** One term of an order: a column, or the label of the row that it refers to. */
export type SortTerm = SortColumn & {
  /**
   * The label, of which `references` must be unique. It is NULL where the row is missing or hidden, which
   * must look the same. Default: the column itself.
   */
  readonly by?: RowLabel
}

/** Which page of the ordered rows is wanted. */
export type Place =
  | { readonly at: 'first' }
  /** The last page; `rows` is its size if all pages before it are full (count mod size). */
  | { readonly at: 'last'; readonly rows: number }
  /** The rows after or before a row, given by its sort values and key. */
  | { readonly at: 'after' | 'before'; readonly anchor: Anchor }
  /** A jump: skips this many rows, counted from the nearer end where `total` is exact. */
  | { readonly at: 'offset'; readonly skip: number; readonly total?: number }

/** A row's place in an order: the values that it is sorted by, then those of the key. */
export type Anchor = { readonly sort: readonly Value[]; readonly key: KeyValues }

/** A query for rows. It names columns of the access's table and holds values, never SQL. */
export type RowQuery = {
  /** Columns to read, in order. */
  readonly columns: readonly string[]
  readonly where: Predicate
  /**
   * The order; the key is added as tie-break, in the direction of the last column. Without a key, all
   * columns that may be read are.
   */
  readonly sort: readonly SortTerm[]
}

export type PageQuery = RowQuery & {
  readonly size: number
  readonly place: Place
  /** Columns whose values the database cuts to `length` characters or bytes. */
  readonly cut?: {
    readonly columns: readonly string[]
    readonly length: number
    /** Of some of them, in place of `length`. */
    readonly lengths?: ReadonlyMap<string, number>
  }
  readonly related?: readonly RelatedLabel[]
}

export type PageRow = {
  /** Empty for a table without a key. */
  readonly key: KeyValues
  /** One value for each requested column. */
  readonly values: readonly Value[]
  /** Full lengths of cut values, by their place; absent if none was cut. */
  readonly lengths?: ReadonlyMap<number, number>
  /** Places of the values that are masked in this row, and NULL here; absent if none is. */
  readonly masked?: ReadonlySet<number>
  /** The values that it is sorted by, for an anchor at this row. */
  readonly sort: readonly Value[]
  /**
   * One label for each requested relation: `null` if the row's own label is NULL, `undefined` if
   * the row is missing or hidden, which must look the same.
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
  /** Whether rows may change places between pages: nothing tells them apart, and no order is asked for. */
  readonly unordered?: true
  /** The statement that creates a suitable index, if none exists and the source can suggest one. */
  readonly advice?: string
}

/** Where a part of a file begins: at the first row, or where the part before has ended. */
export type LinesPlace =
  | { readonly at: 'first' }
  | { readonly at: 'after'; readonly anchor: Anchor }
  | { readonly at: 'offset'; readonly skip: number }

/** What names rows and values in a file. */
export type LinesNames = {
  readonly by: readonly RelatedLabel[]
  /** Names of stored values, by column and value. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Digits after the point of amounts that columns count in a smallest unit: those are written in the major one. */
  readonly minorDigits: ReadonlyMap<string, number>
  readonly keepsKeys: boolean
}

export type LinesQuery = RowQuery & {
  readonly format: FileFormat
  /** Number of the first row in the file, or in its sheet. Default: 0. */
  readonly first?: number
  /** What names rows that columns refer to, and values, beside what is stored or in its place. Default: nothing. */
  readonly named?: LinesNames
  /** Most rows of the part. */
  readonly size: number
  /** About how many bytes a part may have: it ends early where rows are long. */
  readonly bytes: number
  readonly place: LinesPlace
}

/** Some rows as lines of a file. */
export type LinesPart = {
  /** Lines in UTF-8, one after the other, in short pieces. */
  readonly pieces: readonly Uint8Array[]
  readonly rows: number
  /** Where the next part begins; absent if no rows are left. */
  readonly next?: LinesPlace
  /** As `RowPage.indexed`. */
  readonly indexed: boolean
}

/** A relation of one row, by all columns of a foreign key. */
export type RelationQuery = {
  /** The foreign key's columns, which must be among `columns`. */
  readonly columns: readonly string[]
  /** What the actor may see of the related table. */
  readonly access: Access
  /** The columns that they refer to, in the same order. */
  readonly references: readonly string[]
  /** The column that names the related row; left out if there is none. */
  readonly label?: string
  /** As `more` of `RowLabel`. */
  readonly more?: readonly string[]
}

/** Which columns and related rows of a row to read. */
export type RowLookup = Pick<PageQuery, 'columns' | 'cut'> & {
  readonly related?: readonly RelationQuery[]
  /**
   * Longest time for related rows, ms; if they take longer, or the queue is full, the row comes
   * without them. Default: they may take as long as the row itself, and if they fail, so does the
   * row.
   */
  readonly relatedTimeoutMs?: number
}

/** A row that another one refers to. */
export type RelatedRow = {
  /** Empty for a table without a key. */
  readonly key: KeyValues
  /** At most 200 characters; `null` if it is NULL or the table has no label column. */
  readonly label: string | null
}

export type FoundRow = Pick<PageRow, 'key' | 'values' | 'lengths' | 'masked'> & {
  /**
   * The row for each requested relation: `undefined` if there is none, or none that may be seen.
   * Absent if they were not found in time.
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

/** With `as`, the column is a reference, and conditions are those with the same `as`. */
export type FacetOptions = Run & { readonly limit?: number; readonly as?: Referred }

/** The sum of a column's values, and how many there are. */
export type ColumnSum = {
  /** In decimal digits, exact but for doubles; `null` if there are no values. */
  readonly sum: string | null
  /** Values that are not NULL. */
  readonly count: number
}

/**
 * How many rows match: exactly, at least (the bound was reached), or by the database's estimate.
 */
export type Count = { readonly kind: 'exact' | 'atLeast' | 'estimate'; readonly count: number }

/** Options of every call. */
export type Run = {
  /** Aborting it also ends the query in the database. */
  readonly signal?: AbortSignal
  /** Longest time the database may take, ms. Default 5000. */
  readonly timeoutMs?: number
  /** It may take long, and therefore runs where counts do, not in the place of pages. Default: false. */
  readonly isLong?: boolean
  /** Who waits: people take turns. Row sources set it to the access's actor. */
  readonly person?: string
}

/** What is noted of a row before its values are forgotten: numbers of whoever asks, or nothing. */
export type RowNote = readonly number[] | null

/** `note` is given what each row holds in the columns. Absent: nothing is noted. */
export type DigestOptions = {
  readonly chunk?: number
  note?(values: readonly Value[]): RowNote
}

/** `notes`: in the order of the keys; absent where nothing is noted. */
export type NotedRows = DigestedRows & { readonly notes?: readonly RowNote[] }

/**
 * A database's rows. Methods name the columns and tables of the schema, take the actor's access,
 * and throw an `AppError`: `TABLE_UNKNOWN_COLUMN` for a column that does not exist or may not be
 * read (to be read, in a condition or in an order; a masked one can only be read), `QUERY_TIMEOUT`, `DATABASE_UNAVAILABLE`,
 * `TABLE_READ_ONLY`.
 */
export interface RowSource {
  /** The schema of the database, cached until `dataVersion` or the schema changes. */
  describe(run?: Run): Promise<Schema>
  /** One page of rows, keys first and related labels in at most one query more. */
  page(access: Access, query: PageQuery, run?: Run): Promise<RowPage>
  /**
   * Part of a file of the rows. It is read and written where it delays no page: never in the time and
   * on the connections of pages. A masked column leaves the database in no file
   * (`TABLE_UNKNOWN_COLUMN`).
   */
  lines(access: Access, query: LinesQuery, run?: Run): Promise<LinesPart>
  /** Counts up to `bound`, then says “at least”; without a bound counts them all. */
  count(access: Access, where: Predicate, options?: Run & { bound?: number }): Promise<Count>
  /**
   * The values of a column among the rows that match, each with its count; no more than `limit` of
   * them (default 50, at most 1000). Values that a condition treats as equal are one, so that each
   * count is the number of rows that `eq` finds.
   */
  facets(access: Access, where: Predicate, column: string, options?: FacetOptions): Promise<Facets>
  /** The sums of columns of numbers among the rows that match, in the order of `columns`. */
  sums(
    access: Access,
    where: Predicate,
    columns: readonly string[],
    run?: Run,
  ): Promise<ColumnSum[]>
  /**
   * The place of a row in the order of all that match, from 1; `undefined` if it does not match.
   */
  rank(
    access: Access,
    where: Predicate,
    sort: readonly SortTerm[],
    key: KeyValues,
    run?: Run,
  ): Promise<number | undefined>
  /**
   * One row by its key, and the rows it refers to in at most one query more; `undefined` if there
   * is none, or none that may be seen.
   */
  row(access: Access, key: KeyValues, lookup: RowLookup, run?: Run): Promise<FoundRow | undefined>
  /** The keys of all that match, in key order, in chunks; for sealed plans. */
  keys(
    access: Access,
    where: Predicate,
    options?: Run & { chunk?: number },
  ): AsyncIterable<KeyValues[]>
  /** The same with a digest of some columns of each row, none of which may be masked; with none, there are no digests. */
  digests(
    access: Access,
    where: Predicate,
    columns: readonly string[],
    options?: Run & DigestOptions,
  ): AsyncIterable<NotedRows>
  /**
   * Writes a unit, whole or not at all, and settles once it is on disk. Throws `FORBIDDEN` if the
   * actor may not do this (a single row that the policy would not allow as written is told in the
   * result), `UPDATE_INVALID` for a value that the column cannot hold, and
   * `OUTCOME_UNKNOWN` if the source cannot find out whether the unit was written.
   */
  write(unit: Unit, run?: Run): Promise<UnitResult>
  /** Whether it takes changes. Absent: always. */
  readonly writing?: Writing
  /** Changes whenever rows may have changed; it may change without need, but misses no change. */
  dataVersion(): Promise<string>
  /**
   * The data version if it cannot miss a change, not even one made a moment ago; `null` where the
   * database does not tell, as MySQL and MariaDB often do not.
   */
  exactVersion(): Promise<string | null>
  /**
   * How changes are noticed that nothing tells of: by the version of the file, by asking the database, or
   * by asking one that may answer seconds later. Default: by asking.
   */
  readonly noticedBy?: 'version' | 'asking' | 'delayed'
  /** Calls `heard` whenever the database tells of a write. Absent: it never tells. */
  readonly notices?: ((heard: () => void) => ChangeNotices) | undefined
  /** Absent: any write may be of any table. */
  readonly writes?: WriteLog | undefined
  /** Tablewire's own tables in the same database. Absent: it cannot hold them. */
  readonly own?: OwnPlace | undefined
  /** Lets written units that have an entry be kept. Absent where the source keeps none. */
  readonly recording?: Recording | undefined
  close(): Promise<void>
}

/** Listens to what a database tells of writes. */
export type ChangeNotices = {
  /** Whether it tells by now. */
  isOn(): boolean
  stop(): Promise<void>
}
