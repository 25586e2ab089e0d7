/** Widths of columns: by type, stable while paging. */

import { expect, test } from 'vitest'
import type { ColumnView, Row, TableView } from '../../protocol/table-view.ts'
import { type ColumnWidths, growColumns, measureColumns } from './column-widths.ts'
import { textWidth } from './text-width.ts'

const columns: ColumnView[] = [
  { name: 'airport', label: 'Airport', kind: 'text', isLabel: true, sortValue: 'airport' },
  { name: 'cost', label: 'Cost', kind: 'money', unit: '$', sortValue: 'cost' },
  { name: 'status', label: 'Status', kind: 'status' },
]

const viewOf = (...cells: Row[]): TableView =>
  ({ columns, rows: cells }) as Partial<TableView> as TableView

const PAGES = [0, 1, 2] as const
const ON_1440 = 1

/** The least width of a column on a page of 1440 px. */
const least = (widths: ColumnWidths, name: string) => widths[name]!.least[ON_1440]!

/** Those of all columns together, on a page of 1920, 1440 or 1280 px. */
const total = (widths: ColumnWidths, page: (typeof PAGES)[number] = ON_1440) =>
  Object.values(widths).reduce((sum, width) => sum + width.least[page]!, 0)

test('no column is narrower on a wider page, nor than a head needs, nor wider than its content', () => {
  const widths = measureColumns(viewOf(['1', 'a', 'x'.repeat(500), '0', ['New', 'new']]))
  for (const { least, full } of Object.values(widths)) {
    expect(least).toEqual(least.toSorted((one, other) => other - one))
    expect(least.at(-1)).toBeGreaterThanOrEqual(48)
    expect(full).toBeGreaterThanOrEqual(least[0]!)
    expect(full).toBeLessThanOrEqual(1280)
  }
})

test('a head stands on one line', () => {
  const wide = { name: 'n', label: 'A number of many words', kind: 'number' as const }
  const view = { columns: [wide], rows: [['1', 'a', '7']] } as Partial<TableView> as TableView
  expect(least(measureColumns(view), 'n')).toBeGreaterThan(textWidth(wide.label) * (12 / 13) + 16)
})

test('while paging only what is never cut grows, and nothing shrinks', () => {
  const first = measureColumns(viewOf(['1', 'a', 'Memphis Intl', '0', ['New', 'new']]))
  expect(growColumns(first, viewOf(['2', 'b', 'x', null, ['New', 'new']]))).toBe(first)
  const grown = growColumns(first, viewOf(['3', 'c', 'x'.repeat(80), '1,757,304,000.00', 0]))
  expect(grown['airport']).toBe(first['airport'])
  expect(least(grown, 'cost')).toBeGreaterThan(least(first, 'cost'))
})

test('pictures take as much room as the cell with the most of them', () => {
  const photos: ColumnView = {
    ...{ name: 'photos', label: 'P', kind: 'file' },
    layout: { fixed: 4, each: 36, width: 'whole' },
  }
  const widthOf = (...addresses: string[]) => {
    const rows: Row[] = addresses.map((some, at) => [`${at}`, 'a', ['one.png', some]])
    const view = { columns: [photos], rows } as Partial<TableView> as TableView
    return measureColumns(view)['photos']!.full
  }
  expect(widthOf('/a', '/a /b') - widthOf('/a', '/b')).toBe(36)
  // The count of those besides is narrower than one of them.
  expect(widthOf('/a /b +2') - widthOf('/a /b')).toBe(22)
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
  expect(least(grown, 'cost')).toBeGreaterThan(least(first, 'cost'))
  expect(least(grown, 'airport')).toBeGreaterThan(least(first, 'airport'))
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
  expect(least(grown, 'id')).toBeGreaterThan(least(first, 'id'))
  expect(least(grown, 'strike')).toBeGreaterThan(least(first, 'strike'))
  expect(growColumns(grown, view('9'))).toBe(grown)
})

const wideView = (texts: readonly string[], label = 'c'): TableView => {
  const wide = texts.map((_, place) => ({ name: `c${place}`, label, kind: 'text' as const }))
  return { columns: wide, rows: [['1', 'a', ...texts]] } as Partial<TableView> as TableView
}

test('text is cut only where the page has no room, and long text gives way first', () => {
  const of = (count: number) => measureColumns(wideView(Array(count).fill('x'.repeat(60))))
  expect(least(of(2), 'c1')).toBe(of(2)['c1']!.full)
  expect(of(6)['c1']!.full).toBeGreaterThan(60 * 6)
  expect(total(of(6))).toBe(1224)
  expect(total(of(6), 0)).toBe(1704)
  expect(total(of(6), 2)).toBe(1064)
  const short = 'x'.repeat(20)
  const long = measureColumns(wideView([short, short, short, short, 'x'.repeat(160)]))
  expect(least(long, 'c0')).toBe(long['c0']!.full)
  expect(least(long, 'c4')).toBeLessThan(long['c4']!.full)
})

test('a table of many columns scrolls, and is narrower where it fits', () => {
  const many = measureColumns(wideView(Array(30).fill('x'.repeat(60))))
  expect(least(many, 'c1')).toBe(128)
  const some = measureColumns(wideView(Array(15).fill('x'.repeat(60))))
  expect(least(some, 'c1')).toBe(128)
  expect(total(some, 0)).toBe(1704)
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
  expect(least(widths, 'c0')).toBeLessThan(110)
  expect(least(widths, 'c1')).toBeGreaterThan(200)
  expect(total(widths)).toBe(1224)
})

test('a person’s widths count, though never too narrow for a number', () => {
  const view = viewOf(['1', 'a', 'Memphis Intl', '1,757,304', ['New', 'new']])
  const widths = measureColumns(view, undefined, { airport: 301, cost: 20, status: 150 })
  expect(widths['airport']).toEqual({ least: [302, 302, 302], full: 302 })
  expect(least(widths, 'cost')).toBeGreaterThan(textWidth('1,757,304'))
  expect(least(widths, 'status')).toBe(150)
})

test('pictures have the room that they are drawn in, and colours that of their swatch', () => {
  const widthOf = (kind: 'image' | 'colour' | 'text', text: string) => {
    const column: ColumnView = { name: 'x', label: 'X', kind }
    const others = ['a', 'b'].map((name): ColumnView => ({ name, label: name, kind: 'text' }))
    const view = { columns: [others[0]!, column, others[1]!], rows: [['1', 'a', 'a', text, 'b']] }
    return measureColumns(view as Partial<TableView> as TableView)['x']!.full
  }
  const address = `https://cdn.example.org/${'x'.repeat(60)}.png`
  expect(widthOf('image', address)).toBe(58)
  expect(widthOf('image', address)).toBeLessThan(widthOf('text', address))
  expect(widthOf('image', 'no picture has been taken')).toBeGreaterThan(58)
  expect(widthOf('colour', '#0b6172')).toBeGreaterThan(widthOf('text', '#0b6172'))
})
