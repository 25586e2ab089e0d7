/** Idempotency records in memory: for tests, and for runtimes that keep nothing. */

import { ANSWER_BYTES, type IdempotencyRecord, type IdempotencyStore } from './idempotency.ts'

/** Records live as long as the store; nothing survives the process. */
export function memoryIdempotency(): IdempotencyStore {
  const records = new Map<string, { digest: string; record: IdempotencyRecord }>()
  const name = (user: string, key: string) => JSON.stringify([user, key])
  return {
    async claim(user, key, digest) {
      const known = records.get(name(user, key))
      if (known)
        return known.digest === digest
          ? { kind: 'known', record: known.record }
          : { kind: 'mismatch' }
      records.set(name(user, key), { digest, record: { state: 'pending' } })
      return { kind: 'claimed' }
    },
    async settle(user, key, answer) {
      if (Buffer.byteLength(answer) > ANSWER_BYTES)
        throw new RangeError(`An idempotency record holds at most ${ANSWER_BYTES} bytes.`)
      const known = records.get(name(user, key))
      if (known) known.record = { state: 'done', answer }
    },
    async release(user, key) {
      records.delete(name(user, key))
    },
  }
}
