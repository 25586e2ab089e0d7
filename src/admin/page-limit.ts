/** How many pages a session may ask for: everything but updates, the client's files, and health. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UPDATE_PATH } from '../protocol/wire.ts'
import { ASSETS_PATH } from '../server/client-files.ts'
import { createRateLimit } from '../server/rate-limit.ts'
import { pathOf } from './page-sender.ts'
import type { Visitors } from './visitors.ts'

const PAGES_PER_MINUTE = 600
/** Updates have a limit of their own; whoever watches over the process must always get through. */
const EXEMPT = new Set([UPDATE_PATH, '/healthz', '/readyz'])

const isPage = (request: FastifyRequest): boolean =>
  !EXEMPT.has(pathOf(request)) && !request.url.startsWith(ASSETS_PATH)

/** Refuses pages past the limit with `TOO_MANY_REQUESTS`. */
export function limitPages(
  app: FastifyInstance,
  visitors: Visitors,
  perMinute: number = PAGES_PER_MINUTE,
): void {
  const limit = createRateLimit(app, perMinute)
  app.addHook('preHandler', async (request) => {
    if (isPage(request)) await limit(request, await visitors.find(request))
  })
}
