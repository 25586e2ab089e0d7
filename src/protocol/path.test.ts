import { describe, expect, test } from 'vitest'
import { getPath, parsePath, withPath } from './path.ts'

describe('parsePath', () => {
  test.each([
    ['search', ['search']],
    ['price.min', ['price', 'min']],
    ['a.0.b', ['a', '0', 'b']],
  ])('%s', (path, segments) => expect(parsePath(path)).toEqual(segments))

  test.each(['', '.', 'a.', '.a', '__proto__', 'a.constructor', 'prototype.x'])(
    'refuses %j',
    (path) => expect(parsePath(path)).toBeUndefined(),
  )
})

describe('withPath', () => {
  test('leaves the original as it was', () => {
    const before = { price: { min: 1, max: 2 } }
    expect(withPath(before, ['price', 'min'], 5)).toEqual({ price: { min: 5, max: 2 } })
    expect(before).toEqual({ price: { min: 1, max: 2 } })
  })

  test('writes into arrays by place', () => {
    expect(withPath([1, 2, 3], ['1'], 9)).toEqual([1, 9, 3])
  })
})

test('getPath reads own properties only', () => {
  expect(getPath({ a: { b: 1 } }, ['a', 'b'])).toBe(1)
  expect(getPath({ a: {} }, ['a', 'toString'])).toBeUndefined()
})
