import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import { defineKind } from '../../definition/kind.ts'
import type { Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createCellsComponent } from './cells.ts'

/** A kind with a field of its own. */
const TICKS = defineKind({ name: 'ticks' })

let data: OpenDataFile
let source: RowSource

beforeEach(async () => {
  data = await openDataFile(`create table makers (id integer primary key, name text not null);
    create table parts (id integer primary key, name text not null unique, price decimal(10,2),
      maker_id integer references makers(id), size integer generated always as (length(name)), drawing blob);
    insert into makers values (1, 'Ada'), (2, 'Bo');
    insert into parts (id, name, price, maker_id) values (1, 'Wing', 10.5, 1), (2, 'Door', null, null)`)
  ;({ source } = data)
})
afterEach(() => data.close())

async function openCells(
  grant: { readonly writable?: readonly string[] } = {},
  definitions: Definitions = {},
) {
  const policy: Policy = {
    version: '1',
    grant: (_actor, { columns }) => ({
      ...{ actions: ['read', 'update'], rows: everything },
      readable: columns.map(({ name }) => name).filter((name) => name !== 'drawing'),
      writable: columns.filter(({ generated }) => !generated).map(({ name }) => name),
      ...grant,
    }),
  }
  const catalog = await createCatalog(source, policy, { definitions, kinds: [TICKS] })
  const cells = createCellsComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog) },
    href: (table) => `/tables/${table}`,
  })
  return testComponent(cells, { actor: admin, params: { table: 'parts' } })
}

test('a cell is asked by the field that its form has', async () => {
  const { call } = await openCells()
  expect(await call.cell('1', 'price')).toMatchObject({
    is: 'input',
    field: { name: 'price', text: '10.5', control: { is: 'number' }, nullable: true },
  })
  expect(await call.cell('1', 'maker_id')).toMatchObject({
    field: { text: '1', control: { is: 'relation', label: 'Ada' } },
  })
  expect(await call.suggest('maker_id', 'b', null)).toEqual([{ text: '2', label: 'Bo' }])
})

test('one that takes no changes says why', async () => {
  const { call } = await openCells({ writable: ['price'] })
  const why = async (key: string, column: string) => await call.cell(key, column)
  expect(await why('1', 'size')).toEqual({ is: 'fixed', why: 'Written by the database itself.' })
  expect(await why('1', 'name')).toEqual({ is: 'fixed', why: 'You may not change this.' })
  data.run("update parts set name = 'sk_live_zyzzyva' where id = 2")
  expect(await (await openCells()).call.cell('2', 'name')).toMatchObject({
    field: { text: null, isMasked: true },
  })
  const gone = { is: 'fixed', why: 'This row is gone, or you may not change it.' }
  expect(await why('9', 'price')).toEqual(gone)
  // A hidden column is as one that is not there.
  expect(await why('1', 'drawing')).toEqual(gone)
  expect(await why('1', 'nothing')).toEqual(gone)
})

test('is saved alone, by the rules of the form, and is refused in words', async () => {
  const { call } = await openCells()
  expect(await call.save('1', { price: '12' }, { price: '10.5' })).toMatchObject({
    status: 'saved',
  })
  expect(data.row('select name, price, maker_id from parts where id = 1')).toEqual({
    ...{ name: 'Wing', price: 12, maker_id: 1 },
  })
  expect(await call.save('1', { price: 'much' }, { price: '12' })).toMatchObject({
    errors: { price: ['Write a number.'] },
  })
  expect(await call.save('1', { name: 'Door' }, { name: 'Wing' })).toMatchObject({
    errors: { name: ['Another row has the same Name.'] },
  })
})

test('that somebody else has changed meanwhile is not overwritten', async () => {
  const { call } = await openCells()
  data.run('update parts set price = 11 where id = 1')
  expect(await call.save('1', { price: '12' }, { price: '10.5' })).toMatchObject({
    ...{ status: 'refused', conflicts: [{ column: 'price', theirs: '11' }] },
  })
  expect(data.row('select price from parts where id = 1')).toEqual({ price: 11 })
})

test('a currency with other digits is refused at its own cell, where the amount has no field', async () => {
  data.run(`alter table parts add column fee_cents integer; alter table parts add column currency text;
    update parts set fee_cents = 1250, currency = 'EUR' where id = 1`)
  const { call } = await openCells()
  expect(await call.save('1', { currency: 'KWD' }, { currency: 'EUR' })).toMatchObject({
    status: 'refused',
    errors: { currency: [expect.stringContaining('say the amount again in KWD')] },
  })
  expect(await call.save('1', { currency: 'USD' }, { currency: 'EUR' })).toMatchObject({
    status: 'saved',
  })
})

test('a count of time in a column with a field of its own stays what is stored', async () => {
  data.run('alter table parts add column made_at integer; update parts set made_at = 1709645400')
  const cell = async (definitions: Definitions) => {
    const found = await (await openCells({}, definitions)).call.cell('1', 'made_at')
    return 'field' in found ? [found.field.control.is, found.field.text] : []
  }
  expect(await cell({})).toEqual(['moment', '2024-03-05 13:30:00'])
  const own = { parts: { columns: { made_at: { kind: 'datetime', field: 'ticks' } } } } as const
  expect(await cell(own)).toEqual(['number', '1709645400'])
})
