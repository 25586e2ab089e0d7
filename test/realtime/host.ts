/** A listening realtime server with the endpoints that clients ask for signatures, and its clients. */

import { createRequire } from 'node:module'
import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import ServerLibrary from 'pusher'
import type * as PusherTypes from 'pusher-js'
import type { Channel, Options } from 'pusher-js'
import { authorizeChannel, authorizeUser } from '../../src/realtime/authorize-channel.ts'
import {
  createRealtimeServer,
  type RealtimeOptions,
  type RealtimeServer,
} from '../../src/realtime/realtime-server.ts'

export type PusherClient = InstanceType<typeof PusherTypes.default.default>

const require = createRequire(import.meta.url)
// Its build for Node exports the class itself; its types are of another build.
export const Pusher = require('pusher-js') as typeof PusherTypes.default.default

export const APP = {
  id: '1',
  key: 'a-key',
  secret: randomBytes(20).toString('hex'),
  encryptionKey: randomBytes(32).toString('base64'),
}

export type Host = {
  readonly port: number
  readonly realtime: RealtimeServer
  /** Pusher's own server library, which publishes and asks over HTTP. */
  readonly library: ServerLibrary
  /** Channels that nobody may join, who get a 403; with `publishing`, events are refused with a 503. */
  readonly denied: Set<string>
  client(user?: string, options?: Partial<Options>): PusherClient
  /** Closes the realtime server while another takes its place. */
  replace(): Promise<void>
  close(): Promise<void>
}

type Form = { readonly socket_id: string; readonly channel_name: string }

export async function startHost(options: Partial<RealtimeOptions> = {}): Promise<Host> {
  const settings: RealtimeOptions = {
    app: APP,
    origins: ['http://localhost:4600'],
    allowNoOrigin: true,
    clientEvents: true,
    ...options,
  }
  const realtime = createRealtimeServer(settings)
  let answering = realtime
  const denied = new Set<string>()
  const app = fastify()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const userOf = (header: string | string[] | undefined) => ({
    id: String(header),
    info: { name: `User ${String(header)}` },
  })
  app.post<{ Body: Form }>('/broadcasting/auth', async ({ body, headers }, reply) => {
    const { socket_id: socketId, channel_name: channel } = body
    if (denied.has(channel)) return reply.code(403).send({})
    const user = userOf(headers['x-user'])
    const isPresence = channel.startsWith('presence-')
    return authorizeChannel({ app: APP, socketId, channel, ...(isPresence && { user }) })
  })
  app.post<{ Body: Form }>('/broadcasting/user-auth', async ({ body, headers }) =>
    authorizeUser({ app: APP, socketId: body.socket_id, user: userOf(headers['x-user']) }),
  )
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.includes('/terminate_') && denied.has('ending')) return reply.code(404).send({})
    if (url.includes('/batch_events') && denied.has('publishing')) return reply.code(503).send({})
    return undefined
  })
  await realtime.routes(app)
  app.server.on('upgrade', (request, socket, head) => {
    if (!answering.upgrade(request, socket, head)) socket.destroy()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const clients: PusherClient[] = []
  return {
    port,
    realtime,
    denied,
    library: new ServerLibrary({
      ...{ appId: settings.app.id, key: settings.app.key, secret: settings.app.secret },
      host: '127.0.0.1',
      port: String(port),
      useTLS: false,
      encryptionMasterKeyBase64: APP.encryptionKey,
    }),
    client(user = 'ada', more = {}) {
      const client = new Pusher(APP.key, { ...clientOptions(port, user), ...more })
      clients.push(client)
      return client
    },
    async replace() {
      const old = answering
      answering = createRealtimeServer(settings)
      await old.close()
    },
    async close() {
      for (const client of clients) client.disconnect()
      await answering.close()
      await app.close()
    },
  }
}

export const clientOptions = (port: number, user: string): Options => ({
  cluster: 'none',
  wsHost: '127.0.0.1',
  wsPort: port,
  forceTLS: false,
  enabledTransports: ['ws'],
  enableStats: false,
  channelAuthorization: {
    transport: 'ajax',
    endpoint: `http://127.0.0.1:${port}/broadcasting/auth`,
    headers: { 'x-user': user },
  },
  userAuthentication: {
    transport: 'ajax',
    endpoint: `http://127.0.0.1:${port}/broadcasting/user-auth`,
    headers: { 'x-user': user },
  },
})

/** Settles when the channel is subscribed to; fails if the server or the endpoint refuses. */
export const subscribed = (channel: Channel): Promise<unknown> =>
  new Promise((resolve, reject) => {
    channel.bind('pusher:subscription_succeeded', resolve)
    channel.bind('pusher:subscription_error', reject)
  })
