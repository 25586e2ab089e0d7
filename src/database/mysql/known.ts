/** What is known of the tables of an open database, and when it is looked at anew. */

import type { Access } from '../../table/source/access.ts'
import { hasChanged } from './failure.ts'
import type { Flavour } from './flavour.ts'
import { introspect } from './introspect.ts'
import { readSchemaPrint } from './schema-print.ts'
import type { Server } from './server.ts'
import type { MysqlCatalogue } from './tables.ts'

/** Longest time of a question to the catalogue, ms. */
const RUN = { timeoutMs: 30_000 }
/** What was looked at so lately has not changed, ms. */
const TRUSTED_MS = 1000
/** Where a look takes longer than this, ms, it is taken only so many times as long after the last. */
const LONG_LOOK = { ms: 100, pause: 20 }

export class KnownTables {
  readonly #server: Server
  readonly #database: string
  readonly #now: () => number
  #catalogue: MysqlCatalogue | undefined
  #loading: Promise<MysqlCatalogue> | undefined
  #loadedAt = -Infinity
  #print = ''
  #looking: Promise<MysqlCatalogue> | undefined
  #lookAgainAt = -Infinity

  constructor(server: Server, database: string, now: () => number) {
    this.#server = server
    this.#database = database
    this.#now = now
  }

  /** What there is now: the same object as before, unless something has changed. */
  refreshed(): Promise<MysqlCatalogue> {
    const catalogue = this.#catalogue
    if (!catalogue) return this.load()
    if (this.#now() < this.#lookAgainAt) return Promise.resolve(catalogue)
    this.#looking ??= this.#look(catalogue).finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #look(catalogue: MysqlCatalogue): Promise<MysqlCatalogue> {
    const started = this.#now()
    const print = await this.#readPrint(catalogue.flavour)
    const took = this.#now() - started
    this.#lookAgainAt = took > LONG_LOOK.ms ? this.#now() + took * LONG_LOOK.pause : -Infinity
    return print === this.#print ? catalogue : this.load()
  }

  #readPrint(flavour: Flavour): Promise<string> {
    return readSchemaPrint(
      (fragment) => this.#server.ask('rows', fragment, RUN),
      this.#database,
      flavour,
    )
  }

  /** Looks at all tables; whoever asks meanwhile is given the same answer. */
  load(): Promise<MysqlCatalogue> {
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  /** What was known last. */
  current(): Promise<MysqlCatalogue> {
    return this.#catalogue ? Promise.resolve(this.#catalogue) : this.load()
  }

  /** Does what is to be done, once more where the tables turn out to have changed meanwhile. */
  async on<T>(access: Access, work: (catalogue: MysqlCatalogue) => Promise<T>): Promise<T> {
    const catalogue = await this.#catalogueFor(access)
    try {
      return await work(catalogue)
    } catch (error) {
      if (!hasChanged(error)) throw error
      return work(await this.load())
    }
  }

  /** A table or column that is missed may have come back. */
  async #catalogueFor({ table }: Access): Promise<MysqlCatalogue> {
    const catalogue = await this.current()
    const found = catalogue.tables.get(table.name)
    const isKnown = found && table.columns.every(({ name }) => found.columns.has(name))
    const isOld = this.#now() - this.#loadedAt > TRUSTED_MS
    return isKnown || !isOld ? catalogue : this.load()
  }

  async #read(): Promise<MysqlCatalogue> {
    const server = this.#server
    const flavour = await server.use('rows', async (session) => session.flavour, RUN)
    // What changes while everything is read shows at the next look.
    const print = await this.#readPrint(flavour)
    this.#catalogue = await introspect({
      database: this.#database,
      flavour,
      ask: (fragment) => server.ask('rows', fragment, RUN),
      look: (fragment, ms) => server.look(fragment, ms),
      now: this.#now,
    })
    this.#print = print
    this.#loadedAt = this.#now()
    return this.#catalogue
  }
}
