/** PostgreSQL's additions to tables and columns. */

import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

export type PostgresColumn = Column & { readonly pg: ColumnType }

/** A column's type and collation, as far as statements depend on them. */
export type ColumnType = {
  /** The name of the type below any domain, as in `pg_type`. */
  readonly name: string
  /** The name for a cast, quoted by the server. */
  readonly cast: string
  readonly kind: 'base' | 'enum' | 'array' | 'other'
  /** The members of an enum, in their order. */
  readonly words: readonly string[]
  /** Whether the type has an order; others are ordered by their texts. */
  readonly isOrdered: boolean
  /** Whether only texts with equal bytes are equal in its collation. */
  readonly isDeterministic: boolean
  /** Its collation, quoted by the server; `null` for a type without one. */
  readonly collation: string | null
  /** Whether its collation knows only the letter case of ASCII. */
  readonly isAsciiOnly: boolean
}

export type PostgresTable = SourceTable<PostgresColumn> & {
  /** Columns with a trigram index. */
  readonly trigrams: ReadonlySet<string>
  /** The columns of each constraint and unique index, by its name. */
  readonly constraints: ReadonlyMap<string, readonly string[]>
  /** Its schema and name, as in the server's errors. */
  readonly place: { readonly schema: string; readonly table: string }
}

export type PostgresCatalogue = Catalogue<PostgresTable> & {
  /** As in 150020 for 15.20. */
  readonly version: number
  /** Whether the server has ICU collations, which know the letter case of all scripts. */
  readonly hasIcu: boolean
}
