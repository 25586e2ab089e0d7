/** The bytes of a file on disk. */

import { createReadStream } from 'node:fs'
import type { ByteRange } from './storage.ts'

/**
 * Opens the file once its first bytes are asked for: a stream that is open before has nobody to tell that the
 * file has gone meanwhile, which would end the process.
 */
export async function* filePieces(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const stream: AsyncIterable<Uint8Array> = createReadStream(path, range)
  yield* stream
}
