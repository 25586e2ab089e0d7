import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { refuse } from '../../server/refuse.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import type { Grant, Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { Predicate } from '../source/predicate.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'
import type { Changes } from '../source/write-unit.ts'
import type { Change } from './change.ts'
import { type ChangeServices, createChangeDoor } from './door.ts'

let data: OpenDataFile
let source: RowSource

beforeEach(async () => {
  data = await openDataFile(`create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, number text not null unique, total integer not null default 0,
      customer_id integer references customers(id), note text, changed_by text, pin text);
    insert into customers values (1, 'Ada'), (2, 'Bo');
    insert into orders values (1, 'A-1', 10, 1, null, null, 's'), (2, 'A-2', 20, 1, 'urgent', null, 't')`)
  ;({ source } = data)
})
afterEach(() => data.close())

/** All columns but `pin`; rows below 100 in `total`. */
const policyOf = (over: Partial<Grant> = {}): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name).filter((name) => name !== 'pin')
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names, ...over }
  },
})

async function openDoor(
  definitions: Definitions = {},
  over: Partial<Grant> = {},
  asked: ChangeServices['source'] = source,
) {
  const catalog = await createCatalog(source, policyOf(over), { definitions })
  const wrote = vi.fn<(tables: readonly string[]) => void>()
  let ids = 0
  const door = createChangeDoor({
    ...{ source: asked, catalog: () => catalog, now: () => 0, wrote },
    newId: () => String(++ids),
  })
  const save = (table: string, changes: Changes) =>
    door.save(admin, { door: 'form', tables: [{ table, ...changes }] })
  return { door, save, wrote }
}

const only = (kind: string, columns: readonly string[], more = {}) => ({
  status: 'refused',
  problems: [expect.objectContaining({ kind, columns, ...more })],
})

