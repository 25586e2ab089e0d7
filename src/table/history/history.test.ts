import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile, rowsIn } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { openLedger } from '../../database/ledger/open-ledger.ts'
import type { SqlLedger } from '../../database/ledger/sql-ledger.ts'
import type { HistoryView } from '../../protocol/history-view.ts'
import type { Actor } from '../../server/actor.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import { createChangeDoor } from '../changes/door.ts'
import { entryId } from '../changes/entry-id.ts'
import type { Definitions } from '../definition/define-table.ts'
import type { Grant, Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { changedBy } from '../record/form/changed-by.ts'
import type { Changes, Values } from '../source/write-unit.ts'
import type { OtherEvents } from './other-events.ts'
import { createHistoryComponent } from './component.ts'
import { howGone } from './gone.ts'
import { planUndo, runUndo } from './undo.ts'

const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
const bo: Actor = { ...admin, id: 'bo', name: 'Bo' }
const editor: Actor = { ...admin, id: 'cy', name: 'Cy', role: 'editor' }

let data: OpenDataFile
let source: RowSource
let ledger: SqlLedger
let now: number
let grants: { readonly [actor: string]: Partial<Grant> }

beforeEach(async () => {
  now = Date.UTC(2026, 2, 5, 12)
  grants = {}
  data = await openDataFile(`create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, number text not null unique, total integer,
      customer_id integer references customers(id) on delete cascade, pin text,
      size integer generated always as (length(number)));
    create trigger shout after update of number on orders begin
      update orders set number = upper(number) where id = new.id; end;
    insert into customers values (1, 'Ada'), (2, 'Bo');
    insert into orders (id, number, total, customer_id, pin)
      values (1, 'A-1', 10, 1, 's'), (2, 'A-2', 20, 2, 't')`)
  ;({ source } = data)
  const { folder } = data
  const opened = await openLedger({
    ...{ source, metadata: join(folder, 'own.sqlite'), isBeside: false, dataFolder: folder },
    ...{ now: () => now, newId, keptDays: 90 },
  })
  ledger = opened!
})
afterEach(async () => {
  await source.close()
  await ledger.close()
  data.remove()
})

let ids = 0
const newId = () => entryId(now, new Uint8Array(10).fill(++ids % 256))

const kept = (sql: string) => rowsIn(join(data.folder, 'ledger.sqlite'), sql)
const stored = (sql = 'select * from orders order by id') => data.rows(sql)

const policy: Policy = {
  version: '1',
  grant(actor, { columns }) {
    const names = columns.map(({ name }) => name).filter((name) => name !== 'pin')
    const writable = columns.filter(({ generated }) => !generated).map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    const { rows, ...own } = grants[actor.id] ?? {}
    // A condition is one of the tables that have its column.
    const isOfTable = rows && 'column' in rows && names.includes(rows.column)
    const all = { actions, rows: isOfTable ? rows : everything, readable: names }
    return { ...all, writable: writable.filter((name) => name !== 'pin'), ...own }
  },
}

async function open(definitions: Definitions = {}, otherEvents?: OtherEvents) {
  const catalog = await createCatalog(source, policy, { definitions })
  const door = createChangeDoor({
    ...{ source, catalog: () => catalog, ledger, now: () => now, newId },
  })
  const services = {
    ...{ source, catalog: () => catalog, ledger, door },
    ...{ href: (table: string) => `/tables/${table}`, historyHref: '/history' },
  }
  const history = createHistoryComponent({
    ...{ ...services, keptDays: 90, isLive: false, now: () => now, otherEvents },
  })
  return {
    door,
    async change(changes: Changes, actor = admin): Promise<string> {
      const outcome = await door.save(actor, {
        ...{ door: 'form', tables: [{ table: 'orders', ...changes }] },
      })
      if (outcome.status !== 'done' || outcome.entry === null)
        throw new Error(JSON.stringify(outcome))
      return outcome.entry
    },
    plan: (id: string, actor = admin) => planUndo(services, actor, { id, reader }),
    undo: (id: string, actor = admin) => runUndo(services, actor, { id, reader }),
    list: (actor = admin, query = '') =>
      testComponent(history, {
        ...{ actor, params: { record: null }, query: new URLSearchParams(query) },
      }),
    gone: (key: number, actor = admin) =>
      howGone(services, actor, { table: 'orders', key: [key] }, reader),
    beside: (key: string, actor = admin) =>
      testComponent(history, { actor, params: { record: { table: 'orders', key } } }),
  }
}

describe('undo', () => {
  test('puts back an update, also what a trigger did with it, and an undo of the undo redoes it', async () => {
    const { change, undo } = await open()
    const before = stored()
    const id = await change({ rows: [{ update: [1], set: { number: 'b-1', total: null } }] })
    const after = stored()
    expect(after[0]).toMatchObject({ number: 'B-1', total: null })
    const undone = await undo(id)
    expect(undone).toMatchObject({ status: 'done', text: 'Undone in 1 row.' })
    expect(stored()).toEqual(before)
    const redone = await undo(undone.status === 'done' ? undone.entry! : '')
    expect(redone).toMatchObject({ status: 'done', text: 'Redone in 1 row.' })
    expect(stored()).toEqual(after)
    const again = await undo(redone.status === 'done' ? redone.entry! : '')
    expect(again).toMatchObject({ status: 'done', text: 'Undone in 1 row.' })
    expect(stored()).toEqual(before)
  })

  test('brings a deleted row back with its key and its hidden columns, and computes the rest', async () => {
    const { change, undo, list } = await open()
    const before = stored()
    const id = await change({ rows: [{ delete: [1] }] })
    expect(stored()).toHaveLength(1)
    expect(await undo(id)).toMatchObject({ status: 'done' })
    expect(stored()).toEqual(before)
    expect((await list()).view.entries[0]).toMatchObject({
      ...{ door: 'undo', what: 'Brought “A-1” back to Orders.' },
    })
  })

  test('leaves rows of which a column is gone, and tells nothing of a table that is', async () => {
    const { change } = await open()
    const id = await change({ rows: [{ update: [1], set: { total: null, number: 'B-1' } }] })
    data.run('alter table orders drop column total')
    const { plan, undo, list } = await open()
    expect((await list()).view.entries).toMatchObject([{ fields: [{ column: 'number' }] }])
    expect(await plan(id)).toMatchObject({
      left: [{ why: 'A column of it is gone' }],
      confirm: null,
    })
    expect(await undo(id)).toMatchObject({ status: 'refused' })
    data.run('drop table orders')
    const after = await open()
    expect((await after.list()).view.entries).toEqual([])
    await expect(after.plan(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(after.undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('brings back what a cascade took, and links that it cut', async () => {
    data.run(`create table notes (id integer primary key, body text,
        order_id integer references orders(id) on delete set null);
      create table tags (id integer primary key,
        order_id integer references orders(id) on delete cascade on update cascade);
      insert into notes values (1, 'a', 1), (2, 'b', 2);
      insert into tags values (1, 1), (2, 2)`)
    const { door, undo } = await open()
    const all = () =>
      ['customers', 'orders', 'notes', 'tags'].map((table) =>
        stored(`select * from ${table} order by id`),
      )
    const before = all()
    const gone = await door.save(admin, {
      ...{ door: 'form', tables: [{ table: 'customers', rows: [{ delete: [1] }] }] },
    })
    const after = all()
    expect(after).toMatchObject([
      [{ id: 2 }],
      [{ id: 2 }],
      [{ order_id: null }, { order_id: 2 }],
      [{ order_id: 2 }],
    ])
    const undone = await undo(gone.status === 'done' ? gone.entry! : '')
    expect(undone).toMatchObject({ status: 'done' })
    expect(all()).toEqual(before)
    const redone = await undo(undone.status === 'done' ? undone.entry! : '')
    expect(redone).toMatchObject({ status: 'done' })
    expect(all()).toEqual(after)
  })

  test('of a key takes what followed it along', async () => {
    data.run(`create table notes (id integer primary key,
        customer_id integer references customers(id) on update cascade);
      insert into notes values (1, 2), (2, 1)`)
    const { door, undo } = await open()
    const all = () => ['customers', 'notes'].map((table) => stored(`select * from ${table}`))
    const before = all()
    data.run(`delete from orders`)
    const moved = await door.save(admin, {
      door: 'form',
      tables: [{ table: 'customers', rows: [{ update: [2], set: { id: 9 } }] }],
    })
    expect(all()[1]).toMatchObject([{ customer_id: 9 }, { customer_id: 1 }])
    expect(await undo(moved.status === 'done' ? moved.entry! : '')).toMatchObject({
      status: 'done',
    })
    expect(all()).toEqual(before)
  })

  test('takes a created row away, and says so where it was', async () => {
    const { change, undo, gone } = await open()
    const before = stored()
    const id = await change({ rows: [{ insert: { id: 9, number: 'N' } }] })
    expect(await gone(9)).toBeNull()
    now += 1000
    expect(await undo(id)).toMatchObject({ status: 'done' })
    expect(stored()).toEqual(before)
    expect(await gone(9)).toMatch(/^Undone by Ana, /)
  })

  test('leaves rows as they are that have changed since, and says what they hold now', async () => {
    const { change, plan, undo } = await open()
    const rows = [1, 2].map((id) => ({ update: [id], set: { total: 99 } }))
    const id = await change({ rows })
    data.run(`update orders set total = 7 where id = 1`)
    expect(await plan(id)).toMatchObject({
      lead: '1 row will be as before; 1 stays as now.',
      confirm: 'Undo in 1 row',
      left: [{ why: 'Changed since', fields: [{ label: 'Total', value: '7' }] }],
    })
    expect(await undo(id)).toMatchObject({ status: 'done' })
    expect(stored()).toMatchObject([{ total: 7 }, { total: 20 }])
    expect(await undo(id)).toEqual({ status: 'refused', text: 'Nothing can be undone.' })
  })

  test('asks the policy for the opposite', async () => {
    const { change, undo, plan } = await open()
    const id = await change({ rows: [{ delete: [1] }] })
    grants = { bo: { actions: ['read', 'update', 'delete'] } }
    const { undo: later, plan: look } = await open()
    expect(await look(id, bo)).toMatchObject({
      confirm: null,
      left: [{ why: 'You may not change it' }],
    })
    expect(await later(id, bo)).toMatchObject({ status: 'refused' })
    expect(stored()).toHaveLength(1)
    expect(await plan(id)).toMatchObject({ confirm: 'Undo in 1 row' })
    expect(await undo(id)).toMatchObject({ status: 'done' })
  })

  test('of somebody else is not a way to write columns that one may not write', async () => {
    const { change } = await open()
    const id = await change({ rows: [{ update: [1], set: { total: 99, number: 'X' } }] })
    grants = { bo: { writable: ['number'] } }
    const { undo } = await open()
    expect(await undo(id, bo)).toMatchObject({ status: 'refused' })
    expect(stored()[0]).toMatchObject({ total: 99, number: 'X' })
  })

  test('of an order needs all of its rows as they were left', async () => {
    data.run('create table tasks (id integer primary key, position integer)')
    data.run('insert into tasks values (1, 1), (2, 2), (3, 3)')
    const { door, undo } = await open()
    const ranks = { column: 'position', at: [[[3], 1]] } as const
    const move = () => door.save(admin, { door: 'order', tables: [{ table: 'tasks', ranks }] })
    const order = () => stored('select id from tasks order by position')
    const first = await move()
    expect(order()).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }])
    const id = first.status === 'done' ? first.entry! : ''
    data.run('update tasks set position = position + 10 where id = 2')
    expect(await undo(id)).toMatchObject({
      ...{ status: 'refused', text: 'Others have changed the order since, so it stays.' },
    })
    data.run('update tasks set position = position - 10 where id = 2')
    expect(await undo(id)).toMatchObject({ status: 'done' })
    expect(order()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  test('of an entry that there is not is refused like one that is hidden', async () => {
    const { change, undo } = await open()
    const id = await change({ rows: [{ update: [1], set: { total: 99 } }] })
    grants = { bo: { rows: { op: 'eq', column: 'id', value: 2 } } }
    const { undo: later } = await open()
    const notFound = { code: 'NOT_FOUND' }
    await expect(undo('019f0000-0000-7000-8000-000000000000')).rejects.toMatchObject(notFound)
    await expect(later(id, bo)).rejects.toMatchObject(notFound)
  })
})

describe('the history', () => {
  test('says of a long value that it is cut', async () => {
    const { change, list } = await open()
    const long = 'word '.repeat(200)
    await change({ rows: [{ update: [1], set: { number: long } }] })
    const [entry] = (await list()).view.entries
    const told = entry?.fields.find(({ column }) => column === 'number')?.after ?? ''
    expect(told.length).toBeLessThan(long.length)
    expect(told).toMatch(/^WORD .*…$/)
  })

  test('says who changed what, field by field, and offers to take it back', async () => {
    const { change, undo, list } = await open()
    const id = await change({ rows: [{ update: [1], set: { total: 99 } }] })
    now += 24 * 60 * 60 * 1000
    await change({ rows: [{ insert: { number: 'N', total: 1 } }] }, bo)
    const { view } = await list()
    expect(view.entries).toMatchObject([
      { who: 'Bo', day: 'Today', what: 'Added “N” to Orders.', undo: { may: true } },
      {
        ...{ who: 'Ana', day: 'Yesterday', door: 'form', what: 'Changed “A-1” of Orders.' },
        fields: [{ label: 'Total', before: '10', after: '99' }],
        link: { href: '/tables/orders/records/1', label: 'A-1' },
        said: ['Changed ', ' of Orders'],
      },
    ])
    await undo(id, bo)
    const after = (await list()).view.entries
    expect(after).toMatchObject([
      { who: 'Bo', door: 'undo' },
      { who: 'Bo' },
      { isUndone: true, undo: { may: false, why: 'Taken back already.' } },
    ])
  })

  test('tells what many rows were set to, and not what they held if that differed', async () => {
    const { change, list } = await open()
    await change({ rows: [1, 2].map((id) => ({ update: [id], set: { total: 99 } })) })
    const [entry] = (await list()).view.entries
    expect(entry).toMatchObject({ said: ['Changed 2 rows of Orders'], link: null })
    expect(entry?.fields).toEqual([
      {
        column: 'total',
        label: 'Total',
        before: null,
        after: '99',
        isMixed: true,
        isUntold: false,
      },
    ])
  })

  test('is filtered by person, table, way and time, and turns its pages', async () => {
    const { change, list } = await open()
    for (let at = 0; at < 30; at++) {
      now += 1000
      await change({ rows: [{ update: [1], set: { total: at } }] }, at % 2 === 0 ? admin : bo)
    }
    const first = (await list()).view
    expect(first.entries).toHaveLength(25)
    const older = new URL(first.olderHref ?? '', 'http://x').searchParams.toString()
    const second = (await list(admin, older)).view
    expect(second.entries).toHaveLength(5)
    expect(second).toMatchObject({ olderHref: null, newestHref: '/history' })
    expect(first.filters[0]?.options.map(({ value }) => value)).toEqual(['', admin.id, 'bo'])
    expect((await list(admin, 'by=bo')).view.entries).toHaveLength(15)
    expect((await list(admin, 'table=customers')).view.entries).toEqual([])
    expect((await list(admin, 'door=cell')).view.entries).toEqual([])
    now += 8 * 24 * 60 * 60 * 1000
    expect((await list(admin, 'since=7')).view.entries).toEqual([])
    await expect(list(admin, 'door=window')).rejects.toMatchObject({ code: 'TABLE_BAD_PARAMETER' })
  })

  test('tells other events on the same pages, each once and in order', async () => {
    const events: { readonly id: string; readonly at: number }[] = []
    const others: OtherEvents = async (_actor, { since = 0, until = Infinity, size }) =>
      events
        .toReversed()
        .filter(({ at }) => at >= since && at < until)
        .slice(0, size)
        .map(({ id, at }) => ({
          ...{ id, iso: new Date(at).toISOString(), time: '', day: '', who: 'Ana' },
          ...{ behalf: null, door: '', what: 'Invited', fields: [], link: null, notes: [] },
          ...{ isUndone: false, undo: { may: false, why: '' }, erase: null },
        }))
    const { change, list } = await open({}, others)
    const ids: string[] = []
    // Few changes and many events, then the other way round; some events are of one moment.
    for (let at = 0; at < 160; at++) {
      now += at % 3 === 0 ? 0 : 1000
      if (at < 40 ? at % 8 === 0 : at % 2 === 0)
        ids.push(await change({ rows: [{ update: [1], set: { total: at } }] }))
      else {
        events.push({ id: `event ${at}`, at: now })
        ids.push(`event ${at}`)
      }
    }
    const told: string[] = []
    for (let query: string | null = ''; query !== null;) {
      const { entries, olderHref }: HistoryView = (await list(admin, query)).view
      const times = entries.map(({ iso }) => iso)
      expect(times).toEqual(times.toSorted().toReversed())
      told.push(...entries.map(({ id }) => id))
      query = olderHref === null ? null : new URL(olderHref, 'http://x').searchParams.toString()
    }
    expect(told.toSorted()).toEqual(ids.toSorted())
    const ofTable = (await list(admin, 'table=orders')).view.entries.map(({ id }) => id)
    expect(ofTable.filter((id) => id.startsWith('event'))).toEqual([])
  })

  test('of a row that has the key of a hidden one begins with it', async () => {
    grants = { bo: { rows: { op: 'eq', column: 'customer_id', value: 1 } } }
    const { change, list, beside, plan } = await open()
    const hidden = { id: 9, number: 'S-9', customer_id: 2, total: 70 }
    await change({ rows: [{ insert: hidden }] })
    now += 1000
    await change({ rows: [{ update: [9], set: { total: 71 } }] })
    now += 1000
    const deletion = await change({ rows: [{ delete: [9] }] })
    now += 1000
    const own = await change(
      { rows: [{ insert: { ...hidden, number: 'N-9', customer_id: 1 } }] },
      bo,
    )
    now += 1000
    const later = await change({ rows: [{ update: [9], set: { total: 5 } }] })
    const idsOf = ({ view }: { view: HistoryView }) => view.entries.map(({ id }) => id)
    expect(idsOf(await beside('9', bo))).toEqual([later, own])
    expect(idsOf(await list(bo))).toEqual([later, own])
    await expect(plan(deletion, bo)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // Whoever sees all rows sees both lives of the key.
    expect(idsOf(await beside('9'))).toHaveLength(5)
  })

  test('taking back leaves what is no longer theirs to write, also of their own change', async () => {
    const { change } = await open()
    const own = await change({ rows: [{ update: [1], set: { total: 11, number: 'A-9' } }] }, bo)
    const hidden = await change({ rows: [{ update: [2], set: { total: 22 } }] }, bo)
    grants = { bo: { readable: ['id', 'number', 'customer_id'], writable: ['number'] } }
    const { undo } = await open()
    expect(await undo(own, bo)).toMatchObject({ status: 'done' })
    expect(await undo(hidden, bo)).toMatchObject({ status: 'refused' })
    expect(stored('select id, number, total from orders order by id')).toEqual([
      { id: 1, number: 'A-1', total: 11 },
      { id: 2, number: 'A-2', total: 22 },
    ])
  })

  test('tells nothing of rows and columns that its reader may not see', async () => {
    const { change } = await open()
    await change({ rows: [{ update: [1], set: { total: 99 } }] })
    await change({ rows: [{ update: [2], set: { total: 98 } }] })
    await change({ rows: [{ delete: [1] }] })
    grants = {
      bo: { rows: { op: 'eq', column: 'id', value: 2 }, readable: ['id', 'number', 'size'] },
    }
    const { list, beside, gone } = await open()
    expect(await gone(1)).toMatch(/^Deleted by Ana, /)
    expect(await gone(1, bo)).toBeNull()
    const { view } = await list(bo)
    expect(view.entries).toMatchObject([{ what: 'Changed “A-2” of Orders.', fields: [] }])
    expect(JSON.stringify(view)).not.toMatch(/99|98|A-1/)
    expect((await beside('1', bo)).view.entries).toEqual([])
    expect((await beside('2', bo)).view.entries).toHaveLength(1)
    expect((await beside('1')).view.entries).toHaveLength(2)
  })

  test('tells what a reference was and is about by its row, and by its key where that is hidden', async () => {
    const { change } = await open()
    await change({ rows: [{ update: [1], set: { customer_id: 2 } }] })
    const fields = async (actor = admin) =>
      (await (await open()).list(actor)).view.entries.flatMap((entry) => entry.fields)
    expect(await fields()).toMatchObject([{ label: 'Customer', before: 'Ada', after: 'Bo' }])
    grants = { bo: { rows: { op: 'eq', column: 'id', value: 1 } } }
    // His grant is the same for both tables, so of the customers he sees Ada alone.
    expect(await fields(bo)).toMatchObject([{ label: 'Customer', before: 'Ada', after: '2' }])
  })

  test('shows no value that looks like a secret, not as the name of a row either', async () => {
    const { door, list, plan } = await open()
    const rows = [{ update: [1], set: { name: '$2b$12$zyzzyva' } }]
    const saved = await door.save(admin, { door: 'form', tables: [{ table: 'customers', rows }] })
    const { view } = await list()
    expect(view.entries).toMatchObject([
      { what: 'Changed “1” of Customers.', fields: [{ label: 'Name', before: null, after: null }] },
    ])
    data.run("update customers set name = '$2b$12$quokka' where id = 1")
    const left = await plan(saved.status === 'done' ? saved.entry! : '')
    expect(left.left).toHaveLength(1)
    expect(JSON.stringify([view, left])).not.toMatch(/zyzzyva|quokka/)
  })

  test('says of no row with a secret that it was emptied as another one was', async () => {
    data.run("alter table customers add column note text; update customers set note = 'x'")
    const { door, list } = await open()
    const rows = [null, 'sk_live_zyzzyva'].map((note, i) => ({ update: [i + 1], set: { note } }))
    await door.save(admin, { door: 'form', tables: [{ table: 'customers', rows }] })
    expect((await list()).view.entries).toMatchObject([{ fields: [] }])
  })

  test('beside a record restores one value as a change of its own', async () => {
    const { change, beside } = await open()
    const id = await change({ rows: [{ update: [1], set: { total: 99, number: 'X' } }] })
    const panel = await beside('1')
    expect(await panel.call.restore(id, 'total')).toMatchObject({ status: 'done' })
    expect(stored()[0]).toMatchObject({ total: 10, number: 'X' })
    await expect(panel.ask('restore', id, 'pin')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of a row is forgotten where an administrator asks for it, and the rest stays', async () => {
    const { change, beside, list, undo } = await open()
    const large = 'secret '.repeat(200_000)
    const id = await change({ rows: [1, 2].map((id) => ({ update: [id], set: { total: 99 } })) })
    await change({ rows: [{ update: [1], set: { number: large } }] })
    expect(kept('select * from tablewire_change_values')).toHaveLength(1)
    const panel = await beside('1')
    expect(panel.view.erase).toMatchObject({
      title: expect.stringMatching(/^Erase the history of “SECRET/),
    })
    now += 1000
    await panel.call.erase(null)
    expect((await beside('1')).view).toMatchObject({
      entries: [{ what: 'Erased the history of a row of Orders.', who: 'Ana' }],
      erase: null,
    })
    expect((await beside('2')).view.entries).toHaveLength(1)
    expect((await list()).view.entries.map(({ what }) => what)).toEqual([
      'Erased the history of a row of Orders.',
      'Changed “A-2” of Orders.',
    ])
    expect(kept('select * from tablewire_change_values')).toEqual([])
    expect(kept('select id from tablewire_changes')).toEqual([{ id }])
    expect(await undo(id)).toMatchObject({ status: 'done', text: 'Undone in 1 row.' })
  })

  test('is erased by administrators alone, and nobody else is told that a hidden row was', async () => {
    const { change, beside, list } = await open()
    await change({ rows: [{ update: [1], set: { total: 99 } }] })
    const panel = await beside('1', editor)
    expect(panel.view.erase).toBeNull()
    await expect(panel.ask('erase', null)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(panel.view.entries).toHaveLength(1)
    grants = { bo: { rows: { op: 'eq', column: 'id', value: 2 } } }
    const hidden = await beside('1', bo)
    await expect(hidden.ask('erase', null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await (await beside('1')).call.erase(null)
    expect((await list(editor)).view.entries).toHaveLength(1)
    expect((await list(bo)).view.entries).toEqual([])
    expect((await list(admin, 'door=form')).view.entries).toEqual([])
  })

  test('of a deleted row is erased from the page of all changes', async () => {
    const { change, list } = await open()
    await change({ rows: [{ update: [1], set: { total: 99 } }] })
    const id = await change({ rows: [{ delete: [1] }] })
    const page = await list()
    expect(page.view.entries.map(({ erase }) => erase !== null)).toEqual([true, true])
    expect((await list(editor)).view.entries.map(({ erase }) => erase)).toEqual([null, null])
    await expect((await list(editor)).ask('erase', id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await page.call.erase(id)
    expect((await list()).view.entries).toMatchObject([
      { what: 'Erased the history of a row of Orders.', erase: null },
    ])
    const other = await change({ rows: [{ update: [2], set: { total: 1 } }] })
    expect((await list()).view.entries[0]).toMatchObject({ id: other, erase: null })
    await expect(page.ask('erase', other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(page.ask('erase', null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('says how much it keeps to administrators', async () => {
    const { change, list } = await open()
    await change({ rows: [{ update: [1], set: { total: 99 } }] })
    expect((await list()).view.note).toMatch(/1 change is kept, in [\d.]+ MB\.$/)
    expect((await list(editor)).view.note).not.toContain('1 change')
  })

  test('forgets what is older than it is kept', async () => {
    const { change, list } = await open()
    await change({ rows: [{ update: [1], set: { total: 99 } }] })
    now += 1000
    await change({ rows: [{ update: [1], set: { total: 98 } }] })
    expect(await ledger.sweep(now)).toBe(1)
    expect((await list()).view.entries).toHaveLength(1)
  })
})

describe('who last changed a field', () => {
  const of = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
  const asked = async (values: Values, from: Pick<SqlLedger, 'list' | 'images'> = ledger) => {
    const catalog = await createCatalog(source, policy)
    return changedBy(from, {
      ...{ open: catalog.open(admin, 'orders'), key: [1], values, reader: of },
    })
  }

  test('is named with the time, as long as the row holds what they left', async () => {
    const { change } = await open()
    await change({ rows: [{ update: [1], set: { total: 11 } }] })
    now += 60_000
    await change({ rows: [{ update: [1], set: { total: 12 } }] }, bo)
    now += 60_000
    await change({ rows: [{ update: [1], set: { customer_id: 2 } }] })
    expect(await asked({ total: 12, customer_id: 2 })).toEqual({
      total: 'Bo changed this, Mar 5, 2026, 12:01 PM.',
      customer_id: 'Ana changed this, Mar 5, 2026, 12:02 PM.',
    })
  })

  test('is named before the outcome of the change is known, if the row holds what it leaves', async () => {
    const { change } = await open()
    await change({ rows: [{ update: [1], set: { total: 11 } }] }, bo)
    await change({ rows: [{ update: [1], set: { total: 12 } }] })
    const [last, ...others] = await ledger.list({ size: 2 })
    const from = {
      list: async () => [{ ...last!, state: 'pending' as const }, ...others],
      images: ledger.images.bind(ledger),
    }
    expect(await asked({ total: 12 }, from)).toMatchObject({
      total: expect.stringContaining('Ana'),
    })
    // It was not written, or not yet.
    expect(await asked({ total: 11 }, from)).toMatchObject({ total: expect.stringContaining('Bo') })
  })

  test('is nobody known where somebody has written past Tablewire', async () => {
    const { change } = await open()
    await change({ rows: [{ update: [1], set: { total: 11 } }] })
    expect(await asked({ total: 99, number: 'A-1' })).toEqual({
      total: 'This was changed outside Tablewire.',
      number: 'This was changed outside Tablewire.',
    })
  })
})
