/** What a database holds, as an introspector reports it: tables, columns, keys and links. */

import type { Value } from './value.ts'

/** The kind of value that a column holds, whatever its engine calls it. */
export type ValueType =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json'
  | 'binary'

export type Column = {
  readonly name: string
  /** The engine's own type name, as declared. */
  readonly declared: string
  readonly type: ValueType
  readonly nullable: boolean
  /** Written by the database itself. */
  readonly generated: boolean
  readonly hasDefault: boolean
  /** The values that an enum or a check constraint allows, where it lists them. */
  readonly allowed?: readonly string[]
  /** Its order is that of `allowed`, as an enum's is, and not that of letters. */
  readonly isListed?: boolean
  /** What the database's owner wrote about it. */
  readonly comment?: string
  /** The default as the engine writes it. */
  readonly default?: string
  /** Counted up by the database itself. */
  readonly identity?: boolean
  /** Characters, digits in all, and digits after the point, where the type limits them. */
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number
  /** A moment on the world's clock, not on some wall's: its text ends with its offset from UTC. */
  readonly zoned?: boolean
  /** Holds several values of its kind; its text is the engine's own. */
  readonly array?: boolean
  /** At most 20 of its values, texts cut at 200 characters. */
  readonly sample?: readonly Value[]
  /** Different values, as the planner guesses or as a sample has them. */
  readonly distinct?: number
}

export type ForeignKey = {
  readonly columns: readonly string[]
  readonly table: string
  /** The referred columns, in the same order. */
  readonly references: readonly string[]
}

export type Index = {
  readonly name: string
  readonly columns: readonly { name: string; descending: boolean }[]
  readonly unique: boolean
  /** Holds only some of the rows. */
  readonly partial: boolean
}

export type Table = {
  /** Name as the row source wants it back: `schema.table` outside the default schema. */
  readonly name: string
  readonly kind: 'table' | 'view' | 'materialized view'
  /** The schema it is in, where that is not the default one. */
  readonly schema?: string
  readonly comment?: string
  readonly columns: readonly Column[]
  /** Columns that identify a row, in order; empty where nothing does, and then it is read-only. */
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly indexes: readonly Index[]
  /** Sets of columns that no two rows have alike, besides the key. */
  readonly uniques?: readonly (readonly string[])[]
  /** Check constraints, as the engine writes them. */
  readonly checks?: readonly string[]
  /** Names of its partitions; they are not listed as tables of their own. */
  readonly partitions?: readonly string[]
  /** Rows as the catalogue has them, or `null` where it does not know. Never a count. */
  readonly estimate: number | null
}

export type Schema = {
  /** What the database is called: its file's name, or its own. */
  readonly name: string
  /** Engine and version, such as `SQLite 3.53.4`. */
  readonly engine: string
  readonly tables: readonly Table[]
}
