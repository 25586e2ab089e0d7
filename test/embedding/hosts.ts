/** Applications that the admin is mounted in: one of each kind, with a page and a form of its own. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import express from 'express'
import fastify from 'fastify'
import type { Mounts } from '../../src/admin/mounts/mounts.ts'

export type Host = { readonly origin: string; close(): Promise<void> }

/** Each answers `GET` with `mine <path>`, and `POST /form` with the JSON that it was sent. */
export const HOSTS: {
  readonly [name: string]: (...admins: readonly Mounts[]) => Promise<Host>
} = {
  'node:http': (...admins) =>
    listen((request, response) => {
      if (admins.some((admin) => admin.handle(request, response))) return
      void answer(request).then((text) => response.end(text))
    }, admins),

  Express(...admins) {
    const app = express()
    for (const admin of admins) app.use(admin.middleware)
    app.use(express.json())
    app.post('/form', (request, response) => void response.json(request.body))
    app.use((request, response) => void response.send(`mine ${request.path}`))
    return listen(app, admins)
  },

  async Fastify(...admins) {
    const app = fastify()
    for (const admin of admins) await app.register(admin.plugin)
    app.post('/form', (request) => request.body)
    app.setNotFoundHandler((request, reply) => reply.code(200).send(`mine ${request.url}`))
    takeUpgrades(app.server, admins)
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    return { origin, close: () => app.close() }
  },

  // What Hono's adapter for Node and Next.js do between a socket and a route.
  fetch: (...admins) =>
    listen((message, response) => {
      const admin = admins[PREFIXES.findIndex((prefix) => isBelow(message.url, prefix))]
      if (admin) void admin.fetch(requestOf(message)).then((answer) => send(answer, response))
      else void answer(message).then((text) => response.end(text))
    }, admins),
}

/** What an upgrade of the host's own is answered with. */
export const OWN_UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: mine\r\n\r\n'

function takeUpgrades(server: Server, admins: readonly Mounts[]): void {
  server.on('upgrade', (request, socket, head) => {
    if (!admins.some((admin) => admin.upgrade(request, socket, head))) socket.end(OWN_UPGRADE)
  })
}

/** A host of this kind routes by itself. */
const PREFIXES = ['/admin', '/a/b']

const isBelow = (url = '', prefix: string) => new RegExp(`^${prefix}(?:[/?]|$)`).test(url)

function send({ status, headers, body }: Response, response: ServerResponse): void {
  response.writeHead(status, [...headers].flat())
  if (body) Readable.fromWeb(body as ReadableStream).pipe(response)
  else response.end()
}

async function answer(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return `mine ${request.url}`
  return (await request.toArray()).join('')
}

function requestOf(message: IncomingMessage): Request {
  const { method = 'GET', url, headers } = message
  const hasBody = !['GET', 'HEAD'].includes(method)
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(message) as globalThis.ReadableStream, duplex: 'half' }),
  })
}

/** Listens on a free port of this machine. */
export async function listen(
  listener: RequestListener,
  admins: readonly Mounts[] = [],
): Promise<Host> {
  const server = createServer(listener)
  if (admins.length > 0) takeUpgrades(server, admins)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => closeServer(server) }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
