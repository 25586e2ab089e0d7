import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packChunk, unpackChunk } from './key-chunks.ts'

test('keys and digests come back as they were', async () => {
  for (const chunk of [
    { keys: [[1], [2], [9]], seen: [7, 8, 2 ** 32 - 1] },
    { keys: [['a', 1n]], seen: null },
  ])
    expect(await unpackChunk(await packChunk(chunk))).toEqual(chunk)
})

test('a chunk of an earlier version is keys alone', async () => {
  const stored = (json: unknown) => unpackChunk(deflateRawSync(JSON.stringify(json)))
  expect(await stored({ steps: [1, 1] })).toEqual({ keys: [[1], [2]], seen: null })
  expect(await stored([['a', 1]])).toEqual({ keys: [['a', 1]], seen: null })
})