describe('a change', () => {
  test('is written, tells of its tables, and returns the keys of its rows', async () => {
    const { save, wrote } = await openDoor()
    const rows = [
      { insert: { number: 'A-3' } },
      { update: [1], set: { total: 11 }, expect: { total: 10 } },
      { delete: [2] },
    ]
    const outcome = await save('orders', { rows })
    expect(outcome).toEqual({ status: 'done', entry: null, keys: [[[3], [1], [2]]], written: 3 })
    expect(data.rows('select id, total from orders order by id')).toEqual([
      { id: 1, total: 11 },
      { id: 3, total: 0 },
    ])
    expect(wrote).toHaveBeenCalledExactlyOnceWith(
      ['orders'],
      expect.objectContaining({ id: 'ana' }),
    )
  })

  test('writes rows with the key of one that it inserts, whatever their rules want of it', async () => {
    const rules = v.object({ number: v.pipe(v.string(), v.minLength(3)), customer_id: v.number() })
    const { door } = await openDoor({ orders: { rules } })
    const change = (...numbers: string[]): Change => ({
      door: 'form',
      tables: [
        { table: 'customers', rows: [{ insert: { name: 'Cleo' } }] },
        {
          table: 'orders',
          rows: numbers.map((number) => ({
            insert: { number },
            keyOf: { part: 0, row: 0, columns: { customer_id: 'id' } },
          })),
        },
      ],
    })
    expect(await door.save(admin, change('C-1', 'C-2'))).toMatchObject({
      ...{ status: 'done', keys: [[[3]], [[3], [4]]], written: 3 },
    })
    expect(data.rows('select number from orders where customer_id = 3')).toEqual([
      { number: 'C-1' },
      { number: 'C-2' },
    ])
    expect(await door.save(admin, change('C-3', 'C'))).toMatchObject({
      ...{ status: 'refused', problems: [{ kind: 'rule', columns: ['number'] }] },
    })
    expect(await door.save(admin, change('A-1'))).toMatchObject({
      status: 'refused',
      problems: [{ place: { table: 1, of: 'rows', at: 0 }, kind: 'unique' }],
    })
    expect(data.rows('select count(*) as n from customers')).toEqual([{ n: 3 }])
  })

  test('works values out of the row, as far as the person may read it', async () => {
    const { save } = await openDoor()
    const add = { update: [1], set: { total: { add: 7 }, note: { column: 'number' } } }
    expect(await save('orders', { rows: [add] })).toMatchObject({ status: 'done' })
    expect(data.rows('select total, note from orders where id = 1')).toEqual([
      { total: 17, note: 'A-1' },
    ])
    const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
    const rows = [{ update: [1], set: { note: { column: 'pin' } } }]
    await expect(save('orders', { rows })).rejects.toMatchObject(unknown)
    const sets = [{ in: [[1]], where: everything, set: { note: { column: 'pin' } } }]
    await expect(save('orders', { sets })).rejects.toMatchObject(unknown)
    const blind = await openDoor({}, { readable: ['id'], writable: ['total'] })
    const hidden = [{ update: [1], set: { total: { add: 1 } } }]
    expect(await blind.save('orders', { rows: hidden })).toMatchObject({
      ...{ status: 'refused', problems: [{ kind: 'forbidden' }] },
    })
  })

  test('of several tables is written whole or not at all', async () => {
    const { door, wrote } = await openDoor()
    const tables = (number: string) => [
      { table: 'customers', rows: [{ insert: { id: 9, name: 'Cy' } }] },
      { table: 'orders', rows: [{ insert: { number, customer_id: 9 } }] },
    ]
    const refused = await door.save(admin, { door: 'form', tables: tables('A-1') })
    expect(refused).toEqual(only('unique', ['number'], { place: { table: 1, of: 'rows', at: 0 } }))
    expect(wrote).not.toHaveBeenCalled()
    expect(data.rows('select * from customers where id = 9')).toEqual([])
    const done = await door.save(admin, { door: 'form', tables: tables('A-9') })
    expect(done).toMatchObject({ status: 'done', keys: [[[9]], [[3]]] })
  })

  test('tells all that the schema says before anything is asked of the database', async () => {
    const { save } = await openDoor()
    const write = vi.spyOn(source, 'write')
    const rows = [{ insert: { note: 'x' } }, { update: [1], set: { total: null } }]
    expect(await save('orders', { rows })).toEqual({
      status: 'refused',
      problems: [
        { place: { table: 0, of: 'rows', at: 0 }, kind: 'required', columns: ['number'] },
        { place: { table: 0, of: 'rows', at: 1 }, kind: 'required', columns: ['total'] },
      ],
    })
    expect(write).not.toHaveBeenCalled()
  })

  test('says what a row holds now where that is not what was expected', async () => {
    const { save } = await openDoor()
    const rows = [{ update: [1], set: { note: 'x' }, expect: { total: 9 } }]
    expect(await save('orders', { rows })).toEqual(
      only('conflict', ['total'], { current: { total: 10 } }),
    )
  })

  test('of a row that is gone says so', async () => {
    const { save } = await openDoor()
    expect(await save('orders', { rows: [{ delete: [7] }] })).toEqual(only('missing', []))
  })
})

describe('the policy', () => {
  test('comes first: actions, then columns, each with its own refusal', async () => {
    const viewer = await openDoor({}, { actions: ['read'] })
    expect(await viewer.save('orders', { rows: [{ delete: [1] }] })).toEqual(only('forbidden', []))
    const clerk = await openDoor({}, { writable: ['note'] })
    const rows = [{ update: [1], set: { total: 1, note: 'x' } }]
    expect(await clerk.save('orders', { rows })).toEqual(only('forbidden', ['total']))
  })

  test('hides columns from values and from what is expected alike', async () => {
    const { save } = await openDoor()
    const unknown = expect.objectContaining({ code: 'TABLE_UNKNOWN_COLUMN' })
    await expect(save('orders', { rows: [{ insert: { pin: 'x' } }] })).rejects.toEqual(unknown)
    const guess = { update: [1], set: { note: 'x' }, expect: { pin: 's' } }
    await expect(save('orders', { rows: [guess] })).rejects.toEqual(unknown)
    await expect(save('orders', { rows: [{ delete: [1], expect: { pin: 's' } }] })).rejects.toEqual(
      unknown,
    )
  })

  test('holds for a column that may be written and not read: it cannot be asked for', async () => {
    const { save } = await openDoor({}, { writable: ['note', 'pin'] })
    const rows = [{ update: [1], set: { pin: 'new' } }]
    expect(await save('orders', { rows })).toMatchObject({ status: 'done' })
    const guess = [{ update: [1], set: { note: 'x' }, expect: { pin: 'new' } }]
    await expect(save('orders', { rows: guess })).rejects.toMatchObject({
      code: 'TABLE_UNKNOWN_COLUMN',
    })
  })

  test('is asked about the row as it would be', async () => {
    const { save } = await openDoor({}, { rows: { op: 'lt', column: 'total', value: 100 } })
    expect(await save('orders', { rows: [{ update: [1], set: { total: 500 } }] })).toEqual(
      only('forbidden', []),
    )
    expect(await save('orders', { rows: [{ insert: { number: 'B', total: 500 } }] })).toEqual(
      only('forbidden', []),
    )
  })
})

