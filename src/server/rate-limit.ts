/** How much one session, or one address without a session, may ask in a minute. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import type { Visitor } from './visitor.ts'

/** Counts a request. Throws `TOO_MANY_REQUESTS` past the limit. */
export type RateLimit = (request: FastifyRequest, visitor?: Visitor) => Promise<void>

/** Limits count by session, or by address without one, so that neighbours never share a fate. */
export function createRateLimit(app: FastifyInstance, perMinute: number): RateLimit {
  const holders = new WeakMap<FastifyRequest, string>()
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: (request: FastifyRequest) => holders.get(request) ?? request.ip,
  })
  return async (request, visitor) => {
    if (visitor) holders.set(request, visitor.session.id)
    const state = await count(request)
    if (!state.isAllowed && state.isExceeded)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfter: state.ttlInSeconds })
  }
}
