import { expect, test } from 'vitest'
import { inColumns } from './two-columns.ts'

const split = (...heights: number[]) => inColumns(heights, (height) => height)

test('sections stand in two columns of about one height, in their order', () => {
  expect(split(20, 8, 9, 6)).toEqual([[20], [8, 9, 6]])
  expect(split(4, 4, 4, 4)).toEqual([
    [4, 4],
    [4, 4],
  ])
  expect(split(3, 3, 12)).toEqual([[3, 3], [12]])
})

test('of two, each has its column; a single one, or none, needs no second', () => {
  expect(split(1, 30)).toEqual([[1], [30]])
  expect(split(7)).toEqual([[7]])
  expect(split()).toEqual([[]])
})
