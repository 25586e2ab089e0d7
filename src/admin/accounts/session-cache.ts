/** Caches for a few seconds who a token belongs to; revoking a session here drops it at once. */

/** A signed-in person and their session. */
export type CachedSession = {
  readonly actor: { readonly id: string }
  readonly session: { readonly id: string; readonly expiresAt: number }
}

/** Sessions cached at most; beyond that the cache is emptied. */
const ENTRIES = 10_000

export class SessionCache<T extends CachedSession> {
  readonly #keptMs: number
  readonly #entries = new Map<string, { value: T; readAt: number }>()
  #generation = 0

  /** `keptMs`: how long a revocation by another process may go unnoticed. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** The cached session of this token, or else what `read` finds. */
  async get(
    tokenHash: string,
    now: number,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const cached = this.#entries.get(tokenHash)
    if (cached && this.#isFresh(cached, now)) return cached.value
    this.#entries.delete(tokenHash)
    const generation = this.#generation
    const value = await read()
    // If sessions were revoked meanwhile, this may be one of them, so it is not cached.
    if (value && generation === this.#generation) this.#keep(tokenHash, { value, readAt: now })
    return value
  }

  /** Drops the sessions that match. */
  forget(matches: (entry: T, tokenHash: string) => boolean): void {
    this.#generation += 1
    for (const [tokenHash, { value }] of this.#entries)
      if (matches(value, tokenHash)) this.#entries.delete(tokenHash)
  }

  #isFresh({ value, readAt }: { value: T; readAt: number }, now: number): boolean {
    return readAt <= now && now < readAt + this.#keptMs && now < value.session.expiresAt
  }

  #keep(tokenHash: string, entry: { value: T; readAt: number }): void {
    if (this.#entries.size >= ENTRIES) this.#entries.clear()
    this.#entries.set(tokenHash, entry)
  }
}
