/** What SQLite's tables have besides what every engine's have. */

import type { Catalogue, SourceTable } from '../tables.ts'

export type SqliteTable = SourceTable & {
  /** The name that the row number answers to, or `null` where there is none. */
  readonly rowid: string | null
  /** The key column that is the row number itself. */
  readonly integerKey: string | null
}

export type SqliteCatalogue = Catalogue<SqliteTable>
