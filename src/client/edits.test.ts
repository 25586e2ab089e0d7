import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import { addEdit, applyEdits, type Edits, mergeEdits, noEdits, withoutEchoes } from './edits.ts'

const editsOf = (...pairs: [string, Json][]): Edits =>
  pairs.reduce((edits, [path, value]) => addEdit(edits, path, value), noEdits)

describe('addEdit', () => {
  test.each<[string, Edits, [string, Json][]]>([
    ['the last value of a path counts', editsOf(['a', 1], ['a', 2]), [['a', 2]]],
    [
      'other paths stay',
      editsOf(['a', 1], ['b', 2]),
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    ['a parent replaces what is inside', editsOf(['a.b', 1], ['a', { c: 2 }]), [['a', { c: 2 }]]],
    [
      'a child goes into its parent',
      editsOf(['a', { b: 1, c: 1 }], ['a.b', 2]),
      [['a', { b: 2, c: 1 }]],
    ],
    ['a child goes into a list', editsOf(['a', [1, 2]], ['a.1', 3]), [['a', [1, 3]]]],
    [
      'a child makes a parent of null',
      editsOf(['a', null], ['a.b.c', 2]),
      [['a', { b: { c: 2 } }]],
    ],
    [
      'a name that only begins alike is another',
      editsOf(['ab', 1], ['a', 2]),
      [
        ['ab', 1],
        ['a', 2],
      ],
    ],
  ])('%s', (_, edits, expected) => expect([...edits]).toEqual(expected))

  test('leaves the edits that it is given as they are', () => {
    const before = editsOf(['a', { b: 1 }])
    addEdit(before, 'a.b', 2)
    addEdit(before, 'c', 3)
    expect([...before]).toEqual([['a', { b: 1 }]])
  })
})

test('applyEdits leaves the data as they are, and never walks to a prototype', () => {
  const data = { a: { b: 1 }, c: 1 }
  expect(applyEdits(data, editsOf(['a.b', 2], ['d.e', 3]))).toEqual({
    a: { b: 2 },
    c: 1,
    d: { e: 3 },
  })
  expect(applyEdits(data, editsOf(['__proto__.x', 1], ['constructor', 1], ['', 1]))).toEqual(data)
  expect(data).toEqual({ a: { b: 1 }, c: 1 })
  expect(({} as JsonObject)['x']).toBeUndefined()
})

test('withoutEchoes drops what the data say already', () => {
  const edits = editsOf(['a', 1], ['b.c', [1]], ['d', null])
  expect([...withoutEchoes(edits, { a: 1, b: { c: [1] } })]).toEqual([['d', null]])
})

describe('whatever is edited', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((segments) => segments.join('.'))
  const value = fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer()))
  const pairs = fc.array(fc.tuple(path, value as fc.Arbitrary<Json>), { maxLength: 12 })
  const data = { a: { a: 1, b: { c: 1 } }, b: 1 }

  test('edits put together look like edits made one by one', () => {
    fc.assert(
      fc.property(pairs, (edits) => {
        const oneByOne = edits.reduce<JsonObject>(
          (at, [path, value]) => applyEdits(at, new Map([[path, value]])),
          data,
        )
        expect(applyEdits(data, editsOf(...edits))).toEqual(oneByOne)
      }),
      { numRuns: runs(500) },
    )
  })

  test('it does not matter where a sequence is split into requests', () => {
    fc.assert(
      fc.property(pairs, fc.nat(12), (edits, at) => {
        const [first, second] = [editsOf(...edits.slice(0, at)), editsOf(...edits.slice(at))]
        const whole = applyEdits(data, editsOf(...edits))
        expect(applyEdits(applyEdits(data, first), second)).toEqual(whole)
        expect(applyEdits(data, mergeEdits(first, second))).toEqual(whole)
      }),
      { numRuns: runs(500) },
    )
  })

  test('no path stands inside another one', () => {
    fc.assert(
      fc.property(pairs, (edits) => {
        const paths = [...editsOf(...edits).keys()]
        for (const outer of paths)
          expect(paths.filter((path) => path.startsWith(`${outer}.`))).toEqual([])
      }),
    )
  })
})
