/** The only way to add a route that changes something: each request is checked before its handler runs. */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as v from 'valibot'
import type { ErrorCode } from '../../protocol/errors.ts'
import { HEADERS, UPDATE_LIMITS } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { KeyRing, Verdict } from '../keys.ts'
import { notWhileLooking } from '../not-while-looking.ts'
import { propertyOf } from '../property-of.ts'
import type { VisitorLimit } from '../rate-limit.ts'
import type { Visitor } from '../visitor.ts'
import { checkCsrfToken, isFromOwnOrigin } from './csrf.ts'
import { isEmbedded } from './embedding.ts'
import { isExactJson } from './http.ts'

/** What all routes that change something have in common. */
export type Guard = {
  readonly keys: KeyRing
  /** Origin where browsers reach us, if it is configured. */
  readonly origin: string | undefined
  /** Finds out who makes a request; an answer is kept for the request. */
  readonly visitors: { find(request: FastifyRequest): Promise<Visitor | undefined> }
}

/** A request that has shown everything, with its body as `read` returned it. */
export type Guarded<Body, Who = Visitor> = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visitor: Who
  readonly body: Body
}

export type GuardedRoute<Body, Who = Visitor> = {
  readonly method?: 'POST' | 'PATCH' | 'DELETE' | 'HEAD'
  readonly path: string
  /** What is sent. A stream is not read here, so its token has to be in the header. */
  readonly sends: 'json' | 'form' | 'stream'
  /** Most bytes of the body. Default: as for an update. */
  readonly bodyBytes?: number
  /** How long the body may take to arrive, ms. Default: as for all requests. */
  readonly bodyMs?: number
  /** How long the request may take, ms. Default: as for all requests. */
  readonly limitMs?: number
  /** A header without which nothing is looked at. */
  readonly marker?: string
  /** Where the token is. Default: the field `_token`, or the header for a stream. */
  readonly token?: 'header, if sent'
  /** Each request counts once, before its body is read. */
  readonly limit?: VisitorLimit
  readonly compress?: false
  /** Whether somebody who only looks at what a role sees may ask for it. Default: false. */
  readonly whileLooking?: true
  /** Checks the shape of the body. */
  read(body: unknown): Body
  handle(guarded: Guarded<Body, Who>): unknown
  /** Answers a request whose token is of a retired key. Default: `PAGE_EXPIRED`. */
  handleOutdated?(guarded: Guarded<Body, Who>): unknown
  /** Answers what the token or the handler has thrown. Default: it is thrown on. */
  refused?(error: unknown, guarded: Guarded<Body, Who>): unknown
}

/** Adds a route for people who are signed in; `stranger` is what all others are told. */
export function addGuardedRoute<Body>(
  app: FastifyInstance,
  guard: Guard,
  route: GuardedRoute<Body> & { readonly stranger: ErrorCode },
): void {
  add(app, {
    ...guard,
    ...route,
    admit(visitor) {
      if (!visitor) throw new AppError(route.stranger)
      if (!route.whileLooking) notWhileLooking(visitor.actor)
      return visitor
    },
    holderOf: (_request, { session }) => session.lineage,
  })
}

/** Adds a route for everybody, whose token is bound to what `holderOf` returns; without, none is needed. */
export function addPublicRoute<Body>(
  app: FastifyInstance,
  guard: Guard,
  route: GuardedRoute<Body, Visitor | undefined> &
    Pick<Door<Body, Visitor | undefined>, 'holderOf'>,
): void {
  add(app, { ...guard, ...route, admit: (visitor) => visitor })
}

type Door<Body, Who> = Guard &
  GuardedRoute<Body, Who> & {
    admit(visitor: Visitor | undefined): Who
    holderOf(request: FastifyRequest, who: Who): string | undefined
  }

