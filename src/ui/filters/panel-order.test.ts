import { expect, test } from 'vitest'
import type { FilterOffer } from '../../protocol/filters.ts'
import type { ColumnView } from '../../protocol/table-view.ts'
import { inPanelOrder, isFound } from './panel-order.ts'

const offer = (key: string, more: Partial<FilterOffer> = {}): FilterOffer => ({
  key,
  label: key,
  control: { type: 'text' },
  ...more,
})
const column = (name: string): ColumnView => ({ name, label: name, kind: 'text' })

test('the filters of shown columns come first, as these stand, and the key last', () => {
  const offers = [
    offer('id', { last: true }),
    offer('note'),
    offer('cost', { column: 'price' }),
    offer('state'),
    offer('~plays~song_id', { column: null }),
  ]
  const columns = ['id', 'state', 'price'].map(column)
  expect(inPanelOrder(offers, columns).map(({ key }) => key)).toEqual([
    'state',
    'cost',
    'note',
    '~plays~song_id',
    'id',
  ])
})

test('of those, fields of one line come before sliders, and these before lists', () => {
  const offers = [
    offer('other'),
    offer('phase', { control: { type: 'choice' } }),
    offer('speed', { control: { type: 'number' } }),
    offer('airport'),
    offer('sky', { control: { type: 'choice' } }),
    offer('species'),
  ]
  const columns = ['phase', 'airport', 'speed', 'species'].map(column)
  expect(inPanelOrder(offers, columns).map(({ key }) => key)).toEqual([
    ...['airport', 'species', 'speed', 'phase', 'other', 'sky'],
  ])
})

test('a filter is found by words of its label, whatever their case and accents', () => {
  expect(isFound('Größe der Tür', 'tur grosse')).toBe(false)
  expect(isFound('Größe der Tür', 'tur größe')).toBe(true)
  expect(isFound('Incident date', 'DATE inc')).toBe(true)
  expect(isFound('Incident date', '')).toBe(true)
  expect(isFound('Incident date', 'state')).toBe(false)
})
