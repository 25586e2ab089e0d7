import { expect, onTestFinished, test } from 'vitest'
import { makeDataFile } from '../../../test/data-file.ts'
import { columnOf } from '../../../test/table-of.ts'
import { render, sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteFile } from './file.ts'
import type { SqliteColumn } from './tables.ts'

const atLeast = (over: Partial<SqliteColumn>): string => {
  const column = { ...columnOf('id', { type: 'integer' }), ...over }
  return render(sqliteDialect.compares({ sql: sql`id`, column }, '>=', 5), sqliteDialect).text
}

test('a range of row numbers has no bound by which SQLite would read on to the last row', () => {
  expect(atLeast({ isRowNumber: true })).toBe('id >= ?')
  expect(atLeast({})).toBe("(id >= ? and id < '')")
})

test('a key is a row number where SQLite keeps it as one', () => {
  const { path, remove } = makeDataFile(
    `create table one (id integer primary key, n integer);
    create table told (id integer, n text default 'desc', primary key (id desc));
    create table other (id integer primary key desc);
    insert into other values (null), ('text');
    create table short (id int primary key);
    create table apart (id integer primary key) without rowid;
    create view mixed as select n as id from told union all select id from one`,
  )
  const file = new SqliteFile(path, {
    ...{ name: 'keys', isWritable: true, onReplaced: () => undefined },
  })
  onTestFinished(() => {
    file.close()
    remove()
  })
  const { tables } = file.describe()
  const isRowNumber = (table: string, column: string) =>
    tables.get(table)?.columns.get(column)?.isRowNumber
  expect(isRowNumber('one', 'id')).toBe(true)
  expect(isRowNumber('told', 'id')).toBe(true)
  expect(isRowNumber('one', 'n')).toBeUndefined()
  for (const table of ['other', 'short', 'apart']) expect(isRowNumber(table, 'id')).toBeUndefined()
  // SQLite numbers no rows of it, and some of them have no key.
  expect(tables.get('other')).toMatchObject({ integerKey: null, table: { key: [] } })
  expect(tables.get('other')?.columns.get('id')?.hasDefault).toBe(false)
  // SQLite tells of the last part only where its columns come from.
  expect(tables.get('mixed')?.columns.get('id')?.type).toBe('integer')
  expect(isRowNumber('mixed', 'id')).toBeUndefined()
})
