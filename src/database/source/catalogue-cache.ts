/** What is known of the tables of an open database, and when somebody looks at them anew. */

import type { Access } from '../../table/source/access.ts'
import { isOutdated } from '../failure.ts'
import type { Catalogue } from '../tables.ts'

/** How an engine reads its catalogue. */
export type CatalogueReader<Known extends Catalogue> = {
  /** Reads everything. */
  load(): Promise<Known>
  /** A text that changes whenever tables, columns, keys, links or rights do. */
  fingerprint(): Promise<string>
  /** How long a look is trusted, ms: by who asks what there is, and by who reads or writes rows. */
  readonly trustedMs: { readonly describe: number; readonly use: number }
}

/** Where a look takes longer than this, ms, it is taken only so many times as long after the last. */
const LONG_LOOK = { ms: 100, pause: 20 }
/** A table that is missed so soon after a look has not come back since, ms. */
const MISSED_MS = 1000

export class CatalogueCache<Known extends Catalogue> {
  readonly #reader: CatalogueReader<Known>
  readonly #now: () => number
  #known: Known | undefined
  #fingerprint: string | undefined
  #looking: Promise<Known> | undefined
  #lookedAt = -Infinity
  /** How long the last look asks to be trusted, because it took so long. */
  #pauseMs = 0

  constructor(reader: CatalogueReader<Known>, now: () => number) {
    this.#reader = reader
    this.#now = now
  }

  /** What there is now: the same object as before, unless something has changed. */
  described(): Promise<Known> {
    return this.#trusting(this.#reader.trustedMs.describe)
  }

  /** What was known last, by a look that is young enough to read and write rows. */
  current(): Promise<Known> {
    return this.#trusting(this.#reader.trustedMs.use)
  }

  /** The same for somebody's access: a table or column that is missed may have come back. */
  async for(access: Access): Promise<Known> {
    const catalogue = await this.current()
    return isIn(catalogue, access) ? catalogue : this.#trusting(MISSED_MS)
  }

  /** Works on the tables as they are known, once more where they turn out to have changed. */
  async use<T>(access: Access, work: (catalogue: Known) => Promise<T>): Promise<T> {
    // Nearly always there is nothing to wait for, and a page costs little more than its waits.
    const known = this.#trusted(this.#reader.trustedMs.use)
    const catalogue = known && isIn(known, access) ? known : await this.for(access)
    try {
      return await work(catalogue)
    } catch (error) {
      if (!isOutdated(error)) throw error
      return work(await this.reload())
    }
  }

  /** Reads everything anew. */
  reload(): Promise<Known> {
    this.#fingerprint = undefined
    this.#lookedAt = -Infinity
    return this.#look()
  }

  /** What is known, if the last look is young enough. */
  #trusted(ms: number): Known | undefined {
    const isYoung = this.#now() - this.#lookedAt < Math.max(ms, this.#pauseMs)
    return isYoung ? this.#known : undefined
  }

  async #trusting(ms: number): Promise<Known> {
    return this.#trusted(ms) ?? this.#look()
  }

  /** Whoever comes while somebody is looking is told the same. */
  #look(): Promise<Known> {
    this.#looking ??= this.#read().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #read(): Promise<Known> {
    const started = this.#now()
    // First, so that what changes while everything is read shows at the next look.
    const fingerprint = await this.#reader.fingerprint()
    const took = this.#now() - started
    this.#pauseMs = took > LONG_LOOK.ms ? took * LONG_LOOK.pause : 0
    if (!this.#known || fingerprint !== this.#fingerprint) {
      this.#known = await this.#reader.load()
      this.#fingerprint = fingerprint
    }
    this.#lookedAt = this.#now()
    return this.#known
  }
}

/** Whether the tables have what an access was granted for. */
function isIn({ tables }: Catalogue, { table }: Access): boolean {
  const found = tables.get(table.name)
  if (!found) return false
  return found.table === table || table.columns.every(({ name }) => found.columns.has(name))
}
