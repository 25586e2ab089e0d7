/** Limits the pages a person may request; the client's files and health are exempt. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isPrefetch } from '../../server/http/navigation.ts'
import { visitorLimit } from '../../server/rate-limit.ts'
import type { Addresses } from '../addresses.ts'
import { pathOf } from './page-sender.ts'
import type { KnownBrowsers } from '../sign-in/known-browser.ts'
import type { Visitors } from '../sign-in/visitors.ts'

const PAGES_PER_MINUTE = 600
/** Share of that which prefetches have for themselves; the pages that are opened keep all of theirs. */
const PREFETCH_SHARE = 0.25

export type PageLimitParts = {
  readonly visitors: Visitors
  readonly browsers: KnownBrowsers
  readonly addresses: Addresses
  readonly now: () => number
}

/** Refuses pages beyond the limit with `TOO_MANY_REQUESTS`. */
export function limitPages(
  app: FastifyInstance,
  { visitors, browsers, addresses, now }: PageLimitParts,
  perMinute: number = PAGES_PER_MINUTE,
): void {
  const { health, ready, assets } = addresses
  // Health probes must always get through.
  const exempt = new Set([health, ready])
  const isPage = (request: FastifyRequest): boolean =>
    !exempt.has(pathOf(request)) && !request.url.startsWith(assets)
  const windowMs = 60_000
  const opened = visitorLimit({ now, limit: perMinute, windowMs })
  const prefetched = visitorLimit({ now, limit: Math.ceil(perMinute * PREFETCH_SHARE), windowMs })
  app.addHook('preHandler', async (request) => {
    if (!isPage(request)) return
    const person = (await visitors.find(request))?.actor.id
    const browser = person === undefined ? browsers.find(request)?.id : undefined
    const limit = isPrefetch(request) ? prefetched : opened
    limit.take({ ip: request.ip, person, browser })
  })
}
