/** The sockets of clients: whom the server answers, how it counts them, and how it reads them. */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { ACTIVITY_TIMEOUT_MS } from '../protocol/constants.ts'
import { refuseUpgrade } from '../server/http/refuse-upgrade.ts'
import type { Requester } from '../server/rate-limit.ts'
import { checkVersion, Places } from './admission.ts'
import type { Clock } from './clock.ts'
import { Connection, type Wire } from './connection.ts'
import type { Dialogue } from './dialogue.ts'
import { wrappedFrame } from './frame.ts'
import type { Hub } from './hub.ts'
import type { ServerLimits } from './limits.ts'
import { CODES, ProtocolError } from './protocol-error.ts'
import type { RealtimeApp } from './signatures.ts'
import type { SocketIds } from './socket-ids.ts'

export type SocketOptions = {
  readonly app: RealtimeApp
  readonly prefix: string
  readonly hub: Hub
  readonly dialogue: Dialogue
  readonly limits: ServerLimits
  readonly clock: Clock
  readonly ids: SocketIds
  /** Whether a page of this origin may connect; of no origin, whether a program may. */
  readonly isAllowed: (origin: string | undefined, request: IncomingMessage) => boolean
  readonly requesterOf: (request: IncomingMessage) => Requester | Promise<Requester>
  readonly report: (error: unknown) => void
}

/** A client sends messages whole; what passes between may split them a little. */
const FRAGMENTS = { maxFragments: 128, maxBufferedChunks: 4096, maxPendingAutoPongs: 10 }
/** How long a closed socket may take to say goodbye, ms. */
const FAREWELL = { closeTimeout: 5000 }
/** Most requests whose person is looked up at once. */
const WAITING = 1000
/** Unsupported data, of WebSocket itself. */
const NOT_TEXT = 1003

export class Sockets {
  readonly #options: SocketOptions
  readonly #server: WebSocketServer
  readonly #places: Places
  #isClosing = false
  /** Requests whose person is still looked up. */
  #waiting = 0
  /** Sockets that were dropped because they did not read. */
  dropped = 0

  constructor(options: SocketOptions) {
    this.#options = options
    this.#places = new Places(options.limits)
    // The types of `ws` lag behind its options.
    const server: ServerOptions = {
      ...FRAGMENTS,
      ...FAREWELL,
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.limits.messageBytes,
    }
    this.#server = new WebSocketServer(server)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const { prefix, isAllowed, report } = this.#options
    const asked = readPath(request.url ?? '', `${prefix}/app/`)
    if (!asked) return false
    socket.on('error', () => socket.destroy())
    const isFull = this.#waiting >= WAITING
    if (this.#isClosing || isFull) refuseUpgrade(socket, '503 Service Unavailable')
    else if (!isAllowed(request.headers.origin, request)) refuseUpgrade(socket, '403 Forbidden')
    else {
      const accept = (requester: Requester) =>
        this.#server.handleUpgrade(request, socket, head, (ws) =>
          this.#open(ws, socket, requester, asked),
        )
      this.#whenKnown(request, accept).catch((error: unknown) => {
        report(error)
        refuseUpgrade(socket, '503 Service Unavailable')
      })
    }
    return true
  }

  /** Closes all, so that clients come back at once, to whichever server answers them then. */
  close(): void {
    this.#isClosing = true
    const error = new ProtocolError(CODES.comeBack, 'The server closes. Come back.')
    for (const connection of [...this.#options.hub.connections.values()]) connection.close(error)
  }

  /** Goes on at once where nothing has to be waited for. */
  async #whenKnown(request: IncomingMessage, use: (requester: Requester) => void): Promise<void> {
    const known = this.#options.requesterOf(request)
    if (!(known instanceof Promise)) return use(known)
    this.#waiting++
    use(await known.finally(() => this.#waiting--))
  }

  #open(ws: WebSocket, socket: Duplex, requester: Requester, { key, version }: Asked): void {
    const { app, limits, clock, ids } = this.#options
    const wire = new SocketWire(ws, socket)
    const id = ids.make(requester.person)
    const connection = new Connection(id, requester, wire, clock.now(), limits.outboxBytes)
    // Refused frames are closed by `ws` itself.
    ws.on('error', () => {})
    try {
      if (this.#isClosing) throw new ProtocolError(CODES.comeBack, 'The server closes. Come back.')
      if (key !== app.key)
        throw new ProtocolError(CODES.unknownApp, 'There is no app with this key.')
      checkVersion(version)
      this.#admit(ws, wire, connection)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      connection.close(error)
    }
  }

  #admit(ws: WebSocket, wire: SocketWire, connection: Connection): void {
    const { hub, dialogue, report } = this.#options
    const free = this.#places.take(connection.requester)
    hub.add(connection)
    wire.onEnd = () => {
      free()
      hub.remove(connection)
      if (connection.isDropped) this.dropped++
    }
    ws.on('message', (data, isBinary) => {
      if (isBinary)
        return connection.close(new ProtocolError(NOT_TEXT, 'Messages have to be text.'))
      try {
        dialogue.receive(connection, textOf(data))
      } catch (error) {
        report(error)
        connection.drop()
      }
    })
    const hear = () => void dialogue.hear(connection)
    ws.on('ping', hear).on('pong', hear)
    ws.on('close', () => wire.end())
    connection.send(established(connection.id))
  }
}

/**
 * Writes frames to the socket itself: they are made once for all sockets, while `ws` would make each
 * anew. Whatever `ws` sends, such as pongs, it writes at once and whole as well.
 */
class SocketWire implements Wire {
  readonly #ws: WebSocket
  readonly #socket: Duplex
  onEnd: (() => void) | undefined

  constructor(ws: WebSocket, socket: Duplex) {
    this.#ws = ws
    this.#socket = socket
  }

  get unsent(): number {
    return this.#socket.writableLength
  }

  send(frame: Buffer): void {
    if (this.#ws.readyState === WebSocket.OPEN) this.#socket.write(frame)
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
    this.end()
  }

  destroy(): void {
    this.#ws.terminate()
    this.end()
  }

  /** Once, however it ends. */
  end(): void {
    const { onEnd } = this
    this.onEnd = undefined
    onEnd?.()
  }
}

type Asked = { readonly key: string; readonly version: string | null }

/** The app's key and the protocol that a client asks for; `undefined` for other paths. */
function readPath(url: string, start: string): Asked | undefined {
  const [path = '', query = ''] = url.split('?', 2)
  const key = path.startsWith(start) ? path.slice(start.length) : '/'
  if (key.includes('/')) return undefined
  return { key, version: new URLSearchParams(query).get('protocol') }
}

const established = (id: string): Buffer =>
  wrappedFrame('pusher:connection_established', {
    socket_id: id,
    activity_timeout: ACTIVITY_TIMEOUT_MS / 1000,
  })

/** A message comes in one piece, unless `ws` is told otherwise. */
const textOf = (data: RawData): string =>
  (Buffer.isBuffer(data) ? data : Buffer.alloc(0)).toString()
