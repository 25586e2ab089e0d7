/** What checks of a SQLite file say of a value that they refuse, and of what a column holds. */

import { expect, onTestFinished, test } from 'vitest'
import { openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { admin } from '../../../test/table-of.ts'
import { anything } from '../../../test/kills/jars.ts'
import { createCatalog } from '../../table/catalog.ts'

async function open(table: string) {
  const { source, close } = await openDataFile(table, {})
  onTestFinished(close)
  await source.writing?.allow(true)
  const catalog = await createCatalog(source, anything, {})
  const door = doorTo(source, () => catalog)
  return {
    catalog,
    insert: (row: Record<string, number>) =>
      door.save(admin, { door: 'code', tables: [{ table: 'bills', rows: [{ insert: row }] }] }),
  }
}

test('a check with a name tells its condition, as one without does, at the columns that it is about', async () => {
  const { insert } = await open(`create table bills (id integer primary key, total int, paid int,
    constraint bills_paid check (paid <= total), check (total < 1000))`)
  expect(await insert({ total: 5, paid: 6 })).toMatchObject({
    problems: [{ kind: 'check', columns: ['total', 'paid'], condition: 'paid <= total' }],
  })
  expect(await insert({ total: 5000, paid: 6 })).toMatchObject({
    problems: [{ kind: 'check', columns: ['total'], condition: 'total < 1000' }],
  })
  expect(await insert({ total: 6, paid: 6 })).toMatchObject({ status: 'done' })
})

test('an integer that may be 0 or 1 alone is yes or no, whatever its name and before any row', async () => {
  const { catalog } = await open(`create table bills (id integer primary key,
    sent integer not null default 0 check (sent in (0, 1)), share int check (share in (0, 1, 2)))`)
  const definition = catalog.open(admin, 'bills').definition
  expect(definition.columns.get('sent')?.kind).toBe('boolean')
  expect(definition.columns.get('share')?.kind).toBe('number')
})
