/** The HTTP server: limits, headers, strict bodies, errors and the client's files. */

import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import serveStatic from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { constants } from 'node:zlib'
import { FINAL_CODES } from '../../protocol/errors.ts'
import { HEADERS, UPDATE_LIMITS } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import { BARE_HEADERS, isLogged, refusalData, refusalPage, TYPES } from './bare-refusal.ts'
import { endConnections } from './closing.ts'
import { isForBrowsers, type LoadedClient } from './client-files.ts'
import { isNavigation, isPrefetch, isShown } from './navigation.ts'
import { readEarlyBodies } from './early-body.ts'
import { limitBodies, limitRequests } from './end-of-request.ts'
import { isEmbedded } from './embedding.ts'
import { readerOf } from './locale.ts'
import { answerParserError } from './parser-errors.ts'
import type { RefusalLog } from './refusal-log.ts'
import { secureHeaders, type SecureHeadersOptions } from './secure-headers.ts'
import { parseStrictJson } from './strict-json.ts'
import { propertyOf } from '../property-of.ts'

export type HttpOptions = SecureHeadersOptions & {
  readonly client: LoadedClient
  /** Answers a failed navigation with a page. */
  errorPage(
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
    reference: string,
  ): Promise<unknown>
  /** Name of the cookie that holds the zone and language that a person has chosen. Default: nobody has. */
  readerCookie?: string
  /** Logs a failure of the server. Default: nothing is logged. */
  log?: (line: string, error?: unknown) => void
  /** Counts what was refused as it should be. Default: nothing is counted. */
  refusals?: RefusalLog
  /** Proxies trusted with the client's address: how many, or which. Default: none. */
  trustProxy?: number | string
  /** How long a request may take before it is answered with `TIME_LIMIT`, ms. Default: 60,000. */
  handlerLimitMs?: number
}

const BROTLI_QUALITY = 4
/** How long the headers of a request may take to arrive, ms. */
const HEADERS_MS = 30_000
/** How long a request may take, unless its route has a limit of its own, ms. */
export const HANDLER_LIMIT_MS = 60_000
/** Default of `Retry-After`. */
const RETRY_AFTER_SECONDS = 1

/**
 * A Fastify application with what every request needs; it answers failures as JSON. The caller adds
 * the routes, and those that people open to a part that was given to `servePages`.
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: UPDATE_LIMITS.bodyBytes,
    // A body has its route's own time (`limitBodies`).
    requestTimeout: 0,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    trustProxy: trusting(options.trustProxy),
    routerOptions: { maxParamLength: 2000 },
    // What the server below refuses by itself would not come from the catalogue.
    return503OnClosing: false,
    http: { requireHostHeader: false, headersTimeout: HEADERS_MS },
    clientErrorHandler: answerParserError,
    frameworkErrors(error, request, reply) {
      // The router refuses such a request before any hook runs, so no page can be drawn.
      // This hook types its request and reply by no route; they are the same objects as elsewhere.
      answerBare(options, error, request as FastifyRequest, reply as FastifyReply)
    },
  })
  // Without a listener, Node refuses every expectation but `100-continue`; RFC 9110 lets us ignore it.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  limitRequests(app, options.handlerLimitMs ?? HANDLER_LIMIT_MS)
  limitBodies(app)
  refuseEarly(app)
  endConnections(app)
  readEarlyBodies(app)
  readStrictJson(app)
  app.setErrorHandler((error, request, reply) => answerData(options, error, request, reply))
  await app.register(cookie)
  const { readerCookie } = options
  // For `readerOf`.
  app.decorateRequest('chosenReader', {
    getter(this: FastifyRequest) {
      return readerCookie === undefined ? undefined : this.cookies?.[readerCookie]
    },
  })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // No client of ours compresses bodies, and decompressing them would let bombs in.
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  })
  return app
}

/**
 * Adds to a part of the application what pages need: forms, the client's files, headers of documents,
 * and failures as pages. Updates do without, which saves a tenth of their cost.
 */
export async function servePages(app: FastifyInstance, options: HttpOptions): Promise<void> {
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerError(options, new AppError('NOT_FOUND'), request, reply),
  )
  await readForms(app)
  secureHeaders(app, options)
  await app.register(serveStatic, {
    root: options.client.folder,
    prefix: options.client.path,
    preCompressed: true,
    decorateReply: false,
    allowedPath: isForBrowsers,
    immutable: true,
    maxAge: '365d',
  })
}

/** Refuses what Fastify and Node would otherwise refuse in words of their own. */
function refuseEarly(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    if (isClosing) return done(new AppError('BUSY'))
    const isNameless = httpVersion === '1.1' && headers.host === undefined
    done(isNameless ? new AppError('REQUEST_MALFORMED') : undefined)
  })
}

