/** Sets of images keep every digit, and their rows stay together. */

import { expect, test } from 'vitest'
import { imagesOf, type ImageSet, someOf } from '../../table/source/ledger-entry.ts'
import { decodeKeys, decodeSet, encodeSet, keyRangeOf, mayHold, rangeKeyOf } from './set-codec.ts'

const set: ImageSet = {
  table: 't',
  keys: [[7], [8], [9]],
  before: {
    n: [2n ** 60n, -0, Number.NaN],
    body: [{ digest: 'd', bytes: 9 }, 'ü', null],
    count: [-1, -0, 1],
  },
  after: { n: [0, 0, 0], body: [null, null, { lost: 3 }], count: [-1, -0, 1] },
}

test('come back as they were', () => {
  expect(decodeSet('t', encodeSet(set))).toStrictEqual(set)
  const codes = {
    ...set,
    keys: [
      ['a', 1n << 60n],
      ['ü', 2],
      ['c', 3],
    ],
  }
  expect(decodeSet('t', encodeSet(codes))).toStrictEqual(codes)
})

test('say what all rows share once, and keys without gaps as a range', () => {
  const encoded: unknown = JSON.parse(encodeSet({ ...set, before: {}, after: { n: [0, 0, 0] } }))
  expect(encoded).toEqual({ rows: 3, keys: [{ from: 7 }], before: {}, after: { n: { all: 0 } } })
})

test('are images of their rows, each with the columns that differ', () => {
  expect(imagesOf(someOf(set, (at) => at === 1))).toStrictEqual([
    { table: 't', key: [8], before: { n: -0, body: 'ü' }, after: { n: 0, body: null } },
  ])
})

test('hold all of their keys between two, whatever their order', () => {
  const keys = [['ü'], [9], [10], ['b'.repeat(300)]]
  const { first, last } = keyRangeOf(keys)
  const texts = keys.map(rangeKeyOf)
  expect(texts.every((text) => first <= text && text <= last)).toBe(true)
})

test('lie between their keys as numbers do', () => {
  const numbers = [-(2n ** 63n), -12, -2, 0, 9, 10, 399, 2 ** 53 - 1, 2n ** 63n]
  const texts = numbers.map((number) => rangeKeyOf([number]))
  expect(texts.toSorted()).toEqual(texts)
  expect(rangeKeyOf([5n])).toBe(rangeKeyOf([5]))
})

test('tell their keys without their values', () => {
  const strange = { ...set, keys: [['","before":{'], ['ü'], [2n ** 60n]] }
  const encoded = encodeSet(strange)
  expect(decodeKeys(encoded)).toEqual(strange.keys)
  for (const key of strange.keys) expect(mayHold(encoded, [key])).toBe(true)
  expect(mayHold(encoded, [['a'], [2n ** 61n]])).toBe(false)
  expect(decodeKeys(encodeSet(set))).toEqual(set.keys)
  expect(mayHold(encodeSet(set), [[8]])).toBe(true)
})
