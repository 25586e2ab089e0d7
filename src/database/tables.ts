/** The tables of a database as its row source needs them: the schema and what lies below it. */

import type { Column, Schema, Table } from '../table/source/schema.ts'
import type { Sql } from './query/sql.ts'

/** A table with what the statements on it need. Engines add what is their own. */
export type SourceTable = {
  readonly table: Table
  /** Its name, with its schema's where it needs one. */
  readonly from: Sql
  readonly columns: ReadonlyMap<string, Column>
  /** What the engine finds a row by: a row number, the key, nothing in a view. */
  readonly locator: readonly string[]
}

export type Catalogue<Of extends SourceTable = SourceTable> = {
  readonly schema: Schema
  readonly tables: ReadonlyMap<string, Of>
}
