/** The route that fetches a file from another host for a person, who then uploads it as any other. */

import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { abortOnClose } from '../http/end-of-request.ts'
import { addGuardedRoute, type Guard, type Guarded } from '../http/guarded-routes.ts'
import { propertyOf } from '../property-of.ts'
import { visitorLimit } from '../rate-limit.ts'
import { fileHeaders } from './file-headers.ts'
import type { RemoteFetch } from './remote-fetch.ts'

const PER_MINUTE = 30
/** Longer than a file may take to be fetched, ms. */
const LIMIT_MS = 90_000
/** Longest address of a file, characters. */
const LONGEST = 2000

export type FetchRouteOptions = {
  readonly guard: Guard
  readonly remote: RemoteFetch
  readonly now: () => number
  readonly path: string
}

export function addFetchRoute(
  app: FastifyInstance,
  { guard, remote, now, path }: FetchRouteOptions,
): void {
  addGuardedRoute(app, guard, {
    ...{ path, sends: 'stream', stranger: 'PAGE_EXPIRED', compress: false },
    ...{ bodyBytes: 256, limitMs: LIMIT_MS },
    limit: visitorLimit({ now, limit: PER_MINUTE, windowMs: 60_000 }),
    read: () => null,
    async handle({ request, reply }: Guarded<null>) {
      const address = propertyOf(request.query, 'fetch')
      if (typeof address !== 'string' || address.length > LONGEST) throw new AppError('NOT_FOUND')
      const { body, ...file } = await remote(address, abortOnClose(reply))
      return reply.headers(fileHeaders(file)).send(Readable.from(body, { objectMode: false }))
    },
  })
}
