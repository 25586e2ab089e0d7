import { expect, test } from 'vitest'
import { rowDigest } from './row-digest.ts'
import type { Value } from './value.ts'

test('tells values from each other, and from those in other columns', () => {
  const different: Value[][] = [
    ...[[], [null], [''], [null, null], ['', null], [null, '']],
    ...[['ab', 'c'], ['a', 'bc'], ['abc', ''], ['abc'], ['null'], ['NaN2']],
    ...[[1], [10], [0.1], [true], [NaN], [Infinity], [-1]],
    ...[[new Uint8Array([97, 98])], ['ab'], [new Uint8Array([98, 97])], [new Uint8Array()]],
  ]
  expect(new Set(different.map(rowDigest)).size).toBe(different.length)
  const many = Array.from({ length: 200_000 }, (_, at) => rowDigest([at, `no. ${at % 7}`]))
  expect(new Set(many).size).toBe(many.length)
  expect(many.every(Number.isSafeInteger)).toBe(true)
})

test('is the same for a number however it was read', () => {
  expect(rowDigest([7n])).toBe(rowDigest([7]))
  expect(rowDigest([-0])).toBe(rowDigest([0]))
  expect(rowDigest([NaN])).toBe(rowDigest([Number('NaN')]))
})
