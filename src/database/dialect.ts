/** How an engine writes what engines write differently. */

import type { Column } from '../table/source/schema.ts'
import type { Value } from '../table/source/value.ts'
import type { IndexedRun } from './query-runner.ts'
import type { Term } from './query/order.ts'
import type { Sql } from './query/sql.ts'
import type { ColumnOf, SourceTable } from './tables.ts'

/** How placeholders and names are written. */
export type Notation = {
  /** The n-th placeholder, counted from 1. */
  placeholder(position: number): string
  /** Quotes a name of the catalogue. */
  quote(name: string): string
}

/** A column within a statement. */
export type Operand<Of extends Column = Column> = { readonly sql: Sql; readonly column: Of }

export type Comparison = '<' | '<=' | '>' | '>='

/**
 * An engine's words for its own tables and columns. Conditions never fail for a value that the column
 * cannot hold: nothing equals it, and a number beyond the column's range is less or greater than all
 * that it holds.
 */
export type Dialect<
  Of extends SourceTable = SourceTable,
  Its extends Column = ColumnOf<Of>,
> = Notation & {
  /** Equality to the last byte, whatever the column's collation takes for equal. NULL equals NULL. */
  equals(left: Operand<Its>, value: Value): Sql
  compares(left: Operand<Its>, comparison: Comparison, value: Value): Sql
  /** Equal to one of the values, none of which is NULL; there is at least one. */
  among(left: Operand<Its>, values: readonly Value[]): Sql
  /** The column's text holds this text; letter case is ignored, accents are not. */
  contains(left: Operand<Its>, text: string): Sql
  /** The opposite of a condition, true as well where that is neither true nor false. */
  isNotTrue(condition: Sql): Sql
  /** A place in the order of the column's own collation, by a value that was read from there. */
  seeks(left: Operand<Its>, comparison: Comparison | '=', value: Value): Sql
  /**
   * The same for several columns compared one after the other, none of them NULL, in words by which an
   * index is entered by all of them at once. `undefined` where there are no such words.
   */
  seeksAll(
    left: readonly Operand<Its>[],
    comparison: '<=' | '>=',
    values: readonly Value[],
  ): Sql | undefined
  /** Whether the table has such an index; else each place is sought by column after column. */
  entersAll(table: Of, columns: readonly string[]): boolean
  /** A term of an order, its NULLs where the term wants them. A row number is of no kind. */
  ordered(column: Sql, term: Term, kind?: Its): Sql
  /** A value as it is to be read, where that is not the column itself. */
  read?(value: Operand<Its>): Sql
  /** The value as text. */
  text(value: Operand<Its>): Sql
  /**
   * The value where values of several tables share one column: as it is if the engine lets it, else
   * as the text that `String` makes of it in JavaScript, hexadecimal digits for binary.
   */
  unioned(value: Operand<Its>): Sql
  /** A value that `unioned` made, as it is in its own column. */
  fromUnion(value: Value, column: Its): Value
  /** The value as rows are grouped by it: alike where `equals` says so, texts in the order of their bytes. */
  grouped(value: Operand<Its>): Sql
  /** What `grouped` made of a value, as it is to be read. */
  ungrouped?(grouped: Sql, column: Its): Sql
  /**
   * What `beginning` and `bytes` take of a value; where it is left out, texts and binary as they
   * are, and everything else as text.
   */
  sliced?(value: Operand<Its>): Sql
  /** The first characters of a text, or bytes of binary. */
  beginning(value: Sql, length: number): Sql
  /** How many bytes a text or binary has. */
  bytes(value: Sql): Sql
  /** Characters of a text, bytes of binary. */
  length(value: Operand<Its>): Sql
  /** How many rows of an order are wanted, and how many are skipped before them. */
  limit(rows: number, skip?: number): Sql
  /** Stands between keys that were found and the table they are looked up in, in this order. */
  readonly lookUp: Sql
  /** Stands after a table: which of its indexes are to serve the run. */
  indexes?(table: Of, run: IndexedRun): Sql
  /** Whether runs that no index serves are read as one: each by itself would scan the table anew. */
  readonly isOneRun?: boolean
  /** Conditions that let a scan be stopped from outside. They come first of all. */
  guards?(table: Of, alias: Sql): Sql[]
  /**
   * The table, as it stands after `from`, in pieces between which a scan can be stopped without a
   * condition. `undefined` where it has none.
   */
  inPieces?(of: Of, table: Sql, columnOf: (name: string) => Sql): Sql | undefined
}
