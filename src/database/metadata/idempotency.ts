/** Idempotency records in the metadata: one row for each key that a person has used recently. */

import type { Kysely } from 'kysely'
import {
  ANSWER_BYTES,
  type IdempotencyClaim,
  type IdempotencyRecord,
  type IdempotencyStore,
} from '../../server/lifecycle/idempotency.ts'
import type { IdempotencyRow, MetadataTables } from './tables.ts'

export class Idempotency implements IdempotencyStore {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number

  constructor(db: Kysely<MetadataTables>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async claim(userId: string, key: string, digest: string): Promise<IdempotencyClaim> {
    if (await this.#insert(userId, key, digest)) return { kind: 'claimed' }
    const row = await this.#find(userId, key)
    // Another request released the key between the two statements: try again.
    if (!row) return this.claim(userId, key, digest)
    if (row.digest !== digest) return { kind: 'mismatch' }
    return { kind: 'known', record: recordOf(row) }
  }

  async settle(userId: string, key: string, answer: string): Promise<void> {
    if (Buffer.byteLength(answer) > ANSWER_BYTES)
      throw new RangeError(`An idempotency record holds at most ${ANSWER_BYTES} bytes.`)
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireIdempotency')
      .set({ state: 'done', answer })
      .where('userId', '=', userId)
      .where('key', '=', key)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new Error('Only a claimed idempotency key can be settled.')
  }

  async release(userId: string, key: string): Promise<void> {
    await this.#db
      .deleteFrom('tablewireIdempotency')
      .where('userId', '=', userId)
      .where('key', '=', key)
      .where('state', '=', 'pending')
      .execute()
  }

  async #insert(userId: string, key: string, digest: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireIdempotency')
      .values({ userId, key, digest, state: 'pending', createdAt: this.#now() })
      .onConflict((conflict) => conflict.columns(['userId', 'key']).doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  #find(userId: string, key: string): Promise<IdempotencyRow | undefined> {
    return this.#db
      .selectFrom('tablewireIdempotency')
      .selectAll()
      .where('userId', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst()
  }
}

const recordOf = ({ state, answer }: IdempotencyRow): IdempotencyRecord =>
  state === 'done' && answer !== null ? { state, answer } : { state: 'pending' }
