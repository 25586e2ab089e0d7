/** Widths of columns: by type, stable while paging. */

import { expect, test } from 'vitest'
import type { ColumnView, Row, TableView } from '../../protocol/table-view.ts'
import { growColumns, measureColumns } from './column-widths.ts'

const columns: ColumnView[] = [
  { name: 'airport', label: 'Airport', kind: 'text', isLabel: true, sortValue: 'airport' },
  { name: 'cost', label: 'Cost', kind: 'money', unit: '$', sortValue: 'cost' },
  { name: 'status', label: 'Status', kind: 'status' },
]

const viewOf = (...cells: Row[]): TableView =>
  ({ columns, rows: cells }) as Partial<TableView> as TableView

test('every width has a class', () => {
  const widths = measureColumns(viewOf(['1', 'a', 'x'.repeat(500), '0', ['New', 'new']]))
  for (const width of Object.values(widths)) {
    expect(width).toBeGreaterThanOrEqual(6)
    expect(width).toBeLessThanOrEqual(48)
  }
})

test('a column is at least as wide as its head', () => {
  const wide = { name: 'n', label: 'A number of many words', kind: 'number' as const }
  const view = { columns: [wide], rows: [['1', 'a', '7']] } as Partial<TableView> as TableView
  expect(measureColumns(view)['n']).toBeGreaterThan(15)
})

test('while paging only what is never cut grows, and nothing shrinks', () => {
  const first = measureColumns(viewOf(['1', 'a', 'Memphis Intl', '0', ['New', 'new']]))
  expect(growColumns(first, viewOf(['2', 'b', 'x', null, ['New', 'new']]))).toBe(first)
  const grown = growColumns(first, viewOf(['3', 'c', 'x'.repeat(80), '1,757,304.00', 0]))
  expect(grown['airport']).toBe(first['airport'])
  expect(grown['cost']).toBeGreaterThan(first['cost']!)
})

test('a column that is shown anew gets a width', () => {
  const first = measureColumns(viewOf(['1', 'a', 'x', '0', ['New', 'new']]))
  const { airport: _, ...rest } = first
  expect(growColumns(rest, viewOf(['1', 'a', 'x', '0', ['New', 'new']]))).toEqual(first)
})

/** The columns with those of `places` sorted, in that order. */
const sortedBy = (...names: string[]): ColumnView[] =>
  columns.map((column) =>
    names.includes(column.name)
      ? { ...column, sorted: { direction: 'ascending', place: names.indexOf(column.name) + 1 } }
      : column,
  )

test('sorting by a column moves no other; by several gives room for their numbers', () => {
  const labels: Record<string, string> = { airport: 'Name of the airport', cost: 'Cost of it all' }
  const wide = (from: ColumnView[]) =>
    from.map((column) => ({ ...column, label: labels[column.name] ?? column.label }))
  const view = { ...viewOf(['1', 'a', 'x', '0', ['New', 'new']]), columns: wide(columns) }
  const first = measureColumns(view)
  expect(growColumns(first, { ...view, columns: wide(sortedBy('cost')) })).toBe(first)
  const both = { ...view, columns: wide(sortedBy('cost', 'airport')) }
  const grown = growColumns(first, both)
  expect(grown['cost']).toBeGreaterThan(first['cost']!)
  expect(grown['airport']).toBeGreaterThan(first['airport']!)
  expect(growColumns(grown, view)).toBe(grown)
})

test('keys grow at once, and so do numbers in any column', () => {
  const keys: ColumnView[] = [
    { name: 'id', label: 'ID', kind: 'key', isLabel: true },
    { name: 'strike', label: 'S', kind: 'relation' },
  ]
  const view = (key: string) => ({ ...viewOf([key, key, key, key]), columns: keys })
  const first = measureColumns(view('9'))
  const grown = growColumns(first, view('1,000,000,001'))
  expect(grown['id']).toBeGreaterThan(first['id']!)
  expect(grown['strike']).toBeGreaterThan(first['strike']!)
  expect(growColumns(grown, view('9'))).toBe(grown)
})

test('text is cut only where the page has no room', () => {
  const text = 'x'.repeat(60)
  const of = (count: number) => {
    const names = Array.from({ length: count }, (_, place) => `c${place}`)
    const wide = names.map((name) => ({ name, label: name, kind: 'text' as const }))
    const row: Row = ['1', 'a', ...names.map(() => text)]
    return measureColumns({ columns: wide, rows: [row] } as Partial<TableView> as TableView)
  }
  expect(of(3)['c1']).toBe(48)
  expect(of(6)['c1']).toBe(25)
  expect(of(30)['c1']).toBe(16)
})