/** Refuses what is sent to no route before anything of it is read, once hooks that were added before agree. */
export function refuseUnknown(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw new AppError('NOT_FOUND')
  })
}

/** Lets a part of the application read forms. */
export async function readForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, { bodyLimit: 16 * 1024 })
}

/** A number trusts that many proxies, counted from us; Fastify itself only takes addresses. */
const trusting = (proxies: HttpOptions['trustProxy']) =>
  typeof proxies === 'number'
    ? (_address: string, hop: number) => hop < proxies
    : (proxies ?? false)

/** Parses JSON strictly and refuses every other content type. */
function readStrictJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (!isExactJson(request.headers['content-type'])) throw new AppError('CONTENT_TYPE')
      // Decoding would replace bytes that are not UTF-8.
      if (typeof body !== 'string' && !isUtf8(body))
        throw new AppError('JSON_MALFORMED', { detail: ({ json }) => json.notUtf8 })
      done(null, parseStrictJson(body.toString(), UPDATE_LIMITS.depth))
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Frameworks disagree about spellings of content types, so only two are accepted. */
export const isExactJson = (type: string | undefined): boolean =>
  type === 'application/json' || type === 'application/json; charset=utf-8'

/** Answers whatever was thrown: the client gets data, a person gets a page. */
async function answerError(
  options: HttpOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (isForeign(thrown)) return answerBare(options, thrown, request, reply)
  if (wantsData(request, toAppError(thrown))) return answerData(options, thrown, request, reply)
  const { error, reference } = refuse(options, thrown, request, reply)
  return options.errorPage(request, reply, error, reference)
}

function answerData(
  options: HttpOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, reference } = refuse(options, thrown, request, reply)
  return reply
    .header('x-content-type-options', 'nosniff')
    .type(TYPES.data)
    .send(refusalData(error, readerOf(request), reference))
}

/** For requests for which no page can be drawn, or should be: those for a foreign name. */
function answerBare(
  options: HttpOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers(BARE_HEADERS)
  if (isFromScript(request)) return answerData(options, thrown, request, reply)
  const { error, reference } = refuse(options, thrown, request, reply)
  return reply.type(TYPES.page).send(refusalPage(error, readerOf(request), reference))
}

const isForeign = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'HOST_UNKNOWN'

/** Makes an `AppError` of what was thrown, sets its status, and logs it. */
function refuse(
  { log, refusals }: HttpOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): { readonly error: AppError; readonly reference: string } {
  const error = toAppError(thrown)
  const reference = randomBytes(5).toString('hex')
  // No pattern where no route is: what was asked for is the visitor's, and stays out of the log.
  const { url } = request.routeOptions ?? {}
  const route = url === undefined ? request.method : `${request.method} ${url}`
  if (!isAbandonment(thrown)) {
    if (isLogged(error)) log?.(`${reference} ${route} ${error.code}`, thrown)
    else refusals?.note(error, route)
  }
  reply.code(error.status)
  sayRetryAfter(reply, error)
  return { error, reference }
}

/** Every 429 and 503 tells the client when to retry (spec §8). */
export function sayRetryAfter(reply: FastifyReply, { status, retryAfter }: AppError): void {
  const seconds = retryAfter ?? (status === 429 || status === 503 ? RETRY_AFTER_SECONDS : undefined)
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
}

/** The client has left or the server is closing, so the work was aborted; nothing has failed. */
const isAbandonment = (thrown: unknown): boolean =>
  isAbort(thrown) || (thrown instanceof AppError && isAbort(thrown.cause))

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** A client that navigates shows the error's page in place, unless it asks again or loads another one. */
function wantsData(request: FastifyRequest, { status, code }: AppError): boolean {
  const isForPage = isNavigation(request) && request.method === 'GET'
  if (!isForPage || isEmbedded(request.headers)) return isFromScript(request)
  const isRetried = (status === 429 || status === 503) && !FINAL_CODES.includes(code)
  return isRetried || status === 401 || isPrefetch(request) || isShown(request)
}

const isFromScript = (request: FastifyRequest): boolean =>
  isEmbedded(request.headers) ||
  isNavigation(request) ||
  request.headers[HEADERS.marker.toLowerCase()] !== undefined ||
  request.headers['x-requested-with'] !== undefined

/** Maps Fastify's own refusals to our error codes; everything else is a server error. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const [statusCode, code] = [propertyOf(thrown, 'statusCode'), propertyOf(thrown, 'code')]
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return new AppError('REQUEST_TOO_LARGE')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415)
    return new AppError('CONTENT_TYPE')
  if (statusCode === 414) return new AppError('ADDRESS_TOO_LONG')
  if (statusCode === 429) return new AppError('TOO_MANY_REQUESTS', { retryAfter: 1 })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new AppError('REQUEST_MALFORMED', { cause: thrown })
  return new AppError('SERVER_ERROR', { cause: thrown })
}