describe('the rules of a table', () => {
  const rules = v.object({
    total: v.pipe(v.number(), v.maxValue(1000, 'At most 1,000.')),
    pin: v.nullable(v.string()),
  })

  test('judge the row as it will be, whole, and name the field', async () => {
    const { save } = await openDoor({ orders: { rules } })
    expect(await save('orders', { rows: [{ update: [1], set: { total: 1001 } }] })).toEqual(
      only('rule', ['total'], { sentence: 'At most 1,000.' }),
    )
    expect(await save('orders', { rows: [{ update: [1], set: { note: 'x' } }] })).toMatchObject({
      status: 'done',
    })
  })

  test('in a trigger of the database refuse with its sentence', async () => {
    data.run(`create trigger dear before update on orders when new.total > 500
      begin select raise(abort, 'At most 500.'); end`)
    const { save } = await openDoor()
    expect(await save('orders', { rows: [{ update: [1], set: { total: 501 } }] })).toEqual(
      only('trigger', [], { sentence: 'At most 500.' }),
    )
  })

  test('can refuse with a sentence, and add values that the person may not write', async () => {
    const changing = vi.fn(
      ({
        actor,
        action,
        before,
      }: {
        actor: { id: string }
        action: string
        before: object | null
      }) => {
        if (action === 'delete') refuse('Orders are kept for ten years.')
        if (before && 'pin' in before) expect(before.pin).toBe('s')
        return { changed_by: actor.id, note: undefined }
      },
    )
    const { save } = await openDoor({ orders: { changing } }, { writable: ['total'] })
    expect(await save('orders', { rows: [{ delete: [1] }] })).toEqual(
      only('rule', [], { sentence: 'Orders are kept for ten years.' }),
    )
    await save('orders', { rows: [{ update: [1], set: { total: 5 } }] })
    expect(data.rows('select total, changed_by, note from orders where id = 1')).toEqual([
      { total: 5, changed_by: 'ana', note: null },
    ])
  })

  test('are asked again if the row changes before it is written, and never see an old one', async () => {
    const asked: unknown[] = []
    const changing = ({ before }: { before: { total?: unknown } | null }) => {
      asked.push(before?.total)
      // Somebody else, between the question and the write.
      if (asked.length < 3) data.run(`update orders set total = total + 1 where id = 1`)
    }
    const { save } = await openDoor({ orders: { changing } })
    const rows = [{ update: [1], set: { note: 'x' } }]
    expect(await save('orders', { rows })).toMatchObject({ status: 'done' })
    expect(asked).toEqual([10, 11, 12])
  })

  test('give up after three times, with what the row holds now', async () => {
    const changing = () => data.run(`update orders set total = total + 1 where id = 1`)
    const { save } = await openDoor({ orders: { changing } })
    const rows = [{ update: [1], set: { note: 'x' } }]
    expect(await save('orders', { rows })).toEqual(
      only('conflict', ['total'], { current: { total: 13 } }),
    )
  })

  test('are asked about each row of a set', async () => {
    const seen: unknown[] = []
    const changing = ({ after }: { after: { id?: unknown; note?: unknown } | null }) =>
      void seen.push([after?.id, after?.note])
    const { save } = await openDoor({ orders: { changing } })
    const where = { op: 'gt', column: 'total', value: 15 } as const
    const sets = [{ in: [[1], [2]], where, set: { note: 'big' } }]
    expect(await save('orders', { sets })).toMatchObject({ status: 'done', written: 1 })
    expect(seen).toEqual([[2, 'big']])
  })

  test('are told what is to be worked out of the row, and judge what comes out', async () => {
    const seen: unknown[] = []
    const changing = ({ after }: { after: { total?: unknown; note?: unknown } | null }) =>
      void seen.push([after?.total, after?.note])
    const { save } = await openDoor({ orders: { changing, rules } })
    const set = { total: { add: 5 }, note: { append: '!' } }
    const sets = [{ in: [[1], [2]], where: everything, set }]
    expect(await save('orders', { sets })).toMatchObject({ status: 'done', written: 2 })
    expect(seen).toEqual([
      [15, null],
      [25, 'urgent!'],
    ])
    expect(data.rows('select total, note from orders')).toEqual([
      { total: 15, note: null },
      { total: 25, note: 'urgent!' },
    ])
    const rows = [{ update: [1], set: { total: { multiply: 100 } } }]
    expect(await save('orders', { rows })).toEqual(
      only('rule', ['total'], { sentence: 'At most 1,000.' }),
    )
    const unsuited = [{ update: [1], set: { total: { append: '0' } } }]
    expect(await save('orders', { rows: unsuited })).toEqual(only('type', ['total']))
  })

  test('work out a value anew if the row has changed since', async () => {
    let asked = 0
    const changing = () => {
      if (++asked === 1) data.run('update orders set total = 500 where id = 1')
    }
    const { save } = await openDoor({ orders: { changing } })
    const rows = [{ update: [1], set: { total: { add: 1 } } }]
    expect(await save('orders', { rows })).toMatchObject({ status: 'done' })
    expect(data.rows('select total from orders where id = 1')).toEqual([{ total: 501 }])
  })
})

