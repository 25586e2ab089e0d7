/** Encodes long texts that were put together from many pieces. */

/** Room for most documents, bytes; the longest ones are encoded on their own. */
const ROOM = 1024 * 1024
/** Most bytes that a UTF-16 unit takes. */
const UNIT_MAX = 3

const room = Buffer.allocUnsafeSlow(ROOM)

/** The text as UTF-8. `Buffer.from` reads it twice, first to learn how long it will be. */
export const utf8 = (text: string): Buffer =>
  text.length * UNIT_MAX > ROOM
    ? Buffer.from(text)
    : Buffer.from(room.subarray(0, room.write(text, 'utf8')))
