/** The order of drawn columns and their places on a card. */

import { expect, test } from 'vitest'
import type { ColumnKind, ColumnView } from '../../protocol/table-view.ts'
import { cellAt, drawnColumns } from './drawn-columns.ts'

const column = (name: string, kind: ColumnKind): ColumnView => ({ name, label: name, kind })

test('the column that names the row is drawn first and keeps its cells', () => {
  const drawn = drawnColumns({
    columns: [column('id', 'key'), { ...column('airport', 'text'), isLabel: true }],
  })
  expect(drawn.map(({ column: { name }, place }) => [name, place])).toEqual([
    ['airport', 1],
    ['id', 0],
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
    'k-date card-date',
    'k-text card-lead',
    'k-relation card-sub',
    'k-number num',
    'k-money num card-figure',
    'k-status card-status',
    'k-text',
  ])
})

test('without money a number takes its place', () => {
  const drawn = drawnColumns({ columns: [column('a', 'text'), column('b', 'number')] })
  expect(drawn[1]?.className).toBe('k-number num card-figure')
})
