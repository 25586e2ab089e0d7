/** What a source knows of writes: which tables were written, by itself, by other nodes, or by anybody else. */

/** Names of tables that were written; `any`: nobody can tell which. */
export type WrittenTables = readonly string[] | 'any'

export const withTables = (one: WrittenTables, other: WrittenTables): WrittenTables =>
  one === 'any' || other === 'any' ? 'any' : [...new Set([...one, ...other])]

/** A write that is on disk, and that its writer tells of. */
export type KnownWrite = {
  readonly tables: WrittenTables
  /** Numbers by which the database tells its transactions from those of others, where it does. */
  readonly transactions: readonly number[]
}

/** What a source knows of writes, so that not every one of them may concern every table. */
export type WriteLog = {
  /** Calls `heard` after each write of this source. */
  onWrite(heard: (write: KnownWrite) => void): void
  /** Adds a write of another node of the application. */
  add(write: KnownWrite): void
  watch(): WriteWatch
}

/** Tells what was written since it was asked before; at first, that is not known. */
export type WriteWatch = {
  /** Tables of the writes in the log. */
  known(): Promise<WrittenTables>
  /** Tables that anybody else may have written. A call that throws counts as none. */
  others(): Promise<WrittenTables>
}
