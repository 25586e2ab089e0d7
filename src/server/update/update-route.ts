/** The route of component updates (spec §7). */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Json } from '../../protocol/json.ts'
import { type Assets, HEADERS, UPDATE_PATH } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import { abortOnClose } from '../http/end-of-request.ts'
import { addGuardedRoute, type Guard, type Guarded } from '../http/guarded-routes.ts'
import { scopeOf, type SharedScope } from '../http/scope-of.ts'
import { visitorLimit } from '../rate-limit.ts'
import type { Visitor } from '../visitor.ts'
import {
  answerOutdated,
  answerUpdate,
  type ParsedUpdate,
  parseIdempotencyKey,
  parseUpdate,
} from './update.ts'

export type UpdateOptions = SharedScope & {
  readonly assets: Assets
  /** Default: `/tablewire/update`. */
  readonly path?: string
  readonly now: () => number
  readonly guard: Guard
  /** Components a person may update in a minute. Default: 1200. */
  readonly perMinute?: number
  /** Forged requests a person may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
}

const MINUTE_MS = 60_000
const UPDATES_PER_MINUTE = 1200
const FORGERIES_PER_MINUTE = 30
const IDEMPOTENCY_KEY = HEADERS.idempotencyKey.toLowerCase()

/** Adds the route that updates are posted to. */
export function addUpdateRoute(app: FastifyInstance, options: UpdateOptions): void {
  const { now, perMinute = UPDATES_PER_MINUTE, forgeriesPerMinute = FORGERIES_PER_MINUTE } = options
  const limit = visitorLimit({ now, limit: perMinute, windowMs: MINUTE_MS })
  const forgeries = visitorLimit({ now, limit: forgeriesPerMinute, windowMs: MINUTE_MS })

  const answerBy =
    (answer: typeof answerUpdate) =>
    async ({ request, reply, visitor, body }: Guarded<ParsedUpdate>) => {
      await options.turns?.begin(visitor.actor.id, abortOnClose(reply))
      // The first component has been counted.
      const others = body.components.length - 1
      if (others > 0) limit.take(requesterOf(request, visitor), others)
      const key = parseIdempotencyKey(request.headers[IDEMPOTENCY_KEY])
      const scope = scopeOf(options, visitor, request, reply)
      const answered = await answer(scope, body, key, options.assets)
      // Of the headers for documents, this is the only one that matters to JSON.
      reply.header('x-content-type-options', 'nosniff').type('application/json; charset=utf-8')
      return reply.send(answered)
    }

  addGuardedRoute(app, options.guard, {
    path: options.path ?? UPDATE_PATH,
    sends: 'json',
    marker: HEADERS.marker,
    limit,
    stranger: 'PAGE_EXPIRED',
    // Each call is judged by what it does.
    whileLooking: true,
    // The only parser for JSON returns such values.
    read: (body) => parseUpdate(body as Json),
    handle: answerBy(answerUpdate),
    // A token of a retired key is not forged: nothing runs, and the page refreshes itself.
    handleOutdated: answerBy(answerOutdated),
    refused(error, { request, visitor }) {
      if (error instanceof AppError && error.code === 'PAGE_EXPIRED')
        forgeries.take(requesterOf(request, visitor))
      throw error
    },
  })
}

const requesterOf = ({ ip }: FastifyRequest, { actor }: Visitor) => ({ ip, person: actor.id })
