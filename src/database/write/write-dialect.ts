/** How an engine expresses writes. */

import type { Column } from '../../table/source/schema.ts'
import type { Values } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Dialect, Operand } from '../dialect.ts'
import type { Sql, Statement } from '../query/sql.ts'
import type { ColumnOf, SourceTable } from '../tables.ts'
import type { Computes } from './computes.ts'
import type { EachRow } from './each-values.ts'

export type WriteDialect<
  Of extends SourceTable = SourceTable,
  Its extends Column = ColumnOf<Of>,
> = Dialect<Of, Its> & {
  /**
   * The value in SQL; `undefined` if the column's type cannot hold it unchanged. Throws
   * `UPDATE_INVALID` for a value that no column can hold.
   */
  encode(column: Its, value: Value): Sql | undefined
  /** A digest of a text or bytes, as a text. */
  digest(value: Sql): Sql
  /** How new values are worked out. */
  readonly computes: Computes<Its>
  /** Turns the engine's value of a column into the row source's. Default: unchanged. */
  decode?(column: Its, value: Value): Value
  /** The column still holds exactly this value. */
  holds(left: Operand<Its>, value: Value): Sql
  /**
   * Statements that join rows with the values that they get; `undefined` where keys of this kind cannot be joined
   * exactly. Default: each value is looked for among those of a few rows.
   */
  updateEach?(rows: EachRow<Its>): readonly Sql[] | undefined
  /** Which statements can return the keys of the rows that they wrote. */
  readonly returning: 'all' | 'inserts' | 'none'
  /** Whether `returning` can evaluate the policy on the written row. */
  readonly returnsPolicy: boolean
  /** How to find the key of an inserted row if no statement returns it. */
  insertedKey?(of: Of, values: Values): WrittenKey
  /** Follows the table's name in an insert without values. */
  readonly noValues: Sql
  /** The beginning of a delete: `from` is the table under the alias `t0`. */
  deletes(from: Sql): Sql
  /** Whether a statement that writes a view cannot name its columns by an alias of it. Default: false. */
  readonly cannotAliasViews?: true
  /** Whether a statement that writes a table cannot also read it in a subquery. */
  readonly cannotReadTarget: boolean
  /** Whether a column of integers holds nothing else, so that consecutive keys form a range. */
  isStrictInteger(column: Column): boolean
  /** Follows a select to lock its rows until the commit, exclusively or shared. */
  readonly lockForUpdate: Sql
  readonly lockForShare: Sql
  /** Does at once what else would wait for the commit, such as deferred triggers. Default: nothing waits. */
  readonly endDeferral?: Statement
  /** Whether each row is read and locked before it is written. */
  readonly readsFirst: boolean
  /** Whether its triggers are known to everybody, and nothing but them writes columns that nobody sets. */
  readonly tellsTriggers: boolean
  /** Whether a unit's rows are locked in key order before any is written. */
  readonly locksInOrder: boolean
  /** Whether a refused statement aborts its transaction unless a savepoint precedes it. */
  readonly needsSavepoints: boolean
  /** An advisory lock for changing the ranks of a table. Default: none, because units never overlap. */
  rankLock?(table: string): RankLock
}

/** `acquire` returns 0 or NULL if it times out. Without `release`, the lock ends with the transaction. */
export type RankLock = { readonly acquire: Sql; readonly release?: Sql }

/** How to find the key of a written row. */
export type WrittenKey =
  | { readonly from: 'values'; readonly values: KeyValues }
  /** The statement returns it. */
  | { readonly from: 'rows' }
  /** The database generated the value at this place. */
  | { readonly from: 'count'; readonly values: KeyValues; readonly place: number }
