/**
 * Many clients in a process of their own, each a bare socket that subscribes to one private channel. It
 * tells the parent when all have received an event, and how long each took.
 */

import { connect } from 'node:net'
import { authorizeChannel } from '../src/realtime/authorize-channel.ts'
import { REALTIME_APP } from './realtime-app.ts'

export type ClientsCommand =
  | { readonly kind: 'connect'; readonly port: number; readonly count: number }
  | { readonly kind: 'begun'; readonly id: number; readonly began: string }
  | { readonly kind: 'stop' }

export type ClientsAnswer = {
  readonly kind: 'connected' | 'received'
  readonly id?: number
  /** For each hundredth socket and the last, ns after the beginning; the last comes last. */
  readonly ns?: readonly number[]
  readonly cpu: number
}

const CHANNEL = 'private-bench'
const AT_ONCE = 100
const SAMPLED = 20

const received = new Map<number, { count: number; at: bigint[] }>()
const began = new Map<number, bigint>()
let sockets = 0

const answer = (more: Omit<ClientsAnswer, 'cpu'>): void => {
  const { user, system } = process.cpuUsage()
  process.send?.({ ...more, cpu: (user + system) / 1000 } satisfies ClientsAnswer)
}

function hear(text: string): void {
  const id = Number(/\\"id\\":(\d+)/.exec(text)?.[1] ?? Number.NaN)
  const event = received.get(id) ?? { count: 0, at: [] }
  received.set(id, event)
  event.count++
  if (event.count % SAMPLED === 0 || event.count === sockets) event.at.push(process.hrtime.bigint())
  if (event.count === sockets) tell(id)
}

/** Once both the server has said when it began and all have heard. */
function tell(id: number): void {
  const event = received.get(id)
  const start = began.get(id)
  if (event?.count !== sockets || start === undefined) return
  answer({ kind: 'received', id, ns: event.at.map((at) => Number(at - start)) })
  received.delete(id)
  began.delete(id)
}

/** Frames of a server are not masked; those of the benchmark are shorter than 64 kB. */
function* frames(bytes: Buffer): Iterable<string> {
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1]! & 0x7f
    const start = at + (short === 126 ? 4 : 2)
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    yield bytes.toString('latin1', start, start + length)
    at = start + length
  }
}

function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = Buffer.alloc(8)
  head[0] = 0x81
  head[1] = 0x80 | 126
  head.writeUInt16BE(length, 2)
  return Buffer.concat([head, Buffer.from(text)])
}

const open = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.write(
      `GET /app/${REALTIME_APP.key}?protocol=7 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    )
    let isUpgraded = false
    socket.on('data', (data) => {
      const end = isUpgraded ? 0 : data.indexOf('\r\n\r\n') + 4
      isUpgraded = true
      for (const text of frames(data.subarray(end))) {
        const id = /\\"socket_id\\":\\"([\d.]+)/.exec(text)?.[1]
        if (id !== undefined) socket.write(subscription(id))
        else if (text.includes('subscription_succeeded')) resolve()
        else hear(text)
      }
    })
  })

function subscription(socketId: string): Buffer {
  const { auth } = authorizeChannel({ app: REALTIME_APP, socketId, channel: CHANNEL })
  const data = { channel: CHANNEL, auth }
  return clientFrame(JSON.stringify({ event: 'pusher:subscribe', data }))
}

async function connectAll(port: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - at)
    await Promise.all(Array.from({ length: some }, () => open(port)))
  }
  sockets += count
  answer({ kind: 'connected' })
}

process.on('message', (command: ClientsCommand) => {
  if (command.kind === 'stop') process.exit()
  if (command.kind === 'connect') void connectAll(command.port, command.count)
  else {
    began.set(command.id, BigInt(command.began))
    tell(command.id)
  }
})
