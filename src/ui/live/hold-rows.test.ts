import { afterEach, expect, test } from 'vitest'
import type { Row, TableView } from '../../protocol/table-view.ts'
import { holdRows, offPage } from './hold-rows.ts'
import { pinnedRows } from './holding.ts'

afterEach(() => pinnedRows.clear())

const page = (keys: string): TableView =>
  ({
    columns: [],
    rows: [...keys].map((key): Row => [key, key]),
    page: { size: 4 },
  }) as never as TableView

test('rows that are edited are noted while the page does not have them', () => {
  pinnedRows.set('a', undefined)
  expect(holdRows(page('ab'), page('b'))?.rows).toEqual(page('ab').rows)
  expect([...offPage]).toEqual(['a'])
  expect(holdRows(page('ab'), page('ba'))?.rows).toEqual(page('ab').rows)
  expect([...offPage]).toEqual([])
  holdRows(page('ab'), page('b'))
  pinnedRows.clear()
  expect(holdRows(page('ab'), page('b'))).toBeNull()
  expect([...offPage]).toEqual([])
})
