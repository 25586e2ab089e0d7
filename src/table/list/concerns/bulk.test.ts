import * as v from 'valibot'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { openPlans } from '../../../../test/plan-services.ts'
import { admin } from '../../../../test/table-of.ts'
import type { BulkAsk, PlanView } from '../../../protocol/plan-view.ts'
import { ALL_SELECTED, type Selected } from '../../../protocol/selection.ts'
import type { Actor } from '../../../server/actor.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { refuse } from '../../../server/refuse.ts'
import { type BulkAction, bulkAction } from '../../actions/bulk-action.ts'
import { actorSource } from '../../actor-source.ts'
import { type CatalogOptions, createCatalog } from '../../catalog.ts'
import { PLAN_MS } from '../../plans/asking.ts'
import type { Grant, Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

const ROWS = 60
let data: OpenDataFile
let kept: Awaited<ReturnType<typeof openPlans>>
let time = Date.now()

beforeAll(async () => {
  data = await openDataFile(
    `create table states (code text primary key, name text not null);
    create table orders (id integer primary key, name text not null, cost decimal(10,2),
      stars integer, state text references states (code), note text, deleted_at text);
    create table lines (id integer primary key, order_id integer not null references orders (id) on delete cascade);
    create table bills (id integer primary key, order_id integer not null references orders (id));
    insert into states values ('new', 'New one'), ('done', 'Closed')`,
  )
  await data.source.writing?.allow(true)
})
afterAll(() => data.close())

beforeEach(async () => {
  const ids = `with recursive ids (id) as (values (1) union all select id + 1 from ids where id < ${ROWS})`
  data.run(`delete from lines; delete from bills; delete from orders;
    ${ids} insert into orders select id, 'Order ' || (id % 3), id / 4.0, id % 5, 'new', 'note ' || id, null from ids;
    insert into lines values (1, 1), (2, 1), (3, 2);
    insert into bills values (1, 7), (2, 7), (3, 9)`)
  kept = await openPlans({ now: () => ++time })
})
afterEach(() => kept.close())

const grantOf =
  (over: Partial<Grant> = {}, hides = ''): Policy['grant'] =>
  (_actor, { name, columns }) => {
    const names = columns.map(({ name }) => name)
    const actions = name === hides ? [] : (['read', 'create', 'update', 'delete'] as const)
    const all = { actions, rows: everything, readable: names, writable: names }
    return name === 'orders' || name === 'nodes' ? { ...all, ...over } : all
  }

type Options = CatalogOptions & {
  readonly over?: Partial<Grant>
  /** A table that the person may not see. */
  readonly hides?: string
  readonly query?: string
  readonly actor?: Actor
  readonly lineage?: string
  readonly locale?: string
  readonly table?: string
}

async function openList({
  over,
  hides,
  query = '',
  actor = admin,
  lineage,
  locale,
  table = 'orders',
  ...options
}: Options = {}) {
  const { source } = data
  const { definitions } = options
  const named = { ...definitions, orders: { labelColumn: 'name', ...definitions?.['orders'] } }
  const catalog = await createCatalog(
    source,
    { version: '1', grant: grantOf(over, hides) },
    { ...options, definitions: named },
  )
  const component = createListComponent({
    ...{ source, catalog: () => catalog, totals: createTotals(source), plans: kept.plans },
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
  })
  return testComponent(component, {
    services: (person) => ({
      source: actorSource(
        { source, catalog: () => catalog, door: doorTo(source, () => catalog) },
        person,
      ),
    }),
    ...{ actor, params: { table }, query: new URLSearchParams(query) },
    ...(lineage !== undefined && { lineage }),
    ...(locale !== undefined && { locale }),
  })
}

type List = Awaited<ReturnType<typeof openList>>

async function seal(list: List, selected: Selected, ask: BulkAsk): Promise<PlanView> {
  const sealed = await list.call.seal(selected, ask)
  if (sealed.status === 'sealed') return sealed.plan
  throw new Error(JSON.stringify(sealed.errors))
}

const close: BulkAsk = { do: 'edit', fields: { state: { how: 'set', text: 'done' } } }

const states = () =>
  data
    .rows('select state, count(*) as n from orders group by 1 order by 1')
    .map(({ state, n }) => [state, n])

describe('what is offered', () => {
  test('is what the person may do with rows of the table', async () => {
    const all = { edit: true, delete: true, mark: true, restore: true }
    expect((await openList()).view.bulk).toEqual(all)
    expect((await openList({ table: 'lines' })).view.bulk).toEqual({ edit: true, delete: true })
    const reader = await openList({ over: { actions: ['read'] } })
    expect(reader.view).not.toHaveProperty('bulk')
    const editor = await openList({ over: { actions: ['read', 'update'], writable: ['stars'] } })
    expect(editor.view.bulk).toEqual({ edit: true })
    const own = { orders: { bulkActions: false } } as const
    expect((await openList({ definitions: own })).view).not.toHaveProperty('bulk')
  })

  test('names the fields that can be changed, and how', async () => {
    const list = await openList({ over: { writable: ['id', 'cost', 'name', 'state'] } })
    const fields = await list.call.bulkFields()
    expect(
      fields.map(({ name, hows, from }) => [name, hows, from.map(({ name }) => name)]),
    ).toEqual([
      ['name', ['set', 'append', 'replace', 'copy'], ['state', 'note']],
      ['cost', ['set', 'add', 'multiply'], []],
      ['state', ['set', 'copy'], ['name', 'note']],
    ])
  })
})

describe('a plan', () => {
  test('says exactly what will be written, and writes that', async () => {
    const list = await openList({ query: 'filter.stars.min=3' })
    const plan = await seal(list, { except: ['3'] }, close)
    expect(plan).toMatchObject({
      ...{ title: 'Set State to Closed in 23 rows of Orders', rows: 23, rowsText: '23' },
      figures: [{ text: 'Selected', count: '23' }],
      changes: [{ label: 'State', before: 'New one', after: 'Closed', count: '23' }],
      ...{ moreChanges: null, typed: null, runs: 'at-once', write: 'Write 23 rows' },
      ...{ hanging: [], refused: { reasons: [], rows: [] } },
    })
    expect(plan.sample.slice(0, 2)).toEqual([
      {
        ...{ key: '4', label: 'Order 1' },
        changes: [{ column: 'state', label: 'State', before: 'New one', after: 'Closed' }],
      },
      {
        ...{ key: '8', label: 'Order 2' },
        changes: [{ column: 'state', label: 'State', before: 'New one', after: 'Closed' }],
      },
    ])
    expect(plan.sample).toHaveLength(4)
    expect(await list.call.writePlan(plan.handle, null)).toEqual({
      ...{ status: 'done', text: 'Changed 23 rows.', entry: null, rows: 23, left: null },
    })
    expect(states()).toEqual([
      ['done', 23],
      ['new', ROWS - 23],
    ])
    expect(data.row('select state from orders where id = 3')).toEqual({ state: 'new' })
  })

  test('works values out, and shows what they become', async () => {
    const list = await openList()
    const plan = await seal(list, ['1', '2', '3', '4', '5'], {
      do: 'edit',
      fields: {
        cost: { how: 'multiply', text: '1.1' },
        name: { how: 'replace', text: 'Order', with: 'Job' },
        note: { how: 'copy', column: 'state' },
        stars: { how: 'set', text: null },
      },
    })
    expect(plan.title).toBe('Change Cost, Name, Note, and Stars in 5 rows of Orders')
    expect(plan.changes).toContainEqual({
      label: 'Name',
      before: 'Order 1',
      after: 'Job 1',
      count: '2',
    })
    expect(plan.changes).toContainEqual({
      label: 'Note',
      before: '…',
      after: 'what State holds',
      count: '5',
    })
    expect(plan.changes).toContainEqual({ label: 'Stars', before: '4', after: null, count: '1' })
    expect(plan.sample[3]!.changes.map(({ before, after }) => [before, after])).toEqual([
      ['1.00', '1.10'],
      ['Order 1', 'Job 1'],
      ['note 4', 'new'],
      ['4', null],
    ])
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done' })
    expect(data.row('select cost, name, note, stars from orders where id = 4')).toEqual({
      ...{ cost: 1.1, name: 'Job 1', note: 'new', stars: null },
    })
  })

  test('takes no factor or summand that may be one of two numbers', async () => {
    const list = await openList({ locale: 'de-DE' })
    const refused = await list.call.seal(['1'], {
      do: 'edit',
      fields: {
        cost: { how: 'add', text: '1.125' },
        stars: { how: 'multiply', text: '1.125' },
      },
    })
    const why = [expect.stringContaining('thousands or for decimals')]
    expect(refused).toEqual({ status: 'refused', errors: { cost: why, stars: why } })
    const fields = { stars: { how: 'add', text: '1.000' } } as const
    await seal(list, ['1'], { do: 'edit', fields })
  })

  test('is refused by field where it cannot be read, and for no rows', async () => {
    const list = await openList()
    const fields = {
      cost: { how: 'add', text: 'much' },
      stars: { how: 'multiply', text: '1.5' },
      name: { how: 'set', text: '' },
      note: { how: 'copy', column: 'name' },
    } as const
    expect(await list.call.seal(['1'], { do: 'edit', fields })).toEqual({
      status: 'refused',
      errors: {
        ...{
          cost: ['Write a number.'],
          stars: ['Write a whole number.'],
          name: ['Name is required.'],
        },
        note: ['Copy from a field that is not changed itself.'],
      },
    })
    const none = { status: 'refused', errors: { '': ['Choose at least one field.'] } }
    expect(await list.call.seal(['1'], { do: 'edit', fields: {} })).toEqual(none)
    const nobody = { status: 'refused', errors: { '': ['No row is selected any more.'] } }
    expect(await list.call.seal(['99'], close)).toEqual(nobody)
  })

  test('writes nothing where rows came or went, and says which', async () => {
    const list = await openList({ query: 'filter.stars.min=4' })
    const plan = await seal(list, ALL_SELECTED, close)
    data.run(
      'update orders set stars = 0 where id in (4, 9); update orders set stars = 4 where id = 1',
    )
    expect(await list.call.writePlan(plan.handle, null)).toEqual({
      ...{ status: 'changed', text: 'Nothing was written, because other rows match now.' },
      came: { count: '1', rows: [{ key: '1', label: 'Order 1' }] },
      differ: { count: '0', rows: [] },
      went: {
        count: '2',
        rows: [
          { key: '4', label: 'Order 1' },
          { key: '9', label: 'Order 0' },
        ],
      },
    })
    expect(states()).toEqual([['new', ROWS]])
  })

  test('notices a row that came alone', async () => {
    const list = await openList()
    const plan = await seal(list, ALL_SELECTED, close)
    data.run(`insert into orders (id, name) values (999, 'New order')`)
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({
      came: { count: '1', rows: [{ key: '999', label: 'New order' }] },
      went: { count: '0', rows: [] },
    })
    expect(states()).toContainEqual(['new', ROWS])
  })

  test('is tried first: all of it is rolled back, and what the database did is told', async () => {
    data.run(`create trigger doubled after update of state on orders
      begin update orders set stars = stars + 100 where id = new.id; end`)
    onTestFinished(() => data.run('drop trigger doubled'))
    const list = await openList()
    const plan = await seal(list, ['1', '2'], close)
    const version = await data.source.dataVersion()
    expect(plan.canTry).toBe(true)
    expect(await list.call.tryPlan(plan.handle)).toEqual({
      status: 'tried',
      text: 'Tried and rolled back: nothing of it stays. This is what the database did.',
      tables: [{ text: 'Changed in Orders', count: '2' }],
      sample: [1, 2].map((id) => ({
        ...{ key: String(id), label: `Order ${id}` },
        changes: [
          { column: 'stars', label: 'Stars', before: String(id), after: String(id + 100) },
          { column: 'state', label: 'State', before: 'New one', after: 'Closed' },
        ],
      })),
    })
    expect(await data.source.dataVersion()).toBe(version)
    expect(states()).toEqual([['new', ROWS]])
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done' })
    expect(data.rows('select stars from orders where id < 3')).toEqual([
      { stars: 101 },
      { stars: 102 },
    ])
    expect(await list.call.tryPlan(plan.handle)).toMatchObject({ status: 'refused' })
  })

  test('that is tried tells no number of rows that are hidden', async () => {
    data.run(`create table nodes (id integer primary key, parent integer references nodes (id) on delete cascade);
      insert into nodes values (1, null), (2, null), (8, 1), (9, 1)`)
    onTestFinished(() => data.run('drop table nodes'))
    const list = await openList({
      ...{ table: 'nodes', over: { rows: { op: 'lt', column: 'id', value: 5 } } },
    })
    const plan = await seal(list, ['1', '2'], { do: 'delete' })
    expect(await list.call.tryPlan(plan.handle)).toMatchObject({
      tables: [
        { text: 'Deleted from Nodes', count: '2' },
        { text: expect.stringContaining('hidden from you'), count: 'some' },
      ],
    })
  })

  test('is used once: asked again, it says what became of it and writes nothing', async () => {
    const list = await openList()
    const plan = await seal(list, ['1', '2'], {
      do: 'edit',
      fields: { stars: { how: 'add', text: '10' } },
    })
    const done = await list.call.writePlan(plan.handle, null)
    expect(await list.call.writePlan(plan.handle, null)).toEqual(done)
    expect(await (await openList()).call.writePlan(plan.handle, null)).toEqual(done)
    expect(data.rows('select stars from orders where id < 3')).toEqual([
      { stars: 11 },
      { stars: 12 },
    ])
  })

  test('is one person’s in one session, for an hour', async () => {
    const list = await openList()
    const gone = { status: 'gone', text: expect.stringContaining('no longer be used') }
    const { handle } = await seal(list, ['1'], close)
    const [id = '', keyId, mac] = handle.split('.')
    const other = await seal(list, ['2'], close)
    const forged = [
      `${other.handle.split('.')[0]}.${keyId}.${mac}`,
      `${id}.${keyId}.${'A'.repeat(43)}`,
      id,
      '',
    ]
    for (const one of forged) expect(await list.call.writePlan(one, null)).toEqual(gone)
    const stranger = await openList({ actor: { ...admin, id: 'bob' } })
    expect(await stranger.call.writePlan(handle, null)).toEqual(gone)
    const elsewhere = await openList({ lineage: 'another' })
    expect(await elsewhere.call.writePlan(handle, null)).toEqual(gone)
    const lines = await openList({ table: 'lines' })
    expect(await lines.call.writePlan(handle, null)).toEqual(gone)
    await list.call.dropPlan(other.handle)
    expect(await list.call.writePlan(other.handle, null)).toEqual(gone)
    time += PLAN_MS
    expect(await list.call.writePlan(handle, null)).toEqual(gone)
    expect(states()).toEqual([['new', ROWS]])
  })

  test('needs the number typed above some rows', async () => {
    data.run(`with recursive ids (id) as (values (1000) union all select id + 1 from ids where id < 1999)
      insert into orders (id, name, state) select id, 'More', 'new' from ids`)
    const list = await openList()
    const plan = await seal(list, ALL_SELECTED, close)
    expect(plan.typed).toBe('1,060')
    const refused = { status: 'refused', text: 'Type 1,060 to confirm.', rows: [] }
    expect(await list.call.writePlan(plan.handle, null)).toEqual(refused)
    expect(await list.call.writePlan(plan.handle, '1059')).toEqual(refused)
    expect(await list.call.writePlan(plan.handle, '1,060')).toMatchObject({
      status: 'done',
      rows: 1060,
    })
    expect(states()).toEqual([['done', 1060]])
  })

  test('deletes rows but for those that others refer to, and says what goes along', async () => {
    const list = await openList()
    const plan = await seal(list, ['1', '2', '7', '9', '11'], { do: 'delete' })
    expect(plan).toMatchObject({
      ...{ title: 'Delete 3 rows of Orders', write: 'Delete 3 rows' },
      figures: [
        { text: 'Selected', count: '5' },
        { text: 'Refused', count: '−2' },
      ],
      refused: {
        reasons: [{ text: 'Rows of Bills refer to it', count: '2' }],
        rows: [{ key: '7' }, { key: '9' }],
      },
      hanging: [{ text: '3 rows of Lines are deleted as well.' }],
    })
    expect(plan.sample[0]).toEqual({
      ...{ key: '1', label: 'Order 1' },
      changes: [
        { column: 'cost', label: 'Cost', before: '0.25' },
        { column: 'stars', label: 'Stars', before: '1' },
      ],
    })
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({ text: 'Deleted 3 rows.' })
    expect(data.row('select count(*) as n from orders')).toEqual({ n: ROWS - 3 })
    expect(data.row('select count(*) as n from lines')).toEqual({ n: 0 })
  })

  test('of one row, names it, and leads to the rows that refer to it', async () => {
    const list = await openList()
    const plan = await seal(list, ['1'], { do: 'delete' })
    expect(plan).toMatchObject({
      ...{ title: 'Delete “Order 1”', isOne: true, write: 'Delete' },
      hanging: [
        {
          text: '2 rows of Lines are deleted as well.',
          href: '/tables/lines?filter.order_id=1',
        },
      ],
    })
    expect(plan.seal).toContain('If the row has changed by then, nothing is written.')
    const written = await list.call.writePlan(plan.handle, null)
    expect(written).toMatchObject({ status: 'done', text: 'Deleted: Order 1' })
    expect(await list.call.seal(['7'], { do: 'delete' })).toEqual({
      status: 'refused',
      errors: { '': ['Order 1 cannot be deleted.', 'Rows of Bills refer to it'] },
      refusal: {
        ...{ title: 'Order 1 cannot be deleted', reasons: [] },
        hanging: [
          {
            text: '2 rows of Bills refer to it, so the database will not delete it.',
            href: '/tables/bills?filter.order_id=7',
          },
        ],
        refused: { reasons: [], rows: [] },
      },
    })
    expect(await list.call.seal(['7', '9'], { do: 'delete' })).toMatchObject({
      status: 'refused',
      refusal: {
        ...{ title: 'None of these rows can be deleted', hanging: [] },
        refused: {
          reasons: [{ text: 'Rows of Bills refer to it', count: '2' }],
          rows: [{ key: '7' }, { key: '9' }],
        },
      },
    })
    // Where they may not delete it, what refers to it would go in vain.
    const changes = { delete: { op: 'eq', column: 'state', value: 'done' } } as const
    const reader = await openList({ over: { changes } })
    expect(await reader.call.seal(['7'], { do: 'delete' })).toMatchObject({
      refusal: { reasons: ['You may not delete this row.'], hanging: [] },
    })
    const marking = await seal(list, ['8'], { do: 'mark' })
    expect(marking).toMatchObject({ title: 'Mark “Order 2” as deleted', write: 'Mark as deleted' })
    const marked = await list.call.writePlan(marking.handle, null)
    expect(marked).toMatchObject({ text: 'Marked as deleted: Order 2' })
  })

  test('says that hidden rows may refer to it, whatever else seems to', async () => {
    data.run('create table stubs (id integer primary key, order_id integer)')
    onTestFinished(() => data.run('drop table stubs'))
    const hint = { text: 'Rows of tables that you cannot see may refer to it, too.' }
    const whole = await seal(await openList(), ['11'], { do: 'delete' })
    expect(whole.hanging).toEqual([])
    const { hanging } = await seal(await openList({ hides: 'lines' }), ['11'], { do: 'delete' })
    expect(hanging).toMatchObject([hint])
  })

  test('calls rows as lists do, by all columns that name them, and those that join others by these', async () => {
    const definitions = {
      orders: { labelColumn: ['name', 'note'] },
      lines: { labelColumn: ['order_id', 'id'] },
    } as const
    const { sample } = await seal(await openList({ definitions }), ['11'], { do: 'delete' })
    expect(sample).toMatchObject([{ label: 'Order 2 note 11' }])
    const lines = await openList({ definitions, table: 'lines' })
    const joined = await seal(lines, ['3'], { do: 'delete' })
    expect(joined.sample[0]?.label).toContain('Order 2')
  })

  test('marks rows that are not marked yet, and restores them', async () => {
    const list = await openList({ query: 'deleted=shown' })
    data.run(`update orders set deleted_at = '2020-01-01 00:00:00' where id < 3`)
    const plan = await seal(list, ['1', '2', '3'], { do: 'mark' })
    expect(plan).toMatchObject({
      ...{ title: 'Mark 1 row of Orders as deleted', rows: 1 },
      figures: [
        { text: 'Selected', count: '3' },
        { text: 'Marked as deleted already', count: '−2' },
      ],
      changes: [{ label: 'Deleted', before: '…', after: 'now', count: '1' }],
      sample: [{ key: '3', changes: [{ before: null, after: 'now' }] }],
    })
    await list.call.writePlan(plan.handle, null)
    expect(data.row('select count(*) as n from orders where deleted_at is not null')).toEqual({
      n: 3,
    })
    const back = await seal(list, ALL_SELECTED, { do: 'restore' })
    expect(back.figures[1]).toEqual({ text: 'Not marked as deleted', count: `−${ROWS - 3}` })
    await list.call.writePlan(back.handle, null)
    expect(data.row('select count(*) as n from orders where deleted_at is not null')).toEqual({
      n: 0,
    })
  })

  test('counts what becomes of what without the rows that are refused, also where not all are told', async () => {
    const definitions: CatalogOptions['definitions'] = {
      orders: {
        changing: ({ before }) => (Number(before?.['id']) > 39 ? refuse('Locked.') : undefined),
      },
    }
    const plan = await seal(await openList({ definitions }), ALL_SELECTED, close)
    expect(plan).toMatchObject({
      ...{ rows: 39, changes: [{ count: '39' }] },
      refused: { reasons: [{ text: 'Locked.', count: '21' }] },
    })
    expect(plan.refused.rows).toHaveLength(20)
  })

  test('leaves out rows that the table’s own rules refuse, each with its reason', async () => {
    const definitions: CatalogOptions['definitions'] = {
      orders: {
        changing: ({ before }) =>
          Number(before?.['id']) % 3 === 0 ? refuse('Every third order is locked.') : undefined,
      },
    }
    const list = await openList({ definitions })
    const plan = await seal(list, ALL_SELECTED, close)
    expect(plan).toMatchObject({
      rows: 40,
      figures: [
        { text: 'Selected', count: '60' },
        { text: 'Refused', count: '−20' },
      ],
      refused: { reasons: [{ text: 'Every third order is locked.', count: '20' }] },
      changes: [{ count: '40' }],
    })
    expect(plan.refused.rows[0]).toEqual({
      ...{ key: '3', label: 'Order 0', reason: 'Every third order is locked.' },
    })
    const id = plan.handle.split('.')[0]
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({
      ...{ status: 'done', rows: 40 },
      left: {
        text: 'Show the 20 rows that were not changed',
        href: `/tables/orders?left=${id}&deleted=shown`,
      },
    })
    const left = await openList({ definitions, query: `left=${id}` })
    expect(left.view.left?.reasons).toMatchObject([
      { text: 'Every third order is locked.', count: '20' },
    ])
    expect(await left.call.seal(ALL_SELECTED, close)).toMatchObject({
      errors: { '': ['None of these rows can be changed.', 'Every third order is locked.'] },
    })
    expect(data.row(`select count(*) as n from orders where state = 'done' and id % 3`)).toEqual({
      n: 40,
    })
    expect(states()).toContainEqual(['new', 20])
    const reopen = { do: 'edit', fields: { state: { how: 'set', text: 'new' } } } as const
    const again = await seal(list, ['1', '2'], reopen)
    data.run('delete from orders where id = 2')
    expect(await list.call.writePlan(again.handle, null)).toMatchObject({
      ...{ status: 'changed', went: { count: '1' } },
    })
    const other = await seal(list, ['4', '7'], {
      do: 'edit',
      fields: { stars: { how: 'set', text: null } },
    })
    data.run('update orders set stars = 9 where id = 4')
    expect(await list.call.writePlan(other.handle, null)).toMatchObject({
      ...{ status: 'changed', differ: { count: '1', rows: [{ key: '4' }] } },
    })
    expect(data.row('select stars from orders where id = 7')).toEqual({ stars: 2 })
  })

  test('says why the database refuses it, and writes nothing', async () => {
    const list = await openList()
    const fields = { state: { how: 'set', text: 'nowhere' } } as const
    const plan = await seal(list, ['1', '2'], { do: 'edit', fields })
    const refused = await list.call.writePlan(plan.handle, null)
    expect(refused).toMatchObject({
      ...{ status: 'refused', text: expect.stringContaining('Nothing was written.') },
    })
    expect(states()).toEqual([['new', ROWS]])
  })

  test('shows nothing of columns that the person may not read', async () => {
    const columns = ['id', 'name', 'stars', 'state']
    const list = await openList({ over: { readable: columns, writable: columns } })
    const plan = await seal(list, ['1', '2'], { do: 'delete' })
    expect(JSON.stringify(plan)).not.toContain('note')
    const copying: BulkAsk = { do: 'edit', fields: { name: { how: 'copy', column: 'note' } } }
    await expect(list.call.seal(['1'], copying)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const hidden: BulkAsk = { do: 'edit', fields: { note: { how: 'set', text: 'x' } } }
    await expect(list.call.seal(['1'], hidden)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const viewer = await openList({ over: { actions: ['read'] } })
    expect(await viewer.call.seal(['1'], close)).toMatchObject({ status: 'refused' })
  })

  test('is written under the rights of then: a row that is hidden by now is none', async () => {
    const list = await openList()
    const plan = await seal(list, ['1', '2'], close)
    const narrowed = await openList({ over: { rows: { op: 'eq', column: 'id', value: 2 } } })
    expect(await narrowed.call.writePlan(plan.handle, null)).toMatchObject({
      ...{
        status: 'changed',
        went: { count: '1', rows: [{ key: '1', label: expect.stringContaining('1') }] },
      },
    })
    expect(states()).toEqual([['new', ROWS]])
  })

  test('makes room for a newer one where a person has many', async () => {
    const list = await openList()
    const first = await seal(list, ['1'], close)
    const others: PlanView[] = []
    for (let i = 0; i < 20; i++) others.push(await seal(list, ['2'], close))
    expect(await list.call.writePlan(first.handle, null)).toMatchObject({ status: 'gone' })
    expect(await list.call.writePlan(others[0]!.handle, null)).toMatchObject({ status: 'done' })
  })
})

describe('an action of the table’s own', () => {
  const withActions = (actions: { [name: string]: BulkAction }) => ({
    definitions: { orders: { actions } },
  })

  const refund = bulkAction({
    label: 'Refund',
    input: v.object({
      reason: v.pipe(v.string(), v.minLength(3, 'Say why.'), v.title('Why')),
      share: v.optional(v.pipe(v.number(), v.maxValue(1, 'At most 1.'))),
      how: v.picklist(['card', 'cash']),
      isTold: v.boolean(),
    }),
    confirm: (rows) => `Refund ${rows} orders?`,
    async run({ keys, input, source }) {
      const set = { note: `${input.reason} ${input.how}` }
      await source.table('orders').change({ sets: [{ in: keys, where: everything, set }] })
    },
  })

  test('is offered to whom it allows, with a form of its schema', async () => {
    const closed = bulkAction({
      label: 'Close',
      allows: ({ role }) => role === 'chef',
      run: () => {},
    })
    const list = await openList(withActions({ refund, closed }))
    expect(list.view.bulk?.own).toEqual([{ name: 'refund', label: 'Refund', hasForm: true }])
    const fields = await list.call.bulkForm('refund')
    expect(
      fields.map(({ name, label, control, required }) => [name, label, control, required]),
    ).toEqual([
      ['reason', 'Why', { is: 'text' }, true],
      ['share', 'Share', { is: 'number' }, false],
      ['how', 'How', { is: 'choice', options: ['card', 'cash'] }, true],
      ['isTold', 'Is told', { is: 'yes-no' }, true],
    ])
    for (const name of ['closed', 'none', 'constructor'])
      await expect(list.call.bulkForm(name)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const reader = await openList({ ...withActions({ refund }), over: { actions: ['read'] } })
    expect(reader.view).not.toHaveProperty('bulk')
    await expect(
      reader.call.seal(['1'], { do: 'own', name: 'refund', texts: {} }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('runs once over the rows that were confirmed, and still match', async () => {
    const list = await openList({ ...withActions({ refund }), query: 'filter.stars.min=4' })
    const texts = { reason: 'No', share: 'much', how: 'card', isTold: 'true' }
    const own: BulkAsk = { do: 'own', name: 'refund', texts }
    expect(await list.call.seal(ALL_SELECTED, own)).toEqual({
      ...{ status: 'refused', errors: { share: ['Write a number.'] } },
    })
    const short: BulkAsk = { ...own, texts: { ...texts, share: '2' } }
    expect(await list.call.seal(ALL_SELECTED, short)).toEqual({
      ...{ status: 'refused', errors: { reason: ['Say why.'], share: ['At most 1.'] } },
    })
    const plan = await seal(list, ALL_SELECTED, {
      ...own,
      texts: { ...texts, reason: 'Broken', share: '' },
    })
    expect(plan).toMatchObject({
      ...{ title: 'Refund 12 orders?', rows: 12, write: 'Refund: 12 rows', canTry: false },
      ...{ changes: [], sample: [{ key: '4', changes: [] }, {}, {}, {}] },
    })
    data.run('update orders set stars = 0 where id = 4; update orders set stars = 4 where id = 1')
    const done = {
      status: 'done',
      text: 'Refund: done in 11 rows. 1 row no longer matches.',
      rows: 11,
    }
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject(done)
    const refunded = `select count(*) as n from orders where note = 'Broken card'`
    expect(data.row(refunded)).toEqual({ n: 11 })
    data.run(`update orders set note = ''`)
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject(done)
    expect(data.row(refunded)).toEqual({ n: 0 })
  })

  test('may refuse rows one by one; after any other failure nothing is repeated', async () => {
    const seen: unknown[] = []
    const odd = bulkAction({
      label: 'Check',
      per: 'row',
      run({ key: [id], input }) {
        expect(input).toBeUndefined()
        if (id === 2) refuse('Even numbers are no good.')
        if (id === 50) throw new Error('A bug.')
        seen.push(id)
      },
    })
    const list = await openList(withActions({ odd }))
    const check: BulkAsk = { do: 'own', name: 'odd', texts: {} }
    const plan = await seal(list, ['1', '2', '3'], check)
    expect(await list.call.writePlan(plan.handle, null)).toEqual({
      status: 'partly',
      text: 'Check: done in 2 rows. 1 row: Even numbers are no good.',
      left: {
        text: 'Show the 1 row that was not changed',
        href: `/tables/orders?left=${plan.handle.split('.')[0]}&deleted=shown`,
      },
      rows: [{ key: '2', label: 'Order 2', reason: 'Even numbers are no good.' }],
    })
    expect(seen).toEqual([1, 3])
    const failing = await seal(list, ['49', '50', '51'], check)
    await expect(list.call.writePlan(failing.handle, null)).rejects.toThrow()
    expect(await list.call.writePlan(failing.handle, null)).toMatchObject({
      status: 'partly',
      text: 'Check: done in 1 row. It has ended early: what became of 2 rows is not known.',
    })
    const none = await seal(list, ['2'], check)
    expect(await list.call.writePlan(none.handle, null)).toMatchObject({ status: 'refused' })
    expect(seen).toEqual([1, 3, 49])
  })

  test('that takes other input by now is not begun', async () => {
    const run = vi.fn()
    const asks = (input: v.GenericSchema) =>
      withActions({ asking: bulkAction({ label: 'Ask', input, run }) })
    const list = await openList(asks(v.object({ why: v.string() })))
    const texts = { why: 'Broken' }
    const plan = await seal(list, ['1'], { do: 'own', name: 'asking', texts })
    const other = await openList(asks(v.object({ why: v.string(), share: v.number() })))
    const none = await openList()
    for (const later of [other, none])
      expect(await later.call.writePlan(plan.handle, null)).toMatchObject({
        ...{ status: 'gone', text: expect.stringContaining('Nothing was done.') },
      })
    expect(run).not.toHaveBeenCalled()
    expect(await list.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done' })
  })

  test('that a process began before it died is repeated only where that is allowed', async () => {
    const seen: string[] = []
    const once = bulkAction({ label: 'Once', run: () => void seen.push('once') })
    const again = bulkAction({
      label: 'Again',
      repeatable: true,
      run: () => void seen.push('again'),
    })
    const list = await openList(withActions({ once, again }))
    const results: string[] = []
    for (const name of ['once', 'again']) {
      const plan = await seal(list, ['1'], { do: 'own', name, texts: {} })
      await kept.plans.store.claim(plan.handle.split('.')[0] ?? '', admin)
      time += 6 * 60_000
      results.push((await list.call.writePlan(plan.handle, null)).status)
    }
    expect(results).toEqual(['partly', 'done'])
    expect(seen).toEqual(['again'])
  })
})
