/** Limits the pages a person may request, and lets people take turns; files and health are exempt. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { abortOnClose } from '../../server/http/end-of-request.ts'
import { isPrefetch } from '../../server/http/navigation.ts'
import { networkKeys } from '../../server/network-keys.ts'
import { visitorLimit } from '../../server/rate-limit.ts'
import type { Turns } from '../../server/turns.ts'
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
  readonly turns: Turns
  readonly now: () => number
}

/** Refuses pages beyond the limit with `TOO_MANY_REQUESTS`; the others begin in turns by person. */
export function limitPages(
  app: FastifyInstance,
  { visitors, browsers, addresses, turns, now }: PageLimitParts,
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
  app.addHook('onRequest', async (request, reply) => {
    if (!isPage(request)) return
    const person = (await visitors.find(request))?.actor.id
    const browser = person === undefined ? browsers.find(request)?.id : undefined
    const limit = isPrefetch(request) ? prefetched : opened
    limit.take({ ip: request.ip, person, browser })
    await turns.begin(person ?? networkKeys(request.ip).network, abortOnClose(reply))
  })
}
