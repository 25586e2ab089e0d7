/** The additions of MySQL and MariaDB to tables and columns. */

import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'
import type { Flavour } from './flavour.ts'
import type { Kind } from './kinds.ts'

/** A column with its type in the engine's own terms. */
export type MysqlColumn = Column & { readonly kind: Kind }

export type MysqlTable = SourceTable<MysqlColumn> & {
  /** Whether the table is clustered by its primary key, with which every index then ends. */
  readonly isClustered: boolean
  /** Whether the storage engine has transactions. */
  readonly isTransactional: boolean
  /** The storage engine; of a view, one without transactions that its tables may have, else `null`. */
  readonly engine: string | null
  /** The columns of each unique index and check constraint, by its name. */
  readonly constraints: ReadonlyMap<string, readonly string[]>
  /** The columns of each full-text index. */
  readonly fullText: readonly (readonly string[])[]
}

export type MysqlCatalogue = Catalogue<MysqlTable> & { readonly flavour: Flavour }
