import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { createCatalog } from '../catalog.ts'
import type { Policy } from '../source/access.ts'
import { everything, nothing } from '../source/predicate.ts'
import type { Changes } from '../source/write-unit.ts'
import { createChangeDoor } from './door.ts'

let data: OpenDataFile

beforeEach(async () => {
  data = await openDataFile(`
    create table customers (id integer primary key, code text collate nocase unique, visible integer);
    create table orders (id integer primary key, note text,
      customer_id integer references customers(id), code text collate nocase references customers(code));
    create table desks (room text, seat integer, visible integer, primary key (room, seat));
    create table bookings (id integer primary key, room text, seat integer,
      foreign key (room, seat) references desks);
    create table nodes (id integer primary key, visible integer, parent_id integer references nodes(id));
    insert into customers values (1, 'one', 1), (2, 'two', 0);
    insert into orders values (1, null, 1, null), (2, null, 2, null);
    insert into desks values ('a', 1, 1), ('a', 2, 0);
    insert into bookings values (1, 'a', 1), (2, 'a', 2);
    insert into nodes values (1, 1, null), (2, 0, null)`)
})
afterEach(() => data.close())

/** Rows of these tables are seen where they are visible; those of the others all. */
async function saving(hides: readonly string[], gone: readonly string[] = []) {
  const policy: Policy = {
    version: '1',
    grant(_actor, { name, columns }) {
      const names = columns.map((column) => column.name)
      const actions = ['read', 'create', 'update', 'delete'] as const
      const visible = { op: 'eq', column: 'visible', value: 1 } as const
      if (gone.includes(name)) return { actions: [], rows: nothing, readable: [], writable: [] }
      const rows = hides.includes(name) ? visible : everything
      return { actions, rows, readable: names, writable: names }
    },
  }
  const catalog = await createCatalog(data.source, policy)
  let ids = 0
  const door = createChangeDoor({
    ...{ source: data.source, catalog: () => catalog, now: () => 0 },
    newId: () => String(++ids),
  })
  return (table: string, changes: Changes) =>
    door.save(admin, { door: 'form', tables: [{ table, ...changes }] })
}

const refusal = (...columns: string[]) => ({
  status: 'refused',
  problems: [{ place: { table: 0, of: 'rows', at: 0 }, kind: 'reference', columns }],
})

test('a row that is hidden and one that is not there are refused alike, and one that is seen is taken', async () => {
  const save = await saving(['customers'])
  const to = (customer: number) =>
    save('orders', { rows: [{ update: [1], set: { customer_id: customer } }] })
  expect(await to(2)).toEqual(refusal('customer_id'))
  expect(await to(3)).toEqual(await to(2))
  const make = (customer: number) =>
    save('orders', { rows: [{ insert: { customer_id: customer } }] })
  expect(await make(2)).toEqual(refusal('customer_id'))
  expect(await make(3)).toEqual(await make(2))
  expect(await make(1)).toMatchObject({ status: 'done' })
  expect(
    await save('orders', { rows: [{ update: [1], set: { customer_id: null } }] }),
  ).toMatchObject({
    status: 'done',
  })
})

test('the same holds for many rows at once, and for a table that is not seen at all', async () => {
  const many = async (save: Awaited<ReturnType<typeof saving>>, customer: number) =>
    save('orders', {
      sets: [{ in: [[1], [2]], where: everything, set: { customer_id: customer } }],
    })
  const save = await saving(['customers'])
  expect(await many(save, 2)).toMatchObject({
    problems: [{ place: { of: 'sets', at: 0 }, kind: 'reference' }],
  })
  expect(await many(save, 3)).toEqual(await many(save, 2))
  const blind = await saving([], ['customers'])
  expect(await many(blind, 1)).toMatchObject({ status: 'refused' })
  expect(await many(blind, 3)).toEqual(await many(blind, 1))
  expect(await many(save, 1)).toMatchObject({ status: 'done' })
})

test('where all rows are seen, the database answers', async () => {
  const save = await saving([])
  const to = (customer: number) =>
    save('orders', { rows: [{ update: [1], set: { customer_id: customer } }] })
  expect(await to(2)).toMatchObject({ status: 'done' })
  expect(await to(3)).toMatchObject({ status: 'refused', problems: [{ kind: 'reference' }] })
})

test('what the row refers to already may stay', async () => {
  const save = await saving(['customers'])
  const rows = [{ update: [2], set: { customer_id: 2, note: 'x' } }]
  expect(await save('orders', { rows })).toMatchObject({ status: 'done' })
})

test('the database compares, as it does for the reference itself', async () => {
  const save = await saving(['customers'])
  const to = (code: string) => save('orders', { rows: [{ update: [1], set: { code } }] })
  expect(await to('ONE')).toMatchObject({ status: 'done' })
  expect(await to('TWO')).toEqual(refusal('code'))
})

test('a reference of several columns counts as a whole', async () => {
  const save = await saving(['desks'])
  const to = (set: Record<string, string | number>) =>
    save('bookings', { rows: [{ update: [1], set }] })
  expect(await to({ seat: 2 })).toEqual(refusal('room', 'seat'))
  expect(await to({ seat: 3 })).toEqual(await to({ seat: 2 }))
  expect(await to({ room: 'a', seat: 1 })).toMatchObject({ status: 'done' })
})

test('a row that the same change makes is there', async () => {
  const save = await saving(['nodes'])
  const rows = [{ insert: { id: 5, visible: 1 } }, { insert: { id: 6, visible: 1, parent_id: 5 } }]
  expect(await save('nodes', { rows })).toMatchObject({ status: 'done' })
  const to = (parent: number) =>
    save('nodes', { rows: [{ insert: { visible: 1, parent_id: parent } }] })
  expect(await to(2)).toEqual(refusal('parent_id'))
  expect(await to(99)).toEqual(await to(2))
})
