/** The page's socket; the only file that uses the socket library. */

import library, { type Channel, type Options, type PresenceChannel } from 'pusher-js'
import type { RealtimeAddress } from '../protocol/channels.ts'
import {
  ACTIVITY_TIMEOUT_MS,
  PONG_TIMEOUT_MS,
  UNAVAILABLE_TIMEOUT_MS,
} from '../protocol/constants.ts'
import type { Json } from '../protocol/json.ts'
import type { Presence } from './channel-handlers.ts'

// The file is the class itself, though its types describe a module that has it as a default export.
const Pusher: typeof library.default = Object(library)

/** `unavailable` where no connection was made within 10 s (spec §9), or the server refuses one. */
export type SocketState = 'connecting' | 'connected' | 'unavailable'

/** What the server has signed: a socket may join a channel. */
export type ChannelAuthorization = {
  readonly auth: string
  /** What the others in a presence channel are told of this member. */
  readonly channel_data?: string
}

/** What the server has signed: whose the socket is. */
export type UserAuthentication = { readonly auth: string; readonly user_data: string }

/** What a socket tells, and what it asks for. */
export type SocketEvents = {
  changed(state: SocketState): void
  /** The server sends the channel's events from now on. */
  joined(channel: string): void
  /** The socket may not join, or may no longer be in it. */
  refused(channel: string): void
  received(channel: string, name: string, detail: Json): void
  /** Who is in a presence channel, at first and after each change. */
  members(channel: string, presence: Presence): void
  /** `null` where the socket may not join. */
  authorize(channel: string, socketId: string): Promise<ChannelAuthorization | null>
  /** `null` where nobody says whose the socket is. */
  identify(socketId: string): Promise<UserAuthentication | null>
}

/** A socket, which connects by itself, and again whenever the connection was lost. */
export type PushSocket = {
  /** Id of the connection; `null` while there is none. */
  id(): string | null
  /** Connects after `disconnect`, or where the server has refused to. */
  connect(): void
  /** Gives up the attempt to connect that is under way, if any, for another one. */
  again(): void
  disconnect(): void
  /** Joins the channel, now and after each new connection. */
  subscribe(channel: string): void
  unsubscribe(channel: string): void
}

/** Opens a socket to a server that speaks Pusher's protocol. */
export function openPush(address: RealtimeAddress, events: SocketEvents): PushSocket {
  const wanted = new Set<string>()
  const pusher = new Pusher(address.key, {
    ...serverOf(address),
    activityTimeout: ACTIVITY_TIMEOUT_MS,
    pongTimeout: PONG_TIMEOUT_MS,
    unavailableTimeout: UNAVAILABLE_TIMEOUT_MS,
    channelAuthorization: {
      customHandler: ({ socketId, channelName }, answer) =>
        void events.authorize(channelName, socketId).then((authorization) => {
          // The connection was lost meanwhile: the next one has asked for itself.
          if (id() !== socketId) return
          if (authorization) answer(null, authorization)
          else answer(new Error(`The socket may not join [${channelName}].`), null)
        }),
    },
    userAuthentication: {
      customHandler: ({ socketId }, answer) =>
        void events.identify(socketId).then((user) => {
          if (user) answer(null, user)
          else answer(new Error('Nobody says whose the socket is.'), null)
        }),
    },
  })
  const id = () => (pusher.connection.state === 'connected' ? pusher.connection.socket_id : null)

  function receive(channel: Channel, name: string, data: Json): void {
    if (!wanted.has(channel.name)) {
      // The library joins what was left while it was asking.
      if (name === JOINED) pusher.unsubscribe(channel.name)
      return
    }
    if (!name.startsWith('pusher:')) events.received(channel.name, name, data)
    else if (name === REFUSED) events.refused(channel.name)
    else {
      if (isPresence(channel)) events.members(channel.name, presenceOf(channel))
      if (name === JOINED) events.joined(channel.name)
    }
  }

  let isBeginning = false
  pusher.connection.bind('state_change', ({ current }: { readonly current: string }) => {
    if (isBeginning) return
    events.changed(current === 'connected' || current === 'connecting' ? current : 'unavailable')
  })
  // Our own server knows the person by their cookie; another one could not end their connections.
  if (address.host ?? address.cluster) pusher.signin()
  return {
    id,
    connect() {
      // Otherwise, the library tries by itself; asked once more, it would begin anew.
      if (['disconnected', 'failed'].includes(pusher.connection.state)) pusher.connect()
    },
    again() {
      // Where the server has refused to connect, only another page may change its mind.
      if (!['connecting', 'unavailable'].includes(pusher.connection.state)) return
      isBeginning = true
      pusher.disconnect()
      pusher.connect()
      isBeginning = false
    },
    disconnect: () => pusher.disconnect(),
    subscribe(name) {
      wanted.add(name)
      const channel = pusher.subscribe(name)
      // The same one as before, if it was left while the library was asking.
      channel.unbind_global()
      channel.bind_global((event: string, data: Json) => receive(channel, event, data))
    },
    unsubscribe(name) {
      wanted.delete(name)
      pusher.unsubscribe(name)
    },
  }
}

const JOINED = 'pusher:subscription_succeeded'
const REFUSED = 'pusher:subscription_error'

const isPresence = (channel: Channel): channel is PresenceChannel => 'members' in channel

function presenceOf({ members }: PresenceChannel): Presence {
  const all: Presence['members'][number][] = []
  members.each(({ id, info = null }: { readonly id: string; readonly info?: Json }) =>
    all.push({ id, info }),
  )
  return { members: all, me: members.myID ?? null }
}

/** Where the socket is opened: at a hosted provider, another server, or the page's own. */
function serverOf({ host, cluster, path }: RealtimeAddress): Options {
  const enabledTransports: Options['enabledTransports'] = ['ws', 'wss']
  if (cluster !== null) return { cluster, forceTLS: true, enabledTransports }
  const { protocol, hostname, port } = new URL(host ?? location.href)
  const forceTLS = protocol === 'https:'
  const own = Number(port) || (forceTLS ? 443 : 80)
  return {
    cluster: '',
    wsHost: hostname,
    wsPort: own,
    wssPort: own,
    wsPath: path,
    forceTLS,
    // It uses TLS where that is forced. From a page without, another would be tried at the same port.
    enabledTransports: ['ws'],
  }
}
