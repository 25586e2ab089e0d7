/** The driver for a PostgreSQL database. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import type { WriteRights } from '../../table/source/writing.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
import type { Value } from '../../table/source/value.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { Statement } from '../query/sql.ts'
import type { Recorder, Recording } from '../../table/source/recorder.ts'
import type { CatalogueReader } from '../source/catalogue-cache.ts'
import type { Driver, ReadClass, WriteRun } from '../source/driver.ts'
import { fingerprintSql, rightsSql } from './catalogue-sql.ts'
import { PostgresQueryRunner } from './query-runner.ts'
import { estimateCount } from './estimate.ts'
import { isBadValue, isOutdated } from './failure.ts'
import { introspect } from './introspect.ts'
import type { ConnectionClass, Server } from './server.ts'
import type { RunOptions } from './connection.ts'
import type { PostgresCatalogue } from './tables.ts'
import { DataVersion } from './data-version.ts'
import { writeUnit } from './write.ts'

/** How old a check of the tables may be, ms. */
const MAX_AGE_MS = 400
/** How often to reload the catalogue from a server without fingerprints, ms. */
const RELOAD_MS = 30_000

export type DatabaseOptions = {
  readonly server: Server
  /** Its address, with the password, and values for what that leaves out. */
  readonly url: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly readOnly: boolean
  /** Its name for people. Default: the database's own name. */
  readonly name?: string | undefined
  readonly now: () => number
  readonly notices?: Driver['notices']
  readonly recorder?: Recorder | undefined
}

export class PostgresDatabase implements Driver<PostgresCatalogue> {
  readonly server: Server
  recorder: Recorder | undefined
  readonly recording: Recording = {
    by: 'server',
    use: (recorder) => void (this.recorder = recorder),
  }
  readonly dataVersion: DataVersion
  readonly name: string
  readonly address: string
  readonly own: Driver['own']
  readonly write: Driver<PostgresCatalogue>['write']
  readonly notices: Driver['notices']
  readonly catalogue: CatalogueReader<PostgresCatalogue> = {
    maxAgeMs: { describe: MAX_AGE_MS, use: Infinity },
    load: () => this.#attempt(() => this.#load()),
    fingerprint: () => this.#attempt(() => this.#fingerprint()),
  }
  readonly #options: DatabaseOptions
  #hasLoaded = false
  /** The fingerprint at a data version: it cannot change while nothing is committed. */
  #fingerprintAt: { readonly version: string; readonly text: string } | undefined

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.server = options.server
    this.recorder = options.recorder
    const { notices } = options
    this.notices =
      notices &&
      ((heard) =>
        notices(() => {
          this.dataVersion.invalidate()
          heard()
        }))
    this.dataVersion = new DataVersion(options.server, options.now)
    this.own = {
      address: options.url,
      environment: options.environment,
      leaveOut: (writes) => this.dataVersion.leaveOut(writes),
    }
    const { host, port, database } = options.server.address
    this.name = database
    this.address = `${host}:${port}/${database}`
    this.write = options.readOnly
      ? undefined
      : (catalogue, unit, run) => this.#write(catalogue, unit, run)
  }

  runner(catalogue: PostgresCatalogue, work: ReadClass): PostgresQueryRunner {
    return new PostgresQueryRunner(this, catalogue, work)
  }

  /** Changes whenever anybody has committed anything. */
  version(): Promise<string> {
    return this.#attempt(() => this.dataVersion.read())
  }

  watchOthers(isKnown: (transaction: number) => boolean): () => Promise<WrittenTables> {
    const others = this.dataVersion.watchOthers(isKnown)
    return () => this.#attempt(others)
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

  /** Rows of a statement. Throws `AppError`s, or the signal's reason. */
  async read(
    by: ConnectionClass,
    statement: Statement,
    run: Run & RunOptions = {},
  ): Promise<Value[][]> {
    try {
      return (await this.server.read(by, statement, run)).rows
    } catch (error) {
      if (run.signal?.aborted && error === run.signal.reason) throw error
      throw this.server.toAppError(error)
    }
  }

  async rights(): Promise<WriteRights> {
    const [row = []] = await this.read('rows', rightsSql)
    const [role, ...counts] = row
    const [tables = 0, insert = 0, update = 0, remove = 0] = counts.map(Number)
    return { role: String(role), tables, insert, update, delete: remove }
  }

  close(): Promise<void> {
    return this.server.close()
  }

  async #write(catalogue: PostgresCatalogue, unit: Unit, run: WriteRun): Promise<UnitResult> {
    try {
      return await writeUnit(this, catalogue, unit, run)
    } finally {
      this.dataVersion.invalidate()
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.server.toAppError(error)
    }
  }

  #load(): Promise<PostgresCatalogue> {
    // Do not reuse statements that were prepared for the old columns.
    if (this.#hasLoaded) this.server.evict()
    this.#hasLoaded = true
    return this.#introspect().catch((error: unknown) => {
      // A table may have been dropped between two queries.
      if (!isOutdated(error)) throw error
      return this.#introspect()
    })
  }

  #introspect(): Promise<PostgresCatalogue> {
    return this.server.use('counts', (connection) =>
      introspect({
        ask: async (statement) => (await connection.run(statement, { isRare: true })).rows,
        look: async (statement, timeoutMs) =>
          (await this.server.read('rows', statement, { timeoutMs, isRare: true })).rows,
        now: this.#options.now,
        serverVersion: connection.serverVersion,
        databaseName: this.#options.name,
      }),
    )
  }

  async #fingerprint(): Promise<string> {
    const version = await this.dataVersion.read()
    if (this.#fingerprintAt?.version === version) return this.#fingerprintAt.text
    try {
      const { rows } = await this.server.read('rows', fingerprintSql)
      this.#fingerprintAt = { version, text: String(rows[0]?.[0]) }
      return this.#fingerprintAt.text
    } catch (error) {
      if (!isOutdated(error)) throw error
      // A server without these catalogues is reloaded from time to time.
      return String(Math.floor(this.#options.now() / RELOAD_MS))
    }
  }
}
