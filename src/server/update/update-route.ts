/** The route of component updates (spec §7): every check, in one order, before anything runs. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Assets, HEADERS, UPDATE_PATH } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import { checkCsrfToken, isSameOrigin } from '../http/csrf.ts'
import { abortOnClose } from '../http/end-of-request.ts'
import { isExactJson, jsonBody } from '../http/http.ts'
import { scopeOf, type SharedScope } from '../http/scope-of.ts'
import { answerOutdated, answerUpdate, parseIdempotencyKey, parseUpdate } from './update.ts'
import type { Verdict } from '../keys.ts'
import { visitorLimit } from '../rate-limit.ts'
import type { Visitor } from '../visitor.ts'

export type UpdateOptions = SharedScope & {
  readonly assets: Assets
  /** Default: `/tablewire/update`. */
  readonly path?: string
  readonly now: () => number
  /** The visitor; an object of this request alone. */
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /** Origin where browsers reach us. Default: that of the `Host` of each request. */
  readonly origin?: string
  /** Components a person may update in a minute. Default: 1200. */
  readonly perMinute?: number
  /** Forged requests a person may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
}

const MINUTE_MS = 60_000
const MARKER = HEADERS.marker.toLowerCase()
const UPDATES_PER_MINUTE = 1200
const FORGERIES_PER_MINUTE = 30

/** Adds the route that updates are posted to. */
export function addUpdateRoute(app: FastifyInstance, options: UpdateOptions): void {
  const { now, perMinute = UPDATES_PER_MINUTE, forgeriesPerMinute = FORGERIES_PER_MINUTE } = options
  const limits = {
    components: visitorLimit({ now, limit: perMinute, windowMs: MINUTE_MS }),
    forgeries: visitorLimit({ now, limit: forgeriesPerMinute, windowMs: MINUTE_MS }),
  }
  app.post(options.path ?? UPDATE_PATH, async (request, reply) => {
    if (request.headers[MARKER] === undefined) throw new AppError('MARKER_MISSING')
    const visitor = await options.authenticate(request)
    // The first component counts before the body is looked at, so that no request is free.
    const requester = { ip: request.ip, person: visitor?.actor.id }
    limits.components.take(requester)
    // The application parses forms too, but only for other routes.
    if (!isExactJson(request.headers['content-type'])) throw new AppError('CONTENT_TYPE')
    const body = parseUpdate(jsonBody(request))
    const others = body.components.length - 1
    if (others > 0) limits.components.take(requester, others)
    if (!visitor) throw new AppError('PAGE_EXPIRED')
    await options.turns?.begin(visitor.actor.id, abortOnClose(reply))
    try {
      const verdict = checkToken(options, visitor, request, body._token)
      const key = parseIdempotencyKey(header(request, HEADERS.idempotencyKey))
      const scope = scopeOf(options, visitor, request, reply)
      const answer = await (verdict === 'valid' ? answerUpdate : answerOutdated)(
        scope,
        body,
        key,
        options.assets,
      )
      // Of the headers for documents, this is the only one that matters to JSON.
      reply.header('x-content-type-options', 'nosniff').type('application/json; charset=utf-8')
      return reply.send(answer)
    } catch (error) {
      if (error instanceof AppError && error.code === 'PAGE_EXPIRED')
        limits.forgeries.take(requester)
      throw error
    }
  })
}

/** A token of a retired key is not forged: nothing runs, and the page refreshes itself. */
function checkToken(
  { keys, origin }: UpdateOptions,
  visitor: Visitor,
  request: FastifyRequest,
  token: string,
): Exclude<Verdict, 'forged'> {
  const verdict = checkCsrfToken(keys, visitor.session.lineage, token)
  if (!isSameOrigin(originOf(request, origin)) || verdict === 'forged')
    throw new AppError('PAGE_EXPIRED')
  return verdict
}

/** Where the request comes from, as the browser says; `own` is our origin, if it is configured. */
export const originOf = (request: FastifyRequest, own: string | undefined) => ({
  own,
  host: request.headers.host,
  origin: request.headers.origin,
  fetchSite: header(request, 'sec-fetch-site'),
})

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(',') : value
}
