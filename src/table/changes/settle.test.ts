import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Entry, EntryState } from './ledger.ts'
import { settlePending } from './settle.ts'

let data: OpenDataFile
let source: RowSource

beforeAll(async () => {
  data = await openDataFile(
    `create table orders (id integer primary key, total integer, note text);
    insert into orders values (1, 10, 'a'), (2, 20, null);
    create view seen as select * from orders`,
    {},
  )
  ;({ source } = data)
})
afterAll(() => data.close())

const entry: Entry = {
  ...{ id: 'e', at: 0, by: { id: 'ana', name: 'Ana' }, door: 'form', state: 'pending' },
  ...{ hook: 'none', undoneBy: [], tables: [], lacks: [] },
}
const update = (id: number, before: number, after: number): RowImage => ({
  ...{ table: 'orders', key: [id], before: { total: before }, after: { total: after } },
})
const insert = (id: number): RowImage => ({
  ...{ table: 'orders', key: [id], before: null, after: { id, total: 20, note: null } },
})
const remove = (id: number): RowImage => ({
  ...{ table: 'orders', key: [id], before: { id, total: 20, note: null }, after: null },
})

test.each<[what: string, images: RowImage[], state: EntryState]>([
  ['all rows are as they were made', [update(1, 9, 10), insert(2), remove(3)], 'done'],
  ['all rows are as they were', [update(1, 10, 11), remove(2), insert(3)], 'void'],
  ['rows are as they were made, and as they were', [update(1, 9, 10), insert(3)], 'uncertain'],
  ['somebody has changed them since', [update(1, 8, 9)], 'uncertain'],
  ['the table is gone', [{ ...update(1, 9, 10), table: 'invoices' }], 'uncertain'],
  ['nothing was said of rows', [], 'uncertain'],
  [
    'a value was too large to keep, and the rest is as it was made',
    [
      {
        ...update(1, 9, 10),
        ...{ before: { total: 9, note: { lost: 9 } }, after: { total: 10, note: { lost: 8 } } },
      },
    ],
    'done',
  ],
])('where %s', async (_, images, state) => {
  const settled: [string, EntryState][] = []
  const ledger = {
    pending: async () => [entry],
    settle: async (id: string, state: EntryState) => void settled.push([id, state]),
    async *images() {
      yield images
    },
  }
  await settlePending(source, ledger, { before: 1, ended: 1 })
  expect(settled).toEqual([['e', state]])
  settled.length = 0
  // While its transaction may still run, only what it has written is known.
  await settlePending(source, ledger, { before: 1, ended: 0 })
  expect(settled).toEqual(state === 'done' ? [['e', state]] : [])
})

test('rows of a view are known by the key that is declared for it', async () => {
  const settled: EntryState[] = []
  const ledger = {
    pending: async () => [entry],
    settle: async (_: string, state: EntryState) => void settled.push(state),
    async *images() {
      yield [{ ...update(1, 9, 10), table: 'seen' }]
    },
  }
  await settlePending(source, ledger, { before: 1, ended: 1 })
  const definitions = { seen: { key: ['id'] } }
  await settlePending(source, ledger, { before: 1, ended: 1, definitions })
  expect(settled).toEqual(['uncertain', 'done'])
})
