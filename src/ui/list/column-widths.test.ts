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

test('pictures take as much room as the cell with the most of them', () => {
  const photos: ColumnView = {
    ...{ name: 'photos', label: 'P', kind: 'file' },
    layout: { fixed: 4, each: 36, width: 'whole' },
  }
  const widthOf = (...addresses: string[]) => {
    const rows: Row[] = addresses.map((some, at) => [`${at}`, 'a', ['one.png', some]])
    return measureColumns({ columns: [photos], rows } as Partial<TableView> as TableView)['photos']!
  }
  expect(widthOf('/a', '/a /b') - widthOf('/a', '/b')).toBe(36 / 8 + 0.5)
  expect(widthOf('/a', '/a /b /c +2')).toBeGreaterThan(widthOf('/a', '/a /b'))
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
  const labels: Record<string, string> = { airport: 'Airfields', cost: 'Expenditure' }
  const wide = (from: ColumnView[]) =>
    from.map((column) => ({ ...column, label: labels[column.name] ?? column.label }))
  const view = { ...viewOf(['1', 'a', 'x', '0', ['New', 'new']]), columns: wide(columns) }
  const first = measureColumns(view)
  expect(growColumns(first, { ...view, columns: wide(sortedBy('cost')) })).toBe(first)
  const both = { ...view, columns: wide(sortedBy('cost', 'airport')) }
  const grown = growColumns(first, both)
  // Its unit may stand on a second line instead.
  expect(grown['cost']).toBe(first['cost'])
  expect(grown['airport']).toBeGreaterThan(first['airport']!)
  expect(growColumns(grown, view)).toBe(grown)
})

test('a head of several words is broken rather than its column made wider', () => {
  const labels = [{ ...columns[1]!, label: 'Cost of repair' }]
  const view = { ...viewOf(['1', 'a', '0']), columns: labels }
  const first = measureColumns(view)
  const sorted = labels.map((column): ColumnView => ({
    ...column,
    sorted: { direction: 'ascending', place: 2 },
  }))
  expect(growColumns(first, { ...view, columns: sorted })).toBe(first)
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

const wideView = (texts: readonly string[], label = 'c'): TableView => {
  const wide = texts.map((_, place) => ({ name: `c${place}`, label, kind: 'text' as const }))
  return { columns: wide, rows: [['1', 'a', ...texts]] } as Partial<TableView> as TableView
}

const total = (widths: object) => Object.values(widths).reduce((sum, width) => sum + width, 0)

test('text is cut only where the page has no room', () => {
  const of = (count: number) => measureColumns(wideView(Array(count).fill('x'.repeat(60))))
  expect(of(3)['c1']).toBe(48)
  expect(of(6)['c1']).toBe(26)
  expect(total(of(6))).toBe(153)
  expect(of(30)['c1']).toBe(16)
})

test('the column in which fewest cells are cut gives way first', () => {
  const short = 'x'.repeat(10)
  const view = wideView(Array(6).fill(short))
  const rows = [0, 1, 2, 3].map((row): Row => {
    const texts = Array<string>(6).fill('x'.repeat(40))
    // Of the first column one text alone is long.
    return [String(row), 'a', row === 0 ? texts[0]! : short, ...texts.slice(1)]
  })
  const widths = measureColumns({ ...view, rows })
  expect(widths['c0']).toBe(13)
  expect(widths['c1']).toBeGreaterThan(25)
  expect(total(widths)).toBe(153)
})

test('heads are broken before many cells are cut, but not where it scrolls all the same', () => {
  const label = 'A head of words'
  const [narrow, texts] = ['x', 'x'.repeat(24)]
  const rows = (count: number): Row[] =>
    [1, 2, 3].map((row) => [String(row), 'a', narrow, ...Array<string>(count).fill(texts)])
  const of = (count: number) => {
    const view = wideView([narrow, ...Array<string>(count).fill(texts)], label)
    return measureColumns({ ...view, rows: rows(count) })
  }
  expect(of(2)['c0']).toBe(17)
  expect(of(7)['c0']).toBeLessThan(13)
  expect(of(40)['c0']).toBe(16)
})

test('pictures have the room that they are drawn in, and colours that of their swatch', () => {
  const widthOf = (kind: 'image' | 'colour' | 'text', text: string) => {
    const column: ColumnView = { name: 'x', label: 'X', kind }
    const others = ['a', 'b'].map((name): ColumnView => ({ name, label: name, kind: 'text' }))
    const view = { columns: [others[0]!, column, others[1]!], rows: [['1', 'a', 'a', text, 'b']] }
    return measureColumns(view as Partial<TableView> as TableView)['x']!
  }
  const address = `https://cdn.example.org/${'x'.repeat(60)}.png`
  expect(widthOf('image', address)).toBe(8)
  expect(widthOf('image', address)).toBeLessThan(widthOf('text', address))
  expect(widthOf('image', 'no picture has been taken')).toBeGreaterThan(8)
  expect(widthOf('colour', '#0b6172')).toBeGreaterThan(widthOf('text', '#0b6172'))
})
