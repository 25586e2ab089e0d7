/** Limits the pages a session may request; the client's files and health are exempt. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fixedWindow, limitKey } from '../../server/rate-limit.ts'
import type { Addresses } from '../addresses.ts'
import { pathOf } from './page-sender.ts'
import type { Visitors } from '../sign-in/visitors.ts'

const PAGES_PER_MINUTE = 600

export type PageLimitParts = {
  readonly visitors: Visitors
  readonly addresses: Addresses
  readonly now: () => number
}

/** Refuses pages beyond the limit with `TOO_MANY_REQUESTS`. */
export function limitPages(
  app: FastifyInstance,
  { visitors, addresses, now }: PageLimitParts,
  perMinute: number = PAGES_PER_MINUTE,
): void {
  const { health, ready, assets } = addresses
  // Health probes must always get through.
  const exempt = new Set([health, ready])
  const isPage = (request: FastifyRequest): boolean =>
    !exempt.has(pathOf(request)) && !request.url.startsWith(assets)
  const limit = fixedWindow({ now, limit: perMinute, windowMs: 60_000 })
  app.addHook('preHandler', async (request) => {
    if (isPage(request)) limit.take(limitKey(request, await visitors.find(request)))
  })
}
