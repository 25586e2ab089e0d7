/** Second factors: secrets of codes, recovery codes and passkeys, of which nothing can be signed in with. */

import type { Kysely } from 'kysely'
import type { CodeRow, MetadataTables, PasskeyRow } from './tables.ts'

export type StoredCodes = CodeRow
export type StoredPasskey = PasskeyRow

export class SecondFactorTable {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  codesOf(userId: string): Promise<StoredCodes | undefined> {
    return this.#db
      .selectFrom('tablewireCodes')
      .selectAll()
      .where('userId', '=', userId)
      .executeTakeFirst()
  }

  /** In the place of those that the person had. */
  async setCodes(codes: StoredCodes): Promise<void> {
    await this.removeCodes(codes.userId)
    await this.#db.insertInto('tablewireCodes').values(codes).execute()
  }

  async removeCodes(userId: string): Promise<void> {
    await this.#db.deleteFrom('tablewireCodes').where('userId', '=', userId).execute()
  }

  /** Uses up a code’s step and all before it; of concurrent calls, exactly one returns `true`. */
  async useStep(userId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireCodes')
      .set({ lastStep: step })
      .where('userId', '=', userId)
      .where('lastStep', '<', step)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** In the place of those that are left. */
  async setRecovery(userId: string, digests: readonly string[]): Promise<void> {
    await this.#db.deleteFrom('tablewireRecovery').where('userId', '=', userId).execute()
    if (digests.length > 0)
      await this.#db
        .insertInto('tablewireRecovery')
        .values(digests.map((digest) => ({ userId, digest })))
        .execute()
  }

  async countRecovery(userId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('tablewireRecovery')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Uses up a recovery code; of concurrent calls, exactly one returns `true`. */
  async useRecovery(userId: string, digest: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireRecovery')
      .where('userId', '=', userId)
      .where('digest', '=', digest)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  /** The oldest first. */
  passkeysOf(userId: string): Promise<StoredPasskey[]> {
    return this.#db
      .selectFrom('tablewirePasskeys')
      .selectAll()
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  }

  findPasskey(id: string): Promise<StoredPasskey | undefined> {
    return this.#db
      .selectFrom('tablewirePasskeys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
  }

  async hasPasskeys(): Promise<boolean> {
    const found = await this.#db
      .selectFrom('tablewirePasskeys')
      .select('id')
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  }

  /** Adds a passkey; `false` where it is known. */
  async addPasskey(passkey: StoredPasskey): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewirePasskeys')
      .values(passkey)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** Moves its counter on; `false` if it was used meanwhile. */
  async usePasskey(
    id: string,
    { from, to, now }: { from: number; to: number; now: number },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewirePasskeys')
      .set({ counter: to, lastUsedAt: now })
      .where('id', '=', id)
      .where('counter', '=', from)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Removes a passkey of one person; `false` if they have no such one. */
  async removePasskey(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewirePasskeys')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  /** Whether the person has a second factor. */
  async has(userId: string): Promise<boolean> {
    return (await this.codesOf(userId)) !== undefined || (await this.passkeysOf(userId)).length > 0
  }

  /** Who has a second factor. */
  async holders(): Promise<ReadonlySet<string>> {
    const [codes, passkeys] = await Promise.all([
      this.#db.selectFrom('tablewireCodes').select('userId').execute(),
      this.#db.selectFrom('tablewirePasskeys').select('userId').distinct().execute(),
    ])
    return new Set([...codes, ...passkeys].map(({ userId }) => userId))
  }

  /** Takes all of a person’s second factors away; returns whether they had any. */
  async removeAll(userId: string): Promise<boolean> {
    const had = await this.has(userId)
    await this.removeCodes(userId)
    await this.setRecovery(userId, [])
    await this.#db.deleteFrom('tablewirePasskeys').where('userId', '=', userId).execute()
    return had
  }
}
