/** What one kind of database does in a way of its own; `SqlSource` does the rest for all of them. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { QueryRunner } from '../query-runner.ts'
import type { Catalogue } from '../tables.ts'
import type { CatalogueReader } from './catalogue-cache.ts'

/** Who shares connections with whom: no page ever waits for a count. */
export type ReadClass = 'rows' | 'counts'

export interface Driver<Known extends Catalogue = Catalogue> {
  /** What people call the database. */
  readonly name: string
  readonly catalogue: CatalogueReader<Known>
  /** Answers questions about the tables as they are known. */
  runner(catalogue: Known, work: ReadClass): Omit<QueryRunner, 'labels'>
  /** Changes whenever others may have changed rows. */
  version(catalogue: Known): Promise<string>
  /** Whether a version cannot miss a change, not even for a moment. Default: no version can. */
  isExact?(version: string): boolean
  /** The same, as often as labels of related rows are to be read again. Default: `version`. */
  labelsVersion?(): string
  /** How many rows the planner expects, where it can know. */
  estimate?(catalogue: Known, access: Access, where: Predicate): Promise<Count | undefined>
  /** Whether a value could not be read as one of its column's type. */
  isBadValue?(error: unknown): boolean
  /** Writes a unit, whole or not at all. `undefined` where the database is only read. */
  readonly write: Write<Known> | undefined
  close(): Promise<void>
}

export type Write<Known extends Catalogue> = (
  catalogue: Known,
  access: Access,
  unit: Unit,
  run: Run,
) => Promise<UnitResult>