function add<Body, Who>(app: FastifyInstance, door: Door<Body, Who>): void {
  const { method = 'POST', path: url, sends, bodyMs, limitMs, compress } = door
  const { bodyBytes = UPDATE_LIMITS.bodyBytes } = door
  const route: RouteOptions = {
    ...{ method, url, bodyLimit: bodyBytes },
    config: { ...(bodyMs !== undefined && { bodyMs }), ...(limitMs !== undefined && { limitMs }) },
    ...(compress === false && { compress }),
    onRequest: (request) => checkHead(door, request, bodyBytes),
    handler: (request, reply) => answer(door, request, reply),
  }
  if (sends !== 'stream') return void app.route(route)
  void app.register(async (part) => {
    part.removeAllContentTypeParsers()
    part.addContentTypeParser('*', (_request, body, done) => done(null, atMost(bodyBytes, body)))
    part.route(route)
  })
}

/** Checks all that can be known without the body, which is read only if nothing is missing. */
async function checkHead<Body, Who>(
  door: Door<Body, Who>,
  request: FastifyRequest,
  bodyBytes: number,
): Promise<void> {
  const { sends, marker, limit, visitors, origin } = door
  const { headers, ip } = request
  if (isEmbedded(headers)) throw new AppError('NOT_EMBEDDABLE')
  if (marker !== undefined && headers[marker.toLowerCase()] === undefined)
    throw new AppError('MARKER_MISSING')
  const visitor = await visitors.find(request)
  limit?.take({ ip, person: visitor?.actor.id })
  if (!TYPES[sends](headers['content-type'])) throw new AppError('CONTENT_TYPE')
  if (Number(headers['content-length'] ?? 0) > bodyBytes) throw new AppError('REQUEST_TOO_LARGE')
  const who = door.admit(visitor)
  if (!isFromOwnOrigin(request, origin)) throw new AppError('PAGE_EXPIRED')
  if (sends === 'stream' && checkToken(door, request, who) !== 'valid')
    throw new AppError('PAGE_EXPIRED')
}

/** Checks the rest, and lets the handler answer. */
async function answer<Body, Who>(
  door: Door<Body, Who>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const visitor = door.admit(await door.visitors.find(request))
  const guarded = { request, reply, visitor, body: door.read(request.body) }
  try {
    const verdict = checkToken(door, request, visitor)
    if (verdict === 'valid') return await door.handle(guarded)
    if (verdict === 'forged' || !door.handleOutdated) throw new AppError('PAGE_EXPIRED')
    return await door.handleOutdated(guarded)
  } catch (error) {
    if (!door.refused) throw error
    return door.refused(error, guarded)
  }
}

function checkToken<Body, Who>(door: Door<Body, Who>, request: FastifyRequest, who: Who): Verdict {
  const inHeader = request.headers[HEADERS.csrf.toLowerCase()]
  if (door.token === 'header, if sent' && inHeader === undefined) return 'valid'
  const isInHeader = door.token !== undefined || door.sends === 'stream'
  const holder = door.holderOf(request, who)
  if (holder === undefined) return 'valid'
  // Nobody is given a token who is known by nothing.
  if (holder === '') return 'forged'
  return checkCsrfToken(
    door.keys,
    holder,
    isInHeader ? inHeader : propertyOf(request.body, '_token'),
  )
}

/** The fields of a form, for `read`; others than those of the schema are left out. */
export function parseForm<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
): v.InferOutput<Schema> {
  const form = v.safeParse(schema, body)
  if (!form.success) throw new AppError('REQUEST_INVALID')
  return form.output
}

/** Frameworks disagree about spellings of content types, so few are accepted. */
const TYPES: Readonly<
  Record<GuardedRoute<unknown>['sends'], (type: string | undefined) => boolean>
> = {
  json: isExactJson,
  form: (type = '') => /^application\/x-www-form-urlencoded *(?:;|$)/i.test(type),
  stream: () => true,
}

/** The stream, which fails after `most` bytes; its request stays open, so that it can be answered. */
function atMost(most: number, body: Readable): Readable {
  async function* counted(): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('Somebody has set an encoding.')
      bytes += chunk.length
      if (bytes > most) throw new AppError('REQUEST_TOO_LARGE')
      yield chunk
    }
  }
  return Readable.from(counted(), { objectMode: false })
}
