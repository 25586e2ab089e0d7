import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { sourceWith } from '../../../../test/source-with.ts'
import { admin } from '../../../../test/table-of.ts'
import type { SavedLine, SavedLines, SavedSections } from '../../../protocol/form-sections.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Grant, Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createFormComponent, type FormParams } from './component.ts'

const LINES = 'order_lines(order_id)'
const TAGS = 'order_tags(order_id)'

let data: OpenDataFile
let source: RowSource

beforeEach(async () => {
  data = await openDataFile(`create table products (id integer primary key, name text not null);
    create table orders (id integer primary key, number text not null unique, note text);
    create table order_lines (id integer primary key,
      order_id integer not null references orders(id) on delete cascade on update cascade,
      position integer not null, product_id integer not null references products(id),
      quantity integer not null default 1 check (quantity > 0), note text,
      twice integer generated always as (quantity * 2), unique (order_id, position), unique (order_id, product_id));
    create table tags (id integer primary key, name text not null);
    create table order_tags (order_id integer not null references orders(id) on delete cascade,
      tag_id integer not null references tags(id), made_at text default current_timestamp, primary key (order_id, tag_id));
    create table order_log (id integer primary key, order_id integer not null references orders(id) on delete cascade,
      happened_at datetime not null);
    create table shipments (id integer primary key, order_id integer references orders(id), sent_on date);
    insert into products values (1, 'Kettle'), (2, 'Quill'), (3, 'Ink'), (4, 'Wax');
    insert into orders values (1, 'A-1', null), (2, 'A-2', null);
    insert into order_lines (id, order_id, position, product_id, quantity, note) values
      (1, 1, 1, 1, 2, null), (2, 1, 2, 2, 4, 'left-handed'), (3, 1, 3, 3, 10, ''), (4, 2, 1, 1, 1, null);
    insert into tags values (1, 'Gift'), (2, 'Trade'), (3, 'Fragile');
    insert into order_tags (order_id, tag_id) values (1, 1), (1, 2)`)
  ;({ source } = data)
})
afterEach(() => data.close())

const run = (sql: string): void => data.run(sql)
const stored = (sql: string) => data.rows(sql).map((row) => Object.values(row))

const lines = (order: number) =>
  stored(`select id, position, product_id, quantity, note from order_lines where order_id = ${order}
    order by position`)
const tags = (order: number) =>
  stored(`select tag_id from order_tags where order_id = ${order} order by 1`).flat()

type Grants = { readonly [table: string]: Partial<Grant> }
type Options = {
  readonly definitions?: Definitions
  readonly grants?: Grants
  readonly locale?: string
  /** How many rows the database believes a table has. */
  readonly estimates?: { readonly [table: string]: number }
}

async function openForm(
  asked: Partial<FormParams>,
  { definitions = {}, grants = {}, estimates = {}, locale = 'en-US' }: Options = {},
) {
  const policy: Policy = {
    version: '1',
    grant(_actor, { name, columns }) {
      const names = columns.map((column) => column.name)
      const actions = ['read', 'create', 'update', 'delete'] as const
      const writable = columns.filter(({ generated }) => !generated).map((column) => column.name)
      return { actions, rows: everything, readable: names, writable, ...grants[name] }
    },
  }
  const estimated = sourceWith(source, {
    describe: async () => {
      const schema = await source.describe()
      const tables = schema.tables.map((table) => ({
        ...{ ...table, estimate: estimates[table.name] ?? table.estimate },
      }))
      return { ...schema, tables }
    },
  })
  const catalog = await createCatalog(estimated, policy, { definitions })
  const form = createFormComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog), isLive: false },
    href: (table) => `/tables/${table}`,
  })
  const params = { table: 'orders', key: null, copyOf: null, preset: {}, ...asked }
  const tester = await testComponent(form, { locale, actor: admin, params })
  const linesView = () => tester.view.lines.find(({ name }) => name === LINES)
  const textsOf = (key: string) => linesView()?.rows.find((row) => row.key === key)?.texts ?? {}
  /** As the page saves a line: with what its fields held when the person began. */
  const line = (key: string | null, texts: SavedLine['texts'], id = key ?? 'new'): SavedLine => ({
    ...{ id, key, isRemoved: false, texts },
    seen: Object.fromEntries(
      Object.keys(texts).map((name) => [name, key === null ? null : (textsOf(key)[name] ?? null)]),
    ),
  })
  const gone = (key: string): SavedLine => ({
    ...{ id: key, key, isRemoved: true, texts: {}, seen: textsOf(key) },
  })
  const saveLines = (some: SavedLine[], order: SavedLines['order'] = null) =>
    tester.call.save({}, {}, { lines: { [LINES]: { lines: some, order } }, links: {} })
  const saveTags = (added: string[], removed: string[]) =>
    tester.call.save({}, {}, { lines: {}, links: { [TAGS]: { added, removed } } })
  return { tester, linesView, line, gone, saveLines, saveTags }
}

