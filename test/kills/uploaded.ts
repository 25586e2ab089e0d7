/** The files that a process uploads before it is killed: whoever finds one can tell whether it is whole. */

export const TYPE = 'image/png'

/** The rows that get a file: the first at once, the second in pieces. */
export const ROWS = [1, 2] as const

/** Bytes of a piece. */
export const PIECE = 150_000

const START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** A picture by its first bytes; each row has one of its own, which no part of it equals. */
export function bytesFor(row: number): Buffer {
  const bytes = Buffer.alloc(PIECE * 2 + row, row)
  START.copy(bytes)
  return bytes
}
