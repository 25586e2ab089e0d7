import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { doorTo } from '../../../test/door-to.ts'
import { admin } from '../../../test/table-of.ts'
import type { GoneView, RecordView } from '../../protocol/record-view.ts'
import { AppError } from '../../server/app-error.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import { createListComponent } from '../list/component.ts'
import { createRecordComponent } from './component.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import { createTotals } from '../list/totals.ts'

const DATABASE = `
  pragma foreign_keys = off;
  create table codes (code text primary key not null, size integer);
  insert into codes values ('a/b', 1), ('', 2), ('..', 3), ('x,y%', 4);
  create table people (
    id integer primary key, name text, boss_id integer references people (id),
    code text references codes (code), secret text, email text unique
  );
  insert into people values (1, 'Ada', null, 'a/b', 'red', 'ada@x.org'),
    (2, 'Bob', 1, '', 'green', 'bob@x.org'), (3, null, 1, '..', null, null),
    (4, 'Dan', 9, 'x,y%', 'blue', 'dan@x.org');
  create table orders (
    id integer primary key, buyer_id integer references people (id),
    seller_id integer references people (id), mail text references people (email),
    foreign key (buyer_id) references people (id)
  );
  insert into orders select value, iif(value <= 1100, 2, 1), iif(value % 400 = 1, 1, 4),
    iif(value = 8, 'dan@x.org', null) from (with recursive n (value) as (values (1) union all select value + 1 from n where value < 1200) select value from n);
  create index buyers on orders (buyer_id);
  create table lines (
    order_id integer references orders (id), line text, title text, primary key (order_id, line)
  );
  insert into lines values (1, 'a', 'First'), (1, 'b,c', 'Second');
  create table remarks (
    id integer primary key, order_id integer, line text,
    foreign key (order_id, line) references lines (order_id, line)
  );
  insert into remarks values (1, 1, 'b,c'), (2, 1, 'b,c'), (3, 1, 'a'), (4, 1, null);
  create table notes (id integer primary key, subject_type text, subject_id integer, note text);
  insert into notes values (1, 'App\\Models\\Person', 2, 'a'), (2, 'people', 3, 'b'), (3, 'Order', 7, 'c'),
    (4, 'Person', 99, 'd'), (5, 'Ghost', 2, 'e'), (6, null, 2, 'f');
  create table loose (person_id integer references people (id));
  insert into loose values (1), (1);
`

let data: OpenDataFile
let sqlite: RowSource

beforeAll(async () => {
  data = await openDataFile(DATABASE, {})
  sqlite = data.source
})
afterAll(() => data.close())

type Opening = { from?: string; locale?: string; hidden?: Hidden; source?: RowSource }

async function open(table: string, key: string, opening: Opening = {}) {
  const { from = null, locale = 'en-US', hidden = {}, source = sqlite } = opening
  // Its name looks secret, so it would be hidden by default.
  const definitions = {
    people: { sort: 'id', columns: { secret: { hidden: false } } },
    orders: { sort: 'id' },
  } as const
  const catalog = await createCatalog(source, policyHiding(hidden), { definitions })
  const component = createRecordComponent({
    source,
    catalog: () => catalog,
    door: doorTo(source, () => catalog),
    href: (name) => `/tables/${name}`,
  })
  const query = new URLSearchParams(from === null ? {} : { from })
  const record = await testComponent(component, {
    ...{ actor: admin, params: { table, key }, query, locale },
  })
  return record
}

type Opened = Awaited<ReturnType<typeof open>>

/** The view as the browser completes it by a query. */
const completed = async ({ view, call }: Opened): Promise<RecordView> => ({
  ...(view as RecordView),
  ...(await call.around()),
})

/** The view of an existing row, through JSON as in a snapshot. */
async function view(table: string, key: string, opening?: Opening): Promise<RecordView> {
  const record = await open(table, key, opening)
  const shown = record.view as RecordView
  // Suites run in parallel, so a slow part may be missing.
  return shown.isPartial ? completed(record) : shown
}

const fieldsOf = ({ sections }: RecordView) => sections.flatMap(({ fields }) => fields)
const field = (shown: RecordView, name: string) =>
  fieldsOf(shown).find((candidate) => candidate.name === name)?.value
const related = ({ related }: RecordView) =>
  related.map(({ label, count }) => `${label} ${'text' in count ? count.text : count.kind}`)

