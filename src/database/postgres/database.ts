/** A PostgreSQL database: what is known of its tables, and whether it still holds. */

import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { Statement } from '../query/sql.ts'
import { fingerprintSql } from './catalogue-sql.ts'
import { isOutdated } from './failure.ts'
import { introspect } from './introspect.ts'
import type { Lane, Server } from './server.ts'
import type { RunOptions } from './session.ts'
import type { PostgresCatalogue } from './tables.ts'
import { Versions } from './versions.ts'

/** How often a look is taken whether tables have changed, ms. */
const LOOK_MS = 2000
/** The same where only reading everything tells, ms. */
const BLIND_MS = 30_000

export type DatabaseOptions = {
  readonly server: Server
  /** What it is called; by default its own name. */
  readonly name?: string | undefined
  readonly now: () => number
}

type Known = {
  readonly catalogue: PostgresCatalogue
  readonly fingerprint: string
  /** The data version at which this was last known to hold. */
  version: string
}

export class PostgresDatabase {
  readonly server: Server
  readonly versions: Versions
  readonly #options: DatabaseOptions
  #known: Known | undefined
  #loading: Promise<Known> | undefined
  #lookedAt = -Infinity

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.server = options.server
    this.versions = new Versions(options.server, options.now)
  }

  /** What there is, as it was when somebody last looked. */
  async catalogue(): Promise<PostgresCatalogue> {
    return (this.#known ?? (await this.#load())).catalogue
  }

  /** Notices, now and then, that tables have changed. */
  async check(): Promise<PostgresCatalogue> {
    const known = this.#known ?? (await this.#load())
    if (this.#options.now() - this.#lookedAt < LOOK_MS) return known.catalogue
    this.#lookedAt = this.#options.now()
    const version = await this.version()
    // Nothing was committed, so nothing has changed.
    if (version === known.version) return known.catalogue
    const isSame = (await this.#attempt(() => this.#fingerprint())) === known.fingerprint
    if (isSame) known.version = version
    return isSame ? known.catalogue : this.reload()
  }

  /** What there is now. Statements that were prepared before are not used again. */
  async reload(): Promise<PostgresCatalogue> {
    this.server.distrust()
    return (await this.#load()).catalogue
  }

  /** Changes whenever anybody has committed anything. */
  version(): Promise<string> {
    return this.#attempt(() => this.versions.current())
  }

  /** Rows of a statement. Throws errors of the catalogue, or the signal's reason. */
  async read(lane: Lane, statement: Statement, run: Run & RunOptions = {}): Promise<Value[][]> {
    try {
      return (await this.server.read(lane, statement, run)).rows
    } catch (error) {
      if (run.signal?.aborted && error === run.signal.reason) throw error
      throw this.server.told(error)
    }
  }

  /** Whoever comes while it is being read waits for the same. */
  #load(): Promise<Known> {
    this.#loading ??= this.#describe().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #describe(): Promise<Known> {
    const again = (error: unknown): Promise<Known> => {
      // A table may have been dropped between two questions.
      if (!isOutdated(error)) throw error
      return this.#introspect()
    }
    this.#known = await this.#attempt(() => this.#introspect().catch(again))
    return this.#known
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.server.told(error)
    }
  }

  async #introspect(): Promise<Known> {
    // Both before what they stand for, so that a change in between is noticed later.
    const version = await this.versions.current()
    const fingerprint = await this.#fingerprint()
    const catalogue = await this.server.use('counts', (session) =>
      introspect({
        ask: async (statement) => (await session.run(statement, { isRare: true })).rows,
        look: async (statement, timeoutMs) =>
          (await this.server.read('rows', statement, { timeoutMs, isRare: true })).rows,
        now: this.#options.now,
        serverVersion: session.serverVersion,
        databaseName: this.#options.name,
      }),
    )
    this.#lookedAt = this.#options.now()
    return { catalogue, fingerprint, version }
  }

  async #fingerprint(): Promise<string> {
    try {
      const { rows } = await this.server.read('rows', fingerprintSql)
      return String(rows[0]?.[0])
    } catch (error) {
      if (!isOutdated(error)) throw error
      // A server that does not tell is read anew from time to time.
      return String(Math.floor(this.#options.now() / BLIND_MS))
    }
  }
}