const refusedAt = (id: string, problems: object) => ({
  ...{ status: 'refused', errors: {}, conflicts: [] },
  sections: { [LINES]: { [id]: { errors: {}, conflicts: [], ...problems } } },
})

describe('the sections of a form', () => {
  test('are lines that end with their row, and links of a joining table', async () => {
    const { tester, linesView } = await openForm({ key: '1' })
    expect(tester.view.lines.map(({ name }) => name)).toEqual([LINES])
    const view = linesView()
    expect(view).toMatchObject({
      ...{ label: 'Order lines', tooMany: null, fixed: [{ name: 'twice', label: 'Twice' }] },
      may: { add: true, change: true, remove: true, order: true },
      href: '/tables/order_lines?filter.order_id=1',
    })
    expect(view?.fields.map(({ name, control, required }) => [name, control.is, required])).toEqual(
      [
        ['product_id', 'relation', true],
        ['quantity', 'number', false],
        ['note', 'long', false],
      ],
    )
    expect(view?.rows[1]).toEqual({
      key: '2',
      texts: { product_id: '2', quantity: '4', note: 'left-handed', twice: '8' },
      labels: { product_id: 'Quill' },
    })
    expect(tester.view.links).toMatchObject([
      {
        ...{ name: TAGS, label: 'Tags', tooMany: null, may: { add: true, remove: true } },
        chips: [
          { text: '1', label: 'Gift' },
          { text: '2', label: 'Trade' },
        ],
      },
    ])
    expect(await tester.call.suggest(`${LINES}/product_id`, 'ket', null)).toEqual([
      { text: '1', label: 'Kettle' },
    ])
    expect(await tester.call.suggest(`${TAGS}/tag_id`, '', null)).toHaveLength(3)
  })

  test('are no lines where a row has many of them, as far as the database can tell', async () => {
    const of = async (orders: number, rows: number) =>
      (await openForm({ key: '1' }, { estimates: { orders, order_lines: rows } })).linesView()?.name
    expect([await of(100, 5000), await of(2, 5000)]).toEqual([LINES, LINES])
    expect(await of(100, 6000)).toBeUndefined()
  })

  test('are added up in the columns that have sums', async () => {
    const { linesView } = await openForm(
      { key: '1' },
      { definitions: { order_lines: { columns: { quantity: { summary: 'sum' } } } } },
    )
    expect(linesView()?.sums).toEqual([{ name: 'quantity', isMoney: false }])
  })

  test('are declared, or withheld', async () => {
    const of = async (declared: readonly string[] | false) => {
      const { tester } = await openForm(
        { key: '1' },
        { definitions: { orders: { form: { lines: declared } } } },
      )
      const { lines, links } = tester.view
      return [...lines, ...links].map(({ name }) => name)
    }
    expect(await of(false)).toEqual([])
    expect(await of(['shipments', 'order_tags'])).toEqual(['shipments(order_id)', TAGS])
  })

  test('of which somebody may change nothing are not there, and neither is what they may not see', async () => {
    const read = { actions: ['read'] } as const
    const { tester } = await openForm(
      { key: '1' },
      { grants: { order_lines: read, order_tags: { readable: ['order_id'] } } },
    )
    expect([tester.view.lines, tester.view.links]).toEqual([[], []])
    const only = await openForm(
      { key: '1' },
      { grants: { order_lines: { actions: ['read', 'update'], writable: ['note'] } } },
    )
    expect(only.linesView()).toMatchObject({
      may: { add: false, change: true, remove: false, order: false },
      fields: [{ name: 'note' }],
    })
  })

  test('with too many rows say so, and are not changed here', async () => {
    run(`with recursive n(i) as (select 10 union all select i + 1 from n where i < 120)
      insert into products select i, 'P' || i from n;
      insert into order_lines (order_id, position, product_id) select 1, id, id from products where id >= 10`)
    const { linesView, saveLines, line } = await openForm({ key: '1' })
    expect(linesView()).toMatchObject({ rows: [], tooMany: 'There are 114, too many for a form.' })
    expect(await saveLines([line(null, { product_id: '4' })])).toMatchObject(
      refusedAt('', { errors: { '': [expect.stringContaining('too many')] } }),
    )
    expect(lines(1)).toHaveLength(114)
  })
})