describe('a type beside an id', () => {
  const subjectOf = async (key: string, hidden: Hidden = {}) => {
    const { view } = await open('notes', key, { hidden })
    const field = (view as RecordView).sections
      .flatMap(({ fields }) => fields)
      .find(({ name }) => name === 'subject_id')
    return [field?.value, field?.help]
  }
  const plain = (text: string) => [{ is: 'text', text }, undefined]

  test('leads to the row that it seems to be about, and says that this is a guess', async () => {
    const help = 'By the type beside it, this refers to People. The database does not say so.'
    const to = (key: string, text: string) => ({
      is: 'record',
      text,
      href: `/tables/people/records/${key}`,
    })
    expect(await subjectOf('1')).toEqual([to('2', 'Bob'), help])
    expect(await subjectOf('2')).toEqual([to('3', 'People, key 3'), help])
    expect((await subjectOf('3'))[0]).toMatchObject({ is: 'record', text: 'Order 7' })
  })

  test('is a plain number where there is no such row, or no such table', async () => {
    expect(await subjectOf('4')).toEqual(plain('99'))
    expect(await subjectOf('5')).toEqual(plain('2'))
    expect(await subjectOf('6')).toEqual(plain('2'))
  })

  test('leads nowhere that the person may not read', async () => {
    expect(await subjectOf('1', { tables: ['people'] })).toEqual(plain('2'))
    const rows: Hidden['rows'] = { people: { op: 'eq', column: 'id', value: 1 } }
    expect(await subjectOf('1', { rows })).toEqual(plain('2'))
    expect(await subjectOf('4', { rows })).toEqual(plain('99'))
  })
})

