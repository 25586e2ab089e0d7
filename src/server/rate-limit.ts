/** Rate limits: how often one key may do something within a time. */

import { AppError } from './app-error.ts'
import type { Visitor } from './visitor.ts'

export type RateLimitOptions = {
  readonly now: () => number
  /** How often each key may do it within the window. */
  readonly limit: number
  readonly windowMs: number
}

export type RateLimit = {
  /** Counts one use. Throws `TOO_MANY_REQUESTS` past the limit, without counting. */
  take(key: string): void
}

/** Most keys that a limit remembers; past them it forgets the oldest. */
const KEYS = 10_000

/**
 * Counts by windows that begin with a use, one number for each key: for limits of thousands. Around
 * the end of a window, a key may reach twice the limit.
 */
export function fixedWindow({ now, limit, windowMs }: RateLimitOptions): RateLimit {
  /** In the order in which they began. */
  const windows = new Map<string, { readonly since: number; count: number }>()
  return {
    take(key) {
      const at = now()
      let window = windows.get(key)
      if (!window || !isWithin(window.since, at, windowMs)) {
        window = { since: at, count: 0 }
        remember(windows, key, window)
      }
      if (window.count >= limit) throw refusal(window.since + windowMs - at)
      window.count += 1
    },
  }
}

/** Holds in any window, by the time of each use: for small limits, such as attempts to sign in. */
export function slidingWindow({ now, limit, windowMs }: RateLimitOptions): RateLimit {
  /** The key used last comes last. */
  const uses = new Map<string, readonly number[]>()
  return {
    take(key) {
      const at = now()
      const recent = (uses.get(key) ?? []).filter((time) => isWithin(time, at, windowMs))
      const [first = at] = recent
      if (recent.length >= limit) throw refusal(first + windowMs - at)
      remember(uses, key, [...recent, at])
    },
  }
}

/** The session, or without one the address, so that sessions behind one address share no limit. */
export const limitKey = ({ ip }: { readonly ip: string }, visitor: Visitor | undefined): string =>
  visitor?.session.id ?? ip

/** Times ahead of the clock do not count, so that a clock set back locks nobody out. */
const isWithin = (since: number, at: number, windowMs: number): boolean =>
  since <= at && at < since + windowMs

const refusal = (waitMs: number): AppError =>
  new AppError('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(waitMs / 1000) })

function remember<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key)
  values.set(key, value)
  const [oldest] = values.keys()
  if (oldest !== undefined && values.size > KEYS) values.delete(oldest)
}
