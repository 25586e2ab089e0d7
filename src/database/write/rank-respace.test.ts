import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnOf } from '../../../test/table-of.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { MOST_RESPACED, respace } from './rank-respace.ts'
import type { RankWindow } from './rank-room.ts'

const kind = (more: Partial<Column> = {}, isDescending = false) => ({
  column: { ...columnOf('position'), type: 'integer' as const, declared: 'integer', ...more },
  isDescending,
})

const respaced = (rows: Value[], { before = [], after = [] }: Partial<RankWindow>, of = kind()) =>
  respace(of, { before, rows, after })

describe('around a full place', () => {
  test('the neighbour with most room moves with it', () => {
    const near = { before: [10, 40, 41], after: [42, 90] }
    expect(respaced([70], near)).toEqual({ before: 0, after: 1, values: [57, 73] })
    expect(respaced([70], { before: [1, 40], after: [41, 50] })).toEqual({
      ...{ before: 1, after: 0 },
      values: [14, 27],
    })
  })

  test('a gap too narrow for the next move is not used, but more rows are taken', () => {
    const near = { before: [0, 38, 40], after: [41, 45, 100] }
    expect(respaced([300], near)).toEqual({ before: 0, after: 2, values: [55, 70, 85] })
  })

  test('at the end of the order, gaps are wide', () => {
    const near = { before: [10, 20, 50, 51], after: [] }
    expect(respaced([30], near)).toEqual({ before: 1, after: 0, values: [1074, 2098] })
    expect(respaced([30], near, kind({ declared: 'tinyint' }))).toEqual({
      ...{ before: 1, after: 0 },
      values: [76, 102],
    })
    const down = { before: [], after: [51, 50, 20, 10] }
    expect(respaced([30], down, kind({}, true))).toEqual({
      ...{ before: 0, after: 1 },
      values: [2098, 1074],
    })
  })

  test('below zero only where a value already is', () => {
    expect(respaced([90], { before: [], after: [1, 30, 60] })?.values).toEqual([10, 20])
    expect(respaced([90], { before: [], after: [-5, 30, 60] })?.values).toEqual([6, 18])
  })

  test('nothing is done among numbers that are not whole, which some engines hold all the same', () => {
    const after = [...[31, 32, 33], 50.5, 120]
    expect(respaced([90], { before: [29, 30], after })).toBeUndefined()
    expect(respaced([90.5], { before: [29, 30], after: [31, 120] })).toBeUndefined()
    expect(respaced([90], { before: [29.5, 30], after: [31, 120] })).toBeUndefined()
  })

  test('numbers with hardly any gaps, fractions and rows without a value are left alone', () => {
    expect(respaced([9], { before: [1, 2, 3], after: [4, 5, 6, 7, 8] })).toBeUndefined()
    expect(respaced([2], { before: [1, 3], after: [] })).toBeUndefined()
    const near = { before: [1, 2], after: [3, 40] }
    expect(respaced([9], near, kind({ type: 'float' }))).toBeUndefined()
    expect(respaced([9], near, kind({ type: 'decimal', scale: 2 }))).toBeUndefined()
    expect(respaced([9], { before: [1, null], after: [null] })).toBeUndefined()
    expect(respaced([null], near)).toEqual({ before: 0, after: 1, values: [14, 27] })
  })
})

test('values rise strictly between their neighbours, and few rows are written', () => {
  const list = fc.uniqueArray(fc.integer({ min: -50, max: 5000 }), { minLength: 2, maxLength: 200 })
  fc.assert(
    fc.property(list, fc.nat(), fc.boolean(), (numbers, at, isDown) => {
      const sorted = numbers.toSorted((a, b) => (isDown ? b - a : a - b))
      const place = at % numbers.length
      const before = sorted.slice(Math.max(0, place - MOST_RESPACED - 1), place)
      const after = sorted.slice(place, place + MOST_RESPACED + 1)
      const found = respaced([7000], { before, after }, kind({}, isDown))
      if (!found) return
      expect(found.values).toHaveLength(found.before + 1 + found.after)
      expect(found.before + found.after).toBeLessThanOrEqual(MOST_RESPACED)
      const kept = before.slice(0, before.length - found.before).slice(-1)
      const all = [...kept, ...found.values.map(Number), ...after.slice(found.after)]
      for (const [i, number] of all.entries())
        if (i > 0) expect(isDown ? number < all[i - 1]! : number > all[i - 1]!).toBe(true)
    }),
  )
})
