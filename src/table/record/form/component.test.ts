import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import type { FieldTexts } from '../../../protocol/form-view.ts'
import { createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Grant, Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createFormComponent, type FormParams } from './component.ts'

let data: OpenDataFile
let source: RowSource

beforeEach(async () => {
  data = await openDataFile(`create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, number text not null unique, total decimal(10,2) not null default 0,
      customer_id integer references customers(id), placed_at datetime, is_paid boolean,
      state text check (state in ('new', 'sent')), note text, size integer generated always as (length(number)),
      photo blob);
    create table countries (code text primary key, name text not null, added_at datetime default current_timestamp);
    insert into countries (code, name) values ('AT', 'Austria');
    insert into customers values (1, 'Ada'), (2, 'Bo');
    insert into orders (id, number, total, customer_id, placed_at, is_paid, state, note) values
      (1, 'A-1', 10.5, 1, '2024-03-05 14:30:00.125', 1, 'new', ''), (2, 'A-2', 20, null, null, null, null, null)`)
  ;({ source } = data)
})
afterEach(() => data.close())

const policyOf = (over: Partial<Grant>): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.filter(({ generated }) => !generated).map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    const readable = columns.map(({ name }) => name)
    return { actions, rows: everything, readable, writable: names, ...over }
  },
})

type Options = { definitions?: Definitions; grant?: Partial<Grant>; locale?: string }

async function openForm(
  asked: Partial<FormParams>,
  { definitions = {}, grant = {}, locale = 'en-US' }: Options = {},
) {
  const catalog = await createCatalog(source, policyOf(grant), { definitions })
  const form = createFormComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog), isLive: false },
    href: (table) => `/tables/${table}`,
  })
  const params = { table: 'orders', key: null, copyOf: null, preset: {}, ...asked }
  const tester = await testComponent(form, { actor: admin, params, locale })
  const field = (name: string) => tester.view.fields.find((one) => one.name === name)
  const textsNow = () =>
    Object.fromEntries(tester.view.fields.map(({ name, text }) => [name, text]))
  let shown = textsNow()
  /** Saves as the page does: with what its fields held when the person began to change them. */
  async function save(changed: FieldTexts) {
    const seen = Object.keys(changed).map((name) => [name, shown[name] ?? null])
    const result = await tester.call.save(changed, Object.fromEntries(seen), null)
    shown = textsNow()
    return result
  }
  /** What others have saved comes into the form. */
  async function refresh() {
    await tester.refresh()
    shown = textsNow()
  }
  return { tester, field, save, refresh }
}

