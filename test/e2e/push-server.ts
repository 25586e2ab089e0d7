/** As much of a server of Pusher's protocol as a page needs, for tests that are that server. */

import type { IncomingMessage, Server } from 'node:http'
import type { BrowserContext } from 'playwright-core'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RealtimeAddress } from '../../src/protocol/channels.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { PageData } from '../../src/protocol/page.ts'

type Message = { readonly event: string; readonly data?: { readonly channel?: string } }

export type PushServer = {
  /** Addresses of the connections that were asked for, the first one first. */
  readonly asked: readonly string[]
  /** What browsers have sent, by its event. */
  received(event: string): Message[]
  /** Who is in the channel now. */
  members(channel: string): number
  /** How many connections there are. */
  connections(): number
  send(channel: string, event: string, detail: Json): void
  /** Ends all connections, as a process that dies does. */
  drop(): void
  /** Whether connections are accepted, and pings answered. Default: both. */
  accepts: boolean
  answers: boolean
  close(): void
}

/** Adds it to a server for HTTP. */
export function servePush(http: Server): PushServer {
  const sockets = new WebSocketServer({ noServer: true })
  const channels = new Map<string, Set<WebSocket>>()
  const asked: string[] = []
  const messages: Message[] = []
  const inChannel = (name: string) => channels.get(name) ?? new Set()

  function receive(socket: WebSocket, message: Message): void {
    messages.push(message)
    const channel = message.data?.channel ?? ''
    const say = (event: string, data: Json = {}) =>
      socket.send(JSON.stringify({ event, channel, data: JSON.stringify(data) }))
    if (message.event === 'pusher:ping' && server.answers) say('pusher:pong')
    if (message.event === 'pusher:unsubscribe') channels.get(channel)?.delete(socket)
    if (message.event !== 'pusher:subscribe') return
    channels.set(channel, inChannel(channel).add(socket))
    const hash = { ana: { name: 'Ana' }, bo: { name: 'Bo' } }
    const presence = { presence: { ids: Object.keys(hash), hash, count: 2 } }
    say('pusher_internal:subscription_succeeded', channel.startsWith('presence-') ? presence : {})
  }

  http.on('upgrade', (request: IncomingMessage, connection, head) => {
    asked.push(request.url ?? '')
    if (!server.accepts) return void connection.destroy()
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on('message', (text: Buffer) =>
        receive(socket, JSON.parse(text.toString()) as Message),
      )
      socket.on('close', () => channels.forEach((members) => members.delete(socket)))
      const data = JSON.stringify({ socket_id: `7.${asked.length}`, activity_timeout: 120 })
      socket.send(JSON.stringify({ event: 'pusher:connection_established', data }))
    })
  })

  const server: PushServer = {
    asked,
    received: (event) => messages.filter((message) => message.event === event),
    members: (channel) => inChannel(channel).size,
    connections: () => sockets.clients.size,
    send(channel, event, detail) {
      const text = JSON.stringify({ event, channel, data: JSON.stringify(detail) })
      for (const socket of inChannel(channel)) socket.send(text)
    },
    drop: () => sockets.clients.forEach((socket) => socket.terminate()),
    accepts: true,
    answers: true,
    close() {
      server.drop()
      sockets.close()
    },
  }
  return server
}

/** Pages of the context have an address for events, and their components of that name these channels. */
export async function addChannels(
  context: BrowserContext,
  channels: { readonly [component: string]: string[] },
  address: Partial<RealtimeAddress> = {},
): Promise<void> {
  const realtime: RealtimeAddress = {
    key: 'test-key',
    host: null,
    cluster: null,
    path: '',
    authUrl: '/broadcasting/auth',
    userAuthUrl: '/broadcasting/user-auth',
    noticedBy: 'version',
    ...address,
  }
  const change = (text: string): string => {
    // Of a page that was prefetched, the answer is the shell alone.
    const page = JSON.parse(text) as Partial<PageData>
    const components = page.components?.map(({ channels: _own, ...component }) => {
      const wanted = channels[component.name]
      return wanted ? { ...component, channels: wanted } : component
    })
    return JSON.stringify({ ...page, ...(components && { components, realtime }) })
  }
  const inDocument = (html: string): string =>
    html.replace(/(?<="tablewire-page">).*?(?=<\/script>)/s, (json) =>
      change(json).replaceAll('<', '\\u003c'),
    )
  // A page that a test has changed counts as one of the internet, which may not reach this machine.
  await context.grantPermissions(['local-network-access'])
  await context.route('**/*', async (route, request) => {
    const isDocument = request.resourceType() === 'document'
    if (!isDocument && request.headers()['x-tablewire-navigate'] === undefined)
      return route.fallback()
    const response = await route.fetch()
    const text = await response.text()
    const headers = response.headers()
    const policy = headers['content-security-policy'] ?? ''
    if (address.host)
      headers['content-security-policy'] = policy.replace(
        'connect-src',
        `$& ${address.host.replace('http', 'ws')}`,
      )
    await route.fulfill({ response, headers, body: isDocument ? inDocument(text) : change(text) })
  })
  await context.route('**/broadcasting/auth', (route, request) => {
    const isPresence = new URLSearchParams(request.postData() ?? '')
      .get('channel_name')
      ?.startsWith('presence-')
    const data = isPresence && { channel_data: '{"user_id":"ana"}' }
    return route.fulfill({ json: { auth: 'test-key:signed', ...data } })
  })
  await context.route('**/broadcasting/user-auth', (route) =>
    route.fulfill({ json: { auth: 'test-key:signed', user_data: '{"id":"ana"}' } }),
  )
}
