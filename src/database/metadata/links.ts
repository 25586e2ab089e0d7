/** Sign-in links that were issued: each works once, and only its hash is stored. */

import type { Kysely } from 'kysely'
import type { LinkRow, MetadataTables } from './tables.ts'

export type StoredLink = Omit<LinkRow, 'usedAt'>

export class Links {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async insert(link: StoredLink): Promise<void> {
    await this.#db.insertInto('tablewireLinks').values(link).execute()
  }

  /** The link of a token, unless it was used or has expired. */
  findOpen(tokenHash: string, now: number): Promise<StoredLink | undefined> {
    return this.#db
      .selectFrom('tablewireLinks')
      .select(['tokenHash', 'userId', 'role', 'expiresAt', 'setsPassword'])
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
  }

  /** Until when a person may choose a password by a link, by the person; those who may not are absent. */
  async openForPasswords(now: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db
      .selectFrom('tablewireLinks')
      .select(['userId', 'expiresAt'])
      .where('setsPassword', '=', 1)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .execute()
    return new Map(
      rows.flatMap(({ userId, expiresAt }) => (userId === null ? [] : [[userId, expiresAt]])),
    )
  }

  /** Takes back all links of a person. */
  async removeAll(userId: string): Promise<void> {
    await this.#db
      .deleteFrom('tablewireLinks')
      .where('userId', '=', userId)
      .where('usedAt', 'is', null)
      .execute()
  }

  /** Takes back the links by which a person may choose a password; returns whether there were any. */
  async removePasswordLinks(userId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireLinks')
      .where('userId', '=', userId)
      .where('setsPassword', '=', 1)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Uses up an open link; of concurrent calls, exactly one returns `true`. */
  async spend(tokenHash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireLinks')
      .set({ usedAt: now })
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }
}