describe('the fields of a row', () => {
  test('hold what is stored, each by its kind of control', async () => {
    const { field, tester } = await openForm({ key: '1' })
    const controls = tester.view.fields.map(({ name, control, text }) => [name, control.is, text])
    expect(controls).toEqual([
      ['number', 'text', 'A-1'],
      ['total', 'number', '10.5'],
      ['customer_id', 'relation', '1'],
      ['placed_at', 'moment', '2024-03-05 14:30:00.125'],
      ['is_paid', 'yes-no', 'true'],
      ['state', 'choice', 'new'],
      ['note', 'long', ''],
      ['photo', 'file', null],
    ])
    expect(field('customer_id')?.control).toMatchObject({ label: 'Ada', table: 'Customers' })
    expect(field('state')?.control).toEqual({
      ...{ is: 'choice', options: ['new', 'sent'], labels: { new: 'New', sent: 'Sent' } },
      tones: { new: 'new', sent: 'idle' },
    })
    expect(field('number')).toMatchObject({ required: true, nullable: false })
    expect(field('note')).toMatchObject({ required: false, nullable: true, takesEmpty: true })
    expect(tester.view.fixed.map(({ name, why }) => [name, why])).toEqual([
      ['id', 'Numbered by the database itself.'],
      ['size', 'Written by the database itself.'],
    ])
  })

  test('of whole numbers that are shown as yes and no offer these', async () => {
    data.run(`alter table customers add is_active integer not null default 1`)
    const { field, save } = await openForm({ table: 'customers', key: '1' })
    const control = { is: 'choice', options: ['1', '0'], labels: { 1: 'Yes', 0: 'No' } }
    expect(field('is_active')).toMatchObject({ text: '1', control })
    expect(await save({ is_active: '0' })).toMatchObject({ status: 'saved' })
    expect(data.row('select is_active from customers where id = 1')).toEqual({ is_active: 0 })
    // What is neither stays as it is, and can be chosen away from.
    data.run(`update customers set is_active = 5 where id = 2`)
    const odd = await openForm(
      { table: 'customers', key: '2' },
      { definitions: { customers: { columns: { is_active: { kind: 'boolean' } } } } },
    )
    expect(odd.field('is_active')?.control).toMatchObject({ options: ['1', '0', '5'] })
  })

  test('whose values have names are chosen by them, also where what is stored has none', async () => {
    const definitions = { orders: { columns: { note: { values: { a: 'Gift', b: 'Return' } } } } }
    const sizes = { orders: { columns: { size: { values: { 3: 'Three signs' } } } } }
    const { field, save } = await openForm({ key: '1' }, { definitions })
    const labels = { a: 'Gift', b: 'Return' }
    expect(field('note')).toMatchObject({
      control: { is: 'choice', options: ['a', 'b', ''], labels },
      takesEmpty: false,
    })
    expect(await save({ note: 'b' })).toMatchObject({ status: 'saved' })
    expect(field('note')).toMatchObject({ text: 'b', control: { options: ['a', 'b'], labels } })
    const { tester } = await openForm({ key: '1' }, { definitions: sizes })
    expect(tester.view.fixed.find(({ name }) => name === 'size')?.text).toBe('Three signs')
  })

  test('of which some have names offer what is stored besides, to whom no row is hidden from', async () => {
    data.run(`alter table orders add step text`)
    data.run(`insert into orders (id, number, step) values
      (3, 'A-3', 'paid'), (4, 'A-4', 'shipped'), (5, 'A-5', '${'x'.repeat(300)}'), (6, 'A-6', ' ')`)
    const definitions = { orders: { columns: { step: { values: { shipped: 'On its way' } } } } }
    const { field, save } = await openForm({ key: '4' }, { definitions })
    expect(field('step')?.control).toEqual({
      ...{ is: 'choice', options: ['shipped', 'paid'] },
      labels: { shipped: 'On its way', paid: 'Paid' },
      tones: { shipped: 'ok', paid: 'ok' },
    })
    expect(await save({ step: 'paid' })).toMatchObject({ status: 'saved' })
    const hiding: Partial<Grant>[] = [
      { rows: { op: 'not', of: { op: 'eq', column: 'id', value: 3 } } },
      { masked: [{ column: 'step', by: 'number' }], readable: ['id', 'number'] },
    ]
    for (const grant of hiding) {
      const narrow = await openForm({ key: null }, { definitions, grant })
      expect(narrow.field('step')?.control).toMatchObject({ options: ['shipped'] })
    }
  })

  test('of states without names suggest those that are stored, to whom no row is hidden from', async () => {
    data.run(`alter table customers add status text`)
    data.run(`update customers set status = 'shipped'`)
    data.run(
      `insert into customers values (3, 'Cy', 'paid'), (4, 'Di', 'shipped'), (5, 'Ed', 'paid')`,
    )
    const asked = { table: 'customers', key: '1' }
    const { field, save } = await openForm(asked)
    const control = { is: 'text', suggestions: ['shipped', 'paid'] }
    expect(field('status')?.control).toEqual(control)
    expect(field('name')?.control).toEqual({ is: 'text' })
    expect(await save({ status: 'lost' })).toMatchObject({ status: 'saved' })
    const grant = { rows: { op: 'not', of: { op: 'eq', column: 'id', value: 3 } } } as const
    const definitions = { customers: { columns: { status: { kind: 'status' } } } }
    const narrow = await openForm(asked, { definitions, grant })
    expect(narrow.field('status')?.control).toEqual({ is: 'text' })
  })

  test('that somebody may not change are shown and not asked', async () => {
    const { tester } = await openForm({ key: '1' }, { grant: { writable: ['note'] } })
    expect(tester.view.fields.map(({ name }) => name)).toEqual(['note'])
    await expect(tester.ask('save', { total: '1' }, {}, null)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('of a new row begin empty, with those of a copy, or with what a relation gives', async () => {
    const empty = await openForm({})
    expect(empty.field('number')).toMatchObject({ text: null, required: true })
    expect(empty.field('total')).toMatchObject({ required: false, default: '0' })
    const copy = await openForm({ copyOf: '1' })
    expect(copy.field('total')).toMatchObject({ text: '10.5' })
    // No other row may have the same.
    expect(copy.field('number')).toMatchObject({ text: null, required: true })
    expect(copy.field('id')).toBeUndefined()
    const line = await openForm({ preset: { customer_id: '2', photo: 'x', nothing: 'y' } })
    expect(line.field('customer_id')).toMatchObject({ text: '2', control: { label: 'Bo' } })
  })
})

test('a key that people write stands last, and one that the database makes is not asked', async () => {
  const made = await openForm({})
  expect(made.field('id')).toBeUndefined()
  const written = await openForm({ table: 'countries', key: 'AT' })
  expect(written.tester.view.fields.map(({ name }) => name)).toEqual(['name', 'added_at', 'code'])
  expect(written.field('code')?.note).toBe('Other rows and links name the row by this.')
  // A copy has its own moment of creation.
  const copy = await openForm({ table: 'countries', copyOf: 'AT' })
  expect(copy.tester.view.fields.map(({ name, text }) => [name, text])).toEqual([
    ['code', null],
    ['name', 'Austria'],
    ['added_at', null],
  ])
})

describe('saving', () => {
  test('writes only what was changed, and keeps every digit of the rest', async () => {
    const { save } = await openForm({ key: '1' })
    const before = data.row('select * from orders where id = 1')
    expect(await save({ note: 'fragile' })).toMatchObject({
      ...{ status: 'saved', href: '/tables/orders/records/1', text: 'Saved: A-1' },
    })
    expect(data.row('select * from orders where id = 1')).toEqual({
      ...(before as object),
      note: 'fragile',
    })
  })

  test('tells NULL from an empty text', async () => {
    const { save } = await openForm({ key: '1' })
    await save({ note: null })
    expect(data.row('select note from orders where id = 1')).toEqual({ note: null })
    await save({ note: '' })
    expect(data.row('select note from orders where id = 1')).toEqual({ note: '' })
  })

  test('makes NULL of a number that is cleared, or says that it is required', async () => {
    const { save } = await openForm({ key: '1' })
    expect(await save({ customer_id: '' })).toMatchObject({ status: 'saved' })
    expect(await save({ total: '' })).toEqual({
      ...{ status: 'refused', conflicts: [] },
      errors: { total: ['Total is required.'] },
    })
    expect(data.row('select customer_id, total from orders where id = 1')).toEqual({
      ...{ customer_id: null, total: 10.5 },
    })
  })

  test('refuses to empty a text that the row needs, and leaves one that is empty already', async () => {
    const { save, refresh } = await openForm({ key: '1' })
    const errors = { number: ['Number is required.'] }
    expect(await save({ number: '' })).toMatchObject({ status: 'refused', errors })
    // With all others.
    expect(await save({ number: '', total: '' })).toMatchObject({
      errors: { ...errors, total: ['Total is required.'] },
    })
    expect(await (await openForm({})).save({ number: '', total: '1' })).toMatchObject({ errors })
    data.run("update orders set number = '' where id = 1")
    await refresh()
    expect(await save({ number: '', total: '7' })).toMatchObject({ status: 'saved' })
    // A copy begins with it.
    data.run("insert into customers values (3, '')")
    const copy = await openForm({ table: 'customers', copyOf: '3' })
    expect(await copy.tester.call.save({ name: '' }, {}, null)).toMatchObject({ status: 'saved' })
  })

  test('writes over a value that looks like a secret, and neither shows nor copies it', async () => {
    data.run("update orders set note = 'sk_live_zyzzyva' where id = 1")
    const { save, field } = await openForm({ key: '1' })
    expect(field('note')).toMatchObject({
      ...{ text: null, isMasked: true, isSecret: true },
      note: 'It holds a value that is not shown. What you write replaces it.',
    })
    expect((await openForm({ copyOf: '1' })).field('note')?.text).toBeNull()
    expect(await save({ note: 'plain' })).toMatchObject({ status: 'saved' })
    expect(data.row('select note from orders where id = 1')).toEqual({ note: 'plain' })
  })

  test('says which of its fields may hold secrets, and whose drafts are offered', async () => {
    const readable = ['id', 'number', 'total']
    const masked = [{ column: 'note', by: 'number' }]
    const { field, tester } = await openForm({}, { grant: { readable, masked } })
    expect(field('note')?.isSecret).toBe(true)
    expect(field('total')?.isSecret).toBeUndefined()
    expect(tester.view.draftsOf).toBe(admin.id)
  })

  test('tells all problems at once, each at its field', async () => {
    const { save } = await openForm({ key: '1' })
    expect(await save({ number: '', total: 'ten', placed_at: '5 March' })).toMatchObject({
      errors: {
        number: ['Number is required.'],
        total: ['Write a number.'],
        placed_at: ['Write a date and time such as 2024-03-05 14:30.'],
      },
    })
    const fresh = await openForm({})
    expect(await fresh.save({ total: 'ten', state: 'lost' })).toMatchObject({
      errors: {
        number: ['Number is required.'],
        total: ['Write a number.'],
        state: [expect.any(String)],
      },
    })
    expect(await save({ number: 'A-2' })).toMatchObject({
      errors: { number: ['Another row has the same Number.'] },
    })
    expect(await save({ customer_id: '7' })).toMatchObject({
      errors: { customer_id: ['Customer names a row that does not exist.'] },
    })
  })

  test('creates a row and leads to it', async () => {
    const { save } = await openForm({})
    expect(await save({ number: 'A-3', total: '1,234.50' })).toMatchObject({
      ...{ status: 'saved', href: '/tables/orders/records/3' },
    })
    expect(data.row('select number, total from orders where id = 3')).toEqual({
      ...{ number: 'A-3', total: 1234.5 },
    })
  })
})

describe('a form of somebody’s own', () => {
  const definitions: Definitions = {
    orders: {
      form: {
        sections: [
          { title: 'Order', columns: ['number', 'size'] },
          { title: 'Money', help: 'With tax.', columns: ['total', 'is_paid'] },
        ],
        shown: {
          is_paid: ({ total }) => Number(total) > 0,
          placed_at: ({ is_paid }) => is_paid === true,
        },
      },
    },
  }

  test('has its sections, and the other fields after them', async () => {
    const { tester } = await openForm({ key: '1' }, { definitions })
    expect(tester.view.sections).toEqual([
      { title: 'Order', fields: ['number', 'size'] },
      { title: 'Money', help: 'With tax.', fields: ['total', 'is_paid'] },
      { title: 'More', fields: ['customer_id', 'placed_at', 'state', 'note', 'photo'] },
      { title: 'Row', fields: ['id'] },
    ])
    const { tester: plain } = await openForm({ key: '1' })
    expect(plain.view.notShown).toBeNull()
  })

  test('shows fields by the row as it will be, one by another, and by defaults where it is new', async () => {
    const { tester } = await openForm({ key: '1' }, { definitions })
    expect(tester.view.notShown).toEqual([])
    expect(await tester.call.notShown({ is_paid: 'false' })).toEqual(['placed_at'])
    // Which was paid is not shown any more either, and is what it was.
    expect(await tester.call.notShown({ total: '0', is_paid: 'false' })).toEqual(['is_paid'])
    expect(await tester.call.notShown({ total: '0', is_paid: 'false', placed_at: null })).toEqual([
      'is_paid',
    ])
    expect(await tester.call.notShown({ total: 'zero', size: '9', nothing: 'x' })).toEqual([])
    const { tester: fresh } = await openForm({}, { definitions })
    expect(fresh.view.notShown).toEqual(['is_paid', 'placed_at'])
    expect(await fresh.call.notShown({ total: '5', is_paid: 'true' })).toEqual([])
  })

  test('writes nothing that it does not show, and asks nothing of it', async () => {
    const { save } = await openForm({ key: '1' }, { definitions })
    expect(await save({ note: 'free', is_paid: 'false', placed_at: 'not a moment' })).toMatchObject(
      { status: 'saved' },
    )
    expect(data.row('select note, is_paid, placed_at from orders where id = 1')).toEqual({
      ...{ note: 'free', is_paid: 0, placed_at: '2024-03-05 14:30:00.125' },
    })
    expect(await save({ total: '0', is_paid: 'true' })).toMatchObject({ status: 'saved' })
    expect(await save({ is_paid: 'true' })).toMatchObject({ status: 'saved' })
    expect(data.row('select total, is_paid from orders where id = 1')).toEqual({
      ...{ total: 0, is_paid: 0 },
    })
    const { save: create } = await openForm({}, { definitions })
    expect(await create({ number: 'A-9', is_paid: 'true' })).toMatchObject({ status: 'saved' })
    expect(data.row("select is_paid from orders where number = 'A-9'")).toEqual({ is_paid: null })
  })

  test('leaves the rules of the table as they are', async () => {
    const hidden: Definitions = { orders: { form: { shown: { number: () => false } } } }
    const { save } = await openForm({}, { definitions: hidden })
    expect(await save({ number: 'A-3', total: '1' })).toMatchObject({
      errors: { number: ['Number is required.'] },
    })
  })

  test('has the fields of kinds of one’s own', async () => {
    const catalog = await createCatalog(source, policyOf({}), {
      definitions: { orders: { columns: { total: { field: 'rating' }, id: { kind: 'rating' } } } },
      kinds: [{ name: 'rating' }],
    })
    const { columns } = catalog.open(admin, 'orders').definition
    expect(
      [...columns.values()].flatMap(({ name, field }) => (field ? [[name, field]] : [])),
    ).toEqual([
      ['id', 'rating'],
      ['total', 'rating'],
    ])
  })
})

describe('two people at once', () => {
  test('who change different fields both keep theirs', async () => {
    const [ana, bo] = [await openForm({ key: '1' }), await openForm({ key: '1' })]
    expect(await ana.save({ note: 'from Ana' })).toMatchObject({ status: 'saved' })
    expect(await bo.save({ total: '99' })).toMatchObject({ status: 'saved' })
    expect(data.row('select note, total from orders where id = 1')).toEqual({
      ...{ note: 'from Ana', total: 99 },
    })
  })

  test('who change the same field are asked: nothing is lost silently', async () => {
    const [ana, bo] = [await openForm({ key: '1' }), await openForm({ key: '1' })]
    await ana.save({ note: 'from Ana' })
    expect(await bo.save({ note: 'from Bo', total: '99' })).toEqual({
      ...{ status: 'refused', errors: {} },
      conflicts: [{ column: 'note', label: 'Note', theirs: 'from Ana', who: null }],
    })
    expect(data.row('select note, total from orders where id = 1')).toMatchObject({
      ...{ note: 'from Ana', total: 10.5 },
    })
    // Mine: saved again, now that it was seen.
    expect(await bo.save({ note: 'from Bo', total: '99' })).toMatchObject({ status: 'saved' })
    expect(data.row('select note, total from orders where id = 1')).toMatchObject({
      ...{ note: 'from Bo', total: 99 },
    })
  })

  test('of whom one begins with what the other has saved are not asked', async () => {
    const [ana, bo] = [await openForm({ key: '1' }), await openForm({ key: '1' })]
    await ana.save({ note: 'from Ana' })
    await bo.refresh()
    expect(bo.field('note')?.text).toBe('from Ana')
    expect(await bo.save({ note: 'from Ana and Bo' })).toMatchObject({ status: 'saved' })
  })

  test('of whom one says nothing of what they had seen are asked', async () => {
    const { tester } = await openForm({ key: '1' })
    expect(await tester.call.save({ note: 'x' }, {}, null)).toMatchObject({
      conflicts: [{ column: 'note', theirs: '' }],
    })
  })

  test('who change a field to the same value agree', async () => {
    const [ana, bo] = [await openForm({ key: '1' }), await openForm({ key: '1' })]
    await ana.save({ note: 'fragile' })
    expect(await bo.save({ note: 'fragile' })).toMatchObject({ status: 'saved' })
  })

  test('of whom one has deleted the row', async () => {
    const bo = await openForm({ key: '1' })
    data.run('delete from orders where id = 1')
    expect(await bo.save({ note: 'x' })).toMatchObject({
      errors: { '': ['This row is gone, or you may not change it.'] },
    })
    await bo.tester.refresh()
    expect(bo.tester.view.isGone).toBe(true)
  })
})

describe('related rows', () => {
  test('are offered by their labels, first those that the newest rows refer to', async () => {
    const { tester } = await openForm({ key: '1' })
    const suggest = (text: string) => tester.call.suggest('customer_id', text, null)
    expect(await suggest('b')).toEqual([{ text: '2', label: 'Bo' }])
    data.run(
      'update orders set customer_id = 2 where id = 2; update orders set customer_id = null where id = 1',
    )
    expect(await suggest('')).toEqual([
      { text: '2', label: 'Bo', isRecent: true },
      { text: '1', label: 'Ada' },
    ])
  })

  test('are created beside the form, by the rules of their own table', async () => {
    const { tester, field } = await openForm({ key: '1' })
    expect(field('customer_id')?.control).toMatchObject({ create: 'New row of Customers' })
    const form = await tester.call.newRelated('customer_id', ' Cy ')
    expect(form).toMatchObject({ title: 'New row of Customers', isNew: true, obstacle: null })
    expect(form.fields.find(({ name }) => name === 'name')?.text).toBe('Cy')
    expect(await tester.call.createRelated('customer_id', { name: null })).toMatchObject({
      errors: { name: ['Name is required.'] },
    })
    expect(await tester.call.createRelated('customer_id', { name: 'Cy' })).toMatchObject({
      ...{ status: 'created', text: 'Saved: Cy', row: { text: '3', label: 'Cy' } },
    })
    expect(data.row('select name from customers where id = 3')).toEqual({ name: 'Cy' })
    await expect(tester.call.newRelated('note', '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('are not created by those who may not', async () => {
    const { tester, field } = await openForm(
      { key: '1' },
      { grant: { actions: ['read', 'update'] } },
    )
    expect(field('customer_id')?.control).toMatchObject({ create: null })
    expect(await tester.call.newRelated('customer_id', '')).toMatchObject({
      obstacle: 'You may not add rows here.',
    })
    expect(await tester.call.createRelated('customer_id', { name: 'Cy' })).toMatchObject({
      status: 'refused',
    })
    expect(data.row('select count(*) as n from customers')).toEqual({ n: 2 })
  })

  test('are meant by their names, too; one that is not found is called by its name', async () => {
    const { save } = await openForm({ key: '1' })
    expect(await save({ customer_id: 'Cy' })).toMatchObject({
      errors: { customer_id: ['Customers has no row that is called “Cy”.'] },
    })
    expect(await save({ customer_id: 'Bo' })).toMatchObject({ status: 'saved' })
    expect(data.row('select customer_id from orders where id = 1')).toEqual({ customer_id: 2 })
    data.run('update orders set customer_id = 1 where id = 1')
    expect(await save({ customer_id: null })).toMatchObject({
      conflicts: [{ column: 'customer_id', theirs: '1', theirLabel: 'Ada' }],
    })
  })
})

test('a row whose name is cleared is not called by the old one', async () => {
  data.run(
    "create table places (id integer primary key, name text); insert into places values (1, 'Ana')",
  )
  const { save } = await openForm({ table: 'places', key: '1' })
  expect(await save({ name: null })).toMatchObject({ text: 'Saved: Place 1' })
})

describe('amounts in the smallest unit of their currency', () => {
  async function payments() {
    await data.close()
    data =
      await openDataFile(`create table payments (id integer primary key, amount_cents integer, currency text);
      insert into payments values (1, 1250, 'EUR'), (2, 5, 'JPY'), (3, 7, null)`)
    ;({ source } = data)
  }
  const stored = () => data.rows('select amount_cents, currency from payments order by id')

  test('are shown and typed in their currency', async () => {
    await payments()
    const { field, save } = await openForm({ table: 'payments', key: '1' })
    expect(field('amount_cents')).toMatchObject({ label: 'Amount', text: '12.50', unit: 'EUR' })
    expect(await save({ amount_cents: '1,234.5' })).toMatchObject({ status: 'saved' })
    expect(stored()[0]).toEqual({ amount_cents: 123450, currency: 'EUR' })
    expect(field('amount_cents')?.text).toBe('1234.50')
    expect(await save({ amount_cents: '7' })).toMatchObject({ status: 'saved' })
    expect(stored()[0]).toEqual({ amount_cents: 700, currency: 'EUR' })
    const refused = await save({ amount_cents: '1.005' })
    expect(refused).toMatchObject({
      status: 'refused',
      errors: { amount_cents: [expect.stringContaining('fewer digits')] },
    })
    expect(await save({ amount_cents: null })).toMatchObject({ status: 'saved' })
    expect(stored()[0]).toEqual({ amount_cents: null, currency: 'EUR' })
  })

  test('have the digits of their currency, and are whole where it is not known', async () => {
    await payments()
    const yen = await openForm({ table: 'payments', key: '2' })
    expect(yen.field('amount_cents')).toMatchObject({ text: '5', unit: 'JPY' })
    expect(await yen.save({ amount_cents: '6' })).toMatchObject({ status: 'saved' })
    const none = await openForm({ table: 'payments', key: '3' })
    expect(none.field('amount_cents')).toMatchObject({ text: '7', unit: 'cents' })
    expect(await none.save({ amount_cents: '8.5' })).toMatchObject({ status: 'refused' })
    expect(await none.save({ amount_cents: '8' })).toMatchObject({ status: 'saved' })
    const added = await openForm({ table: 'payments' })
    expect(added.field('amount_cents')).toMatchObject({ text: null, unit: 'cents' })
    const saved = await added.save({ amount_cents: '12.50', currency: 'EUR' })
    expect(saved).toMatchObject({ status: 'saved' })
    expect(stored().map((row) => row['amount_cents'])).toEqual([1250, 6, 8, 1250])
  })

  test('are of the currency that is typed beside them, and without one whole numbers of cents', async () => {
    await payments()
    const added = await openForm({ table: 'payments' })
    await added.save({ amount_cents: '12', currency: 'EUR' })
    await added.save({ amount_cents: '12', currency: 'JPY' })
    await added.save({ amount_cents: '12' })
    expect(stored().slice(3)).toEqual([
      { amount_cents: 1200, currency: 'EUR' },
      { amount_cents: 12, currency: 'JPY' },
      { amount_cents: 12, currency: null },
    ])
    expect(await added.save({ amount_cents: '1.5', currency: 'JPY' })).toMatchObject({
      errors: { amount_cents: [expect.stringContaining('fewer digits')] },
    })
    expect(await added.save({ amount_cents: '1.5' })).toMatchObject({
      errors: { amount_cents: ['Write a whole number.'] },
    })
    const euro = await openForm({ table: 'payments', key: '1' })
    for (const amount of ['12', '12.5'])
      expect(await euro.save({ amount_cents: amount, currency: null })).toMatchObject({
        errors: { amount_cents: ['Choose the currency of this amount.'] },
      })
    expect(await euro.save({ amount_cents: '12', currency: 'JPY' })).toMatchObject({
      status: 'saved',
    })
    const none = await openForm({ table: 'payments', key: '3' })
    await none.save({ amount_cents: '7', currency: 'KWD' })
    expect([stored()[0], stored()[2]]).toEqual([
      { amount_cents: 12, currency: 'JPY' },
      { amount_cents: 7000, currency: 'KWD' },
    ])
  })

  test('are typed again where their currency gets another number of digits', async () => {
    await payments()
    const { save } = await openForm({ table: 'payments', key: '1' })
    expect(await save({ currency: 'JPY' })).toMatchObject({
      status: 'refused',
      errors: { amount_cents: [expect.stringContaining('say the amount again in JPY')] },
    })
    expect(await save({ currency: 'USD' })).toMatchObject({ status: 'saved' })
    expect(stored()[0]).toEqual({ amount_cents: 1250, currency: 'USD' })
    expect(await save({ currency: null })).toMatchObject({ status: 'saved' })
    expect(stored()[0]).toEqual({ amount_cents: 1250, currency: null })
  })

  test('are copied as they are', async () => {
    await payments()
    const { field, save } = await openForm({ table: 'payments', copyOf: '1' })
    expect(field('amount_cents')).toMatchObject({ text: '12.50', unit: 'EUR' })
    await save({ amount_cents: '12.50', currency: 'EUR' })
    expect(stored()[3]).toEqual({ amount_cents: 1250, currency: 'EUR' })
  })

  test('that others have changed meanwhile are told in their currency', async () => {
    await payments()
    const { save } = await openForm({ table: 'payments', key: '1' })
    data.run('update payments set amount_cents = 99 where id = 1')
    expect(await save({ amount_cents: '3.00' })).toMatchObject({
      status: 'refused',
      conflicts: [{ column: 'amount_cents', theirs: '0.99' }],
    })
  })
})

test.each(['en-US', 'de-DE', 'es-ES', 'fr-FR', 'de-CH', 'pl-PL', 'hi-IN'])(
  'a copy holds the numbers that its form shows in %s',
  async (locale) => {
    await data.close()
    data =
      await openDataFile(`create table parts (id integer primary key, size decimal, weight real, amount_cents integer, currency text);
      insert into parts values (1, 7.777, 1.125, 1250, 'KWD'), (2, -999.001, 0.5, 1250, 'EUR'), (3, null, 1234.567, 1250, 'JPY')`)
    ;({ source } = data)
    for (const copyOf of ['1', '2', '3']) {
      const { tester } = await openForm({ table: 'parts', copyOf }, { locale })
      const begun = tester.view.fields.flatMap(({ name, text }) =>
        text === null ? [] : [[name, text] as const],
      )
      // As the page sends it: only what was typed over was seen.
      const saved = await tester.call.save(Object.fromEntries(begun), {}, null)
      expect(saved).toMatchObject({ status: 'saved' })
    }
    const rows = data.rows('select size, weight, amount_cents, currency from parts order by id')
    expect(rows.slice(3)).toEqual(rows.slice(0, 3))
  },
)

test('a number that is typed may not be one of two', async () => {
  const form = await openForm({ copyOf: '1' }, { locale: 'de-DE' })
  data.run('update orders set total = 7.777 where id = 1')
  await form.refresh()
  const number = { number: 'A-3' }
  const refused = await form.save({ ...number, total: '1.234' })
  expect(refused).toMatchObject({ errors: { total: [expect.stringContaining('The point could')] } })
  expect(await form.save({ ...number, total: '7.777' })).toMatchObject({ status: 'saved' })
  expect(data.rows("select total from orders where number = 'A-3'")).toEqual([{ total: 7.777 }])
})
