import { expect, test } from 'vitest'
import { columnOf } from '../../../test/table-of.ts'
import { render, sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'
import type { SqliteColumn } from './tables.ts'

const atLeast = (over: Partial<SqliteColumn>): string => {
  const column = { ...columnOf('id', { type: 'integer' }), ...over }
  return render(sqliteDialect.compares({ sql: sql`id`, column }, '>=', 5), sqliteDialect).text
}

test('a range of row numbers has no bound by which SQLite would read on to the last row', () => {
  expect(atLeast({ isRowNumber: true })).toBe('id >= ?')
  expect(atLeast({})).toBe("(id >= ? and id < '')")
})
