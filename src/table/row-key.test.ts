import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { columnOf, tableOf } from '../../test/table-of.ts'
import { recordKey, decodeKey, decodeValue, encodeKey, encodeValue } from './row-key.ts'
import type { ValueType } from './source/schema.ts'
import type { Value } from './source/value.ts'

const keyed = (...types: ValueType[]) =>
  tableOf(
    types.map((type, place) => columnOf(`k${place}`, { type })),
    { key: types.map((_, place) => `k${place}`) },
  )
const plain = (values: readonly Value[] | null) =>
  values && values.map((value) => (value instanceof Uint8Array ? [...value] : value))

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).filter((some) => some.isWellFormed()),
  fc
    .array(fc.constantFrom('%', ',', '/', '.', '2', '5', 'c', 'e', 'f', ' ', 'é'))
    .map((all) => all.join('')),
)
const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
    .filter((whole) => !Number.isSafeInteger(Number(whole))),
)

/** What a column of each type may hold in a key. */
const VALUES: readonly [ValueType, fc.Arbitrary<Value>][] = [
  ['integer', integer],
  ['text', text],
  ['date', fc.constantFrom('2026-07-01', '')],
  ['datetime', fc.constantFrom('2026-07-01 10:00:00+02', '2026-07-01T10:00Z')],
  ['time', fc.constantFrom('10:00')],
  ['json', fc.jsonValue().map((value) => JSON.stringify(value))],
  ['boolean', fc.boolean()],
  ['float', fc.double().map((number) => number + 0)],
  [
    'decimal',
    fc.oneof(integer, fc.constantFrom<Value>('0.10', '12.000', '1.00000000000000000001', 1.5)),
  ],
  ['binary', fc.uint8Array({ maxLength: 12 })],
]

const part = fc.constantFrom(...VALUES).chain(([type, value]) => fc.tuple(fc.constant(type), value))

test('a key leads back to its values, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const key = parts.map(([, value]) => value)
      const table = keyed(...parts.map(([type]) => type))
      expect(plain(decodeKey(encodeKey(key), table))).toEqual(plain(key))
    }),
    { numRuns: runs(3000) },
  )
})

test('so does the address of a row, as browsers read it', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (key) => {
      const table = keyed(...key.map(() => 'text' as const))
      const written = recordKey(key, table)
      if (written === null) return
      const base = 'http://host/tables/t/records/'
      const { pathname, search, hash } = new URL(base + encodeURIComponent(written))
      expect([search, hash]).toEqual(['', ''])
      const read = decodeURIComponent(pathname.slice('/tables/t/records/'.length))
      expect(decodeKey(read, table)).toEqual(key)
    }),
    { numRuns: runs(3000) },
  )
})

test('different keys have different texts', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.array(text, { minLength: 1 }), (a, b) => {
      expect(encodeKey(a) === encodeKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
    }),
    { numRuns: runs(2000) },
  )
})

describe('what no row can have', () => {
  test.each<[ValueType, string]>([
    ['integer', ''],
    ['integer', '%'],
    ['integer', 'abc'],
    ['integer', '1e3'],
    ['integer', '007'],
    ['integer', '-0'],
    ['integer', '+1'],
    ['integer', ' 1'],
    ['integer', '1.0'],
    ['integer', '0x10'],
    ['integer', '1,2'],
    ['integer', '١'],
    ['integer', '18446744073709551616'],
    ['integer', '9'.repeat(400)],
    ['float', '1.'],
    ['float', ''],
    ['decimal', '00.1.2'],
    ['decimal', '9'.repeat(400)],
    ['boolean', '1'],
    ['boolean', 'TRUE'],
    ['binary', 'ff'],
    ['binary', '0xF'],
    ['binary', '0xFF'],
    ['text', ''],
    ['text', 'a%2Cb'],
    ['text', 'a%41'],
    ['text', '100%'],
    ['text', 'a/b'],
    ['text', '..'],
  ])('a column of %s and %j', (type, written) => {
    expect(decodeKey(written, keyed(type))).toBe(null)
  })

  test('too few parts, too many, and any at all without a key', () => {
    expect(decodeKey('1', keyed('integer', 'integer'))).toBe(null)
    expect(decodeKey('1,2,3', keyed('integer', 'integer'))).toBe(null)
    expect(decodeKey('1', tableOf([columnOf('a')], { key: [] }))).toBe(null)
  })

  test('any text is read or is nothing, and is read in one spelling only', () => {
    const table = fc.array(fc.constantFrom(...VALUES.map(([type]) => type)), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), table, (written, types) => {
        const key = decodeKey(written, keyed(...types))
        if (key) expect(encodeKey(key)).toBe(written)
      }),
      { numRuns: runs(3000) },
    )
  })
})

describe('a row has no page of its own', () => {
  test.each<[string, ValueType, Value]>([
    ['whose key is too long for an address', 'text', 'é'.repeat(400)],
    ['whose key holds half a character', 'text', '\ud800'],
    ['whose key is a text where numbers belong', 'integer', 'abc'],
    ['whose key is a number where texts belong', 'text', 5],
    ['whose key is a fraction where whole numbers belong', 'integer', 1.5],
    ['whose key is NULL', 'text', null],
  ])('%s', (_, type, value) => expect(recordKey([value], keyed(type))).toBe(null))

  test('in a table without a key', () => {
    expect(recordKey([], tableOf([columnOf('a')], { key: [] }))).toBe(null)
  })
})

test('numbers lead back in whatever they are held', () => {
  for (const [type, value] of [
    ['decimal', '5'],
    ['decimal', '12.50'],
    ['decimal', '9007199254740993'],
    ['decimal', 5],
    ['float', 1e21],
    ['integer', 9007199254740993n],
  ] as const)
    expect(recordKey([value], keyed(type))).toBe(String(value))
})

test('one value has one text of its own', () => {
  const column = columnOf('a', { type: 'text' })
  expect(decodeValue(encodeValue('a,b'), column)).toBe('a,b')
  expect(decodeValue('a,b', column)).toBe(undefined)
  expect(decodeValue('12', columnOf('a', { type: 'integer' }))).toBe(12)
  expect(decodeValue('twelve', columnOf('a', { type: 'integer' }))).toBe(undefined)
})
