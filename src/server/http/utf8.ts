/** Encodes long texts that were put together from many pieces. */

import { transcode } from 'node:buffer'

/** Room for most documents, bytes; the longest ones are encoded on their own. */
const ROOM = 1024 * 1024
/** Bytes of a UTF-16 unit. */
const UNIT = 2

const room = Buffer.allocUnsafeSlow(ROOM)

/**
 * The text as UTF-8. `Buffer.from` reads it twice, first to learn how long it will be, which costs most
 * with a text that is still in pieces; and what is in one piece is encoded twice as fast.
 */
export function utf8(text: string): Buffer {
  if (text.length * UNIT > ROOM) return Buffer.from(text)
  const units = room.subarray(0, room.write(text, 'utf16le'))
  try {
    return transcode(units, 'utf16le', 'utf8')
  } catch {
    // Half of a surrogate pair is replaced by `Buffer.from` alone.
    return Buffer.from(text)
  }
}
