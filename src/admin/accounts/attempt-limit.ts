/** Limits the attempts per key in a time window, and says when to try again. */

import { AppError } from '../../server/app-error.ts'

export type AttemptLimitOptions = {
  readonly now: () => number
  readonly attempts: number
  readonly windowMs: number
}

/** Keys remembered at most; beyond that the least recently used key is dropped. */
const KEYS = 10_000

export class AttemptLimit {
  readonly #options: AttemptLimitOptions
  /** Times of the allowed attempts within the window; the most recently used key comes last. */
  readonly #made = new Map<string, readonly number[]>()

  constructor(options: AttemptLimitOptions) {
    this.#options = options
  }

  /** Counts an attempt. Beyond the limit, throws `TOO_MANY_REQUESTS` without counting it. */
  take(key: string): void {
    const now = this.#options.now()
    const recent = this.#recent(key, now)
    if (recent.length >= this.#options.attempts) throw this.#refusal(recent, now)
    this.#remember(key, [...recent, now])
  }

  /** Ignores times in the future, so that setting the clock back locks nobody out. */
  #recent(key: string, now: number): readonly number[] {
    const since = now - this.#options.windowMs
    return (this.#made.get(key) ?? []).filter((time) => time > since && time <= now)
  }

  #refusal([first = 0]: readonly number[], now: number): AppError {
    const retryAfter = Math.ceil((first + this.#options.windowMs - now) / 1000)
    return new AppError('TOO_MANY_REQUESTS', { retryAfter })
  }

  #remember(key: string, times: readonly number[]): void {
    this.#made.delete(key)
    this.#made.set(key, times)
    if (this.#made.size <= KEYS) return
    const [oldest] = this.#made.keys()
    if (oldest !== undefined) this.#made.delete(oldest)
  }
}
