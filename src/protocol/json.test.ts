import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { isJsonObject, keepSame, type Json, sameJson } from './json.ts'

const json = fc.jsonValue() as fc.Arbitrary<Json>

describe('sameJson', () => {
  test.each<[Json | undefined, Json | undefined, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{}, null, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [{ toString: 1 }, {}, false],
    [{ a: {} }, { toString: {} }, false],
    [[undefined as unknown as Json], [null], false],
    ['1', 1, false],
    [0, -0, true],
    [undefined, undefined, true],
    [undefined, null, false],
  ])('of %j and %j is %j', (a, b, same) => {
    expect(sameJson(a, b)).toBe(same)
    expect(sameJson(b, a)).toBe(same)
  })

  test('holds for copies, and for no two values that are written differently', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(sameJson(a, structuredClone(a))).toBe(true)
        if (sameJson(a, b)) expect(b).toEqual(a)
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('keepSame', () => {
  test('is the new value, with equal parts of the old one', () => {
    const before = {
      rows: [
        [1, 'a'],
        [2, 'b'],
      ],
      total: { count: 2 },
      page: 1,
    }
    const next = {
      rows: [
        [1, 'a'],
        [2, 'c'],
      ],
      total: { count: 2 },
      page: 2,
    }
    const kept = keepSame(before, next) as typeof before
    expect(kept).toEqual(next)
    expect([kept.rows[0] === before.rows[0], kept.total === before.total]).toEqual([true, true])
  })

  test('is the old value itself where both are equal, and equal to the new one always', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(keepSame(a, structuredClone(a))).toBe(a)
        expect(sameJson(keepSame(a, b), b)).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('isJsonObject tells objects from null, lists and all else', () => {
  expect([{}, null, [], '', 0, undefined].map(isJsonObject)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
