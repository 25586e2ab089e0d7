/** What the engines of Tablewire's own tables do differently. */

import type { ColumnDataType, Dialect, Expression, Kysely } from 'kysely'
import type { OwnWrites } from '../../table/source/own-tables.ts'

type DataType = ColumnDataType | Expression<unknown>

/** How an engine declares the columns of these tables. */
export type ColumnTypes = {
  /** A text of up to 255 characters, compared byte by byte; it may be in a key or an index. */
  readonly key: DataType
  /** A text of any length. */
  readonly text: DataType
  readonly bytes: DataType
  /** A whole number; also a time, which is milliseconds since 1970. */
  readonly whole: DataType
}

export type Engine = {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  readonly dialect: Dialect
  readonly columns: ColumnTypes
  /** Where it is, for people; contains no password. */
  readonly place: string
  /** What the source of the data leaves out of its version. */
  readonly writes: OwnWrites
  /** Runs in the transaction of the migrations, before them: others wait until it ends. */
  begin?(within: Kysely<object>): Promise<void>
  /** Runs on the same connection once it has ended, or failed. */
  end?(within: Kysely<object>): Promise<void>
  /** To be called once the migrations are done. */
  ready?(): void
  /** Whether this ended a transaction that may succeed when it is run again. */
  isRolledBack(error: unknown): boolean
  /** Removes what the engine keeps for itself and no longer needs. */
  sweep?(db: Kysely<object>, now: number): Promise<void>
}
