/** What PostgreSQL's tables and columns have besides what every engine's have. */

import type { Column } from '../../table/source/schema.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

export type PostgresColumn = Column & { readonly pg: ColumnType }

/** A column's type and collation, as far as statements depend on them. */
export type ColumnType = {
  /** Name of the type below any domain, as `pg_type` has it. */
  readonly name: string
  /** The same as a cast writes it, quoted by the server. */
  readonly cast: string
  readonly kind: 'base' | 'enum' | 'array' | 'other'
  /** The words of an enum, in their order. */
  readonly words: readonly string[]
  /** Whether it has an order; the others are ordered by their texts. */
  readonly isOrdered: boolean
  /** Whether what its collation takes for equal is equal to the last byte. */
  readonly isDeterministic: boolean
  /** Whether its collation knows the letter case of ASCII only. */
  readonly isAsciiOnly: boolean
}

export type PostgresTable = SourceTable<PostgresColumn> & {
  /** Columns with a trigram index, which finds parts of texts. */
  readonly trigrams: ReadonlySet<string>
  /** Columns of its constraints and unique indexes, by their names. */
  readonly constraints: ReadonlyMap<string, readonly string[]>
  /** Its schema and name, as the server tells where an error happened. */
  readonly place: { readonly schema: string; readonly table: string }
}

export type PostgresCatalogue = Catalogue<PostgresTable> & {
  /** As in 150020 for 15.20. */
  readonly version: number
  /** Whether letter case of all scripts is known, whatever the database's own locale knows. */
  readonly hasIcu: boolean
}