describe('a row', () => {
  test('shows all its fields under its name', async () => {
    const shown = await view('people', '1')
    expect([shown.label, shown.tableLabel, shown.key]).toEqual(['Ada', 'People', '1'])
    expect(fieldsOf(shown).map(({ label }) => label)).toEqual([
      'ID',
      'Name',
      'Boss',
      'Code',
      'Secret',
      'Email',
    ])
    expect(field(shown, 'boss_id')).toEqual({ is: 'null' })
    expect(shown.readOnly).toBe('You may read this table, but not change it.')
  })

  test('that nothing names is called by its table and key', async () => {
    expect((await view('people', '3')).label).toBe('People, key 3')
    expect((await view('lines', '1,b%2cc')).key).toBe('1, b,c')
    expect((await view('remarks', '4')).label).toBe('Remark 4')
  })

  test.each(['a%2fb', '%', '%2e%2e', 'x%2cy%25'])('has the key %s', async (key) => {
    expect(fieldsOf(await view('codes', key))).toHaveLength(2)
  })

  test.each([
    ['people', '99'],
    ['people', 'abc'],
    ['people', '01'],
    ['people', '1,1'],
    ['people', ''],
    ['people', '9223372036854775808'],
    ['people', '-99999999999999999999'],
    ['codes', 'a/b'],
    ['codes', 'nothing'],
    ['lines', '1'],
    ['lines', '1,b'],
  ])('that is not there shows nothing: %s %s', async (table, key) => {
    expect((await open(table, key)).view).toEqual({
      table,
      tableLabel: expect.any(String),
      label: null,
      listHref: `/tables/${table}`,
      how: null,
    } satisfies { [Key in keyof GoneView]: unknown })
  })

  test('shows no column that is hidden, and is not there where the row is', async () => {
    const hidden = { columns: ['secret', 'name'] }
    const shown = await view('people', '1', { hidden })
    expect(JSON.stringify(shown)).not.toMatch(/secret|red|Ada/)
    const rows = { people: { op: 'not', of: { op: 'eq', column: 'id', value: 1 } } as const }
    const gone = (await open('people', '1', { hidden: { rows } })).view
    expect(gone).toEqual((await open('people', '99', { hidden: { rows } })).view)
  })

  test('of a table that is hidden, not there or without a key is not found, alike', async () => {
    for (const [table, hidden] of [
      ['people', { tables: ['people'] }],
      ['nowhere', {}],
      ['loose', {}],
    ] as const)
      await expect(open(table, '1', { hidden: hidden as Hidden })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
  })

  test('that has gone since says so, and leads back', async () => {
    let isThere = true
    const source = sourceWith({
      row: async (access, key, lookup, run) =>
        isThere ? sqlite.row(access, key, lookup, run) : undefined,
      exactVersion: () => Promise.resolve(null),
    })
    const record = await open('people', '1', { source, from: 'sort=name' })
    isThere = false
    expect(await record.call.around()).toBeNull()
    await record.refresh()
    expect(record.view).toMatchObject({ label: null, listHref: '/tables/people?sort=name' })
  })
})

test('of a long value the page has the beginning, and the rest is asked for', async () => {
  const name = 'Ada '.repeat(10_000)
  const source = sourceWith({
    async row(access, key, lookup, run) {
      const row = await sqlite.row(access, key, lookup, run)
      const at = lookup.columns.indexOf('email')
      if (!row || at < 0) return row
      const email = name.slice(0, lookup.cut?.length)
      return { ...row, values: row.values.with(at, email), lengths: new Map([[at, name.length]]) }
    },
  })
  const { view: shown, call } = await open('people', '1', { source })
  const all = { is: 'long', length: '40,000', isCode: false }
  const beginning = { ...all, text: name.slice(0, 20_000), shown: '20,000' }
  expect(field(shown as RecordView, 'email')).toEqual(beginning)
  expect(await call.whole('email')).toEqual({ ...all, text: name })
  await expect(call.whole('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const hidden = await open('people', '1', { hidden: { columns: ['email'] } })
  await expect(hidden.call.whole('email')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('the row that another one refers to', () => {
  test('shows by its name and can be opened', async () => {
    const shown = await view('people', '2')
    expect(field(shown, 'boss_id')).toEqual({
      is: 'record',
      text: 'Ada',
      href: '/tables/people/records/1',
    })
    expect(field(shown, 'code')).toEqual({
      is: 'record',
      text: expect.any(String),
      href: '/tables/codes/records/%25',
    })
  })

  test('is found by a column that is not its key', async () => {
    expect(field(await view('orders', '8'), 'mail')).toMatchObject({
      text: 'Dan',
      href: '/tables/people/records/4',
    })
  })

  test('by several columns has a field of its own', async () => {
    const shown = await view('remarks', '1')
    expect(fieldsOf(shown).map(({ label }) => label)).toEqual(['ID', 'Order ID', 'Line', 'Lines'])
    expect(fieldsOf(shown).at(-1)?.value).toEqual({
      is: 'record',
      text: 'Second',
      href: '/tables/lines/records/1%2Cb%252cc',
    })
    expect(fieldsOf(await view('remarks', '4'))).toHaveLength(3)
  })

  test('and is not there shows by the value; to whom rows are hidden, as a hidden one does', async () => {
    expect(field(await view('people', '4'), 'boss_id')).toEqual({ is: 'text', text: '9' })
    const rows = { people: { op: 'not', of: { op: 'eq', column: 'id', value: 1 } } as const }
    const hidden = { rows }
    expect(field(await view('people', '4', { hidden }), 'boss_id')).toEqual({ is: 'no-access' })
    expect(field(await view('people', '2', { hidden }), 'boss_id')).toEqual({ is: 'no-access' })
  })

  test('in a hidden table shows by the value', async () => {
    const shown = await view('people', '2', { hidden: { tables: ['codes'] } })
    expect(field(shown, 'code')).toEqual({ is: 'empty' })
    const other = await view('people', '4', { hidden: { tables: ['codes'] } })
    expect(field(other, 'code')).toEqual({ is: 'text', text: 'x,y%' })
  })
})

test('a row is read with all rows that it refers to, and without them where that takes too long', async () => {
  let [lookups, pages, isLate] = [0, 0, false]
  const source = sourceWith({
    async row(access, key, lookup, run) {
      lookups++
      const { related, ...found } = (await sqlite.row(access, key, lookup, run))!
      return isLate || !related ? found : { ...found, related }
    },
    page(access, query, run) {
      // What refers to it is asked for in pages of their own.
      pages += Number(query.size === 1 && query.place.at === 'first')
      return sqlite.page(access, query, run)
    },
  })
  const shown = (await open('orders', '8', { source })).view as RecordView
  const names = ['buyer_id', 'seller_id', 'mail'].map((name) => field(shown, name))
  expect(names).toMatchObject([{ text: 'Bob' }, { text: 'Dan' }, { text: 'Dan' }])
  expect([lookups, pages]).toEqual([1, 0])
  isLate = true
  const late = (await open('orders', '8', { source })).view as RecordView
  expect(field(late, 'buyer_id')).toEqual({ is: 'text', text: '2' })
})

describe('related rows', () => {
  test('are counted for each foreign key that refers to the row', async () => {
    expect(related(await view('people', '1'))).toEqual([
      'Loose 2',
      'Orders (Buyer) 100',
      'Orders (Seller) 3',
      'Orders (Mail) 0',
      'People (Boss) 2',
    ])
    expect(related(await view('people', '2'))).toContain('Orders (Buyer) 1,000+')
    expect(related(await view('lines', '1,b%2cc'))).toEqual(['Remarks 2'])
    expect(related(await view('codes', '%'))).toEqual(['People 1'])
  })

  test('show the first five, in the order of their list, and whether these are all', async () => {
    const shown = await view('people', '1')
    const orders = shown.related.find(({ label }) => label === 'Orders (Buyer)')?.first
    expect(orders?.rows.map(([key]) => key)).toEqual(['1101', '1102', '1103', '1104', '1105'])
    expect(orders?.isAll).toBe(false)
    const sold = shown.related.find(({ label }) => label === 'Orders (Seller)')?.first
    expect([sold?.rows.length, sold?.isAll]).toEqual([3, true])
    // There are none, or nothing tells them apart.
    for (const none of ['Orders (Mail)', 'Loose'])
      expect(shown.related.find(({ label }) => label === none)?.first).toBeUndefined()
  })

  test('show no column and no row that is hidden', async () => {
    const shown = await view('codes', '%', { hidden: { columns: ['name'] } })
    expect(JSON.stringify(shown.related)).not.toMatch(/Bob/)
    const rows = { people: { op: 'not', of: { op: 'eq', column: 'id', value: 2 } } as const }
    expect((await view('codes', '%', { hidden: { rows } })).related[0]?.first).toBeUndefined()
  })

  test('of NULL there are none', async () => {
    expect(related(await view('people', '3'))).not.toContainEqual(expect.stringMatching(/Mail/))
  })

  test('are left out where table, column or rows are hidden', async () => {
    const shown = await view('people', '1', {
      hidden: {
        tables: ['loose'],
        columns: ['seller_id', 'email'],
        rows: { orders: { op: 'lt', column: 'id', value: 1103 } },
      },
    })
    expect(related(shown)).toEqual(['Orders 2', 'People (Boss) 2'])
  })

  test('are listed at their links, as many as were counted', async () => {
    const definitions = { people: { sort: 'id' } }
    const catalog = await createCatalog(sqlite, policyHiding({}), { definitions })
    const list = createListComponent({
      source: sqlite,
      catalog: () => catalog,
      totals: createTotals(sqlite),
      door: doorTo(sqlite, () => catalog),
      href: (name) => `/tables/${name}`,
    })
    const rows = [
      ['people', '1'],
      ['people', '4'],
      ['lines', '1,b%2cc'],
      ['codes', '%'],
      ['codes', 'x%2cy%25'],
    ] as const
    for (const [table, key] of rows)
      for (const { href, count } of (await view(table, key)).related) {
        const { pathname, search } = new URL(href, 'http://localhost')
        const params = { table: pathname.split('/')[2]! }
        const query = new URLSearchParams(search)
        const listing = await testComponent(list, { actor: admin, params, query })
        let counted = await listing.call.total()
        while (counted.counting) counted = await listing.call.total()
        const told = 'count' in count ? count : expect.fail(href)
        if (told.kind === 'exact') expect(counted.total).toMatchObject({ count: told.count })
        else expect(counted.total).toMatchObject({ kind: 'exact', count: 1197 })
        expect(listing.view.filters.chips.length).toBeGreaterThan(0)
      }
  })

  test('that take long are left out of the page, and asked for again', async () => {
    const asked: number[] = []
    const isShort = (run: Run | undefined) => (run?.timeoutMs ?? 5000) < 100
    const source = sourceWith({
      page: (access, query, run) =>
        isShort(run)
          ? Promise.reject(new AppError('QUERY_TIMEOUT'))
          : sqlite.page(access, query, run),
      count: (access, where, run) => {
        asked.push(run?.timeoutMs ?? 0)
        return isShort(run)
          ? Promise.reject(new AppError('QUERY_TIMEOUT'))
          : sqlite.count(access, where, run)
      },
    })
    const record = await open('people', '1', { source })
    const early = record.view as RecordView
    expect(early.isPartial).toBe(true)
    expect(early.related.map(({ count }) => count.kind)).toEqual(Array(5).fill('counting'))
    // The place in the list is counted besides, and may take longer.
    expect(asked.filter((ms) => ms < 100)).toHaveLength(5)
    expect(related(await completed(record))).toContain('Orders (Seller) 3')
  })

  test('that never come delay nothing, and are said not to be counted', async () => {
    const never = (run: Run | undefined) =>
      new Promise<never>((_, reject) =>
        run?.signal?.addEventListener('abort', () => reject(run.signal?.reason as Error)),
      )
    const source = sourceWith({
      page: (access, query, run) => (query.size > 1 ? never(run) : sqlite.page(access, query, run)),
      count: (_access, _where, run) => never(run),
    })
    const record = await open('people', '1', { source })
    expect((record.view as RecordView).related[0]?.count).toEqual({ kind: 'counting' })
    expect((record.view as RecordView).label).toBe('Ada')
  })

  test('that cannot be counted are said not to be', async () => {
    const source = sourceWith({
      page: (access, query, run) =>
        query.size > 1 ? Promise.reject(new AppError('BUSY')) : sqlite.page(access, query, run),
      count: () => Promise.reject(new AppError('BUSY')),
    })
    const record = await open('people', '1', { source })
    expect(related(await completed(record))).toContain('Loose unknown')
  })
})

describe('the rows beside a row', () => {
  const steps = ({ previous, next }: RecordView) => [previous, next]
  const at = (key: string, from = '') =>
    `/tables/people/records/${key}${from && `?from=${encodeURIComponent(from)}`}`

  test('are those of the table where one came from nowhere', async () => {
    expect(steps(await view('people', '1'))).toEqual([undefined, at('2')])
    expect(steps(await view('people', '2'))).toEqual([at('1'), at('3')])
    expect(steps(await view('people', '4'))).toEqual([at('3'), undefined])
    expect((await view('people', '4')).place).toBe('4 of 4')
  })

  test.each([
    ['sort=-name', '2', ['4', '1']],
    ['sort=-name', '1', ['2', '3']],
    ['sort=-boss_id', '2', ['3', '4']],
    ['search=a', '1', [undefined, '2']],
    ['search=dan', '1', [undefined, '4']],
    ['filter.boss_id=1', '2', [undefined, '3']],
    ['filter.boss_id=1&sort=-id', '2', ['3', undefined]],
  ] as const)('are those of the list %j for %s', async (from, key, expected) => {
    const shown = await view('people', key, { from })
    expect(steps(shown)).toEqual(expected.map((other) => other && at(other, from)))
    expect(shown.listHref).toBe(`/tables/people?${from}`)
  })

  test('are found by what stands there in the language of the list', async () => {
    const found = { from: 'search=1.100', locale: 'de' }
    expect((await view('orders', '1100', found)).place).toBe('1 of 1')
  })

  test('keep the place of the list that one came from', async () => {
    const from = 'sort=-id&size=50&page=2'
    const shown = await view('people', '2', { from })
    expect(shown.listHref).toBe('/tables/people?sort=-id&size=50&page=2')
    expect(shown.next).toBe(at('1', from))
    expect(shown.place).toBe('3 of 4')
  })

  test.each(['sort=secret', 'search=a&search=b', 'junk', 'page=%00'])(
    'are those of the table where one says to come from %j',
    async (from) => {
      const shown = await view('people', '2', { from, hidden: { columns: ['secret'] } })
      expect(steps(shown)).toEqual([at('1'), at('3')])
      expect(shown.listHref).toBe('/tables/people')
    },
  )

  test('that take long are asked for again', async () => {
    const source = sourceWith({
      page: (access, query, run) =>
        query.place.at !== 'first' && (run?.timeoutMs ?? 0) < 1000
          ? Promise.reject(new AppError('QUERY_TIMEOUT'))
          : sqlite.page(access, query, run),
    })
    const record = await open('people', '2', { source })
    expect([...steps(record.view as RecordView), (record.view as RecordView).isPartial]).toEqual([
      undefined,
      undefined,
      true,
    ])
    const { data, view } = record
    expect(steps(await completed(record))).toEqual([at('1'), at('3')])
    // A query changes neither state nor view.
    expect([record.data, record.view]).toEqual([data, view])
  })
})

/** The source of all tests, with methods that a test replaces. */
const sourceWith = (changed: Partial<RowSource>): RowSource => ({
  describe: (run) => sqlite.describe(run),
  lines: (access, query, run) => sqlite.lines(access, query, run),
  row: (access, key, lookup, run) => sqlite.row(access, key, lookup, run),
  rank: (access, where, sort, key, run) => sqlite.rank(access, where, sort, key, run),
  sums: (access, where, columns, run) => sqlite.sums(access, where, columns, run),
  facets: (access, where, column, options) => sqlite.facets(access, where, column, options),
  page: (access, query, run) => sqlite.page(access, query, run),
  count: (access, where, options) => sqlite.count(access, where, options),
  keys: (access, where, options) => sqlite.keys(access, where, options),
  digests: (...asked) => sqlite.digests(...asked),
  write: (unit, run) => sqlite.write(unit, run),
  dataVersion: () => sqlite.dataVersion(),
  exactVersion: () => sqlite.exactVersion(),
  close: () => Promise.resolve(),
  ...changed,
})
