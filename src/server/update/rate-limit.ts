/** How much one session, or one address without a session, may ask in a minute. */

import type { FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Visitor } from '../visitor.ts'

/** Counts a request. Throws `TOO_MANY_REQUESTS` past the limit. */
export type RateLimit = (request: Pick<FastifyRequest, 'ip'>, visitor?: Visitor) => void

const MINUTE_MS = 60_000
/** Holders counted at a time; past them the one whose minute began first is forgotten. */
const HOLDERS = 5000

type Minute = { readonly since: number; requests: number }

/**
 * Limits count by session, or by address without one, so that neighbours never share a fate. A
 * holder's minute begins with a request, and the next one with the first request after it.
 */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  /** In the order in which they began. */
  const minutes = new Map<string, Minute>()

  function begin(holder: string, since: number): Minute {
    const minute = { since, requests: 0 }
    minutes.delete(holder)
    minutes.set(holder, minute)
    const [first] = minutes.keys()
    if (first !== undefined && minutes.size > HOLDERS) minutes.delete(first)
    return minute
  }

  return (request, visitor) => {
    const at = now()
    const holder = visitor?.session.id ?? request.ip
    const known = minutes.get(holder)
    const minute = known && isWithin(known, at) ? known : begin(holder, at)
    minute.requests += 1
    if (minute.requests > perMinute)
      throw new AppError('TOO_MANY_REQUESTS', {
        retryAfter: Math.ceil((minute.since + MINUTE_MS - at) / 1000),
      })
  }
}

/** A clock that was put back must not lock anybody out. */
const isWithin = ({ since }: Minute, at: number): boolean => since <= at && at < since + MINUTE_MS
