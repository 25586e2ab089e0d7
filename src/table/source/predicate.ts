/** Conditions on rows, as data: what policies, searches and filters are made of. */

import type { Value } from './value.ts'

/**
 * A condition on one row. It names columns and tables and holds values; it never holds SQL, nor
 * anybody's rights: what an actor may see is decided when it runs. `encodePredicate` makes JSON of it.
 */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly all: readonly Predicate[] }
  /** The rows that do not fulfil it, whatever NULLs they hold: a row is always in one or the other. */
  | { readonly op: 'not'; readonly of: Predicate }
  | { readonly op: 'null'; readonly column: string }
  /** `null` is equal to NULL; nothing is less or greater than it. */
  | {
      readonly op: 'eq' | 'lt' | 'lte' | 'gt' | 'gte'
      readonly column: string
      readonly value: Value
    }
  | { readonly op: 'in'; readonly column: string; readonly values: readonly Value[] }
  /** The text of the column holds this text; case is ignored as the engine can. */
  | { readonly op: 'contains'; readonly column: string; readonly text: string }
  /**
   * The row that this foreign key column refers to may be seen and fulfils `where`. No row matches
   * where the actor may not see the table.
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

/** Matches every row. */
export const everything: Predicate = { op: 'and', all: [] }

/** Matches no row. */
export const nothing: Predicate = { op: 'or', all: [] }
