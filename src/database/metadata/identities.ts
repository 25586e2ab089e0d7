/** Which accounts people come in to through an OpenID provider, by issuer and subject. */

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { IdentityRow, MetadataTables } from './tables.ts'

/** Somebody at a provider: no other name of theirs stays the same. */
export type Subject = { readonly issuer: string; readonly subject: string }

export class Identities {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  find(subject: Subject): Promise<IdentityRow | undefined> {
    return this.#select().where('id', '=', idOf(subject)).executeTakeFirst()
  }

  of(userId: string): Promise<IdentityRow | undefined> {
    return this.#select().where('userId', '=', userId).executeTakeFirst()
  }

  /** In the place of what the person came by before. */
  async set({ issuer, subject }: Subject, userId: string, createdAt: number): Promise<void> {
    await this.remove(userId)
    await this.#db
      .insertInto('tablewireIdentities')
      .values({ id: idOf({ issuer, subject }), issuer, subject, userId, createdAt, isStrong: 0 })
      .execute()
  }

  /** Notes whether the provider has asked for more than one factor. */
  async setStrong(userId: string, isStrong: boolean): Promise<void> {
    await this.#db
      .updateTable('tablewireIdentities')
      .set({ isStrong: isStrong ? 1 : 0 })
      .where('userId', '=', userId)
      .execute()
  }

  async remove(userId: string): Promise<void> {
    await this.#db.deleteFrom('tablewireIdentities').where('userId', '=', userId).execute()
  }

  /** Who comes in through a provider. */
  async holders(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.selectFrom('tablewireIdentities').select('userId').execute()
    return new Set(rows.map(({ userId }) => userId))
  }

  #select() {
    return this.#db.selectFrom('tablewireIdentities').selectAll()
  }
}

/** Both may be long. */
const idOf = ({ issuer, subject }: Subject): string =>
  hash('sha256', JSON.stringify([issuer, subject]), 'base64url')
