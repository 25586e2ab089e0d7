import { expect, test } from 'vitest'
import { digestOf } from './seen-values.ts'

test('tells values from each other, and from those in other columns', () => {
  const different = [
    ...[[], [null], ['']],
    ...[
      [null, null],
      ['', null],
      [null, ''],
    ],
    ...[['ab', 'c'], ['a', 'bc'], ['abc', ''], ['abc']],
    ...[[1], [10], [0.1], [true], [new Uint8Array([1, 2])], [new Uint8Array([2, 1])]],
  ]
  expect(new Set(different.map(digestOf)).size).toBe(different.length)
  const numbers = Array.from({ length: 20_000 }, (_, at) => digestOf([at, 'open']))
  expect(new Set(numbers).size).toBeGreaterThan(numbers.length - 3)
})

test('is the same for a number however it was read', () => {
  expect(digestOf([7n])).toBe(digestOf([7]))
})
