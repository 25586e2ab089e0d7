/** What the tables of MySQL and MariaDB have besides what every engine's have. */

import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'
import type { Flavour } from './flavour.ts'
import type { Kind } from './kinds.ts'

/** A column with its type in the engine's own terms. */
export type MysqlColumn = Column & { readonly kind: Kind }

export type MysqlTable = SourceTable<MysqlColumn> & {
  /** Whether rows lie in the order of the primary key, with which every index then ends. */
  readonly isClustered: boolean
  /** Whether what was written can be undone before it is committed. */
  readonly isTransactional: boolean
  /** The storage engine, where it is a table. */
  readonly engine: string | null
  /** The columns of each unique index and each check constraint, by its name. */
  readonly constraints: ReadonlyMap<string, readonly string[]>
  /** Columns that a full-text index covers, each index by itself. */
  readonly fullText: readonly (readonly string[])[]
}

export type MysqlCatalogue = Catalogue<MysqlTable> & { readonly flavour: Flavour }
