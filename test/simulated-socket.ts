/** A socket for tests: the test is the server at its other end, and the network between them. */

import type { PushSocket, SocketEvents, SocketState } from '../src/client/push.ts'
import type { RealtimeAddress } from '../src/protocol/channels.ts'
import type { Json } from '../src/protocol/json.ts'

export type SimulatedSocket = PushSocket & {
  readonly address: RealtimeAddress
  /** Channels that the page wants to be in, and those that it is in. */
  readonly wanted: ReadonlySet<string>
  readonly joined: ReadonlySet<string>
  /** Whether the page wants a connection. */
  readonly isOpen: boolean
  /** How often it has asked for one, the first time included. */
  readonly connects: number
  /** How often it has given up an attempt for another one. */
  readonly attempts: number
  /** Tells of the channel: as the real one, of a socket in it only. */
  readonly events: SocketEvents
  /** The server accepts the connection. */
  accept(id: string): void
  /** The connection is lost. */
  lose(state?: SocketState): void
  /** The server sends an event to those who are in the channel. */
  send(channel: string, name: string, detail?: Json): void
}

/** As `push.ts` does over the library: asks for each channel anew on each connection. */
export function simulateSocket(address: RealtimeAddress, events: SocketEvents): SimulatedSocket {
  const wanted = new Set<string>()
  const joined = new Set<string>()
  let isOpen = true
  let connects = 1
  let attempts = 0
  let id: string | null = null

  async function join(channel: string): Promise<void> {
    const own = id
    if (own === null || joined.has(channel)) return
    const answer = await events.authorize(channel, own)
    if (id !== own || !wanted.has(channel)) return
    if (!answer) return events.refused(channel)
    joined.add(channel)
    events.joined(channel)
  }

  function end(state: SocketState): void {
    id = null
    joined.clear()
    events.changed(state)
  }

  return {
    address,
    events,
    wanted,
    joined,
    id: () => id,
    get isOpen() {
      return isOpen
    },
    get connects() {
      return connects
    },
    connect() {
      if (id === null) connects++
      isOpen = true
    },
    get attempts() {
      return attempts
    },
    again: () => void attempts++,
    disconnect() {
      isOpen = false
      end('unavailable')
    },
    subscribe(channel) {
      wanted.add(channel)
      void join(channel)
    },
    unsubscribe(channel) {
      wanted.delete(channel)
      joined.delete(channel)
    },
    accept(next) {
      id = next
      events.changed('connected')
      for (const channel of wanted) void join(channel)
    },
    lose: (state = 'connecting') => end(state),
    send(channel, name, detail = null) {
      if (joined.has(channel)) events.received(channel, name, detail)
    },
  }
}
