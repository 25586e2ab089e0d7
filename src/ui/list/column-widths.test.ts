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

const least = (widths: ColumnWidths, name: string) => widths[name]!.least

/** Whether nothing of the column is ever cut. */
const isWhole = (widths: ColumnWidths, name: string) => widths[name]!.least === widths[name]!.full

test('no column is narrower than a head needs, nor wider than its content', () => {
  const widths = measureColumns(viewOf(['1', 'a', 'x'.repeat(500), '0', ['New', 'new']]))
  for (const { least, full } of Object.values(widths)) {
    expect(least).toBeGreaterThanOrEqual(48)
    expect(full).toBeGreaterThanOrEqual(least)
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

test('long text gives way down to 320 px, and short text stays whole', () => {
  const widths = measureColumns(wideView(['x'.repeat(20), 'x'.repeat(40), 'x'.repeat(160)]))
  expect([isWhole(widths, 'c0'), isWhole(widths, 'c1')]).toEqual([true, true])
  expect(least(widths, 'c2')).toBe(320)
  expect(widths['c2']!.full).toBeGreaterThan(1000)
})

test('one cell in twenty of a column may be cut, and none of the one that names the row', () => {
  const view = wideView(['', ''])
  const widthsOf = (long: number) => {
    const rows = Array.from({ length: 40 }, (_, row): Row => {
      const text = 'x'.repeat(row < long ? 40 : 14)
      return [String(row), 'a', text, text]
    })
    const [name, other] = view.columns
    return measureColumns({ ...view, rows, columns: [{ ...name!, isLabel: true }, other!] })
  }
  expect(isWhole(widthsOf(2), 'c0')).toBe(true)
  expect(least(widthsOf(2), 'c1')).toBeLessThan(140)
  expect(widthsOf(2)['c1']!.full).toBeGreaterThan(260)
  expect(isWhole(widthsOf(3), 'c1')).toBe(true)
})

test('a column of few texts is narrowed to 88 px', () => {
  const rows = Array.from({ length: 40 }, (_, row): Row => [
    String(row),
    'a',
    row === 0 ? 'x'.repeat(40) : null,
  ])
  expect(least(measureColumns({ ...wideView(['']), rows }), 'c0')).toBe(88)
})

test('a person’s widths count, though never too narrow for a number', () => {
  const view = viewOf(['1', 'a', 'Memphis Intl', '1,757,304', ['New', 'new']])
  const chosen: { [column: string]: number } = { airport: 301, cost: 50, status: 150 }
  const arranged = {
    ...view,
    columns: columns.map((column) => ({ ...column, width: chosen[column.name]! })),
  }
  const widths = measureColumns(arranged)
  expect(widths['airport']).toEqual({ least: 302, full: 302, chosen: 301 })
  expect(least(widths, 'cost')).toBeGreaterThan(textWidth('1,757,304'))
  expect(least(widths, 'status')).toBe(150)
  expect(growColumns(measureColumns(view), arranged)).toEqual(widths)
  expect(growColumns(widths, view)).toEqual(measureColumns(view))
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
