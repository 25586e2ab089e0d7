/** Messages to clients as bytes of a WebSocket frame, made once for all the sockets that receive them. */

import type { Json } from '../protocol/json.ts'

export type ServerMessage = {
  readonly event: string
  readonly channel?: string
  /** Clients expect text, which is mostly JSON. */
  readonly data: Json
  readonly user_id?: string
}

const FINAL_TEXT = 0x81

/** A whole message in one frame, not masked, as servers send it (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = FINAL_TEXT
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  return frame
}

export const messageFrame = (message: ServerMessage): Buffer => textFrame(JSON.stringify(message))

/** A message whose data are sent as the text of their JSON. */
export const wrappedFrame = (event: string, data: Json, channel?: string): Buffer =>
  messageFrame({ event, ...(channel !== undefined && { channel }), data: JSON.stringify(data) })
