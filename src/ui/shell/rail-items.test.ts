/** The rail's entries and its initials. */

import { expect, test } from 'vitest'
import { allItems, initials } from './rail-items.ts'

const item = (name: string) => ({ name, label: name, href: `/tables/${name}`, count: null })

test('the entries of a group are those of all its parts', () => {
  const part = (id: string) => ({ id, label: id, prefix: '', isOpen: null })
  const folds = [
    { ...part('a'), items: [item('two')], folds: [{ ...part('b'), items: [item('three')] }] },
  ]
  expect(allItems({ items: [item('one')], folds }).map(({ name }) => name)).toEqual([
    'one',
    'two',
    'three',
  ])
})

test.each([
  ['Wildlife strikes', 'Ws'],
  ['Airports', 'Ai'],
  ['sales.orders', 'so'],
  ['Ана Ковач', 'АК'],
  ['', ''],
])('initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
