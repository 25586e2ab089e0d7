/** The options of a role of one's own: which tables, rows and columns it reads and changes. */

import type { Actor } from '../../server/actor.ts'
import type { Value } from '../source/value.ts'

type AnyRow = { readonly [column: string]: unknown }
type AnyDatabase = { readonly [table: string]: AnyRow }

/** Names of a row's columns, or of a database's tables. */
type Name<Of> = keyof Of & string

/** What a column holds that is not NULL; without the row's type, any value. */
type Held<Its> = unknown extends Its ? Exclude<Value, null> : NonNullable<Its>

/** A value, or a function that finds it for a person; `null` and `undefined`: there is none for them. */
export type ForPerson<Its> = Its | ((of: { readonly actor: Actor }) => Its | null | undefined)

/** A condition on one column. */
type ColumnCondition<Row> = {
  [Column in Name<Row>]:
    | { readonly op: 'null'; readonly column: Column }
    | {
        readonly op: 'eq' | 'lt' | 'lte' | 'gt' | 'gte'
        readonly column: Column
        readonly value: ForPerson<Held<Row[Column]>>
      }
    | {
        readonly op: 'in'
        readonly column: Column
        readonly values: ForPerson<readonly Held<Row[Column]>[]>
      }
    | {
        readonly op: 'contains' | 'starts'
        readonly column: Column
        readonly text: ForPerson<string>
      }
}[Name<Row>]

/** A condition on rows of other tables that a row refers to, or that refer to it. */
type OtherCondition<Row, Database> = {
  [Table in Name<Database>]:
    | {
        readonly op: 'related'
        /** The column that refers to the other table. */
        readonly column: Name<Row>
        readonly table: Table
        /** The column there that it refers to. */
        readonly references: Name<Database[Table]>
        readonly where: RowCondition<Database[Table], Database>
      }
    | {
        readonly op: 'referred'
        /** The table that refers here. */
        readonly table: Table
        /** Its columns, and the columns here that they refer to, in the same order. */
        readonly columns: readonly Name<Database[Table]>[]
        readonly references: readonly Name<Row>[]
        readonly where: RowCondition<Database[Table], Database>
      }
}[Name<Database>]

/**
 * Which rows a role has: a `Predicate` whose values may be functions of the person. Where a function finds no
 * value, its condition holds for no row, and neither does one that denies it.
 */
export type RowCondition<Row = AnyRow, Database = AnyDatabase> =
  | { readonly op: 'and' | 'or'; readonly all: readonly RowCondition<Row, Database>[] }
  | { readonly op: 'not'; readonly of: RowCondition<Row, Database> }
  | ColumnCondition<Row>
  | OtherCondition<Row, Database>

/** What a role may do with a table. */
export type RoleTable<Row = AnyRow, Database = AnyDatabase> = {
  /**
   * Never there. It makes the compiler compare such types by their columns, so that a role of a known database is
   * taken where one of any database is.
   */
  readonly '~columns'?: { readonly [Column in Name<Row>]?: never }
  /** `true`: all columns. Those of the key are always read, because every address holds them. */
  readonly read: true | readonly Name<Row>[]
  /** Whether it creates rows, and which columns it gives them; `true`: all that it reads. Default: false. */
  readonly create?: boolean | readonly Name<Row>[] | undefined
  /** Whether it changes rows, and in which columns; `true`: all that it reads. Default: false. */
  readonly update?: boolean | readonly Name<Row>[] | undefined
  /** Default: false. */
  readonly delete?: boolean | undefined
  /** The rows that it sees, changes and creates. Default: all. */
  readonly rows?: RowCondition<Row, Database> | undefined
}

/** A role. It may do nothing with tables that it does not name, and nowhere more than the policy allows. */
export type RoleOptions<Database = AnyDatabase> = {
  /** What it is called. Default: its name in words. */
  readonly label?: string | undefined
  /** Whom it is for, a sentence for administrators who choose a role. */
  readonly help?: string | undefined
  readonly tables: {
    readonly [Table in Name<Database>]?: RoleTable<Database[Table], Database> | undefined
  }
}

/** Roles by name. `Database` holds the row type of each table. */
export type Roles<Database = AnyDatabase> = { readonly [role: string]: RoleOptions<Database> }
