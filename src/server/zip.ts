/**
 * Writes a ZIP archive as a stream, one file after the other.
 *
 * Nothing of them is held, as their sizes follow their bytes. Compressing happens in a thread of Node's own.
 */

import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive. */
export type ZipFile = {
  /** Its path, in ASCII. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What its header says. */
type Entry = {
  readonly name: Buffer
  readonly offset: number
  crc: number
  packed: number
  size: number
}

/** Version 2.0, with compression, and sizes after the bytes. */
const [VERSION, SIZES_FOLLOW, DEFLATED] = [20, 0x08, 8]
/** 1 January 1980, as an archive has to have a date, and no file has one here. */
const DATE = 0x21

/**
 * The archive in pieces. A file, and all files together, may have up to 4 GB; beyond that it throws a
 * `RangeError`.
 */
export async function* zip(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = []
  let written = 0
  for await (const { name, content } of files) {
    const entry = { name: Buffer.from(name), offset: written, crc: 0, packed: 0, size: 0 }
    entries.push(entry)
    const head = fields(0x04034b50, ...[half(VERSION), half(SIZES_FOLLOW), half(DEFLATED)])
    const header = Buffer.concat([head, fields(half(0), half(DATE), 0, 0, 0), named(entry)])
    yield header
    yield* deflated(content, entry)
    const sizes = fields(0x08074b50, entry.crc, entry.packed, entry.size)
    yield sizes
    written += header.length + entry.packed + sizes.length
  }
  const list = Buffer.concat(entries.map(listed))
  yield list
  const count = half(entries.length)
  yield fields(0x06054b50, half(0), half(0), count, count, list.length, written, half(0))
}

/** The content, compressed; its sums are added to the entry. */
async function* deflated(content: ZipFile['content'], entry: Entry): AsyncGenerator<Uint8Array> {
  async function* summed() {
    for await (const piece of content) {
      entry.crc = crc32(piece, entry.crc)
      entry.size += piece.length
      yield piece
    }
  }
  // Fast: what files are made of repeats itself so much that more effort saves little.
  const packing = createDeflateRaw({ level: 1, chunkSize: 2 ** 16 })
  // A failure of the content ends the packing with it, which throws it below.
  pipeline(summed, packing, () => undefined)
  for await (const piece of packing) {
    // A stream in binary mode yields these.
    const bytes: Buffer = piece
    entry.packed += bytes.length
    yield bytes
  }
}

/** Its line in the list at the archive's end. */
const listed = (entry: Entry): Buffer =>
  Buffer.concat([
    fields(0x02014b50, half(VERSION), half(VERSION), half(SIZES_FOLLOW), half(DEFLATED)),
    fields(half(0), half(DATE), entry.crc, entry.packed, entry.size),
    fields(half(entry.name.length), half(0), half(0), half(0), half(0), 0, entry.offset),
    entry.name,
  ])

const named = ({ name }: Entry): Buffer => Buffer.concat([fields(half(name.length), half(0)), name])

/** A number of two bytes; others have four. */
const half = (value: number) => ({ half: value })

function fields(...values: readonly (number | { readonly half: number })[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const isHalf = typeof value === 'object'
      const bytes = Buffer.alloc(isHalf ? 2 : 4)
      if (isHalf) bytes.writeUInt16LE(value.half)
      else bytes.writeUInt32LE(value)
      return bytes
    }),
  )
}
