import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { decodePredicate, encodePredicate } from './predicate-codec.ts'
import { everything, nothing, type Predicate } from './predicate.ts'
import type { Value } from './value.ts'

const text = fc.string({ unit: 'binary' })
const valueOf: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  text,
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
  fc.uint8Array(),
)

const { predicate: predicateOf } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'predicate' },
    fc.record({ op: fc.constant('null' as const), column: text }),
    fc.record({
      op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
      column: text,
      value: valueOf,
    }),
    fc.record({ op: fc.constant('in' as const), column: text, values: fc.array(valueOf) }),
    fc.record({ op: fc.constant('contains' as const), column: text, text }),
    fc.record({ op: fc.constantFrom('and', 'or'), all: fc.array(tie('predicate')) }),
    fc.record({ op: fc.constant('not' as const), of: tie('predicate') }),
    fc.record({
      op: fc.constant('related' as const),
      column: text,
      table: text,
      references: text,
      where: tie('predicate'),
    }),
  ),
}))

test('every predicate comes back from its JSON as it was', () => {
  fc.assert(
    fc.property(predicateOf, (predicate) => {
      const json = JSON.stringify(encodePredicate(predicate))
      expect(decodePredicate(JSON.parse(json))).toEqual(predicate)
    }),
    { numRuns: runs(2000) },
  )
})

test('no digit is lost', () => {
  const values: Value[] = [2n ** 63n - 1n, -(2n ** 63n), NaN, Infinity, -Infinity, -0, 5e-324]
  const predicate: Predicate = { op: 'in', column: 'n', values }
  const json = JSON.stringify(encodePredicate(predicate))
  const back = decodePredicate(JSON.parse(json))
  expect(back.op === 'in' && back.values.every((value, i) => Object.is(value, values[i]))).toBe(
    true,
  )
})

test('texts that look like tags stay texts', () => {
  const predicate: Predicate = { op: 'eq', column: 'v', value: '{"$bigint":"1"}' }
  expect(decodePredicate(encodePredicate(predicate))).toEqual(predicate)
})

test.each([
  null,
  'and',
  [],
  {},
  { op: 'sql', text: 'drop table people' },
  { op: 'and' },
  { op: 'and', all: {} },
  { op: 'and', all: [], extra: 1 },
  { op: 'not', of: null },
  { op: 'eq', column: 'id' },
  { op: 'eq', column: 1, value: 1 },
  { op: 'eq', column: 'id', value: { $bigint: '1e5' } },
  { op: 'eq', column: 'id', value: { $bigint: '9'.repeat(1000) } },
  { op: 'eq', column: 'id', value: { $bytes: 'not base64' } },
  { op: 'eq', column: 'id', value: { $number: '1' } },
  { op: 'eq', column: 'id', value: { $bigint: '1', $bytes: '' } },
  { op: 'eq', column: 'id', value: [1] },
  { op: 'in', column: 'id', values: 1 },
  { op: 'related', column: 'a', references: 'b', where: everything },
  { op: 'related', column: 'a', table: 'b', references: 'c', where: everything, access: {} },
])('what is no predicate is refused: %j', (json) => {
  expect(() => decodePredicate(json)).toThrow(TypeError)
})

test('what is nested without end is refused at once', () => {
  let deep: unknown = nothing
  for (let i = 0; i < 100_000; i++) deep = { op: 'not', of: deep }
  expect(() => decodePredicate(deep)).toThrow(TypeError)
})
