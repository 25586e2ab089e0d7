import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { sourceWith } from '../../../test/source-with.ts'
import { admin } from '../../../test/table-of.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import type { RowSource } from '../source/row-source.ts'
import { createListComponent } from './component.ts'
import { createTotals } from './totals.ts'

const DATABASE = `
  create table people (id integer primary key, name text);
  insert into people values (1, 'Ada'), (2, 'Bob');
  create table orders (id integer primary key, number text);
  insert into orders values (7, 'A-7');
  create table notes (id integer primary key, note text, subject_type text, subject_id integer);
  create table parts (code text collate nocase primary key, name text);
  insert into parts values ('ab', 'Bolt'), ('cd', 'Nut');
  create table tags (id integer primary key, tag text, part_type text, part_id text);
  insert into tags values (1, 'a', 'Part', 'ab'), (2, 'b', 'Part', 'CD'), (3, 'c', 'Part', 'Cd'), (4, 'd', 'Part', 'x');
  create table pins (id integer primary key, pin text, part_type text, part_id text);
  insert into pins values (1, 'a', 'Part', 'CD');
  insert into notes values (1, 'a', 'App\\Models\\Person', 2), (2, 'b', 'people', 1),
    (3, 'c', 'Order', 7), (4, 'd', 'Person', 99), (5, 'e', 'Ghost', 2), (6, 'f', null, 2);
`

let data: OpenDataFile
beforeAll(async () => void (data = await openDataFile(DATABASE, {})))
afterAll(() => data.close())

async function cells(hidden: Hidden = {}, shown = 'note,subject_id', table = 'notes') {
  const asked: string[] = []
  const page: RowSource['page'] = (access, query, run) => {
    asked.push(access.table.name)
    return data.source.page(access, query, run)
  }
  const source = sourceWith(data.source, { page })
  const catalog = await createCatalog(source, policyHiding(hidden), {})
  const component = createListComponent({
    ...{ source, catalog: () => catalog, totals: createTotals(source) },
    ...{ door: doorTo(source, () => catalog), href: (name) => `/tables/${name}` },
  })
  const query = new URLSearchParams({ sort: 'id', columns: shown })
  const { view } = await testComponent(component, {
    ...{ actor: admin, params: { table }, query },
  })
  return { asked, column: view.columns.at(-1), cells: view.rows.map((row) => row.at(-1)) }
}

test('a type and an id beside it lead to the row that they name, said to be a guess, by one question a table', async () => {
  const { asked, column, cells: shown } = await cells()
  expect(shown).toEqual([
    ['Bob', '/tables/people/records/2'],
    ['Ada', '/tables/people/records/1'],
    ['A-7', '/tables/orders/records/7'],
    ...['99', '2', '2'],
  ])
  expect(column).toMatchObject({
    paired: true,
    help: 'By the types beside them, these refer to rows of other tables. The database does not say so.',
  })
  expect(asked.toSorted()).toEqual(['notes', 'orders', 'people'])
})

test('rows that the person may not see are not told of', async () => {
  expect((await cells({ tables: ['people'] })).cells.slice(0, 3)).toEqual([
    ...['2', '1'],
    ['A-7', '/tables/orders/records/7'],
  ])
  const rows = { people: { op: 'eq', column: 'id', value: 1 } } as const
  expect((await cells({ rows })).cells.slice(0, 2)).toEqual([
    '2',
    ['Ada', '/tables/people/records/1'],
  ])
  expect((await cells({ columns: ['subject_type'] })).cells).toEqual([
    '2',
    '1',
    '7',
    '99',
    '2',
    '2',
  ])
})

test('where no such column is shown, nothing more is asked', async () => {
  expect((await cells({}, 'note')).asked).toEqual(['notes'])
})

test('an id is found as the database compares it, also where it is written otherwise', async () => {
  expect((await cells({}, 'tag,part_id', 'tags')).cells).toEqual([
    ['Bolt', '/tables/parts/records/ab'],
    ['Nut', '/tables/parts/records/cd'],
    ['Nut', '/tables/parts/records/cd'],
    'x',
  ])
  const { asked, cells: shown } = await cells({}, 'pin,part_id', 'pins')
  expect(shown).toEqual([['Nut', '/tables/parts/records/cd']])
  expect(asked).toEqual(['pins', 'parts'])
})
