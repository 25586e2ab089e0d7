/** Answers each message of a client. */

import { AppError } from '../server/app-error.ts'
import { type RateLimit, rateLimit } from '../server/rate-limit.ts'
import { type Channel, isUserId, readChannel, userChannel } from './channels.ts'
import {
  type ClientEvent,
  type ClientMessage,
  member as memberSchema,
  readAs,
  readClientMessage,
  type Subscribe,
  user as userSchema,
} from './client-message.ts'
import type { Clock } from './clock.ts'
import type { Connection, Member } from './connection.ts'
import { messageFrame, wrappedFrame } from './frame.ts'
import { type Delivery, type Hub, refusalFrame } from './hub.ts'
import { LIMITS, type ServerLimits } from './limits.ts'
import { CODES, ProtocolError, SubscriptionError } from './protocol-error.ts'
import { isSignedChannel, isSignedUser, type RealtimeApp } from './signatures.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type DialogueOptions = {
  readonly app: RealtimeApp
  readonly hub: Hub
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly clientEvents: boolean
  readonly unsignedChannels: boolean
  /** Sends a client's event to the subscribers on all nodes. */
  readonly publish: (delivery: Delivery) => void
  readonly tell: (event: WebhookEvent) => void
}

const PONG = messageFrame({ event: 'pusher:pong', data: '{}' })
const MESSAGES_MS = 10_000

export class Dialogue {
  readonly #options: DialogueOptions
  readonly #messages: RateLimit
  readonly #clientEvents: RateLimit

  constructor(options: DialogueOptions) {
    const { clock, limits } = options
    this.#options = options
    this.#messages = rateLimit({ now: clock.now, limit: limits.messages, windowMs: MESSAGES_MS })
    this.#clientEvents = rateLimit({
      now: clock.now,
      limit: LIMITS.clientEventsPerSecond,
      windowMs: 1000,
    })
  }

  /** Notes that the client is there. One that sends without end is closed; returns whether it may go on. */
  hear(connection: Connection): boolean {
    connection.heardAt = this.#options.clock.now()
    connection.pingedAt = 0
    if (isWithin(this.#messages, connection)) return connection.isOpen
    connection.close(new ProtocolError(CODES.violation, 'The client sends too many messages.'))
    return false
  }

  receive(connection: Connection, source: string): void {
    if (!this.hear(connection)) return
    try {
      this.#answer(connection, readClientMessage(source))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      connection.report(error)
    }
  }

  #answer(connection: Connection, message: ClientMessage): void {
    switch (message.event) {
      case 'pusher:ping':
        return connection.send(PONG)
      case 'pusher:pong':
        return
      case 'pusher:subscribe':
        return this.#subscribe(connection, message.data)
      case 'pusher:unsubscribe':
        return void this.#options.hub.rooms.leave(message.data.channel, connection)
      case 'pusher:signin':
        return this.#signIn(connection, message.data)
      default:
        return this.#forward(connection, message)
    }
  }

  #subscribe(connection: Connection, asked: Subscribe): void {
    const { hub, limits } = this.#options
    try {
      const channel = readChannel(asked.channel)
      if (!channel) throw new SubscriptionError(400, 'The name of the channel is not allowed.')
      if (connection.channels.has(channel.name))
        throw new ProtocolError(null, 'The connection is subscribed to the channel already.')
      if (connection.channels.size >= limits.channelsPerConnection)
        throw new SubscriptionError(403, 'The connection has as many channels as it may have.')
      hub.subscribe(connection, channel, this.#admit(connection, channel, asked))
    } catch (error) {
      if (!(error instanceof SubscriptionError)) throw error
      connection.send(refusalFrame(asked.channel.slice(0, LIMITS.nameLength), error))
    }
  }

  /** Throws unless the connection may subscribe; returns whom it is on a presence channel. */
  #admit(
    connection: Connection,
    { name, access }: Channel,
    { auth = '', channel_data: data }: Subscribe,
  ): Member | undefined {
    const isUnsigned = access === 'public' || access === 'user'
    if (isUnsigned && !this.#options.unsignedChannels)
      throw new SubscriptionError(403, 'The server has only channels that need a signature.')
    if (access === 'public') return undefined
    if (access === 'user') {
      if (connection.user && name === userChannel(connection.user.id)) return undefined
      throw new SubscriptionError(401, 'The channel is of another user.')
    }
    const claimed = { socketId: connection.id, channel: name, data, auth }
    if (!isSignedChannel(this.#options.app, claimed))
      throw new SubscriptionError(401, 'The signature of the subscription is not valid.')
    // Some endpoints sign data for private channels too, where they say nothing.
    return access === 'presence' ? memberOf(connection, data) : undefined
  }

  #signIn(connection: Connection, { auth, user_data: data }: { auth: string; user_data: string }) {
    const { app, hub } = this.#options
    if (!isSignedUser(app, { socketId: connection.id, data, auth }))
      throw new ProtocolError(CODES.unauthorized, 'The signature of the sign-in is not valid.')
    const user = readAs(userSchema, data)
    if (!user || !isUserId(user.id))
      throw new ProtocolError(CODES.unauthorized, 'The user of the sign-in has no id.')
    hub.signIn(connection, { id: user.id, info: user.user_info })
    connection.send(wrappedFrame('pusher:signin_success', { user_data: data }))
    if (user.watchlist?.length)
      throw new ProtocolError(CODES.watchlist, 'The server does not follow watchlists.')
  }

  #forward(connection: Connection, { event, channel: name, data: value }: ClientEvent): void {
    const channel = readChannel(name)
    if (!this.#options.clientEvents || !channel || channel.isEncrypted)
      throw new ProtocolError(CODES.refused, 'Client events are not allowed on the channel.')
    if (channel.access !== 'private' && channel.access !== 'presence')
      throw new ProtocolError(CODES.refused, 'Client events need a private or presence channel.')
    if (!connection.channels.has(name))
      throw new ProtocolError(CODES.refused, 'Client events need a subscription to their channel.')
    if (!isWithin(this.#clientEvents, connection))
      throw new ProtocolError(CODES.refused, 'The client sends too many events.')
    const data = typeof value === 'string' ? value : JSON.stringify(value ?? null)
    if (Buffer.byteLength(data) > LIMITS.dataBytes)
      throw new ProtocolError(CODES.refused, 'The data of the event are too large.')
    this.#pass(connection, { channel: name, name: event, data })
  }

  /** Nothing of the client's message goes on but its name, its channel and its data. */
  #pass(connection: Connection, { channel, name, data }: Delivery): void {
    const userId = connection.channels.get(channel)?.id
    this.#options.publish({ channel, name, data, except: connection.id, userId })
    this.#options.tell({
      name: 'client_event',
      channel,
      event: name,
      data,
      socket_id: connection.id,
      ...(userId !== undefined && { user_id: userId }),
    })
  }
}

/** A user who has signed in need not send data for the channel. */
function memberOf({ user }: Connection, data: string | undefined): Member {
  if (data === undefined && user) return user
  const found = data === undefined ? undefined : readAs(memberSchema, data)
  if (data === undefined || !found || !isUserId(found.user_id))
    throw new SubscriptionError(401, 'The channel needs the data of its member.')
  if (Buffer.byteLength(data) > LIMITS.memberBytes)
    throw new SubscriptionError(403, 'The data of the member are too large.')
  return { id: found.user_id, info: found.user_info }
}

function isWithin(limit: RateLimit, { id }: Connection): boolean {
  try {
    limit.take(id)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
