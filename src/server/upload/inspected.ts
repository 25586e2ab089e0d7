/** The bytes of a file as they pass: how many, what they begin with, and their digest. */

import { createHash } from 'node:crypto'
import { SNIFFED_BYTES } from './file-types.ts'

/** Tells bytes from all others. */
export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url')

/** The bytes as they pass, up to one more than there may be, and what is known of them afterwards. */
export function inspected(body: AsyncIterable<Uint8Array>, most: number) {
  const hash = createHash('sha256')
  const start: Uint8Array[] = []
  let size = 0
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      if (size < SNIFFED_BYTES) start.push(piece.subarray(0, SNIFFED_BYTES - size))
      size += piece.byteLength
      hash.update(piece)
      yield piece
      if (size > most) return
    }
  }
  return {
    body: pass(),
    size: () => size,
    start: () => Buffer.concat(start),
    digest: () => hash.digest('base64url'),
  }
}
