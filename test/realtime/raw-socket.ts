/** A WebSocket client that writes its bytes by itself, so that it can write wrong ones. */

import { connect, type Socket } from 'node:net'
import { APP } from './host.ts'

export type RawSocket = {
  readonly socket: Socket
  /** What the server has sent so far, after its answer to the upgrade. */
  texts(): string[]
  /** Settles with the code of the server's close, or `0` for none, once the connection ends. */
  readonly closed: Promise<number>
}

export type FrameOptions = {
  readonly opcode?: number
  readonly isFinal?: boolean
  /** The three reserved bits. */
  readonly reserved?: number
  readonly isMasked?: boolean
  /** The length that is announced, if not the true one, and in how many bytes. */
  readonly length?: bigint
  readonly lengthBytes?: 0 | 2 | 8
}

/** Makes a frame of a client, by default a correct one. */
export function clientFrame(payload: string | Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = 1, isFinal = true, reserved = 0, isMasked = true } = options
  const bytes = Buffer.from(payload as string)
  const length = options.length ?? BigInt(bytes.length)
  const width = options.lengthBytes ?? (length < 126n ? 0 : length < 65_536n ? 2 : 8)
  const head = Buffer.alloc(2 + width + (isMasked ? 4 : 0))
  head[0] = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode
  head[1] = (isMasked ? 0x80 : 0) | (width === 0 ? Number(length) : width === 2 ? 126 : 127)
  if (width === 2) head.writeUInt16BE(Number(length), 2)
  if (width === 8) head.writeBigUInt64BE(length, 2)
  // The mask is zero, so the payload goes as it is.
  return Buffer.concat([head, bytes])
}

export const says = (message: object): Buffer => clientFrame(JSON.stringify(message))

/** Connects, and settles once the server has greeted. */
export async function openRaw(port: number, host = '127.0.0.1'): Promise<RawSocket> {
  const socket = connect(port, host)
  let received = Buffer.alloc(0)
  let code = 0
  const heard: string[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(code)))
  socket.on('error', () => {})
  socket.write(
    [
      `GET /app/${APP.key}?protocol=7 HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
      '',
      '',
    ].join('\r\n'),
  )
  let isGreeted = () => {}
  const greeted = new Promise<void>((resolve) => (isGreeted = resolve))
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
    if (heard.length === 0 && received.includes('\r\n\r\n') && received.includes('HTTP/1.1 101')) {
      const head = received.subarray(0, received.indexOf('\r\n\r\n')).toString()
      if (/deflate/i.test(head)) throw new Error('The server compresses.')
      received = received.subarray(received.indexOf('\r\n\r\n') + 4)
    }
    for (let frame = firstFrame(received); frame; frame = firstFrame(received)) {
      received = received.subarray(frame.size)
      if (frame.opcode === 8) {
        code = frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : 0
        socket.end()
      }
      if (frame.opcode === 1) heard.push(frame.payload.toString())
      if (heard.length > 0) isGreeted()
    }
  })
  await Promise.race([greeted, closed])
  return { socket, texts: () => heard, closed }
}

function firstFrame(bytes: Buffer) {
  if (bytes.length < 2) return undefined
  const short = bytes[1]! & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return undefined
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + length) return undefined
  return {
    opcode: bytes[0]! & 0x0f,
    payload: bytes.subarray(start, start + length),
    size: start + length,
  }
}
