/** Joins each channel while something listens to it, and tells when events may have been missed. */

import { DEBOUNCE_MS } from '../protocol/constants.ts'
import type { PageData } from '../protocol/page.ts'
import { createAuthorization } from './authorization.ts'
import type { ChannelHandlers, Presence, PushState } from './channel-handlers.ts'
import { createConnection } from './connection.ts'
import type { Environment } from './environment.ts'
import { ownerOf } from './navigation/visits.ts'
import type { Observable } from './observable.ts'
import type { openPush, SocketEvents } from './push.ts'
import type { Transport } from './transport.ts'

export type ListeningOptions = {
  readonly environment: Pick<Environment, 'later' | 'random' | 'logError' | 'watchNetwork'>
  readonly openPush: typeof openPush
  readonly transport: Pick<Transport, 'form'>
  readonly page: Pick<Observable<PageData>, 'getState' | 'subscribe'>
  readonly state: Observable<PushState>
}

export type Listening = {
  /** Id of the connected socket, or `null`. */
  socketId(): string | null
  /** Listens to a channel, by its name on the wire; returns what stops it. */
  listen(channel: string, handlers: ChannelHandlers): () => void
}

/** A channel that nobody listens to is left after this time: the next page may listen to it, ms. */
const LINGER_MS = 1000

type Listener = {
  readonly handlers: ChannelHandlers
  /** Whether it has to be told that it may have missed something. */
  isBehind: boolean
}

type Channel = {
  readonly listeners: Set<Listener>
  isJoined: boolean
  /** Not asked for again until the page changes. */
  isRefused: boolean
  presence: Presence | null
  /** Keeps the channel, if it is about to be left. */
  keep(): void
}

const nothing = () => {}

export function createListening({
  environment,
  openPush,
  transport,
  page,
  state,
}: ListeningOptions): Listening {
  const channels = new Map<string, Channel>()
  /** Channels that the server has ended, until that is reported. */
  const ended = new Set<string>()
  let willCatchUp = false
  let owner = ownerAndServer(page.getState())

  const authorization = createAuthorization({
    environment,
    transport,
    page: page.getState,
    isWanted: (socketId, name) => connection.id() === socketId && channels.has(name),
    delay: () => connection.delay(),
  })

  const events: Omit<SocketEvents, 'changed'> = {
    ...authorization,
    async authorize(name, socketId) {
      const answer = await authorization.authorize(name, socketId)
      const channel = channels.get(name)
      if (answer === null && channel && connection.id() === socketId) channel.isRefused = true
      return answer
    },
    joined(name) {
      const channel = channels.get(name)
      if (!channel) return
      channel.isJoined = true
      catchUpSoon()
    },
    refused(name) {
      const channel = channels.get(name)
      if (!channel) return
      if (!channel.isRefused) reportEnded(name)
      channel.isRefused = true
      channel.isJoined = false
      connection.socket()?.unsubscribe(name)
      // Only members of the channel are told who else is in it.
      if (channel.presence) events.members(name, { ...channel.presence, members: [] })
    },
    received: (name, event, detail) =>
      tell(name, ({ handlers }) => handlers.event?.(event, detail)),
    members(name, presence) {
      const channel = channels.get(name)
      if (channel) channel.presence = presence
      tell(name, ({ handlers }) => handlers.members?.(presence))
    },
  }

  const connection = createConnection({
    environment,
    openPush,
    state,
    events,
    page: page.getState,
    lost() {
      for (const channel of channels.values()) {
        channel.isJoined = false
        for (const listener of channel.listeners) listener.isBehind = true
      }
    },
  })

  /** A session that ends takes all of its channels with it, which is one thing to report. */
  function reportEnded(name: string): void {
    if (ended.size === 0)
      environment.later(() => {
        environment.logError(endedChannels([...ended]))
        ended.clear()
      }, DEBOUNCE_MS)
    ended.add(name)
  }

  /** A failure of one listener is not the others’. */
  function tell(name: string, task: (listener: Listener) => void): void {
    for (const listener of channels.get(name)?.listeners ?? []) {
      try {
        task(listener)
      } catch (error) {
        environment.logError(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  /** Waits for the other channels of the page, so that their components are refreshed together. */
  function catchUpSoon(): void {
    if (!willCatchUp) environment.later(catchUp, DEBOUNCE_MS)
    willCatchUp = true
  }

  function catchUp(): void {
    willCatchUp = false
    for (const [name, { isJoined }] of channels) {
      if (!isJoined) continue
      tell(name, (listener) => {
        const wasBehind = listener.isBehind
        listener.isBehind = false
        if (wasBehind) listener.handlers.missed?.()
      })
    }
  }

  function add(name: string): Channel {
    const channel: Channel = {
      listeners: new Set(),
      isJoined: false,
      isRefused: false,
      presence: null,
      keep: nothing,
    }
    channels.set(name, channel)
    connection.open()?.subscribe(name)
    return channel
  }

  function leave(name: string): void {
    channels.delete(name)
    connection.socket()?.unsubscribe(name)
    if (channels.size === 0) connection.close()
  }

  page.subscribe(() => {
    const now = ownerAndServer(page.getState())
    const isSame = now === owner
    owner = now
    // Channels that one person may join are not another's.
    if (!isSame) connection.drop()
    const socket = channels.size > 0 ? connection.open() : null
    for (const [name, channel] of channels) {
      if (!isSame || channel.isRefused) socket?.subscribe(name)
      if (!isSame) channel.presence = null
      channel.isRefused = false
    }
  })

  return {
    socketId: connection.id,
    listen(name, handlers) {
      const channel = channels.get(name) ?? add(name)
      channel.keep()
      const listener: Listener = { handlers, isBehind: true }
      channel.listeners.add(listener)
      if (channel.presence) handlers.members?.(channel.presence)
      if (channel.isJoined) catchUpSoon()
      return () => {
        if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return
        channel.keep = environment.later(() => leave(name), LINGER_MS)
      }
    },
  }
}

/** Who the page was drawn for, and where its events come from. */
const ownerAndServer = (page: PageData): string =>
  `${ownerOf(page)} ${JSON.stringify(page.realtime)}`

const endedChannels = (names: readonly string[]): Error =>
  new Error(`The server no longer lets the page listen to [${names.join(', ')}].`)
