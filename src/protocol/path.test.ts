import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import type { Json } from './json.ts'
import { getPath, parsePath, withPath } from './path.ts'

describe('parsePath', () => {
  test.each([
    ['search', ['search']],
    ['price.min', ['price', 'min']],
    ['a.0.b', ['a', '0', 'b']],
    ['hasOwnProperty', ['hasOwnProperty']],
  ])('%s', (path, segments) => expect(parsePath(path)).toEqual(segments))

  test.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '__proto__',
    'a.constructor',
    'prototype.x',
    'a.__proto__.b',
  ])('refuses %j', (path) => expect(parsePath(path)).toBeUndefined())
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

  test('makes what is missing on the way', () => {
    expect(withPath(undefined, ['a', 'b'], 1)).toEqual({ a: { b: 1 } })
    expect(withPath({ a: null }, ['a', 'b'], 1)).toEqual({ a: { b: 1 } })
  })

  test('without a path is the value itself', () => {
    expect(withPath({ a: 1 }, [], 2)).toBe(2)
  })
})

describe('getPath', () => {
  test('reads own properties only', () => {
    expect(getPath({ a: { b: 1 } }, ['a', 'b'])).toBe(1)
    expect(getPath([{ a: 2 }], ['0', 'a'])).toBe(2)
    expect(getPath({ a: {} }, ['a', 'toString'])).toBeUndefined()
    expect(getPath({ a: 'text' }, ['a', 'length'])).toBeUndefined()
    expect(getPath({ a: null }, ['a', 'b'])).toBeUndefined()
  })

  test('finds what withPath has written, and nothing else has changed', () => {
    const segments = fc.array(fc.constantFrom('a', 'b', 'c', 'toString'), {
      minLength: 1,
      maxLength: 4,
    })
    const root = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(root, segments, segments, fc.integer(), (before, path, other, value) => {
        const copy = JSON.stringify(before)
        const after = withPath(before, path, value)
        const isArray = path.some((_, at) => Array.isArray(getPath(before, path.slice(0, at))))
        if (!isArray) expect(getPath(after, path)).toBe(value)
        expect(JSON.stringify(before)).toBe(copy)
        if (other[0] !== path[0]) expect(getPath(after, other)).toEqual(getPath(before, other))
      }),
      { numRuns: runs(1000) },
    )
  })
})
