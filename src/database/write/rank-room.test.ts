import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnOf } from '../../../test/table-of.ts'
import type { Column, ValueType } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { permuteValues, valuesFor, type RankWindow } from './rank-room.ts'

const kind = (type: ValueType, more: Partial<Column> = {}, isDescending = false) => ({
  column: { ...columnOf('position'), type, ...more },
  isDescending,
})

const room = (
  rows: Value[],
  { before = [], after = [] }: Partial<RankWindow> = {},
  of = kind('integer'),
) => valuesFor(of, { before, rows, after })

describe('whole numbers', () => {
  test('a gap is used, and nobody else is written', () => {
    expect(room([90], { before: [10, 20], after: [30, 40] })).toEqual([25])
    expect(room([90, 95], { before: [10], after: [13, 14] })).toEqual([11, 12])
    expect(room([21], { before: [10, 20], after: [30] })).toEqual([21])
  })

  test('without a gap there is no room', () => {
    expect(room([9], { before: [1, 2], after: [3, 4] })).toBeUndefined()
    expect(room([9, 10], { before: [1], after: [3] })).toBeUndefined()
    expect(room([2], { before: [4, 5] })).toBeUndefined()
    expect(room([2], { after: [1, 3] })).toBeUndefined()
  })

  test('values without gaps are given to other rows', () => {
    expect(room([3, 4, 5, 2], { before: [1] })).toEqual([2, 3, 4, 5])
    expect(room([5, 1, 2, 3, 4])).toEqual([1, 2, 3, 4, 5])
    expect(room([2, 0, 1])).toEqual([0, 1, 2])
  })

  test('a row that comes last goes on as far as the others are apart', () => {
    expect(room([20], { before: [10, 30] })).toEqual([40])
    expect(room([30], { after: [10, 20] })).toEqual([5])
  })

  test('rows without a value, and those that share one, get their own', () => {
    expect(room([null, null, null], { after: [null, null] })).toEqual([1, 2, 3])
    expect(room([1, 2, null, null], { after: [null] })).toEqual([1, 2, 3, 4])
    expect(room([0, 0, 0])).toEqual([0, 1, 2])
    expect(room([1, 2, 2, 3])).toEqual([1, 2, 3, 4])
    expect(room([5], { before: [null, null] })).toBeUndefined()
  })

  test('no new value is greater than the column holds, as far as its values are not', () => {
    const small = kind('integer', { declared: 'smallint' })
    expect(room([20], { before: [31_713, 32_736] }, small)).toBeUndefined()
    expect(room([20], { before: [30_713, 31_736] }, small)).toEqual([32_759])
    expect(room([20], { before: [31_713, 32_768] }, small)).toEqual([33_823])
  })

  test('downwards', () => {
    const down = kind('integer', {}, true)
    expect(room([9], { before: [40, 30], after: [20, 10] }, down)).toEqual([25])
    expect(room([2, 5, 4, 3], { after: [1] }, down)).toEqual([5, 4, 3, 2])
    expect(room([null, null], { after: [null] }, down)).toEqual([2, 1])
    expect(room([20], { before: [30, 10] }, down)).toEqual([5])
    expect(room([20], { after: [30, 10] }, down)).toEqual([40])
  })

  test('more than a double holds', () => {
    const most = 2n ** 62n
    expect(room([0], { before: [most], after: [most + 10n] })).toEqual([most + 5n])
  })
})

describe('fractions', () => {
  test('as few digits as there must be', () => {
    const float = kind('float', { declared: 'double precision' })
    expect(room([9], { before: [1, 2], after: [3, 4] }, float)).toEqual([2.5])
    expect(room([9, 8], { before: [1], after: [1.1] }, float)).toEqual([1.03, 1.06])
    expect(room([2], { before: [3, 4] }, float)).toEqual([5])
    expect(room([2], { after: [1] }, float)).toEqual([0.5])
  })

  test('as many as the column keeps', () => {
    const price = kind('decimal', { precision: 4, scale: 1 })
    expect(room([9], { before: ['1.0'], after: ['2.0'] }, price)).toEqual(['1.5'])
    expect(room([9], { before: ['1.0'], after: ['1.1'] }, price)).toBeUndefined()
    expect(room([9], { before: ['1.0'], after: ['1.1'] }, kind('decimal'))).toEqual(['1.05'])
    const single = kind('float', { declared: 'real' })
    expect(room([9], { before: [1], after: [1.00001] }, single)).toBeUndefined()
  })
})

test("the rows' own values can be handed on where they are all different", () => {
  const window = { before: [1], rows: [7, 3, 5], after: [9] }
  expect(permuteValues(kind('integer'), window)).toEqual([3, 5, 7])
  expect(
    permuteValues(kind('decimal'), { before: [], rows: ['1.50', '1.5'], after: [] }),
  ).toBeUndefined()
  expect(
    permuteValues(kind('integer', {}, true), { before: [9], rows: [3, 5], after: [null] }),
  ).toEqual([5, 3])
  for (const wrong of [{ rows: [7, null] }, { before: [4] }, { before: [null] }, { after: [6] }])
    expect(permuteValues(kind('integer'), { ...window, ...wrong })).toBeUndefined()
})

test('values always rise strictly between their neighbours', () => {
  const values = fc.option(fc.integer({ min: -20, max: 20 }), { nil: null })
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 12 }), fc.boolean(), (rows, isDown) => {
      const found = room(rows, {}, kind('integer', {}, isDown))!
      const numbers = found.map(Number)
      for (const [i, number] of numbers.entries())
        if (i > 0) expect(isDown ? number < numbers[i - 1]! : number > numbers[i - 1]!).toBe(true)
    }),
  )
})
