import { describe, expect, test } from 'vitest'
import { nearest, quoted, within } from './problems.ts'

describe('what was probably meant', () => {
  const names = ['total', 'placed_at', 'customer_id', 'id', 'Order Number']

  test.each([
    ['totl', 'total'],
    ['totla', 'total'],
    ['Total', 'total'],
    ['placedAt', 'placed_at'],
    ['custmer_id', 'customer_id'],
    ['order_number', 'Order Number'],
    ['customer', 'customer_id'],
  ])('by %s is %s', (name, meant) => expect(nearest(name, names)).toBe(meant))

  test.each(['x', 'tax', 'di', '', 'zzzzzzzz', 'y'.repeat(5000)])('by %s is not known', (name) =>
    expect(nearest(name, names)).toBeUndefined(),
  )

  test('is the nearest of several', () => {
    expect(nearest('abcdeg', ['abcxyz', 'abcdef', 'abcdxx'])).toBe('abcdef')
  })
})

test.each([
  ['tables', 'orders', 'tables.orders'],
  ['tables', 'größe', 'tables.größe'],
  ['tables', 'public.orders', 'tables["public.orders"]'],
  ['tables', '1st', 'tables["1st"]'],
  ['tables', 'a"b', 'tables["a\\"b"]'],
  ['', 'url', 'url'],
])('within %j, %j stands at %s', (path, name, whole) => expect(within(path, name)).toBe(whole))

test.each([
  ['text', '[text]'],
  ['x'.repeat(61), `[${'x'.repeat(60)}…]`],
  [1.5, '[1.5]'],
  [true, '[true]'],
  [null, '[null]'],
  [undefined, '[undefined]'],
  [[1], 'a list'],
  [{}, 'an object'],
  [() => 1, 'a function'],
  [1n, 'a bigint'],
])('%s is said in few words', (value, words) => expect(quoted(value)).toBe(words))
