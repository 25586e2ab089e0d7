import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { type Catalog, createCatalog } from '../catalog.ts'
import type { Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { type DeletionLacks, deletionLacks } from './deletion-lacks.ts'

let data: OpenDataFile
let source: RowSource
let catalog: Catalog

/** Lets people read authors, and nothing that goes with them. */
const policy: Policy = {
  version: '1',
  grant: (_actor, { name, columns }) => ({
    ...{ actions: name === 'authors' ? ['read', 'delete'] : [], rows: everything, writable: [] },
    readable: columns.map((column) => column.name),
  }),
}

beforeAll(async () => {
  data = await openDataFile(
    `create table authors (id integer primary key, life text, picture blob);
    create table books (id integer primary key, author_id references authors on delete cascade);
    create table pages (id integer primary key, book_id references books on delete cascade);
    create table loans (id integer primary key, book_id references books on delete set null);
    create table prizes (id integer primary key, author_id references authors);
    create index book_author on books (author_id);
    create index page_book on pages (book_id);
    insert into authors (id) values (1), (2), (3);
    insert into authors values (4, null, zeroblob(${2 ** 24 + 1}));
    insert into books values (10, 1), (20, 2), (30, 3);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10001)
      insert into pages select n, case when n < 6000 then 10 else 20 end from numbers;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5000)
      insert into loans select n, 10 from numbers;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
      insert into prizes select n, 3 from numbers`,
    {},
  )
  ;({ source } = data)
  catalog = await createCatalog(source, policy, {})
})
afterAll(() => data.close())

test.each<[what: string, id: number, lacks: DeletionLacks]>([
  ['more rows than are kept, also of tables that the person may not see', 1, 'rows'],
  ['fewer', 2, 'nothing'],
  ['none of those that would refuse it', 3, 'nothing'],
  ['a value that is too large', 4, 'value'],
  ['nothing, as it is gone', 5, 'nothing'],
])('a deletion takes %s', async (_, id, lacks) => {
  const open = catalog.open(admin, 'authors')
  const run = { signal: new AbortController().signal, timeoutMs: 20_000 }
  const services = { source, catalog: () => catalog }
  expect(await deletionLacks(services, open, [id], run)).toBe(lacks)
})
