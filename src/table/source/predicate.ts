/** Conditions on rows, as data: what policies, searches and filters are made of. */

import type { Value } from './value.ts'

/** A column of another table to which a column refers. */
export type Referred = { readonly table: string; readonly column: string }

/**
 * A condition on one row. It names columns and tables and holds values, but neither SQL nor
 * permissions: the actor's access is resolved when it runs. `encodePredicate` makes JSON of it.
 */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly all: readonly Predicate[] }
  /**
   * All rows that do not fulfil `of`, also because of a NULL: every row matches exactly one of the
   * two.
   */
  | { readonly op: 'not'; readonly of: Predicate }
  | { readonly op: 'null'; readonly column: string }
  /** `null` is equal to NULL; nothing is less or greater than it. */
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly column: string; readonly value: Value }
  /**
   * Texts are equal if their bytes are. With `as`, the column is a reference, and the engine decides, as
   * it does for the column that it refers to: there `DE` may be equal to `de`.
   */
  | { readonly op: 'eq'; readonly column: string; readonly value: Value; readonly as?: Referred }
  | {
      readonly op: 'in'
      readonly column: string
      readonly values: readonly Value[]
      readonly as?: Referred
    }
  /** The column contains this text, or starts with it; case is ignored as far as the engine can. */
  | { readonly op: 'contains' | 'starts'; readonly column: string; readonly text: string }
  /**
   * The actor may see the row that this foreign key column refers to, and it fulfils `where`. No
   * row matches if the actor may not see the table.
   */
  | {
      readonly op: 'related'
      readonly column: string
      /** Name of the related table. */
      readonly table: string
      /** Column of the related table that the foreign key refers to. */
      readonly references: string
      readonly where: Predicate
    }
  /**
   * A row of this table that the actor may see refers to the row by these columns, and fulfils `where`.
   * No row matches if the actor may not see the table.
   */
  | {
      readonly op: 'referred'
      /** Name of the table that refers here. */
      readonly table: string
      /** Its columns, and the columns here that they refer to, in the same order. */
      readonly columns: readonly string[]
      readonly references: readonly string[]
      readonly where: Predicate
    }

/** Matches every row. */
export const everything: Predicate = { op: 'and', all: [] }

/** Matches no row. */
export const nothing: Predicate = { op: 'or', all: [] }
