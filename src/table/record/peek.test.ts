import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import type { RecordView } from '../../protocol/record-view.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import { createListComponent } from '../list/component.ts'
import { createTotals } from '../list/totals.ts'
import type { Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'

const DATABASE = `
  create table people (id integer primary key, name text, salary integer, story text);
  insert into people values (1, 'Ada', 7, 'a'), (2, 'Bob', 8, '${'word '.repeat(14_000)}');
  create table orders (id integer primary key, buyer_id integer references people (id));
  insert into orders values (1, 2), (2, 2), (3, 1);
`

let data: OpenDataFile
beforeAll(async () => void (data = await openDataFile(DATABASE)))
afterAll(() => data.close())

type Options = {
  source?: RowSource
  hidden?: Hidden
  isLive?: boolean
  policy?: Policy
  definitions?: Definitions
}

async function open({
  hidden = {},
  isLive = true,
  policy = policyHiding(hidden),
  definitions = {},
  source = data.source,
}: Options = {}) {
  const catalog = await createCatalog(source, policy, { definitions })
  const component = createListComponent({
    ...{ source, isLive, catalog: () => catalog, totals: createTotals(source) },
    ...{ door: doorTo(source, () => catalog), href: (name) => `/tables/${name}` },
  })
  const query = new URLSearchParams({ sort: '-name' })
  return testComponent(component, { actor: admin, params: { table: 'people' }, query })
}

const labels = ({ sections }: RecordView) =>
  sections.flatMap(({ fields }) => fields.map(({ label }) => label))

test('a row is peeked at with its fields, what refers to it, and the channels that tell of changes', async () => {
  const { call } = await open()
  const { row, channels } = await call.peek('2')
  expect(row).toMatchObject({
    ...{ label: 'Bob', listHref: '/tables/people?sort=-name' },
  })
  expect(await call.peekRelated('2')).toMatchObject([
    { label: 'Orders', count: { kind: 'exact', count: 2, text: '2' } },
  ])
  expect(row).not.toHaveProperty('next')
  expect(channels).toEqual(['private-table.people', 'private-table.orders'])
  expect((await (await open({ isLive: false })).call.peek('2')).channels).toEqual([])
})

test('what the list shows comes first, as it stands there, and what holds nothing last', async () => {
  const definitions = { people: { shown: ['name', 'salary'] } }
  const { call } = await open({ definitions })
  const { row } = await call.peek('2')
  expect(labels(row as RecordView)).toEqual(['Name', 'Salary', 'ID', 'Story'])
  const bare = await openDataFile(
    `create table people (id integer primary key, name text, salary integer, note text, story text);
     insert into people values (2, 'Bob', null, null, 'told');`,
  )
  onTestFinished(() => bare.close())
  const other = await open({ definitions, source: bare.source })
  expect(labels((await other.call.peek('2')).row as RecordView)).toEqual([
    ...['Name', 'Salary', 'ID', 'Story', 'Note'],
  ])
})

test('what the policy hides is not peeked at', async () => {
  const { call } = await open({ hidden: { columns: ['salary'], tables: ['orders'] } })
  const { row } = await call.peek('2')
  expect(labels(row as RecordView)).not.toContain('Salary')
  expect(await call.peekRelated('2')).toEqual([])
  await expect(call.peekWhole('2', 'salary')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a row that has gone is told to have gone', async () => {
  const { call } = await open()
  expect((await call.peek('99')).row).toMatchObject({ label: null })
  expect((await call.peek('no key')).row).toMatchObject({ label: null })
  expect(await call.peekRelated('99')).toEqual([])
  expect(await call.peekWhole('99', 'story')).toBeNull()
})

test('a long value comes whole when it is asked for', async () => {
  const { call } = await open()
  const { row } = await call.peek('2')
  expect(JSON.stringify(row).length).toBeLessThan(69_000)
  expect(await call.peekWhole('2', 'story')).toMatchObject({
    is: 'long',
    text: 'word '.repeat(14_000),
  })
})

test('what may not be done to this row is not offered', async () => {
  const policy: Policy = {
    version: '1',
    grant(_actor, { columns }) {
      const names = columns.map(({ name }) => name)
      const changes = { delete: { op: 'eq', column: 'id', value: 2 } } as const
      const all = { rows: everything, readable: names, writable: names, changes }
      return { actions: ['read', 'update', 'delete'], ...all }
    },
  }
  const { call } = await open({ policy, definitions: { people: { write: true } } })
  expect((await call.peek('2')).row).toMatchObject({ mayDelete: true })
  expect((await call.peek('1')).row).toMatchObject({ mayDelete: false })
})
