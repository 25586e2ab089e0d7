/** SQLite's additions to tables. */

import type { Catalogue, SourceTable } from '../tables.ts'

export type SqliteTable = SourceTable & {
  /** The name of the row number, or `null` if there is none. */
  readonly rowid: string | null
  /** The key column that is the row number itself. */
  readonly integerKey: string | null
}

export type SqliteCatalogue = Catalogue<SqliteTable>
