/** A PostgreSQL database: how its tables are read, its questions answered and its rows written. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { Statement } from '../query/sql.ts'
import type { CatalogueReader } from '../source/catalogue-cache.ts'
import type { Driver, ReadClass } from '../source/driver.ts'
import { fingerprintSql } from './catalogue-sql.ts'
import { PostgresQueryRunner } from './query-runner.ts'
import { estimateCount } from './estimate.ts'
import { isBadValue, isOutdated } from './failure.ts'
import { introspect } from './introspect.ts'
import type { ConnectionClass, Server } from './server.ts'
import type { RunOptions } from './session.ts'
import type { PostgresCatalogue } from './tables.ts'
import { Versions } from './versions.ts'
import { writeUnit } from './write.ts'

/** How often somebody looks whether tables have changed, ms. */
const LOOK_MS = 2000
/** The same where only reading everything tells, ms. */
const BLIND_MS = 30_000

export type DatabaseOptions = {
  readonly server: Server
  readonly readOnly: boolean
  /** What it is called; by default its own name. */
  readonly name?: string | undefined
  readonly now: () => number
}

export class PostgresDatabase implements Driver<PostgresCatalogue> {
  readonly server: Server
  readonly versions: Versions
  readonly name: string
  readonly write: Driver<PostgresCatalogue>['write']
  readonly catalogue: CatalogueReader<PostgresCatalogue> = {
    trustedMs: { describe: LOOK_MS, use: Infinity },
    load: () => this.#attempt(() => this.#load()),
    fingerprint: () => this.#attempt(() => this.#fingerprint()),
  }
  readonly #options: DatabaseOptions
  #hasLoaded = false
  /** The tables' fingerprint at a data version: where nothing was committed, nothing has changed. */
  #print: { readonly version: string; readonly text: string } | undefined

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.server = options.server
    this.versions = new Versions(options.server, options.now)
    this.name = options.server.address.database
    this.write = options.readOnly
      ? undefined
      : (catalogue, access, unit) => this.#write(catalogue, access, unit)
  }

  runner(catalogue: PostgresCatalogue, work: ReadClass): PostgresQueryRunner {
    return new PostgresQueryRunner(this, catalogue, work)
  }

  /** Changes whenever anybody has committed anything. */
  version(): Promise<string> {
    return this.#attempt(() => this.versions.current())
  }

  isBadValue(error: unknown): boolean {
    return isBadValue(error)
  }

  estimate(
    catalogue: PostgresCatalogue,
    access: Access,
    where: Predicate,
  ): Promise<Count | undefined> {
    return estimateCount(this, catalogue, access, where)
  }

  /** Rows of a statement. Throws errors of the catalogue, or the signal's reason. */
  async read(
    by: ConnectionClass,
    statement: Statement,
    run: Run & RunOptions = {},
  ): Promise<Value[][]> {
    try {
      return (await this.server.read(by, statement, run)).rows
    } catch (error) {
      if (run.signal?.aborted && error === run.signal.reason) throw error
      throw this.server.told(error)
    }
  }

  close(): Promise<void> {
    return this.server.close()
  }

  async #write(catalogue: PostgresCatalogue, access: Access, unit: Unit): Promise<UnitResult> {
    try {
      return await writeUnit(this, catalogue, access, unit)
    } finally {
      this.versions.distrust()
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.server.told(error)
    }
  }

  #load(): Promise<PostgresCatalogue> {
    // Statements that were prepared for other columns are not used again.
    if (this.#hasLoaded) this.server.distrust()
    this.#hasLoaded = true
    return this.#introspect().catch((error: unknown) => {
      // A table may have been dropped between two questions.
      if (!isOutdated(error)) throw error
      return this.#introspect()
    })
  }

  #introspect(): Promise<PostgresCatalogue> {
    return this.server.use('counts', (session) =>
      introspect({
        ask: async (statement) => (await session.run(statement, { isRare: true })).rows,
        look: async (statement, timeoutMs) =>
          (await this.server.read('rows', statement, { timeoutMs, isRare: true })).rows,
        now: this.#options.now,
        serverVersion: session.serverVersion,
        databaseName: this.#options.name,
      }),
    )
  }

  async #fingerprint(): Promise<string> {
    const version = await this.versions.current()
    if (this.#print?.version === version) return this.#print.text
    try {
      const { rows } = await this.server.read('rows', fingerprintSql)
      this.#print = { version, text: String(rows[0]?.[0]) }
      return this.#print.text
    } catch (error) {
      if (!isOutdated(error)) throw error
      // A server that does not tell is read anew from time to time.
      return String(Math.floor(this.#options.now() / BLIND_MS))
    }
  }
}
