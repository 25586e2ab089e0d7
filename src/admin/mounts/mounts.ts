/** Mounts the admin in your application: each mount hands requests under the prefix to the admin. */

import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { refuseUpgrade } from '../../server/http/refuse-upgrade.ts'
import type { Addresses } from '../addresses.ts'
import { createFetchMount } from './fetch-mount.ts'

/** None uses `this`, so you may pass each on by itself. */
export type Mounts = {
  /**
   * Answers a request under the prefix; returns `false` for any other and leaves it untouched.
   *
   * @example
   * createServer((request, response) => {
   *   if (!admin.handle(request, response)) response.end('mine')
   * })
   */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * The same for Express and whatever takes its middleware: `app.use(admin.middleware)`, before
   * body parsers. Calls `next` outside the prefix.
   */
  middleware(request: IncomingMessage, response: ServerResponse, next: () => void): void
  /** The same as a Fastify plugin: `fastify.register(admin.plugin)`. */
  plugin(host: FastifyInstance): Promise<void>
  /**
   * Answers an upgrade request under the prefix; returns `false` for any other and leaves it
   * untouched. The host owns the server, so it has to pass these on, however the admin is mounted.
   * Sockets of live events come this way.
   *
   * @example
   * server.on('upgrade', (request, socket, head) => {
   *   if (!admin.upgrade(request, socket, head)) socket.destroy()
   * })
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /**
   * The same for hosts that use `Request` and `Response`; 404 outside the prefix. A `Request` has no
   * client address: without `trustProxy`, all visitors who never signed in share one rate limit.
   */
  fetch: (request: Request) => Promise<Response>
}

/** The host's own request object for each of Node's. */
export type HostRequests = WeakMap<IncomingMessage, unknown>

/** Takes the connection from the response of a route, and passes it on. */
export type Upgrade = (
  response: ServerResponse,
  take: (socket: Duplex, head: Buffer) => void,
) => void

/** How the route that answers an upgrade request gets its connection. */
export type UpgradeRequests = WeakMap<IncomingMessage, Upgrade>

/** The mounts add each request to `hostRequests`, and those that ask for an upgrade to `upgrades`. */
export function createMounts(
  app: FastifyInstance,
  addresses: Addresses,
  hostRequests: HostRequests,
  upgrades: UpgradeRequests,
): Mounts {
  function forward(request: IncomingMessage, response: ServerResponse, original: unknown): boolean {
    const url = originalUrl(request)
    if (!addresses.has(url)) return false
    request.url = url
    hostRequests.set(request, original)
    app.routing(request, response)
    return true
  }

  /** Goes the way of all requests, so that hooks, limits and sign-in are the same. */
  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (!addresses.has(originalUrl(request))) return false
    socket.on('error', () => socket.destroy())
    // Node's type is any stream; a response can only be written to a connection.
    if (!originalUrl(request).startsWith(addresses.sockets) || !(socket instanceof Socket)) {
      refuseUpgrade(socket, '404 Not Found')
      return true
    }
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    response.shouldKeepAlive = false
    response.on('finish', () => socket.end())
    upgrades.set(request, (own, take) => {
      own.detachSocket(socket)
      take(socket, head)
    })
    return forward(request, response, request)
  }

  return {
    handle: (request, response) => forward(request, response, request),
    middleware(request, response, next) {
      if (!forward(request, response, request)) next()
    },
    async plugin(host) {
      // The admin reads bodies itself, so the host must not.
      host.removeAllContentTypeParsers()
      host.addContentTypeParser('*', (_request, _body, read) => read(null))
      const base = pathBelow(host.prefix, addresses.prefix)
      for (const path of [base || '/', `${base}/*`])
        host.all(path, (request, reply) => {
          if (forward(request.raw, reply.raw, request)) reply.hijack()
          else reply.callNotFound()
        })
    },
    fetch: createFetchMount(app, hostRequests),
    upgrade,
  }
}

/** A router mounted at a path strips it from `url`, and keeps the whole path in `originalUrl`. */
function originalUrl(request: IncomingMessage): string {
  const originalUrl = 'originalUrl' in request ? request.originalUrl : undefined
  return typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/')
}

/** What is left of the admin's prefix when the plugin is registered under part of it. */
function pathBelow(registered: string, prefix: string): string {
  const base = registered.replace(/\/$/, '')
  if (prefix === base || prefix.startsWith(`${base}/`)) return prefix.slice(base.length)
  throw new Error(
    `The admin has the prefix [${prefix}], so it cannot be registered under [${base}]. Give createAdmin the whole prefix.`,
  )
}
