/** How an engine expresses writes. */

import type { Column } from '../../table/source/schema.ts'
import type { Values } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Dialect, Operand } from '../dialect.ts'
import type { Sql } from '../query/sql.ts'
import type { ColumnOf, SourceTable } from '../tables.ts'

export type WriteDialect<
  Of extends SourceTable = SourceTable,
  Its extends Column = ColumnOf<Of>,
> = Dialect<Of, Its> & {
  /**
   * The value as a statement writes it; `undefined` where the column's type would not keep it whole.
   * Throws `UPDATE_INVALID` for what is no value of any column.
   */
  encode(column: Its, value: Value): Sql | undefined
  /** What the engine gave for a column, as everybody else sees it. Default: unchanged. */
  decode?(column: Its, value: Value): Value
  /** The column still holds the value, to the last byte. */
  holds(left: Operand<Its>, value: Value): Sql
  /** The statements that give back the keys of the rows they wrote. */
  readonly returning: 'all' | 'inserts' | 'none'
  /** Whether `returning` can ask the policy about a row as it was written. */
  readonly returnsPolicy: boolean
  /** How the key of an inserted row is known where no statement tells. */
  insertedKey?(of: Of, values: Values): WrittenKey
  /** An insert without any value, after the table's name. */
  readonly noValues: Sql
  /** The beginning of a delete: `from` is the table under the alias `t0`. */
  deletes(from: Sql): Sql
  /** Whether a statement that writes a table cannot look at it a second time. */
  readonly isBlindToTarget: boolean
  /** Whether nothing but whole numbers is in a column of them, so that neighbours are a range. */
  readonly hasStrictIntegers: boolean
  /** Stands after a select whose rows must not change before the commit, or not be deleted. */
  readonly hold: Sql
  readonly share: Sql
  /** Whether each row is looked at, and held, before it is written. */
  readonly looksFirst: boolean
  /** Whether the rows of a unit are locked in the order of their keys before any is written. */
  readonly locksInOrder: boolean
  /** Whether a refused statement spoils its transaction unless a savepoint was set before it. */
  readonly needsSavepoints: boolean
  /** Lets one unit at a time change the ranks of a table. Default: units never overlap. */
  turn?(table: string): Turn
}

/** Gives `1` or nothing once it is this unit's turn. What `leave` ends outlives the transaction. */
export type Turn = { readonly take: Sql; readonly leave?: Sql }

/** How the key of a written row is known. */
export type WrittenKey =
  | { readonly from: 'values'; readonly values: KeyValues }
  /** The statement gives it. */
  | { readonly from: 'rows' }
  /** Of these values, the database counted up the one at this place. */
  | { readonly from: 'count'; readonly values: KeyValues; readonly place: number }
