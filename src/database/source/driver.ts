/** What each engine implements for itself; `SqlSource` does the rest for all of them. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run, RowSource } from '../../table/source/row-source.ts'
import type { WriteRights } from '../../table/source/writing.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { EngineRunner } from '../query-runner.ts'
import type { Catalogue } from '../tables.ts'
import type { CatalogueReader } from './catalogue-cache.ts'

/** Counts and exports have connections of their own, so that no page waits for them. */
export type ReadClass = 'rows' | 'counts'

export interface Driver<Of extends Catalogue = Catalogue> {
  /** The database's name for people. */
  readonly name: string
  /** Tells it from all other databases; contains no password. */
  readonly address: string
  readonly catalogue: CatalogueReader<Of>
  /** Answers questions about the tables of `catalogue`. */
  runner(catalogue: Of, work: ReadClass): EngineRunner
  /** Changes whenever another program may have changed rows. */
  version(catalogue: Of): Promise<string>
  /** Whether a version cannot miss a change, not even for a moment. Default: no version can. */
  isExact?(version: string): boolean
  /** A cheaper version: cached labels are read again when it changes. Default: `version`. */
  labelsVersion?(): string
  /**
   * Returns what tells which tables others may have written since it was asked before; at first, that may be
   * any. `isKnown`: whether a transaction of that number is of a unit, or of another node. Absent: any.
   */
  watchOthers?(isKnown: (transaction: number) => boolean): (catalogue: Of) => Promise<WrittenTables>
  /** How many rows the planner expects, where it can tell. */
  estimate?(catalogue: Of, access: Access, where: Predicate): Promise<Count | undefined>
  /** Whether the error says that a value does not fit its column's type. */
  isBadValue?(error: unknown): boolean
  /** Writes a unit in one transaction. `undefined` for a database opened for reading only. */
  readonly write: Write<Of> | undefined
  /** What the database's role may write, or whether its file can be written. */
  rights(catalogue: Of): Promise<WriteRights>
  /** Prepares the database for writing, before the first unit. Default: nothing. */
  prepareWriting?(): void
  /** As those of `RowSource`. */
  readonly notices?: RowSource['notices']
  readonly noticedBy?: NonNullable<RowSource['noticedBy']>
  readonly recording?: RowSource['recording']
  readonly own?: RowSource['own']
  close(): Promise<void>
}

export type Write<Of extends Catalogue> = (
  catalogue: Of,
  unit: Unit,
  run: WriteRun,
) => Promise<UnitResult>

export type WriteRun = Run & {
  /** Told the number of each transaction of the unit before it ends, where the database counts them. */
  readonly began?: (transaction: number) => void
}
