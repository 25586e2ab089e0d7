/** Caches the tables of an open database, and decides when to check them for changes. */

import type { Access } from '../../table/source/access.ts'
import { isOutdated, settled } from '../failure.ts'
import type { Catalogue } from '../tables.ts'

/** How an engine reads its catalogue. */
export type CatalogueReader<Of extends Catalogue> = {
  /** Reads the whole catalogue. */
  load(): Promise<Of>
  /** A text that changes whenever tables, columns, keys, links or rights do. */
  fingerprint(): Promise<string>
  /** How old a check may be, ms: for describing the schema, and for reading or writing rows. */
  readonly maxAgeMs: { readonly describe: number; readonly use: number }
}

/**
 * A check slower than `ms` is repeated no sooner than `pause` times its duration later, or `most` ms. Nobody
 * waits for that one: until it is done, the tables are those of the check before.
 */
const SLOW_CHECK = { ms: 100, pause: 20, most: 400 }
/** A missing table is looked for again if the last check is at least this old, ms. */
const MISSED_MS = 1000

export class CatalogueCache<Of extends Catalogue> {
  readonly #reader: CatalogueReader<Of>
  readonly #now: () => number
  #catalogue: Of | undefined
  #fingerprint: string | undefined
  #checking: Promise<Of> | undefined
  #checkedAt = -Infinity
  /** How long the last check stays valid at least, because it was slow. */
  #minAgeMs = 0

  constructor(reader: CatalogueReader<Of>, now: () => number) {
    this.#reader = reader
    this.#now = now
  }

  /** The current catalogue: the same object as before, unless something has changed. */
  described(): Promise<Of> {
    return this.#atMost(this.#reader.maxAgeMs.describe)
  }

  /** The catalogue of a check recent enough for reading and writing rows. */
  current(): Promise<Of> {
    return this.#atMost(this.#reader.maxAgeMs.use)
  }

  /** The catalogue of a check that begins now, or is under way. */
  checked(): Promise<Of> {
    return this.#check()
  }

  /** The same for accesses: if a table or a column is missing, checks whether it has come back. */
  async for(accesses: readonly Access[]): Promise<Of> {
    const catalogue = await this.current()
    return areIn(catalogue, accesses) ? catalogue : (this.#fresh(MISSED_MS) ?? this.#check())
  }

  /**
   * Runs `work` on the cached catalogue, and once more if the tables turn out to have changed. Throws
   * `DATABASE_REFUSED` if something is missing even then.
   */
  async use<T>(accesses: readonly Access[], work: (catalogue: Of) => Promise<T>): Promise<T> {
    // Without `await` in the usual case: each one is a noticeable part of a page's cost.
    const cached = this.#fresh(this.#reader.maxAgeMs.use)
    const catalogue = cached && areIn(cached, accesses) ? cached : await this.for(accesses)
    try {
      return await work(catalogue)
    } catch (error) {
      if (!isOutdated(error)) throw error
    }
    const reloaded = await this.reload()
    try {
      return await work(reloaded)
    } catch (error) {
      throw settled(error)
    }
  }

  /** Reads the catalogue again, whatever its fingerprint. */
  reload(): Promise<Of> {
    this.#fingerprint = undefined
    this.#checkedAt = -Infinity
    return this.#check()
  }

  /** The cached catalogue, if the last check is recent enough. */
  #fresh(ms: number): Of | undefined {
    const isRecent = this.#now() - this.#checkedAt < Math.max(ms, this.#minAgeMs)
    return isRecent ? this.#catalogue : undefined
  }

  async #atMost(ms: number): Promise<Of> {
    const fresh = this.#fresh(ms)
    if (fresh) return fresh
    const checked = this.#check()
    if (this.#minAgeMs === 0 || !this.#catalogue || this.#checkedAt === -Infinity) return checked
    // Whoever needs a table that is missing waits for the next check, which reports the failure.
    checked.catch(() => undefined)
    return this.#catalogue
  }

  /** Concurrent callers share one check. */
  #check(): Promise<Of> {
    this.#checking ??= this.#read().finally(() => (this.#checking = undefined))
    return this.#checking
  }

  async #read(): Promise<Of> {
    const started = this.#now()
    // Read first, so that the next check notices what changes while the catalogue is read.
    const fingerprint = await this.#reader.fingerprint()
    const took = this.#now() - started
    this.#minAgeMs = took > SLOW_CHECK.ms ? Math.min(took * SLOW_CHECK.pause, SLOW_CHECK.most) : 0
    if (!this.#catalogue || fingerprint !== this.#fingerprint) {
      this.#catalogue = await this.#reader.load()
      this.#fingerprint = fingerprint
    }
    this.#checkedAt = this.#now()
    return this.#catalogue
  }
}

const areIn = (catalogue: Catalogue, accesses: readonly Access[]): boolean =>
  accesses.every((access) => isIn(catalogue, access))

/** Whether the catalogue has the table and columns of an access. */
function isIn({ tables }: Catalogue, { table }: Access): boolean {
  const found = tables.get(table.name)
  if (!found) return false
  return found.table === table || table.columns.every(({ name }) => found.columns.has(name))
}
