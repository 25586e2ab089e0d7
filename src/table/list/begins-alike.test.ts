import { expect, test } from 'vitest'
import type { Cell, Row } from '../../protocol/table-view.ts'
import { beginsAlike } from './begins-alike.ts'

const rows = (...cells: Cell[]): Row[] => cells.map((cell, at) => [`${at}`, 'a row', 'other', cell])

test.each<[string, Cell[], boolean]>([
  ['addresses of one site', ['https://example.org/a', 'https://example.org/b', null, ''], true],
  [
    'texts with more beside them',
    [
      ['/reports/2024/a', 'x'],
      ['/reports/2024/b', 'y'],
    ],
    true,
  ],
  ['texts that soon differ', ['https://a.example.org', 'https://b.example.org'], false],
  ['one text in all rows', ['https://example.org/a', 'https://example.org/a'], false],
  ['short texts', ['order-1', 'order-2'], false],
  ['texts of which one is cut', ['https://example.org/a', ['https://example.org/b', 900]], false],
  ['what may not be seen', ['https://example.org/a', 0], false],
  ['nothing', [null, ''], false],
])('%s', (_, cells, expected) => {
  expect(beginsAlike(rows(...cells), 1)).toBe(expected)
})
