import { expect, onTestFinished, test, vi } from 'vitest'
import { openDataFile } from '../../../test/data-file.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { keyName, readRows } from './read-rows.ts'

async function openPairs() {
  const { source, close } = await openDataFile(
    `create table pairs (a integer, b text, n integer, primary key (a, b));
    create table numbers (id integer primary key, n integer);
    with recursive i(n) as (select 1 union all select n + 1 from i where n < 1200)
      insert into pairs select n, 'k' || n, n * 2 from i;
    insert into numbers select a, a * 3 from pairs`,
    {},
  )
  onTestFinished(close)
  const { tables } = await source.describe()
  const access = (name: string) => fullAccess(tables.find((one) => one.name === name)!)
  return { row: vi.spyOn(source, 'row'), page: vi.spyOn(source, 'page'), source, access }
}

test('rows of composite keys are read by few questions, and those that are missing are not there', async () => {
  const { source, access, row, page } = await openPairs()
  const keys = Array.from({ length: 1200 }, (_, i) => [i + 1, `k${i + 1}`])
  const rows = await readRows(source, access('pairs'), keys)
  expect(rows.size).toBe(1200)
  expect(rows.get(keyName([700, 'k700']))).toEqual({ a: 700, b: 'k700', n: 1400 })
  expect(page).toHaveBeenCalledTimes(3)
  expect(row).not.toHaveBeenCalled()
})

test('whole numbers that no row has are asked for once', async () => {
  const { source, access, row } = await openPairs()
  const rows = await readRows(source, access('numbers'), [[1], [5000], [6000]])
  expect([...rows.values()]).toEqual([{ id: 1, n: 3 }])
  expect(row).not.toHaveBeenCalled()
})

test('a row is found by every way of writing its key, as the database finds it', async () => {
  const { source, access } = await openPairs()
  const rows = await readRows(source, access('numbers'), [['1'], [2], [1], ['3.0']])
  for (const key of [['1'], [1]]) expect(rows.get(keyName(key))).toEqual({ id: 1, n: 3 })
  expect(rows.get(keyName(['3.0']))).toEqual({ id: 3, n: 9 })
})
