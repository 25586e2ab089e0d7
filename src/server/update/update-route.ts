/** The route of component updates (spec §7): every check, in one order, before anything runs. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Assets, HEADERS, UPDATE_PATH } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import { isCsrfToken, isSameOrigin } from '../http/csrf.ts'
import { isExactJson, jsonBody } from '../http/http.ts'
import { scopeOf, type SharedScope } from '../http/scope-of.ts'
import { fixedWindow, limitKey } from '../rate-limit.ts'
import { answerUpdate, parseIdempotencyKey, parseUpdate } from './update.ts'
import type { Visitor } from '../visitor.ts'

export type UpdateOptions = SharedScope & {
  readonly assets: Assets
  /** Default: `/tablewire/update`. */
  readonly path?: string
  readonly now: () => number
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /** Host that browsers use. Default: the `Host` of each request. */
  readonly host?: string
  /** Updates a session may make in a minute. Default: 1200. */
  readonly perMinute?: number
  /** Forged requests a session may make in a minute before it is slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
}

const MINUTE_MS = 60_000
const UPDATES_PER_MINUTE = 1200
const FORGERIES_PER_MINUTE = 30

/** Adds the route that updates are posted to. */
export function addUpdateRoute(app: FastifyInstance, options: UpdateOptions): void {
  const { now, perMinute = UPDATES_PER_MINUTE, forgeriesPerMinute = FORGERIES_PER_MINUTE } = options
  const limits = {
    requests: fixedWindow({ now, limit: perMinute, windowMs: MINUTE_MS }),
    forgeries: fixedWindow({ now, limit: forgeriesPerMinute, windowMs: MINUTE_MS }),
  }
  app.post(options.path ?? UPDATE_PATH, async (request, reply) => {
    if (request.headers[HEADERS.marker.toLowerCase()] === undefined)
      throw new AppError('MARKER_MISSING')
    const visitor = await options.authenticate(request)
    limits.requests.take(limitKey(request, visitor))
    // The application parses forms too, but only for other routes.
    if (!isExactJson(request.headers['content-type'])) throw new AppError('CONTENT_TYPE')
    const body = parseUpdate(jsonBody(request))
    if (!visitor) throw new AppError('PAGE_EXPIRED')
    try {
      checkToken(options, visitor, request, body._token)
      const key = parseIdempotencyKey(header(request, HEADERS.idempotencyKey))
      const answer = await answerUpdate(
        scopeOf(options, visitor, request, reply),
        body,
        key,
        options.assets,
      )
      return (
        reply
          // Of the headers for documents, this is the only one that matters to JSON.
          .header('x-content-type-options', 'nosniff')
          .type('application/json; charset=utf-8')
          .send(answer)
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'PAGE_EXPIRED')
        limits.forgeries.take(limitKey(request, visitor))
      throw error
    }
  })
}

function checkToken(
  { keys, host }: UpdateOptions,
  visitor: Visitor,
  request: FastifyRequest,
  token: string,
): void {
  if (!isSameOrigin(originOf(request, host)) || !isCsrfToken(keys, visitor.session.lineage, token))
    throw new AppError('PAGE_EXPIRED')
}

/** Where the request comes from, as the browser says; `host` is ours, if it is configured. */
export const originOf = (request: FastifyRequest, host: string | undefined) => ({
  host: host ?? request.headers.host,
  origin: request.headers.origin,
  fetchSite: header(request, 'sec-fetch-site'),
})

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(',') : value
}