describe('saving', () => {
  test('adds, changes, removes and puts lines in order in one change', async () => {
    const { saveLines, line, gone } = await openForm({ key: '1' })
    const some = [
      line('3', { quantity: '7', note: 'wide' }),
      line(null, { product_id: '2', note: 'new' }),
      gone('2'),
    ]
    const order = { seen: ['1', '2', '3'], ids: ['3', 'new', '1'] }
    expect(await saveLines(some, order)).toMatchObject({
      status: 'saved',
      href: '/tables/orders/records/1',
    })
    expect(lines(1).map(([id, , ...rest]) => [id, ...rest])).toEqual([
      [3, 3, 7, 'wide'],
      [5, 2, 1, 'new'],
      [1, 1, 2, null],
    ])
  })

  test('a new row and its lines and links, by the key that the database gives it', async () => {
    const { tester, line } = await openForm({})
    const sections: SavedSections = {
      lines: {
        [LINES]: {
          lines: [
            line(null, { product_id: '4' }, 'a'),
            line(null, { product_id: '1', quantity: '9' }, 'b'),
          ],
          order: null,
        },
      },
      links: { [TAGS]: { added: ['3', '1'], removed: [] } },
    }
    expect(await tester.call.save({ number: 'A-3' }, {}, sections)).toMatchObject({
      ...{ status: 'saved', href: '/tables/orders/records/3' },
      // What the form calls them by, until it is drawn anew.
      keys: { [LINES]: { a: '5', b: '6' } },
    })
    expect(lines(3)).toEqual([
      [5, 1, 4, 1, null],
      [6, 2, 1, 9, null],
    ])
    expect(tags(3)).toEqual([1, 3])
  })

  test('tells every problem at its field of its line, and writes nothing', async () => {
    const { tester, line } = await openForm({ key: '1' })
    const some = [line('2', { quantity: 'many' }), line(null, { note: 'x' })]
    const save = (all: SavedLine[], changed = {}) =>
      tester.call.save(
        changed,
        { number: 'A-1' },
        {
          lines: { [LINES]: { lines: all, order: null } },
          links: {},
        },
      )
    // Nobody corrects one field only to learn of the next.
    expect(await save(some, { number: null })).toEqual({
      ...{ status: 'refused', conflicts: [], errors: { number: ['Number is required.'] } },
      sections: {
        [LINES]: {
          2: { errors: { quantity: ['Write a number.'] }, conflicts: [] },
          new: { errors: { product_id: ['Product is required.'] }, conflicts: [] },
        },
      },
    })
    // What the schema says of the row and of its lines is told at once.
    const both = await save([line('2', { quantity: null }), line(null, { note: 'x' })], {
      number: null,
    })
    expect(both).toEqual({
      ...{ status: 'refused', conflicts: [], errors: { number: [expect.any(String)] } },
      sections: {
        [LINES]: {
          2: { errors: { quantity: [expect.any(String)] }, conflicts: [] },
          new: { errors: { product_id: [expect.any(String)] }, conflicts: [] },
        },
      },
    })
    // What the database alone knows stands at its line, too.
    const taken = await save([line('1', { note: 'y' }), line(null, { product_id: '3' })])
    expect(taken).toMatchObject({ sections: { [LINES]: { new: { errors: expect.anything() } } } })
    const checked = await save([line('1', { quantity: '0' })])
    expect(checked).toMatchObject({ sections: { [LINES]: { 1: { errors: expect.anything() } } } })
    expect(lines(1)).toEqual([
      [1, 1, 1, 2, null],
      [2, 2, 2, 4, 'left-handed'],
      [3, 3, 3, 10, ''],
    ])
  })

  test('asks about fields of a line that others have changed, and merges the rest', async () => {
    const { saveLines, line, gone, tester } = await openForm({ key: '1' })
    run(`update order_lines set quantity = 6 where id = 2`)
    expect(await saveLines([line('2', { note: 'right-handed' })])).toMatchObject({
      status: 'saved',
    })
    expect(lines(1)[1]).toEqual([2, 2, 2, 6, 'right-handed'])
    await tester.refresh()
    const [mine, removed] = [line('2', { quantity: '5' }), gone('3')]
    run(
      `update order_lines set quantity = 7 where id = 2; update order_lines set note = 'blue' where id = 3`,
    )
    const conflict = (column: string, theirs: string) => ({
      conflicts: [expect.objectContaining({ column, theirs })],
    })
    expect(await saveLines([mine])).toEqual(refusedAt('2', conflict('quantity', '7')))
    expect(await saveLines([removed])).toEqual(refusedAt('3', conflict('note', 'blue')))
    // Somebody who knows what stands there now, and wants it all the same.
    const known = [
      { ...mine, seen: { quantity: '7' } },
      { ...removed, seen: { ...removed.seen, note: 'blue' } },
    ]
    expect(await saveLines(known)).toMatchObject({ status: 'saved' })
    expect(lines(1).map(([id, , , quantity]) => [id, quantity])).toEqual([
      [1, 2],
      [2, 5],
    ])
  })

  test('counts of time in lines are moments, too', async () => {
    run(`alter table order_lines add column packed_at integer;
      update order_lines set packed_at = 1709645400 where id = 2`)
    const { saveLines, line, linesView, tester } = await openForm({ key: '1' })
    const field = linesView()?.fields.find(({ name }) => name === 'packed_at')
    expect(field).toMatchObject({ control: { is: 'moment' } })
    expect(linesView()?.rows[1]?.texts['packed_at']).toBe('2024-03-05 13:30:00')
    const changed = await saveLines([line('2', { packed_at: '2024-03-05 14:00' })])
    expect(changed).toMatchObject({ status: 'saved' })
    expect(stored('select packed_at from order_lines where id = 2')).toEqual([[1_709_647_200]])
    await tester.refresh()
    const mine = line('2', { packed_at: '2024-03-05 15:00' })
    run('update order_lines set packed_at = 1709645400 where id = 2')
    const theirs = { column: 'packed_at', theirs: '2024-03-05 13:30:00' }
    expect(await saveLines([mine])).toEqual(
      refusedAt('2', { conflicts: [expect.objectContaining(theirs)] }),
    )
  })

  test('an order that others have changed meanwhile is not overwritten', async () => {
    const { saveLines } = await openForm({ key: '1' })
    const order = { seen: ['1', '3', '2'], ids: ['2', '1', '3'] }
    expect(await saveLines([], order)).toEqual(
      refusedAt('', { errors: { '': ['Somebody else has put these in another order.'] } }),
    )
    expect(await saveLines([], { ...order, seen: ['1', '2', '3'] })).toMatchObject({
      status: 'saved',
    })
    expect(lines(1).map(([id]) => id)).toEqual([2, 1, 3])
    // Lines that have come meanwhile stay behind those that were moved.
    run(`insert into order_lines (id, order_id, position, product_id) values (9, 1, 90, 4)`)
    expect(await saveLines([], { seen: ['2', '1', '3'], ids: ['3', '2', '1'] })).toMatchObject({
      status: 'saved',
    })
    expect(lines(1).map(([id]) => id)).toEqual([3, 2, 1, 9])
  })

  test('links and unlinks, whatever others have done of it already', async () => {
    const { saveTags } = await openForm({ key: '1' })
    expect(await saveTags(['3'], ['1'])).toMatchObject({ status: 'saved' })
    expect(tags(1)).toEqual([2, 3])
    expect(await saveTags(['2', '1'], ['1', '3'])).toMatchObject({ status: 'saved' })
    expect(tags(1)).toEqual([1, 2])
    for (const text of ['99', 'x'])
      expect(await saveTags([text], ['1'])).toMatchObject({
        sections: { [TAGS]: { '': { errors: expect.anything() } } },
      })
    expect(tags(1)).toEqual([1, 2])
  })

  test('lines follow a key that changes', async () => {
    const { tester, line } = await openForm({ key: '1' })
    const sections = {
      ...{ links: {} },
      lines: {
        [LINES]: {
          lines: [line('1', { note: 'a' }), line(null, { product_id: '4' })],
          order: null,
        },
      },
    }
    expect(await tester.call.save({ id: '7' }, { id: '1' }, sections)).toMatchObject({
      status: 'refused',
    })
    // Tags do not follow.
    run('delete from order_tags')
    expect(await tester.call.save({ id: '7' }, { id: '1' }, sections)).toMatchObject({
      ...{ status: 'saved', href: '/tables/orders/records/7' },
    })
    expect(lines(7).map(([id, , , , note]) => [id, note])).toEqual([
      [1, 'a'],
      [2, 'left-handed'],
      [3, ''],
      [5, null],
    ])
  })
})

