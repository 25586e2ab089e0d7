/** Allows so many attempts a minute for each key, and says when the next one may be made. */

import { AppError } from '../../server/app-error.ts'

export type AttemptLimitOptions = {
  readonly now: () => number
  readonly attempts: number
  readonly windowMs: number
}

/** Keys remembered at most; past them the one that has waited longest is forgotten. */
const KEYS = 10_000

export class AttemptLimit {
  readonly #options: AttemptLimitOptions
  /** Times of the attempts that were allowed within the window; the key used last comes last. */
  readonly #made = new Map<string, readonly number[]>()

  constructor(options: AttemptLimitOptions) {
    this.#options = options
  }

  /** Counts an attempt. Throws `TOO_MANY_REQUESTS` where there were too many; that one is free. */
  take(key: string): void {
    const now = this.#options.now()
    const recent = this.#recent(key, now)
    if (recent.length >= this.#options.attempts) throw this.#refusal(recent, now)
    this.#remember(key, [...recent, now])
  }

  /** A clock that was put back must not lock anybody out, so times ahead do not count. */
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
