import { expect, test } from 'vitest'
import { bulk } from '../../messages/bulk/en.ts'
import { differencesOf } from './differences.ts'

const saved =
  'search=goose&filter.cost.min=5&filter.cost.max=9&filter.phase=Climb&sort=-cost&size=50'

test.each([
  [saved, { filters: 0, others: [] }],
  [saved.replace('min=5', 'min=6').replace('max=9', 'max=7'), { filters: 1, others: [] }],
  [saved.replace('&filter.phase=Climb', '&filter.id.in=1%2C2'), { filters: 2, others: [] }],
  [
    saved.replace('goose', 'duck').replace('-cost', 'cost'),
    { filters: 0, others: ['search', 'order'] },
  ],
  [`${saved}&columns=id`, { filters: 0, others: ['columns'] }],
  [
    saved.replace('&size=50', '&widths=cost.9&pinned=1'),
    { filters: 0, others: ['rows', 'others'] },
  ],
  // It says no more than that the filter of marked rows is not there.
  [`${saved}&deleted=shown`, { filters: 0, others: [] }],
])('of %s', (now, differences) => expect(differencesOf(saved, now)).toEqual(differences))

test('are told in a sentence', () => {
  const { differs } = bulk.views
  expect(differs(1, [])).toBe('1 filter differs')
  expect(differs(2, [])).toBe('2 filters differ')
  expect(differs(0, ['order'])).toBe('The order differs')
  expect(differs(0, ['columns'])).toBe('The columns differ')
  expect(differs(1, ['order', 'rows'])).toBe('1 filter, the order and the number of rows differ')
})
