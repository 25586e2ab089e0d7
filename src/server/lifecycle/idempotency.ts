/** Stores what declared writes answered, so that a retried batch has one effect. */

/** Longest answer that is kept, bytes of UTF-8. */
export const ANSWER_BYTES = 4096

export type IdempotencyRecord =
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly answer: string }

export type IdempotencyClaim =
  /** First time: do the work, then settle. */
  | { readonly kind: 'claimed' }
  /** Seen before, for the same request. */
  | { readonly kind: 'known'; readonly record: IdempotencyRecord }
  /** The same key came with another request. */
  | { readonly kind: 'mismatch' }

export interface IdempotencyStore {
  /**
   * Claims a key for a request; atomic among all processes. Records are kept for at least 24 h. Throws
   * `TOO_MANY_REQUESTS` for a new key if the person has about as many records as may be kept.
   */
  claim(userId: string, key: string, digest: string): Promise<IdempotencyClaim>
  /** Stores the answer of a claimed key; throws beyond `ANSWER_BYTES`. */
  settle(userId: string, key: string, answer: string): Promise<void>
  /** Releases a claim because nothing was written. */
  release(userId: string, key: string): Promise<void>
}
