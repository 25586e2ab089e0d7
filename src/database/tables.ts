/** The tables of a database as its row source needs them: the schema, and what SQL needs beyond it. */

import type { Column, Schema, Table } from '../table/source/schema.ts'
import { name, type Sql } from './query/sql.ts'

/** A table with what statements need. Engines add fields of their own to it and its columns. */
export type SourceTable<Of extends Column = Column> = {
  readonly table: Table
  /** Its name in SQL, qualified by its schema where needed. */
  readonly from: Sql
  readonly columns: ReadonlyMap<string, Of>
  /** The columns that identify a row: a row number or the key; none in a view. */
  readonly locator: readonly string[]
}

/** A table that the database refuses to read; `refused` is what it says, for administrators. */
export const refusedTable = (
  table: string,
  kind: Table['kind'],
  refused: string,
): SourceTable<never> => ({
  table: {
    name: table,
    kind,
    columns: [],
    key: [],
    foreignKeys: [],
    indexes: [],
    estimate: null,
    refused,
  },
  from: name(table),
  columns: new Map<string, never>(),
  locator: [],
})

export type Catalogue<Of extends SourceTable = SourceTable> = {
  readonly schema: Schema
  readonly tables: ReadonlyMap<string, Of>
}

/** A column of such a table. */
export type ColumnOf<Of extends SourceTable> = Of extends SourceTable<infer Its> ? Its : never
