import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { ANCHOR_MAX, decodeAnchor, encodeAnchor } from './anchor.ts'
import type { Value } from '../source/value.ts'

const plain = (values: readonly Value[]) =>
  values.map((value) => (value instanceof Uint8Array ? [...value] : value))
const badPlace = expect.objectContaining({ code: 'TABLE_BAD_PLACE', status: 422 })
const encodeJson = (json: string) => Buffer.from(json).toString('base64url')

describe('an anchor', () => {
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.double().map((number) => number + 0),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
    fc.boolean(),
    fc.uint8Array({ maxLength: 20 }),
  )

  test('leads back to the values it was made of, every digit and byte', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 5 }),
        fc.array(value, { minLength: 1, maxLength: 3 }),
        (sort, key) => {
          const text = encodeAnchor({ sort, key })
          if (text === null) return
          expect(text).toMatch(/^[\w-]+$/)
          const decoded = decodeAnchor(text, sort.length, key.length)
          expect(plain(decoded.sort)).toEqual(plain(sort))
          expect(plain(decoded.key)).toEqual(plain(key))
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  test('keeps values of different types apart', () => {
    const key: Value[] = [1, '1', 1n, true, null, 'null', ['n', '1'].join(), Uint8Array.of(49)]
    const texts = key.map((one) => encodeAnchor({ sort: [], key: [one] }))
    expect(new Set(texts).size).toBe(key.length)
  })

  test('is not made for a row without a key, nor where an address would be too long', () => {
    expect(encodeAnchor({ sort: [1], key: [] })).toBe(null)
    expect(encodeAnchor({ sort: ['x'.repeat(ANCHOR_MAX)], key: [1] })).toBe(null)
    expect(encodeAnchor({ sort: ['x'.repeat(1000)], key: [1] })).not.toBe(null)
  })

  test.each([
    ['nothing', ''],
    ['no base64url', '%%%'],
    ['noise', 'bm90IGpzb24'],
    ['null', encodeJson('null')],
    ['an object', encodeJson('{"sort":[1],"key":[1]}')],
    ['one list', encodeJson('[[1]]')],
    ['three lists', encodeJson('[[1],[1],[1]]')],
    ['an object for a value', encodeJson('[[{"a":1}],[1]]')],
    ['a list for a value', encodeJson('[[[]],[1]]')],
    ['an unknown mark', encodeJson('[[["x","1"]],[1]]')],
    ['a pair too long', encodeJson('[[["n","1","2"]],[1]]')],
    ['a bigint that is none', encodeJson('[[["n","1e5"]],[1]]')],
    ['an empty bigint', encodeJson('[[["n",""]],[1]]')],
    ['a hexadecimal bigint', encodeJson('[[["n","0x1"]],[1]]')],
    ['an endless bigint', encodeJson(`[[["n","${'9'.repeat(41)}"]],[1]]`)],
    ['a number that ends', encodeJson('[[["f","5"]],[1]]')],
    ['no number', encodeJson('[[["f","nan"]],[1]]')],
    ['bytes that are none', encodeJson('[[["b","*"]],[1]]')],
    ['too few sort values', encodeJson('[[],[1]]')],
    ['too many sort values', encodeJson('[[1,2],[1]]')],
    ['no key', encodeJson('[[1],[]]')],
    ['too many keys', encodeJson('[[1],[1,2]]')],
    ['something endless', 'A'.repeat(1_000_000)],
  ])('is refused when it is %s', (_, text) => {
    expect(() => decodeAnchor(text, 1, 1)).toThrow(badPlace)
  })

  test('is read or refused with its code, whatever it is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.jsonValue().map((json) => encodeJson(JSON.stringify([[json], [json]]))),
    )
    fc.assert(
      fc.property(text, (some) => {
        try {
          const { sort, key } = decodeAnchor(some, 1, 1)
          expect([sort.length, key.length]).toEqual([1, 1])
        } catch (error) {
          expect(error).toEqual(badPlace)
        }
      }),
      { numRuns: runs(2000) },
    )
  })
})
