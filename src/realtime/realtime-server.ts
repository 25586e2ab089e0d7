/** The realtime server of one application: sockets, HTTP API, publishing and fan-out. */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Json } from '../protocol/json.ts'
import { isRepetitive } from '../server/keys.ts'
import type { Requester } from '../server/rate-limit.ts'
import type { Broadcaster } from '../table/source/broadcaster.ts'
import { createBroadcaster } from './channel-broadcaster.ts'
import type { Bus } from './bus.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Withdrawal } from './hub.ts'
import { addHttpApi } from './http-api.ts'
import type { Trigger } from './http-events.ts'
import { watchIdle } from './idle.ts'
import { type ServerLimits, SERVER_LIMITS } from './limits.ts'
import { Node } from './node.ts'
import type { RealtimeApp } from './signatures.ts'
import { socketIds } from './socket-ids.ts'
import { Sockets } from './sockets.ts'
import { postOverHttp, type Post, type Webhook } from './webhooks.ts'

export type RealtimeOptions = {
  readonly app: RealtimeApp
  /** What the paths of sockets and HTTP API begin with, such as `/admin`. */
  readonly prefix?: string
  /** Origins whose pages may connect. */
  readonly origins: readonly string[] | ((origin: string, request: IncomingMessage) => boolean)
  /** Whether programs, which send no origin, may connect. Default: false. */
  readonly allowNoOrigin?: boolean
  /** Who opens a socket. Default: whoever has the address. */
  readonly requesterOf?: (request: IncomingMessage) => Requester | Promise<Requester>
  /** Whether clients may send events to each other. Default: false. */
  readonly clientEvents?: boolean
  /**
   * Whether clients may subscribe to channels that need no signature: public ones, and their user's own.
   * Default: true.
   */
  readonly unsignedChannels?: boolean
  /** Whether subscribers are told how many they are. Default: false. */
  readonly subscriptionCounts?: boolean
  readonly webhooks?: readonly Webhook[]
  /** Default: there is one node. */
  readonly bus?: Bus
  readonly limits?: Partial<ServerLimits>
  /** Default: the machine's. */
  readonly clock?: Clock
  /** Sends webhooks. Default: `fetch`. */
  readonly post?: Post
  /** Hears of failures that nobody waits for. Default: nobody does. */
  readonly report?: (error: unknown) => void
}

export type Publication = {
  readonly channels: readonly string[]
  readonly name: string
  readonly data: Json
  /** Id of the socket that does not receive it. */
  readonly except?: string
}

/** A subscription of this node. */
export type Subscription = {
  readonly channel: string
  readonly socketId: string
  readonly requester: Requester
  /** Who has signed in on the socket, or is a member of the channel. */
  readonly user: string | undefined
}

export type RealtimeStats = {
  readonly connections: number
  readonly channels: number
  readonly cached: number
  /** Sockets that were closed because they did not read. */
  readonly dropped: number
  readonly nodes: number
  /** Texts on the bus that came from no node of this application. */
  readonly forged: number
  /** Messages for other nodes that could not be sent. */
  readonly unsent: number
  /** Events that an address of webhooks was not told, because it did not take them in time. */
  readonly webhooksDropped: number
}

