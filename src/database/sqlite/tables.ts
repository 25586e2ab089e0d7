/** The tables of a SQLite file as its row source needs them: the schema and what lies below it. */

import type { Column, Schema, Table } from '../../table/schema.ts'

export type SqliteTable = {
  readonly table: Table
  readonly columns: ReadonlyMap<string, Column>
  /** What the engine finds a row by: its row number, the key without one, nothing in a view. */
  readonly locator: readonly string[]
  /** The name that the row number answers to, or `null` where there is none. */
  readonly rowid: string | null
  /** The key column that is the row number itself. */
  readonly integerKey: string | null
}

export type Catalogue = {
  readonly schema: Schema
  readonly tables: ReadonlyMap<string, SqliteTable>
}
