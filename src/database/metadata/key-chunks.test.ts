import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from './key-chunks.ts'

test('rows come back as they were', async () => {
  for (const rows of [
    { keys: [[1], [2], [9]], digests: [7, 8, Number.MAX_SAFE_INTEGER] },
    { keys: [['a', 1n]], digests: [0] },
    { keys: [[3]], digests: null },
  ])
    expect(await unpackRows(await packRows(rows))).toEqual(rows)
})

test('chunks of an earlier version, which are keys alone, have no digests', async () => {
  const stored = (json: unknown) => unpackRows(deflateRawSync(JSON.stringify(json)))
  expect(await stored({ steps: [1, 1] })).toEqual({ keys: [[1], [2]], digests: null })
  expect(await stored([['a', 1]])).toEqual({ keys: [['a', 1]], digests: null })
})
