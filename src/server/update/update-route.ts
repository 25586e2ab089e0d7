/** The door for component updates (spec §7): every check before anything runs, in one order. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Assets, HEADERS, UPDATE_PATH } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { AnyComponent } from '../component/define.ts'
import { isCsrfToken, isSameOrigin } from '../http/csrf.ts'
import { isExactJson, jsonBody } from '../http/http.ts'
import type { Life } from '../lifecycle/life.ts'
import type { IdempotencyStore } from '../lifecycle/idempotency.ts'
import type { KeyRing } from '../keys.ts'
import { readerOf } from '../http/locale.ts'
import { createRateLimit } from './rate-limit.ts'
import { answerUpdate, parseIdempotencyKey, parseUpdate } from './update.ts'
import type { Visitor } from '../visitor.ts'

export type UpdateOptions = {
  readonly keys: KeyRing
  readonly components: ReadonlyMap<string, AnyComponent>
  readonly writes: IdempotencyStore
  /** See `Life`. */
  readonly services?: Life['services']
  /** Writes under way; see `Life`. */
  readonly running: Map<string, Promise<string>>
  readonly build: string
  readonly assets: Assets
  /** Default: `/tablewire/update`. */
  readonly path?: string
  readonly now: () => number
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /** Host that browsers know us by. Default: what each request says. */
  readonly host?: string
  /** See `Life`. */
  readonly report?: (error: unknown) => void
  /** Updates a session may make in a minute. Default: 1200. */
  readonly perMinute?: number
  /** Forged requests a session may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
}

const UPDATES_PER_MINUTE = 1200
const FORGERIES_PER_MINUTE = 30

/** Adds the route that updates are posted to. */
export function addUpdateRoute(app: FastifyInstance, options: UpdateOptions): void {
  const { now, perMinute = UPDATES_PER_MINUTE, forgeriesPerMinute = FORGERIES_PER_MINUTE } = options
  const limits = {
    requests: createRateLimit(perMinute, now),
    forgeries: createRateLimit(forgeriesPerMinute, now),
  }
  app.post(options.path ?? UPDATE_PATH, async (request, reply) => {
    if (request.headers[HEADERS.marker.toLowerCase()] === undefined)
      throw new AppError('MARKER_MISSING')
    const visitor = await options.authenticate(request)
    limits.requests(request, visitor)
    // Forms are read at other doors, and only there.
    if (!isExactJson(request.headers['content-type'])) throw new AppError('CONTENT_TYPE')
    const body = parseUpdate(jsonBody(request))
    if (!visitor) throw new AppError('PAGE_EXPIRED')
    try {
      checkToken(options, visitor, request, body._token)
      const key = parseIdempotencyKey(header(request, HEADERS.idempotencyKey))
      const answer = await answerUpdate(
        lifeOf(options, visitor, request, reply),
        body,
        key,
        options.assets,
      )
      return (
        reply
          // The policies for documents say nothing to a script that reads JSON; this one it heeds.
          .header('x-content-type-options', 'nosniff')
          .type('application/json; charset=utf-8')
          .send(answer)
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'PAGE_EXPIRED')
        limits.forgeries(request, visitor)
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

/** What the browser told about where the request comes from; `host` is ours where it is known. */
export const originOf = (request: FastifyRequest, host: string | undefined) => ({
  host: host ?? request.headers.host,
  origin: request.headers.origin,
  fetchSite: header(request, 'sec-fetch-site'),
})

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(',') : value
}

function lifeOf(
  options: UpdateOptions,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Life {
  const { actor, session } = visitor
  return {
    keys: options.keys,
    components: options.components,
    writes: options.writes,
    ...(options.services && { services: options.services }),
    running: options.running,
    binding: { build: options.build, user: actor.id, lineage: session.lineage },
    // A copy, so that nothing decided for this request is remembered for another one.
    actor: { ...actor },
    ...readerOf(request),
    signal: abandoned(reply),
    ...(options.report && { report: options.report }),
  }
}

/** A signal that fires when the client goes away before it was answered. */
export function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
