/** Rate limits: how often one key may do something within a time. */

import { AppError } from './app-error.ts'
import { networkKeys } from './network-keys.ts'

export type RateLimitOptions = {
  readonly now: () => number
  /** How often each key may do it at once, and again within each window. */
  readonly limit: number
  readonly windowMs: number
}

export type RateLimit = {
  /**
   * Counts some uses, one by default. Throws `TOO_MANY_REQUESTS` without counting if the key has not
   * that many left; it tells the seconds until it has.
   */
  take(key: string, uses?: number): void
}

/** Most keys that a limit remembers; past them it forgets the one used longest ago. */
const KEYS = 10_000

type Bucket = { readonly tokens: number; readonly at: number }

/** Token buckets: each key begins with `limit` tokens, and gets as many in each window. */
export function rateLimit({ now, limit, windowMs }: RateLimitOptions): RateLimit {
  /** The key used last comes last. */
  const buckets = new Map<string, Bucket>()
  const perMs = limit / windowMs
  return {
    take(key, wanted = 1) {
      // More than the limit would never be allowed.
      const uses = Math.min(wanted, limit)
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: limit, at }
      // A clock set back locks nobody out; it gives nothing either.
      const gained = Math.max(0, at - bucket.at) * perMs
      const tokens = Math.min(limit, bucket.tokens + gained)
      const missing = uses - tokens
      // Adding fractions is not exact.
      const isEnough = missing < 1e-6
      buckets.delete(key)
      buckets.set(key, { tokens: isEnough ? tokens - uses : tokens, at })
      const [oldest] = buckets.keys()
      if (oldest !== undefined && buckets.size > KEYS) buckets.delete(oldest)
      if (!isEnough) throw tooMany(missing / perMs)
    },
  }
}

/** The error for a key that has no use left for this long. */
export const tooMany = (waitMs: number): AppError =>
  new AppError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000 - 1e-6)) })

/** One provider's customer may have 65,536 networks, so together they have this many times one's limit. */
export const SITE_SHARE = 4

/** Who makes a request, as far as is known. */
export type Requester = {
  /** Id of the person who is signed in. */
  readonly person?: string | undefined
  /** Id of a browser in which somebody has signed in before. */
  readonly browser?: string | undefined
  readonly ip: string
}

export type VisitorLimit = { take(requester: Requester, uses?: number): void }

/** Counts by person, whatever their sessions and addresses, else by known browser, else by network. */
export function visitorLimit(options: RateLimitOptions): VisitorLimit {
  const one = rateLimit(options)
  const site = rateLimit({ ...options, limit: options.limit * SITE_SHARE })
  return {
    take({ person, browser, ip }, uses) {
      if (person !== undefined) return one.take(`person ${person}`, uses)
      if (browser !== undefined) return one.take(`browser ${browser}`, uses)
      const keys = networkKeys(ip)
      one.take(keys.network, uses)
      if (keys.site !== undefined) site.take(keys.site, uses)
    },
  }
}
