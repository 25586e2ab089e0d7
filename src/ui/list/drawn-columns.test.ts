/** The order of drawn columns and their places on a card. */

import { expect, test } from 'vitest'
import type { ColumnKind, ColumnView } from '../../protocol/table-view.ts'
import { cellAt, drawnColumns } from './drawn-columns.ts'

const column = (name: string, kind: ColumnKind): ColumnView => ({ name, label: name, kind })

test('columns are drawn in their order and keep their cells, whichever names the row', () => {
  const drawn = drawnColumns({
    columns: [column('id', 'key'), { ...column('airport', 'text'), isLabel: true }],
  })
  expect(drawn.map(({ column: { name }, place }) => [name, place])).toEqual([
    ['id', 0],
    ['airport', 1],
  ])
  expect(cellAt(['7', 'Memphis', '7', 'Memphis Intl'], 1)).toBe('Memphis Intl')
})

test('a card shows name, status, two texts, a figure and a date', () => {
  const kinds: ColumnKind[] = [
    'text',
    'date',
    'text',
    'relation',
    'number',
    'money',
    'status',
    'text',
  ]
  const drawn = drawnColumns({ columns: kinds.map((kind, place) => column(`c${place}`, kind)) })
  expect(drawn.map(({ className }) => className)).toEqual([
    'k-text card-title',
    'k-date num whole card-date',
    'k-text card-lead',
    'k-relation card-sub',
    'k-number num whole',
    'k-money num whole card-figure card-named',
    'k-status whole card-status',
    'k-text',
  ])
})

test('without money a number takes its place', () => {
  const drawn = drawnColumns({ columns: [column('a', 'text'), column('b', 'number')] })
  expect(drawn[1]?.className).toBe('k-number num whole card-figure card-named')
})

test('a figure without a unit has its label on the card', () => {
  const labelOf = (figure: ColumnView) =>
    drawnColumns({ columns: [column('a', 'text'), figure] })[1]?.column.cardLabel
  expect(labelOf(column('Latitude', 'coordinate'))).toBe('Latitude')
  expect(labelOf(column('Price', 'money'))).toBe('Price')
  expect(labelOf({ ...column('Price', 'money'), unit: '$' })).toBe(undefined)
})

const sorted = (column: ColumnView): ColumnView => ({
  ...column,
  sorted: { direction: 'ascending', place: 1 },
})
const wide = [
  column('name', 'text'),
  column('city', 'text'),
  column('state', 'text'),
  column('cost', 'money'),
  column('speed', 'number'),
  column('at', 'date'),
  column('done', 'boolean'),
]
const cardOf = (columns: ColumnView[]) =>
  Object.fromEntries(
    drawnColumns({ columns }).map(({ column, className }) => [
      column.name,
      [/card-(?!named)\w+/.exec(className)?.[0], column.cardLabel],
    ]),
  )
const sortedBy = (name: string) =>
  cardOf(wide.map((column) => (column.name === name ? sorted(column) : column)))

test('a card shows what the rows are sorted by, with its label where others are like it', () => {
  expect(cardOf(wide)['speed']).toEqual([undefined, undefined])
  expect(sortedBy('speed')).toMatchObject({
    speed: ['card-figure', 'speed'],
    cost: [undefined, undefined],
  })
  expect(sortedBy('done')).toMatchObject({
    done: ['card-sub', 'done'],
    city: ['card-lead', undefined],
    state: [undefined, undefined],
  })
  expect(sortedBy('at')['at']).toEqual(['card-date', undefined])
  expect(sortedBy('state')['state']).toEqual(['card-lead', 'state'])
  expect(sortedBy('name')['name']).toEqual(['card-title', undefined])
})

test('six columns at most are all on the card', () => {
  const few = cardOf([
    column('id', 'key'),
    { ...column('speed', 'number'), unit: 'kt' },
    column('height', 'number'),
    column('weight', 'number'),
    column('done', 'boolean'),
    column('data', 'json'),
  ])
  const places = Object.values(few).map(([place]) => place)
  expect(new Set(places).size).toBe(6)
  expect(places).not.toContain(undefined)
  expect(few['height']?.[1]).toBe('height')
  expect(few['speed']).toEqual(['card-figure', undefined])
})