describe('a set that is written row by row', () => {
  /** A source in which something happens once rows were asked for by their condition. */
  const after = (happens: () => void) => {
    const runs: (Run | undefined)[] = []
    const asked: ChangeServices['source'] = {
      row: (access, key, lookup, run) => source.row(access, key, lookup, run),
      page: (access, query, run) => (runs.push(run), source.page(access, query, run)),
      count: (access, where, run) => (runs.push(run), source.count(access, where, run)),
      write: (unit, run) => source.write(unit, run),
      digests: (...asked) => source.digests(...asked),
      async *keys(access, where, run) {
        runs.push(run)
        const chunks: KeyValues[][] = []
        for await (const chunk of source.keys(access, where, run)) chunks.push(chunk)
        happens()
        yield* chunks
      },
    }
    return { asked, runs }
  }

  const loose =
    'create table loose (id integer not null, total integer); insert into loose select id, total from orders'

  test.each<[string, Definitions]>([
    ['orders', { orders: { changing: () => {} } }],
    ['loose', { loose: { key: ['id'] } }],
  ])('writes no row that left it meanwhile, in %s', async (table, definitions) => {
    data.run(loose)
    const { asked } = after(() => data.run(`update ${table} set total = 1 where id = 1`))
    const { save } = await openDoor(definitions, {}, asked)
    const where: Predicate = { op: 'gte', column: 'total', value: 10 }
    const set = { total: 99 }
    const sets = [{ in: [[1], [2]], where, expect: { matched: 2 }, set }]
    expect(await save(table, { sets })).toMatchObject({ status: 'refused' })
    expect(data.rows(`select total from ${table} order by id`)).toEqual([
      { total: 1 },
      { total: 20 },
    ])
  })

  test('is read as long as it may take to write it', async () => {
    const { asked, runs } = after(() => {})
    const { door } = await openDoor({ orders: { changing: () => {} } }, {}, asked)
    const expected = { matched: 2, inAll: 2 }
    const sets = [{ in: [[1], [2]], where: everything, expect: expected, set: { note: 'x' } }]
    const run = { timeoutMs: 20_000 }
    const change: Change = { door: 'bulk', tables: [{ table: 'orders', sets }] }
    const plan = await door.propose(admin, change, undefined, run)
    expect(plan.problems).toEqual([])
    expect(new Set(runs)).toEqual(new Set([run]))
    expect(runs.length).toBeGreaterThan(2)
  })
})