export type RealtimeServer = {
  /** Answers an upgrade request under `<prefix>/app/`; returns `false` for any other and leaves it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Adds the HTTP API under `<prefix>/apps/<id>`. */
  routes(app: FastifyInstance): Promise<void>
  /** Sends an event, on all nodes. Throws `ApiError` if it breaks a limit of the protocol. */
  publish(publication: Publication): void
  /** Sends an event to the sockets of this node alone. Throws `ApiError` likewise. */
  publishHere(publication: Publication): void
  /** Carries the channel `table.orders` as `private-table.orders`, as `broadcastChannel` says. */
  readonly broadcaster: Broadcaster
  /** Ends subscriptions on all nodes: of a user, to a channel, or both. Throws if neither is given. */
  revoke(withdrawal: Withdrawal): void
  /**
   * Asks about each subscription of this node, a few at a time, and ends those that are not allowed any
   * more, or about which the question throws.
   */
  review(isAllowed: (subscription: Subscription) => boolean | Promise<boolean>): Promise<number>
  /** Closes a user's sockets on all nodes: those that their requests opened or where they signed in. */
  terminateUser(id: string): void
  /**
   * Whether a socket, of whichever node, was opened by a request of this person. Ask before an event is
   * kept from the socket that a request names.
   */
  isSocketOf(socketId: string, person: string | undefined): boolean
  /** Names of the channels on which this node has sockets, of those that begin as given. */
  occupied(beginning: string): readonly string[]
  stats(): RealtimeStats
  /** Closes all sockets so that clients come back at once, and tells the other nodes. */
  close(): Promise<void>
}

/** Throws if the app's secret can be guessed. */
export function createRealtimeServer(options: RealtimeOptions): RealtimeServer {
  const { app, prefix = '', clock = systemClock, report = () => {} } = options
  checkApp(app)
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const node = new Node({
    app,
    clock,
    limits,
    name: randomBytes(12).toString('base64url'),
    bus: options.bus,
    clientEvents: options.clientEvents ?? false,
    unsignedChannels: options.unsignedChannels ?? true,
    subscriptionCounts: options.subscriptionCounts ?? false,
    webhooks: options.webhooks ?? [],
    post: options.post ?? postOverHttp,
    report,
  })
  const ids = socketIds(app.secret)
  const sockets = new Sockets({
    ...{ app, prefix, limits, clock, report, ids },
    hub: node.hub,
    dialogue: node.dialogue,
    isAllowed: originRule(options),
    requesterOf: options.requesterOf ?? ((request) => ({ ip: request.socket.remoteAddress ?? '' })),
  })
  const stopWatching = watchIdle(clock, () => node.hub.connections.values())
  const broadcaster = createBroadcaster(node)
  return {
    broadcaster,
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    routes: (part) =>
      addHttpApi(part, {
        ...{ app, prefix, clock },
        hub: node.hub,
        publish: (delivery) => node.publish(delivery),
        terminate: (user) => node.terminate(user),
      }),
    publish: (publication) => node.trigger(triggerOf(publication), publication.channels),
    publishHere: (publication) => node.triggerHere(triggerOf(publication), publication.channels),
    revoke: (withdrawal) => node.revoke(withdrawal),
    review: (isAllowed) => node.review(isAllowed),
    terminateUser: (id) => node.terminate(id),
    isSocketOf: (socketId, person) => ids.isOf(socketId, person),
    occupied: (beginning) =>
      [...node.hub.rooms.names()].filter(
        (name) => name.startsWith(beginning) && node.hub.rooms.socketsOf(name).size > 0,
      ),
    stats: () => ({ ...node.stats(), dropped: sockets.dropped }),
    async close() {
      stopWatching()
      sockets.close()
      await node.close()
    },
  }
}

const triggerOf = ({ name, data, except }: Publication): Trigger => ({
  ...{ name, data: JSON.stringify(data), socket_id: except },
})

const SECRET_LENGTH = 20

function checkApp({ id, key, secret }: RealtimeApp): void {
  if (!/^[\w-]{1,64}$/.test(id) || !/^[\w-]{1,64}$/.test(key))
    throw new Error('The id and key of the realtime app take letters, digits, “-” and “_”.')
  if (secret.length < SECRET_LENGTH || isRepetitive(secret) || secret === key)
    throw new Error(
      `The secret of the realtime app can be guessed: it needs ${SECRET_LENGTH} characters at random.`,
    )
}

function originRule({ origins, allowNoOrigin = false }: RealtimeOptions) {
  return (origin: string | undefined, request: IncomingMessage): boolean => {
    if (origin === undefined) return allowNoOrigin
    return typeof origins === 'function' ? origins(origin, request) : origins.includes(origin)
  }
}
