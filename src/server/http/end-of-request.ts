/** Ends the work of a request whose client has gone, or whose time is up. */

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long a request of the route may take, ms. Default: that of the application. */
    readonly limitMs?: number
    /** How long the body may take to arrive, ms. Default: `BODY_MS`. */
    readonly bodyMs?: number
  }
}

/** How long a body may take to arrive, unless its route gives it more time, ms. */
const BODY_MS = 30_000

/** A page asks for the signal of its response once for each of its parts. */
const controllers = new WeakMap<FastifyReply, AbortController>()

/**
 * A signal that fires when the client disconnects before the response is complete, or when the
 * request has reached the time limit of its route; at once if that has happened already.
 */
export const abortOnClose = (reply: FastifyReply): AbortSignal => controllerOf(reply).signal

function controllerOf(reply: FastifyReply): AbortController {
  const known = controllers.get(reply)
  if (known) return known
  const controller = new AbortController()
  controllers.set(reply, controller)
  const { raw } = reply
  const onClose = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return controller
}

/**
 * Answers requests that take longer than `ms` with `TIME_LIMIT`, or breaks off what is being sent.
 * Fastify's own limit makes an error, with its stack, at the end of every request: a tenth of what an
 * update costs besides its view.
 */
export function limitRequests(app: FastifyInstance, ms: number): void {
  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    const timer = setTimeout(() => end(reply), routeOptions.config.limitMs ?? ms).unref()
    const stop = () => clearTimeout(timer)
    reply.raw.once('finish', stop).once('close', stop)
    done()
  })
}

function end(reply: FastifyReply): void {
  const isOver = () => reply.sent
  if (isOver()) return
  const error = new AppError('TIME_LIMIT')
  controllerOf(reply).abort(error)
  // Whoever listens may have answered.
  if (isOver()) return
  if (reply.raw.headersSent) reply.raw.destroy(error)
  else void reply.send(error)
}

/**
 * Answers requests whose body takes too long with `REQUEST_TIMEOUT`. Node's own limit is that of the whole
 * server, so that a slow upload would need one that is too long for all other requests.
 */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    if (raw.complete || (length === '0' && encoding === undefined)) return done()
    const ms = routeOptions.config.bodyMs ?? BODY_MS
    const timer = setTimeout(() => endSlow(raw, reply), ms).unref()
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
    done()
  })
}

/** The rest of the body is not waited for, even if the request has been answered. */
function endSlow(raw: IncomingMessage, reply: FastifyReply): void {
  const isAnswered = () => reply.sent
  const error = new AppError('REQUEST_TIMEOUT')
  if (!isAnswered()) controllerOf(reply).abort(error)
  if (isAnswered()) return void raw.destroy()
  reply.raw.once('finish', () => raw.destroy())
  void reply.header('connection', 'close').send(error)
}