describe('lines of which their person may not write everything', () => {
  test('ask in new ones what may be created, and in stored ones what may be changed', async () => {
    const grant = {
      writable: ['position', 'quantity', 'note'],
      creatable: ['order_id', 'product_id', 'quantity'],
    }
    const { linesView, line, saveLines } = await openForm(
      { key: '2' },
      { grants: { order_lines: grant } },
    )
    const view = linesView()
    expect(view?.fields.map(({ name }) => name)).toEqual(['product_id', 'quantity', 'note'])
    expect(view).toMatchObject({
      locked: { added: ['note'], stored: ['product_id'] },
      may: { add: true, change: true },
    })
    const refused = await saveLines([line('4', { product_id: '2' })])
    expect(refused).toMatchObject({ status: 'refused' })
    expect(await saveLines([line('4', { quantity: '3' })])).toMatchObject({ status: 'saved' })
  })

  test('are placed by the database, unless their place may be given', async () => {
    run(`create table steps (id integer primary key, order_id integer not null references orders(id) on delete cascade,
      words text, position integer)`)
    const grant = { writable: ['position', 'words'], creatable: ['order_id', 'words'] }
    const { tester } = await openForm({ key: '1' }, { grants: { steps: grant } })
    const line = { id: 'new', key: null, isRemoved: false, texts: { words: 'Pack' }, seen: {} }
    const lines = { 'steps(order_id)': { lines: [line], order: null } }
    expect(await tester.call.save({}, {}, { lines, links: {} })).toMatchObject({ status: 'saved' })
    expect(stored('select words, position from steps')).toEqual([['Pack', null]])
  })

  test('are changed where none may be added', async () => {
    const grant = { actions: ['read', 'update'], writable: ['quantity'], creatable: [] } as const
    const { linesView, line, saveLines } = await openForm(
      { key: '1' },
      { grants: { order_lines: grant } },
    )
    expect(linesView()).toMatchObject({
      fields: [{ name: 'quantity' }],
      may: { add: false, change: true },
    })
    expect(await saveLines([line('1', { quantity: '5' })])).toMatchObject({ status: 'saved' })
    expect(lines(1)[0]?.[3]).toBe(5)
  })

  test('are not deleted where others mark them', async () => {
    run(`create table letters (id integer primary key,
      order_id integer not null references orders(id) on delete cascade, words text, deleted_at datetime);
      insert into letters (order_id, words) values (1, 'Dear')`)
    const { tester } = await openForm(
      { key: '1' },
      { grants: { letters: { actions: ['read', 'update', 'delete'], writable: ['words'] } } },
    )
    const [view] = tester.view.lines.filter(({ name }) => name === 'letters(order_id)')
    expect(view).toMatchObject({ may: { remove: false, change: true } })
    const gone = { id: '1', key: '1', isRemoved: true, texts: {}, seen: view?.rows[0]?.texts ?? {} }
    const lines = { 'letters(order_id)': { lines: [gone], order: null } }
    await expect(tester.call.save({}, {}, { lines, links: {} })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(stored('select count(*) from letters')).toEqual([[1]])
  })
})

describe('lines of other tables', () => {
  const LETTERS = 'letters(order_id)'
  const SETTINGS = 'order_settings(order_id)'

  test('are marked as deleted where their table has that, and those that are marked are not shown', async () => {
    run(`create table letters (id integer primary key,
      order_id integer not null references orders(id) on delete cascade, words text, deleted_at datetime);
      insert into letters (order_id, words, deleted_at) values (1, 'Dear', null), (1, 'Old', '2024-02-29 12:00:00')`)
    const { tester } = await openForm({ key: '1' })
    const section = tester.view.lines.find(({ name }) => name === LETTERS)
    expect(section?.fields.map(({ name }) => name)).toEqual(['words'])
    expect(section?.rows.map(({ texts }) => texts['words'])).toEqual(['Dear'])
    expect(section?.may.remove).toBe(true)
    expect(tester.view.links.map(({ name }) => name)).toEqual([TAGS])
  })

  test('are removed though nobody may ask about one of their values', async () => {
    run(`create table order_settings (order_id integer not null references orders(id) on delete cascade,
      name text not null, value text, primary key (order_id, name));
      insert into order_settings values (1, 'colour', 'red'), (1, 'api_key', 'k')`)
    const { tester } = await openForm({ key: '1' })
    const [section] = tester.view.lines.filter(({ name }) => name === SETTINGS)
    const row = section?.rows.find(({ texts }) => texts['name'] === 'colour')
    const gone = { id: row!.key, key: row!.key, isRemoved: true, texts: {}, seen: row!.texts }
    const saved = await tester.call.save(
      {},
      {},
      { lines: { [SETTINGS]: { lines: [gone], order: null } }, links: {} },
    )
    expect(saved).toMatchObject({ status: 'saved' })
    expect(stored('select name from order_settings')).toEqual([['api_key']])
  })
})

test('a related row of a line may be typed by its name', async () => {
  const { saveLines, line } = await openForm({ key: '1' })
  expect(await saveLines([line(null, { product_id: 'Wax' })])).toMatchObject({ status: 'saved' })
  expect(lines(1).map(([, , product]) => product)).toEqual([1, 2, 3, 4])
  expect(await saveLines([line('1', { product_id: 'Lamp' })])).toMatchObject(
    refusedAt('1', { errors: { product_id: [expect.stringContaining('“Lamp”')] } }),
  )
})

describe('what a client makes up', () => {
  test('lines of another row are none of this one', async () => {
    const { saveLines, line, gone } = await openForm({ key: '1' })
    const missing = refusedAt('4', {
      errors: { '': ['This row is gone, or you may not change it.'] },
    })
    expect(await saveLines([line('4', { note: 'mine' })])).toEqual(missing)
    expect(await saveLines([gone('4')])).toEqual(missing)
    expect(await saveLines([], { seen: ['1', '2', '3'], ids: ['4', '3', '2', '1'] })).toMatchObject(
      {
        status: 'saved',
      },
    )
    expect(lines(2)).toEqual([[4, 1, 1, 1, null]])
  })

  test.each([
    ['another table', 'products(id)', {}],
    ['a table that only refers to it', 'shipments(order_id)', { sent_on: '2024-01-01' }],
    ['no table', '', {}],
    ['the parent', LINES, { order_id: '2' }],
    ['the place', LINES, { position: '9' }],
    ['a key', LINES, { id: '77' }],
    ['what the database writes', LINES, { twice: '4' }],
    ['no column', LINES, { nothing: '4' }],
  ])('%s is refused', async (_, section, texts) => {
    const { tester, line } = await openForm({ key: '1' })
    for (const key of [null, '1']) {
      const some = { [section]: { lines: [line(key, texts)], order: null } }
      await expect(tester.call.save({}, {}, { lines: some, links: {} })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    }
    const links = { [section]: { added: ['1'], removed: [] } }
    await expect(tester.call.save({}, {}, { lines: {}, links })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('the policy of the lines’ table holds', async () => {
    const some = {
      actions: ['read', 'update'],
      rows: { op: 'in', column: 'id', values: [1, 3, 4] },
    } as const
    const { saveLines, line, gone } = await openForm(
      { key: '1' },
      { grants: { order_lines: some } },
    )
    expect(await saveLines([line(null, { product_id: '4' })])).toMatchObject(refusedAt('new', {}))
    await expect(saveLines([gone('1')])).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await saveLines([line('2', { note: 'x' })])).toMatchObject(refusedAt('2', {}))
    expect(await saveLines([line('1', { note: 'x' })])).toMatchObject({ status: 'saved' })
    expect(lines(1).map(([id, , , , note]) => [id, note])).toEqual([
      [1, 'x'],
      [2, 'left-handed'],
      [3, ''],
    ])
  })
})

test('a line that came with a copy holds the numbers and amounts that it shows', async () => {
  run(`alter table order_lines add column weight real; alter table order_lines add column price_cents integer;
    alter table order_lines add column currency text`)
  const { saveLines } = await openForm({ key: '1' }, { locale: 'de-DE' })
  const texts = { product_id: '4', weight: '7.777', price_cents: '1250', currency: 'EUR' }
  const line: SavedLine = { id: 'new 1', key: null, isRemoved: false, texts, seen: texts }
  const typed = { ...line, seen: { ...texts, weight: null } }
  expect(await saveLines([typed])).toMatchObject({
    sections: { [LINES]: { 'new 1': { errors: { weight: [expect.anything()] } } } },
  })
  expect(await saveLines([line])).toMatchObject({ status: 'saved' })
  const held = stored('select weight, price_cents from order_lines where product_id = 4')
  expect(held).toEqual([[7.777, 1250]])
})
