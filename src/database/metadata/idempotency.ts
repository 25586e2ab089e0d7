/** Idempotency records in the metadata: one row for each key that a person has used recently. */

import type { Kysely } from 'kysely'
import {
  ANSWER_BYTES,
  type IdempotencyClaim,
  type IdempotencyRecord,
  type IdempotencyStore,
} from '../../server/lifecycle/idempotency.ts'
import { AppError } from '../../server/app-error.ts'
import { sweepIdempotency } from './sweep.ts'
import type { IdempotencyRow, MetadataTables } from './tables.ts'

/** Records of one person: at a kilobyte each, 10 MB. */
const RECORDS_OF_PERSON = 10_000
/** After what time a person may try again who has too many, seconds. */
const FULL_RETRY_SECONDS = 60

export class Idempotency implements IdempotencyStore {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number
  readonly #most: number

  constructor(db: Kysely<MetadataTables>, now: () => number, most = RECORDS_OF_PERSON) {
    this.#db = db
    this.#now = now
    this.#most = most
  }

  async claim(userId: string, key: string, digest: string): Promise<IdempotencyClaim> {
    if ((await this.#isFull(userId)) && !(await this.#find(userId, key)))
      throw new AppError('TOO_MANY_REQUESTS', { retryAfter: FULL_RETRY_SECONDS })
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

  /** Old records leave with the next sweep, or now if there are too many. */
  async #isFull(userId: string): Promise<boolean> {
    const isFull = async () => (await this.#countSome(userId)) >= this.#most
    if (!(await isFull())) return false
    await sweepIdempotency(this.#db, this.#now())
    return isFull()
  }

  /** From the index of the key alone. */
  async #countSome(userId: string): Promise<number> {
    const some = this.#db
      .selectFrom('tablewireIdempotency')
      .select('userId')
      .where('userId', '=', userId)
      .limit(this.#most)
      .as('some')
    const { count } = await this.#db
      .selectFrom(some)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
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
