/** What a database holds, as an introspector reports it: tables, columns, keys and links. */

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
  /** The values that a check constraint allows, where it lists them. */
  readonly allowed?: readonly string[]
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
  readonly kind: 'table' | 'view'
  readonly columns: readonly Column[]
  /** Columns that identify a row, in order; empty where nothing does, and then it is read-only. */
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly indexes: readonly Index[]
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
