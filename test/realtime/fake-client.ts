/** A node without a network, and its clients: what they say, and what they have received. */

import type { Json } from '../../src/protocol/json.ts'
import { authorizeChannel } from '../../src/realtime/authorize-channel.ts'
import { Connection } from '../../src/realtime/connection.ts'
import { SERVER_LIMITS } from '../../src/realtime/limits.ts'
import { Node, type NodeOptions } from '../../src/realtime/node.ts'

export const app = { id: '1', key: 'a-key', secret: 'a secret of 0123456789' }

/** A node, by default alone and with nobody to tell. */
export const nodeWith = (options: Pick<NodeOptions, 'clock'> & Partial<NodeOptions>): Node =>
  new Node({
    app,
    limits: SERVER_LIMITS,
    name: 'a',
    bus: undefined,
    clientEvents: true,
    unsignedChannels: true,
    subscriptionCounts: false,
    webhooks: [],
    post: async () => 200,
    report: () => {},
    ...options,
  })

export type Message = { event: string; channel?: string; data?: unknown; user_id?: string }

/** A client as the node sees it, and what it has received. */
export class Client {
  readonly received: Message[] = []
  closed: number | undefined
  isDestroyed = false
  unsent = 0
  readonly connection: Connection
  readonly node: Node

  constructor(node: Node, id: string, now: number, person?: string) {
    const requester = { ip: '127.0.0.1', ...(person !== undefined && { person }) }
    this.node = node
    this.connection = new Connection(id, requester, this, now, 1000)
    node.hub.add(this.connection)
  }

  /** Frames are unmasked texts of up to 65,535 bytes. */
  send(frame: Buffer): void {
    const message = JSON.parse(frame.subarray(frame[1]! < 126 ? 2 : 4).toString()) as Message
    const data =
      typeof message.data === 'string' ? (JSON.parse(message.data) as Json) : message.data
    this.received.push({ ...message, data })
  }

  close(code: number): void {
    this.closed = code
    this.node.hub.remove(this.connection)
  }

  destroy(): void {
    this.isDestroyed = true
    this.node.hub.remove(this.connection)
  }

  says(message: object): void {
    this.node.dialogue.receive(this.connection, JSON.stringify(message))
  }

  subscribe(channel: string, user?: string, info?: Json): void {
    const ask = { app, socketId: this.connection.id, channel }
    const isSigned = /^(?:private|presence)-/.test(channel)
    const member =
      user === undefined ? {} : { user: { id: user, ...(info !== undefined && { info }) } }
    const signed = isSigned ? authorizeChannel({ ...ask, ...member }) : { auth: '' }
    this.says({ event: 'pusher:subscribe', data: { channel, ...signed } })
  }

  /** What it has received since it was asked last. */
  take(): Message[] {
    return this.received.splice(0)
  }

  events(): string[] {
    return this.take().map(({ event }) => event.replace(/^pusher(_internal)?:/, ''))
  }
}
