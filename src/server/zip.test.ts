import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { zip, type ZipFile } from './zip.ts'

async function all(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of zip(files)) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('a file is found by the list at the end, compressed, with its sums', async () => {
  const content = [Buffer.from('hello '), Buffer.from('hello '.repeat(1000))]
  const bytes = await all([
    { name: 'a/b.txt', content },
    { name: 'empty', content: [] },
  ])
  const end = bytes.subarray(-22)
  expect([end.readUInt32LE(0), end.readUInt16LE(10)]).toEqual([0x06054b50, 2])
  const list = bytes.subarray(end.readUInt32LE(16), end.readUInt32LE(16) + end.readUInt32LE(12))
  const [packed, size] = [list.readUInt32LE(20), list.readUInt32LE(24)]
  expect(list.subarray(46, 53).toString()).toBe('a/b.txt')
  expect(size).toBe(6006)
  const start = 30 + 'a/b.txt'.length
  const unpacked = inflateRawSync(bytes.subarray(start, start + packed))
  expect(unpacked.toString()).toBe('hello '.repeat(1001))
  expect(list.length).toBe(46 * 2 + 'a/b.txt'.length + 'empty'.length)
})

test('a failure of a file is one of the archive', async () => {
  async function* broken() {
    yield Buffer.from('some')
    throw new Error('No more rows.')
  }
  await expect(all([{ name: 'a', content: broken() }])).rejects.toThrow('No more rows.')
})

test('whoever stops reading ends what is read', async () => {
  const ended = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (let i = 0; ; i++) yield Buffer.from(`${i} ${Math.sin(i)}`.repeat(1000))
    } finally {
      ended.resolve()
    }
  }
  for await (const piece of zip([{ name: 'a', content: endless() }]))
    if (piece.length > 10_000) break
  await ended.promise
})
