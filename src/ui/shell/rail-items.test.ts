/** The rail's search and its initials. */

import { expect, test } from 'vitest'
import { findTables, initials } from './rail-items.ts'

const item = (name: string, label: string) => ({
  name,
  label,
  href: `/tables/${name}`,
  count: null,
})
const groups = [
  { kind: 'recent' as const, items: [item('strikes', 'Wildlife strikes')] },
  {
    kind: 'tables' as const,
    items: [item('airports', 'Airports'), item('strikes', 'Wildlife strikes')],
  },
  { kind: 'views' as const, items: [] },
]

test('without a search all groups that hold something are shown', () => {
  expect(findTables(groups, ' ').map(({ kind }) => kind)).toEqual(['recent', 'tables'])
})

test('a search finds by name and by label, each table once', () => {
  expect(findTables(groups, 'WILD')).toEqual([
    { kind: 'tables', items: [item('strikes', 'Wildlife strikes')] },
  ])
  expect(findTables(groups, 'airp')[0]?.items).toHaveLength(1)
  expect(findTables(groups, 'zebra')).toEqual([])
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
