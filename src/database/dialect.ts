/** The SQL that differs from engine to engine. */

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

/** Where in a text another is looked for. */
export type Where = 'anywhere' | 'start'

/**
 * An engine's SQL for its own tables and columns. A value that the column cannot hold never makes a
 * condition fail: nothing equals it, and a number beyond the column's range is less or greater than
 * every value in it.
 */
export type Dialect<
  Of extends SourceTable = SourceTable,
  Its extends Column = ColumnOf<Of>,
> = Notation & {
  /** Equality of bytes, even where the column's collation treats other values as equal. NULL equals NULL. */
  equals(left: Operand<Its>, value: Value): Sql
  compares(left: Operand<Its>, comparison: Comparison, value: Value): Sql
  /** Equal to one of the values, none of which is NULL; there is at least one. */
  among(left: Operand<Its>, values: readonly Value[]): Sql
  /**
   * The columns are, one by one, equal to the values of one of the rows, in time that hardly grows with their
   * number. None of the values is NULL; there is at least one row. Default: each row is a condition of its own.
   */
  amongRows?(left: readonly Operand<Its>[], rows: readonly (readonly Value[])[]): Sql
  /**
   * The same for a reference, as the engine compares values of the column that it refers to. Both
   * columns hold texts.
   */
  refersAmong(left: Operand<Its>, to: Its, values: readonly Value[]): Sql
  /** A reference and the column that it refers to, both with texts, as the engine compares the latter. */
  refersTo(from: Operand<Its>, to: Operand<Its>): Sql
  /** Whether the engine may take different texts of the column for equal. */
  isLoose(column: Its): boolean
  /**
   * The column's text contains this text, or starts with it; the comparison ignores letter case, but
   * not accents.
   */
  contains(left: Operand<Its>, text: string, where: Where): Sql
  /** The opposite of a condition; also true where the condition is NULL. */
  isNotTrue(condition: Sql): Sql
  /**
   * A condition by which the engine does not look for an index. Only for an engine that would choose one by
   * the first condition that has it; others know how many rows each finds.
   */
  isTrue?(condition: Sql): Sql
  /** Compares by the column's own collation with a value read from the column. */
  seeks(left: Operand<Its>, comparison: Comparison | '=', value: Value): Sql
  /**
   * The same for several columns compared one after the other, none of them NULL, so that the engine
   * seeks in an index by all of them at once. `undefined` where the engine cannot.
   */
  seeksAll(
    left: readonly Operand<Its>[],
    comparison: '<=' | '>=',
    values: readonly Value[],
  ): Sql | undefined
  /** Whether the table has such an index; otherwise the statement seeks column by column. */
  entersAll(table: Of, columns: readonly string[]): boolean
  /** A term of an order, its NULLs where the term puts them. `kind` is left out for a row number. */
  ordered(column: Sql, term: Term, kind?: Its): Sql
  /** The column as it differs wherever what is shown of it does, in an order of the engine's choice. */
  exact(value: Operand<Its>): Sql
  /** What to select for the value, where that is not the column itself. */
  read?(value: Operand<Its>): Sql
  /** The value as text. */
  text(value: Operand<Its>): Sql
  /**
   * The value in a union with columns of other types: unchanged if the engine allows that, otherwise
   * the text that JavaScript's `String` makes of it, and hexadecimal digits for binary.
   */
  unioned(value: Operand<Its>): Sql
  /** Turns a result of `unioned` back into a value of its column. */
  fromUnion(value: Value, column: Its): Value
  /** What rows are grouped by: the same for values that `equals` treats as equal, texts in byte order. */
  grouped(value: Operand<Its>): Sql
  /** The same for a reference: the same for all texts that `refersAmong` takes for equal. */
  groupedAs(value: Operand<Its>, to: Its): Sql
  /** What to select for a result of `grouped`. */
  ungrouped?(grouped: Sql, column: Its): Sql
  /**
   * The argument for `beginning` and `bytes`. Default: texts and binary unchanged, everything else
   * as text.
   */
  sliced?(value: Operand<Its>): Sql
  /** The first characters of a text, or bytes of binary. */
  beginning(value: Sql, length: number): Sql
  /** The length of a text or binary in bytes. */
  bytes(value: Sql): Sql
  /** The length in characters of a text, in bytes of binary. */
  length(value: Operand<Its>): Sql
  /** Limits the rows, after skipping some. */
  limit(rows: number, skip?: number): Sql
  /** Joins found keys with the table to look them up in, in this order. */
  readonly lookUp: Sql
  /** The terms that order a run, for engines that sort for others, too. Default: all. */
  decidingTerms?(table: Of, run: Pick<IndexedRun, 'terms' | 'equal'>): readonly Term[]
  /** Index hints for the run, after the table's name. */
  indexes?(table: Of, run: IndexedRun): Sql
  /** Whether runs without an index are read as one, since each would scan the whole table. */
  readonly isOneRun?: boolean
  /** Conditions through which a scan can be cancelled. They must come first. */
  guards?(table: Of, alias: Sql): Sql[]
  /**
   * The table, for use after `from`, in pieces; a scan can be cancelled between two of them without
   * a condition. `undefined` where the table has no pieces.
   */
  inPieces?(of: Of, table: Sql, columnOf: (name: string) => Sql): Sql | undefined
}
