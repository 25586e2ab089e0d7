import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextSort } from './sort.ts'
import { encodeKey } from '../../row-key.ts'
import type { SortColumn } from '../../source/row-source.ts'

const up = (column: string): SortColumn => ({ column, descending: false })
const down = (column: string): SortColumn => ({ column, descending: true })

describe('a click on a head', () => {
  test.each<[SortColumn[], string, SortColumn[]]>([
    [[], 'a', [up('a')]],
    [[up('a')], 'a', [down('a')]],
    [[down('a')], 'a', []],
    [[up('a')], 'b', [up('b')]],
    [[up('a'), up('b')], 'a', [up('a')]],
    [[down('a'), up('b')], 'c', [up('c')]],
  ])('turns %j by %s into %j', (sort, column, next) =>
    expect(nextSort(sort, column, false)).toEqual(next),
  )
})

describe('a click with shift', () => {
  test.each<[SortColumn[], string, SortColumn[]]>([
    [[], 'a', [up('a')]],
    [[up('a')], 'b', [up('a'), up('b')]],
    [[up('a'), up('b')], 'a', [down('a'), up('b')]],
    [[down('a'), up('b')], 'a', [up('b')]],
    [[down('a')], 'a', []],
  ])('turns %j by %s into %j', (sort, column, next) =>
    expect(nextSort(sort, column, true)).toEqual(next),
  )
})

test('three clicks on any head lead back to where that column is not sorted by', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
  fc.assert(
    fc.property(names, fc.constantFrom('a', 'b', 'c', 'd'), (columns, column) => {
      const sort = columns.filter((name) => name !== column).map(up)
      const after = [1, 2, 3].reduce((at: SortColumn[]) => nextSort(at, column, true), sort)
      expect(after).toEqual(sort)
    }),
  )
})

test('no column ever stands twice in an order', () => {
  const click = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())
  fc.assert(
    fc.property(fc.array(click), (clicks) => {
      const sort = clicks.reduce((at: SortColumn[], [column, add]) => nextSort(at, column, add), [])
      expect(new Set(sort.map(({ column }) => column)).size).toBe(sort.length)
    }),
  )
})

test('keys of rows are told apart as texts', () => {
  expect(encodeKey([17])).toBe('17')
  expect(encodeKey([9007199254740993n, 'ABC'])).toBe('9007199254740993,ABC')
  expect(encodeKey(['a,b'])).not.toBe(encodeKey(['a', 'b']))
  expect(encodeKey(['a%2cb'])).not.toBe(encodeKey(['a,b']))
  expect(encodeKey([Uint8Array.of(1, 255)])).toBe('0x01ff')
})
