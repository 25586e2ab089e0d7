/** Rate limits that all nodes share: for each key, until when it has used up its share. */

import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { MetadataTables } from './tables.ts'

type SharedLimit = {
  readonly key: string
  /** How often the key may be used at once, and again within each window. */
  readonly limit: number
  readonly windowMs: number
}

export class Limits {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number

  constructor(db: Kysely<MetadataTables>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /**
   * Counts a use. Returns 0, or, without counting it, how long until there is one, ms. Each use moves the
   * key's time on by its share of a window, which it may be ahead of the clock at most.
   */
  async take({ key, limit, windowMs }: SharedLimit): Promise<number> {
    const now = this.#now()
    const share = Math.ceil(windowMs / limit)
    // Keys may be addresses of people, and of any length.
    const digest = createHash('sha256').update(key).digest('base64url')
    // A clock that was set back locks nobody out.
    const base = sql<number>`case when until > ${now} and until <= ${now + 2 * windowMs}
      then until else ${now} end`
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireLimits')
      .set({ until: sql<number>`${base} + ${share}` })
      .where('key', '=', digest)
      .where(sql<number>`${base}`, '<=', now + windowMs - share)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n || (await this.#begin(digest, now + share))) return 0
    const row = await this.#find(digest)
    const wait = row ? row.until + share - windowMs - now : 0
    // Another node began with the key, or it was removed, in between.
    return wait > 0 ? wait : this.take({ key, limit, windowMs })
  }

  async #begin(key: string, until: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireLimits')
      .values({ key, until })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  #find(key: string): Promise<{ until: number } | undefined> {
    return this.#db
      .selectFrom('tablewireLimits')
      .select('until')
      .where('key', '=', key)
      .executeTakeFirst()
  }
}
