/** Connections and channels of one node: who is there, who hears what, and whose rights end. */

import { type Channel, readChannel, userChannel } from './channels.ts'
import type { Clock } from './clock.ts'
import type { Connection, Member } from './connection.ts'
import type { EventCache } from './event-cache.ts'
import { messageFrame, wrappedFrame } from './frame.ts'
import { CODES, ProtocolError, type SubscriptionError } from './protocol-error.ts'
import { type RoomChange, Rooms } from './rooms.ts'
import type { WebhookEvent } from './webhook-event.ts'

/** One event on one channel, as all nodes send it to their sockets. */
export type Delivery = {
  readonly channel: string
  readonly name: string
  /** As clients read it: text, mostly of JSON. */
  readonly data: string
  /** Id of the socket that does not receive it. */
  readonly except?: string | undefined
  /** Of a client's event on a presence channel: who sent it. */
  readonly userId?: string | undefined
}

/** Whose subscriptions end, and to which channels: one, or with `*` at the end all that begin so. */
export type Withdrawal = {
  readonly user?: string | undefined
  readonly channel?: string | undefined
}

export type HubOptions = {
  readonly clock: Clock
  readonly cache: EventCache
  /** Whether subscribers are told how many they are. */
  readonly subscriptionCounts: boolean
  /** What the application is told, if it wants to know. */
  readonly tell: (event: WebhookEvent) => void
  /** What the other nodes are told. */
  readonly changed: (change: RoomChange) => void
}

/** Subscribers are told how many they are at most this often, ms; many of them less often. */
const COUNT_MS = 250
const MANY = 100
const COUNT_MANY_MS = 5000

export class Hub {
  readonly connections = new Map<string, Connection>()
  readonly rooms: Rooms
  readonly cache: EventCache
  readonly #options: HubOptions
  readonly #counting = new Set<string>()

  constructor(options: HubOptions) {
    const { tell, changed } = options
    this.#options = options
    this.cache = options.cache
    this.rooms = new Rooms({
      occupied: (channel) => tell({ name: 'channel_occupied', channel }),
      vacated: (channel) => tell({ name: 'channel_vacated', channel }),
      joined: (channel, member, socket) => this.#tellJoined(channel, member, socket),
      left: (channel, member) => this.#tellLeft(channel, member),
      counted: (channel) => this.#countSoon(channel),
      changedHere: changed,
    })
  }

  add(connection: Connection): void {
    this.connections.set(connection.id, connection)
  }

  /** Ends a connection's subscriptions once its socket is closed. */
  remove(connection: Connection): void {
    connection.isOpen = false
    this.connections.delete(connection.id)
    for (const channel of [...connection.channels.keys()]) this.rooms.leave(channel, connection)
  }

  /** Sends to this node's subscribers, with bytes that are made once for all of them. */
  deliver({ channel, name, data, except, userId }: Delivery): void {
    const sockets = this.rooms.socketsOf(channel)
    if (sockets.size === 0) return
    const user = userId === undefined ? {} : { user_id: userId }
    this.#send(sockets, messageFrame({ event: name, channel, data, ...user }), except)
  }

  /** Subscribes, and sends what a new subscriber has to know. Throws `SubscriptionError`. */
  subscribe(connection: Connection, channel: Channel, member: Member | undefined): void {
    this.rooms.enter(channel, connection, member)
    const { name } = channel
    const data = channel.access === 'presence' ? { presence: this.#presence(name) } : {}
    connection.send(wrappedFrame('pusher_internal:subscription_succeeded', data, name))
    if (channel.isCached) void this.#sendCached(connection, name)
  }

  /** Ends subscriptions of this node and tells the clients why; returns how many. */
  withdraw({ user, channel }: Withdrawal, error: SubscriptionError): number {
    const isMeant = (name: string): boolean =>
      channel === undefined ||
      (channel.endsWith('*') ? name.startsWith(channel.slice(0, -1)) : name === channel)
    let count = 0
    for (const connection of this.connections.values())
      for (const [name, member] of [...connection.channels])
        if (isMeant(name) && (user === undefined || member?.id === user || connection.isOf(user)))
          count += this.withdrawFrom(connection, name, error)
    return count
  }

  /** Ends one subscription; returns how many that were. */
  withdrawFrom(connection: Connection, channel: string, error: SubscriptionError): number {
    if (!this.rooms.leave(channel, connection)) return 0
    connection.send(refusalFrame(channel, error))
    return 1
  }

  /** Closes all connections of a user. Their clients do not come back by themselves. */
  terminate(user: string): number {
    const meant = [...this.connections.values()].filter((connection) => connection.isOf(user))
    for (const connection of meant)
      connection.close(
        new ProtocolError(CODES.unauthorized, 'The connection was ended by the app.'),
      )
    return meant.length
  }

  /** Notes who has signed in; whoever was before is heard no more. */
  signIn(connection: Connection, user: Member): void {
    if (connection.user && connection.user.id !== user.id)
      this.rooms.leave(userChannel(connection.user.id), connection)
    connection.user = user
  }

  #send(sockets: Iterable<Connection>, frame: Buffer, except?: string): void {
    for (const socket of sockets) if (socket.id !== except) socket.send(frame)
  }

  #presence(channel: string) {
    const members = this.rooms.membersOf(channel)
    return {
      ids: members.map(({ id }) => id),
      hash: Object.fromEntries(members.map(({ id, info }) => [id, info ?? null])),
      count: members.length,
    }
  }

  async #sendCached(connection: Connection, name: string): Promise<void> {
    const found = this.cache.here(name) ?? (await this.cache.find(name))
    if (!connection.channels.has(name)) return
    if (found)
      return connection.send(messageFrame({ event: found.name, channel: name, data: found.data }))
    connection.send(messageFrame({ event: 'pusher:cache_miss', channel: name, data: '{}' }))
    this.#options.tell({ name: 'cache_miss', channel: name })
  }

  #tellJoined(channel: string, { id, info }: Member, socket: Connection | undefined): void {
    const data = { user_id: id, ...(info !== undefined && { user_info: info }) }
    const frame = wrappedFrame('pusher_internal:member_added', data, channel)
    this.#send(this.rooms.socketsOf(channel), frame, socket?.id)
    this.#options.tell({ name: 'member_added', channel, user_id: id })
  }

  #tellLeft(channel: string, { id }: Member): void {
    const frame = wrappedFrame('pusher_internal:member_removed', { user_id: id }, channel)
    this.#send(this.rooms.socketsOf(channel), frame)
    this.#options.tell({ name: 'member_removed', channel, user_id: id })
  }

  /** Many who come at once are counted once. */
  #countSoon(channel: string): void {
    if (!this.#options.subscriptionCounts || this.#counting.has(channel)) return
    if (readChannel(channel)?.access === 'presence') return
    this.#counting.add(channel)
    const delay = this.rooms.countOf(channel) > MANY ? COUNT_MANY_MS : COUNT_MS
    this.#options.clock.later(() => {
      this.#counting.delete(channel)
      const subscription_count = this.rooms.countOf(channel)
      const frame = wrappedFrame(
        'pusher_internal:subscription_count',
        { subscription_count },
        channel,
      )
      this.#send(this.rooms.socketsOf(channel), frame)
      this.#options.tell({ name: 'subscription_count', channel, subscription_count })
    }, delay)
  }
}

/** Tells a client on the channel itself that it is not, or no longer, subscribed. */
export const refusalFrame = (channel: string, { status, message }: SubscriptionError): Buffer =>
  wrappedFrame('pusher:subscription_error', { type: 'AuthError', error: message, status }, channel)
