import { expect, test } from 'vitest'
import { DEFAULT_READER } from '../../server/http/locale.ts'
import { namedColumns, readColumns } from './columns-text.ts'

/** So many columns, of which the first ones are read. */
const columns = (all: number, read: number) =>
  Array.from({ length: all }, (_, at) => ({ label: `C${at + 1}`, isShown: at < read }))

test.each([
  [4, 4, null],
  [4, 3, 'without C4'],
  [4, 2, 'without C3, C4'],
  [4, 1, 'only C1'],
  [40, 30, 'without C31, C32, C33, C34, C35, C36, C37, C38 and 2 more'],
  [40, 9, 'only C1, C2, C3, C4, C5, C6, C7, C8, C9'],
  [4000, 1500, 'only C1, C2, C3, C4, C5, C6, C7, C8 and 1,492 more'],
])('of %i columns %i are read', (all, read, text) => {
  expect(readColumns(columns(all, read), DEFAULT_READER)).toBe(text)
})

test('columns are named up to nine', () => {
  const labels = columns(10, 10).map(({ label }) => label)
  expect(namedColumns(labels.slice(0, 9), DEFAULT_READER)).toBe(labels.slice(0, 9).join(', '))
  expect(namedColumns(labels, DEFAULT_READER)).toBe(`${labels.slice(0, 8).join(', ')} and 2 more`)
})
