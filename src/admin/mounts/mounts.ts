/** The ways into an application of one's own: all of them hand what is under the prefix to the admin. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Addresses } from '../addresses.ts'
import { createFetchMount } from './fetch-mount.ts'

/** They need no `this`, so each may be handed on by itself. */
export type Mounts = {
  /**
   * Answers a request under the prefix; returns `false` for any other, which is left untouched.
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
  /** The same as a plugin of Fastify: `fastify.register(admin.plugin)`. */
  plugin(host: FastifyInstance): Promise<void>
  /**
   * Answers a request under the prefix to become a socket; returns `false` for any other, which is
   * left untouched. The host hands it on, whatever the admin is mounted in, since the server is the
   * host's. Nothing listens yet, so it is refused with 404 and the connection is closed.
   *
   * @example
   * server.on('upgrade', (request, socket, head) => {
   *   if (!admin.upgrade(request, socket, head)) socket.destroy()
   * })
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /**
   * The same for hosts that speak `Request` and `Response`; 404 outside the prefix. Such a host does
   * not say where a request comes from: without `trustProxy`, all who are not signed in count as one.
   */
  fetch: (request: Request) => Promise<Response>
}

/** Each request as the host knows it, by Node's. */
export type HostRequests = WeakMap<IncomingMessage, unknown>

/** `hostRequests` is told of every request that comes by one of them. */
export function createMounts(
  app: FastifyInstance,
  addresses: Addresses,
  hostRequests: HostRequests,
): Mounts {
  function take(request: IncomingMessage, response: ServerResponse, original: unknown): boolean {
    const url = originalUrl(request)
    if (!addresses.has(url)) return false
    request.url = url
    hostRequests.set(request, original)
    app.routing(request, response)
    return true
  }

  function upgrade(request: IncomingMessage, socket: Duplex, _head: Buffer): boolean {
    if (!addresses.has(originalUrl(request))) return false
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    return true
  }

  return {
    handle: (request, response) => take(request, response, request),
    middleware(request, response, next) {
      if (!take(request, response, request)) next()
    },
    async plugin(host) {
      // The admin reads bodies itself, so here nothing may.
      host.removeAllContentTypeParsers()
      host.addContentTypeParser('*', (_request, _body, read) => read(null))
      const base = pathBelow(host.prefix, addresses.prefix)
      for (const path of [base || '/', `${base}/*`])
        host.all(path, (request, reply) => {
          if (take(request.raw, reply.raw, request)) reply.hijack()
          else reply.callNotFound()
        })
    },
    fetch: createFetchMount(app, hostRequests),
    upgrade,
  }
}

/** A router that a host mounts at a path takes the path off, and keeps what the browser asked for. */
function originalUrl(request: IncomingMessage): string {
  const { originalUrl } = request as { originalUrl?: unknown }
  return typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/')
}

/** What is left of the admin's prefix where a plugin is registered below another one. */
function pathBelow(registered: string, prefix: string): string {
  const base = registered.replace(/\/$/, '')
  if (prefix === base || prefix.startsWith(`${base}/`)) return prefix.slice(base.length)
  throw new Error(
    `The admin has the prefix [${prefix}], so it cannot be registered under [${base}]. Give createAdmin the whole prefix.`,
  )
}
