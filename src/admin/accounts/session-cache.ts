/** Remembers for a few seconds who a token belongs to, and forgets at once when told to. */

/** What is known of a signed-in person and their session. */
export type CachedSession = {
  readonly actor: { readonly id: string }
  readonly session: { readonly id: string; readonly expiresAt: number }
}

/** Sessions remembered at most; past them all are read afresh. */
const ENTRIES = 10_000

export class SessionCache<T extends CachedSession> {
  readonly #keptMs: number
  readonly #entries = new Map<string, { value: T; readAt: number }>()
  #generation = 0

  /** `keptMs`: how long another process's revocation may go unnoticed. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** What is known of this token, or else what `read` finds. */
  async get(
    tokenHash: string,
    now: number,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = this.#entries.get(tokenHash)
    if (known && this.#holds(known, now)) return known.value
    this.#entries.delete(tokenHash)
    const generation = this.#generation
    const value = await read()
    // Something was forgotten meanwhile: what was read may be just that.
    if (value && generation === this.#generation) this.#keep(tokenHash, { value, readAt: now })
    return value
  }

  /** Forgets the sessions that fit. */
  forget(fits: (entry: T, tokenHash: string) => boolean): void {
    this.#generation += 1
    for (const [tokenHash, { value }] of this.#entries)
      if (fits(value, tokenHash)) this.#entries.delete(tokenHash)
  }

  #holds({ value, readAt }: { value: T; readAt: number }, now: number): boolean {
    return readAt <= now && now < readAt + this.#keptMs && now < value.session.expiresAt
  }

  #keep(tokenHash: string, entry: { value: T; readAt: number }): void {
    if (this.#entries.size >= ENTRIES) this.#entries.clear()
    this.#entries.set(tokenHash, entry)
  }
}
