/** SQLite's additions to tables. */

import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

export type SqliteColumn = Column & {
  /** The one that its indexes name, where that is not by bytes. */
  readonly collation?: string
  /** Whether it is the row number itself, which alone holds nothing but integers. */
  readonly isRowNumber?: true
}

export type SqliteTable = SourceTable<SqliteColumn> & {
  /** The name of the row number, or `null` if there is none. */
  readonly rowid: string | null
  /** The key column that is the row number itself. */
  readonly integerKey: string | null
  /** The conditions of its checks that have a name, by that in lower case. */
  readonly checks: ReadonlyMap<string, string>
}

export type SqliteCatalogue = Catalogue<SqliteTable>
