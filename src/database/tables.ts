/** The tables of a database as its row source needs them: the schema and what lies below it. */

import type { Column, Schema, Table } from '../table/source/schema.ts'
import type { Sql } from './query/sql.ts'

/** A table with what the statements on it need. Engines add what is their own to it and its columns. */
export type SourceTable<Of extends Column = Column> = {
  readonly table: Table
  /** Its name, with its schema's where it needs one. */
  readonly from: Sql
  readonly columns: ReadonlyMap<string, Of>
  /** What the engine finds a row by: a row number, the key, nothing in a view. */
  readonly locator: readonly string[]
}

export type Catalogue<Of extends SourceTable = SourceTable> = {
  readonly schema: Schema
  readonly tables: ReadonlyMap<string, Of>
}

/** A column of such a table. */
export type ColumnOf<Of extends SourceTable> = Of extends SourceTable<infer Its> ? Its : never
