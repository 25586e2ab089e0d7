import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import {
  idsOf,
  keysOf,
  readPage,
  writeOne,
  writeRows,
  writeTo,
} from '../../../test/contracts/opened.ts'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import type { Access } from '../../table/source/access.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { PageRow, Place, RowSource } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { admin, infer } from '../../../test/table-of.ts'
import { rolePolicy } from '../../admin/accounts/roles.ts'
import { createCatalog } from '../../table/catalog.ts'
import { conditionsOf } from '../../table/filters/read-filters.ts'
import { LISTING } from '../../table/list/fold.ts'
import { decodeValue, encodeValue } from '../../table/row-key.ts'
import { openPostgres } from './open.ts'

type Bench = { readonly source: RowSource; access(name: string): Promise<Access> }

async function openOn(database: TestDatabase, text: string): Promise<Bench> {
  await database.run(`drop schema if exists public cascade; create schema public; ${text}`)
  const source = await openPostgres(database.url(), { readOnly: false })
  onTestFinished(() => source.close())
  const { tables } = await source.describe()
  return {
    source,
    access: async (name) => fullAccess(tables.find((table) => table.name === name)!),
  }
}

/** All values of a column in an order, page by page with one row each, forwards and back. */
async function walk(source: RowSource, access: Access, column: string): Promise<Value[]> {
  const read = async (place: Place) => {
    const sort = [{ column, descending: false }]
    return source.page(access, { columns: [column], where: everything, sort, size: 1, place })
  }
  const beside = (at: 'after' | 'before', { sort, key }: PageRow): Place => ({
    at,
    anchor: { sort, key },
  })
  const found: Value[] = []
  let page = await read({ at: 'first' })
  for (;;) {
    found.push(page.rows[0]!.values[0]!)
    if (!page.after) break
    page = await read(beside('after', page.rows[0]!))
  }
  const back: Value[] = []
  for (;;) {
    back.unshift(page.rows[0]!.values[0]!)
    if (!page.before) break
    page = await read(beside('before', page.rows[0]!))
  }
  expect(back).toEqual(found)
  return found
}

describePostgres('values and texts of PostgreSQL', () => {
  let database: TestDatabase

  beforeAll(async () => (database = await createDatabase()))
  afterAll(() => database.drop())
  const open = (text: string) => openOn(database, text)

  test('every type arrives as it is, is found by what arrived, and written back by it', async () => {
    const values: readonly (readonly [type: string, written: string, value: Value])[] = [
      ['bigint', '9223372036854775807', 2n ** 63n - 1n],
      ['bigint', '9007199254740991', Number.MAX_SAFE_INTEGER],
      ['oid', '4294967295', 4_294_967_295],
      [
        'numeric',
        '12345678901234567890.12345678901234567890',
        '12345678901234567890.12345678901234567890',
      ],
      ['numeric(9,2)', '1.5', '1.50'],
      ['numeric', 'NaN', 'NaN'],
      ['real', '1.1', 1.1],
      ['real', '3.4028235e38', 3.4028235e38],
      ['double precision', '0.1', 0.1],
      ['double precision', '-Infinity', -Infinity],
      ['double precision', '5e-324', 5e-324],
      ['boolean', 'yes', true],
      ['date', '2024-02-29', '2024-02-29'],
      ['date', 'infinity', 'infinity'],
      ['date', '0044-03-15 BC', '0044-03-15 BC'],
      ['date', '12345-06-07', '12345-06-07'],
      ['timestamp', '2020-01-01 00:00:00.123456', '2020-01-01 00:00:00.123456'],
      ['timestamp', '-infinity', '-infinity'],
      ['timestamptz', '2020-01-01 02:00:00.123456+02', '2020-01-01 00:00:00.123456+00'],
      ['timestamptz', '0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
      ['time', '24:00:00', '24:00:00'],
      ['timetz', '10:00:00.5+05:30', '10:00:00.5+05:30'],
      ['interval', '1 year 2 days 03:04:05.6', '1 year 2 days 03:04:05.6'],
      ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['bytea', '\\x00ff10', new Uint8Array([0, 255, 16])],
      ['json', '{"b": 1,  "a": 2}', '{"b": 1,  "a": 2}'],
      ['jsonb', '{"b":1,"a":[1e2]}', '{"a": [100], "b": 1}'],
      ['int[]', '{1,NULL,3}', '{1,NULL,3}'],
      ['text[]', '{"a b","c\\"d"}', '{"a b","c\\"d"}'],
      ['int4range', '[1,5]', '[1,6)'],
      ['inet', '10.1.2.3/24', '10.1.2.3/24'],
      ['cidr', '10.1.2.0/24', '10.1.2.0/24'],
      ['macaddr', '08-00-2b-01-02-03', '08:00:2b:01:02:03'],
      ['bit(4)', '0101', '0101'],
      ['money', '-1234.5', '-1234.50'],
      ['xml', '<a>1</a>', '<a>1</a>'],
      ['point', '(1,2)', '(1,2)'],
      ['char(4)', 'ab', 'ab  '],
      ['"char"', 'x', 'x'],
      ['name', 'abc', 'abc'],
      ['tsvector', 'a b', "'a' 'b'"],
      ['mood', "it's", "it's"],
      ['euro', '1.005', '1.01'],
      ['pair', '(1,"a b")', '(1,"a b")'],
    ]
    const columns = values.map(([type], i) => `c${i} ${type}`).join(', ')
    const given = values.map(([type, written]) => `'${written.replaceAll("'", "''")}'::${type}`)
    const { source, access } = await open(`
      set lc_monetary = 'C';
      create type mood as enum ('sad', 'it''s'); create domain euro as numeric(9, 2);
      create type pair as (a int, b text);
      create table t (id int primary key, ${columns});
      insert into t values (1, ${given.join(', ')}); insert into t values (2);`)
    const t = await access('t')
    const { rows } = await readPage(source, t)
    const read = rows[0]!.values.slice(1)
    expect(read).toEqual(values.map(([, , value]) => value))
    for (const [i, value] of read.entries()) {
      const column = `c${i}`
      const where: Predicate = { op: 'eq', column, value }
      expect(await idsOf(source, t, where), values[i]![0]).toEqual([1])
      expect(await idsOf(source, t, { op: 'in', column, values: [value, value] })).toEqual([1])
      const written = await writeRows(source, t, [
        { update: [2], set: { [column]: value } },
        { update: [1], set: { [column]: value }, expect: { [column]: value } },
        { update: [2], set: { [column]: null }, expect: { [column]: value } },
      ])
      expect(
        written.map(({ status }) => status),
        values[i]![0],
      ).toEqual(['done', 'done', 'done'])
    }
  })

  test('money is a number: of ranges, sums and orders, and never the name of a row', async () => {
    const { source, access } = await open(`
      create table parts (id int primary key, price money, position money);
      insert into parts values (1, 1.5, 10), (2, 1234.5, 20), (3, 92233720368547758.07, 30),
        (4, -2, 40), (5, 1.5, 50), (6, null, 60)`)
    const parts = await access('parts')
    const column = 'price'
    const { columns, labelColumn } = infer(parts.table)
    expect([columns.get(column)?.kind, labelColumn]).toEqual(['money', undefined])
    expect(await idsOf(source, parts, { op: 'gte', column, value: '1.50' })).toEqual([1, 2, 3, 5])
    expect(await idsOf(source, parts, { op: 'lt', column, value: 1.501 })).toEqual([1, 4, 5])
    // No condition fails for a number that the type cannot hold.
    expect(await idsOf(source, parts, { op: 'lt', column, value: 1e30 })).toHaveLength(5)
    expect(await idsOf(source, parts, { op: 'eq', column, value: '1e30' })).toEqual([])
    expect(await idsOf(source, parts, { op: 'eq', column, value: 1.504 })).toEqual([])
    expect(await idsOf(source, parts, { op: 'contains', column, text: '34.50' })).toEqual([2])
    const cheap: Predicate = { op: 'lt', column, value: 5000 }
    expect(await source.sums(parts, cheap, [column])).toEqual([{ sum: '1235.50', count: 4 }])
    const { facets } = await source.facets(parts, cheap, column)
    expect(facets[0]).toMatchObject({ value: '1.50', count: 2 })
    const ranks = { column: 'position', at: [[[5], 2]] } as const
    expect((await writeTo(source, parts, { ranks })).ranks).toMatchObject({ changed: 1 })
    const sort = [{ column: 'position', descending: false }]
    const { rows } = await readPage(source, parts, { columns: ['position'], sort })
    expect(rows.map(({ key }) => key[0])).toEqual([1, 5, 2, 3, 4, 6])
    expect(rows[1]!.values).toEqual(['15.00'])
    await writeOne(source, parts, { update: [1], set: { price: 'much' } })
    expect(await idsOf(source, parts, { op: 'eq', column, value: 1.5 })).toEqual([1, 5])
  })

  test.each(['float4', 'float8', 'numeric'])(
    'what is no number of a %s is found by its value, and is in no range',
    async (type) => {
      const { source, access } = await open(`create table t (id int primary key, v ${type});
        insert into t values (1, 'NaN'), (2, 5), (3, 7), (4, null)`)
      const t = await access('t')
      const column = infer(t.table).table.columns[1]!
      const { rows } = await readPage(source, t)
      // As an address has it.
      const value = decodeValue(encodeValue(rows[0]!.values[1]!), column)!
      expect(await idsOf(source, t, { op: 'eq', column: 'v', value })).toEqual([1])
      expect(await idsOf(source, t, { op: 'in', column: 'v', values: [value, 5] })).toEqual([1, 2])
      expect(await idsOf(source, t, { op: 'gte', column: 'v', value: 5 })).toEqual([2, 3])
      expect(await idsOf(source, t, { op: 'lte', column: 'v', value: Infinity })).toEqual([2, 3])
      expect(await idsOf(source, t, { op: 'lte', column: 'v', value })).toEqual([])
      // As the address of a list, which *Only these* on its cell leads to.
      const list = (await createCatalog(source, rolePolicy)).open(admin, 't')
      const found = async (query: string) => {
        const { filterComponents } = LISTING.parse(new URLSearchParams(query), list)
        const [condition] = conditionsOf(filterComponents, list).values()
        return idsOf(source, list.access, condition?.predicate({ locale: 'en', now: 0 }))
      }
      expect(await found('filter.v=NaN')).toEqual([1])
      expect(await found('filter.v.notIn=NaN')).toEqual([2, 3, 4])
    },
  )

  test('NULL is NULL in addresses of networks, and in texts that are filled up with blanks', async () => {
    const { source, access } = await open(`create table t (id int primary key, v inet, w char(3));
      insert into t values (1, null, null), (2, '10.0.0.1', 'a')`)
    const t = await access('t')
    const { rows } = await readPage(source, t, { cut: { columns: ['v', 'w'], length: 2 } })
    expect(rows.map(({ values }) => values.slice(1))).toEqual([
      [null, null],
      ['10', 'a'],
    ])
    // As the page of the record reads it.
    expect((await source.row(t, [1], { columns: ['v', 'w'] }))?.values).toEqual([null, null])
    const query = { columns: ['v'], where: everything, sort: [], size: 9, bytes: 1000 } as const
    const { pieces } = await source.lines(t, { format: 'csv', ...query, place: { at: 'first' } })
    expect(Buffer.concat(pieces).toString()).toBe('\r\n10.0.0.1\r\n')
  })

  test('every type has an order that can be walked, some by their texts alone', async () => {
    const types = [
      ['interval', ['1 day', '30 hours', '2 days']],
      ['inet', ['9.0.0.1', '10.0.0.1']],
      ['json', ['1', '[2]', '{"a": 1}']],
      ['xml', ['<a/>', '<b/>']],
      ['point', ['(1,1)', '(2,2)']],
      ['int[]', ['{2}', '{10}']],
      ['mood', ['ok', 'bad']],
      ['real', ['0.1', '1.1', 'NaN']],
      ['numeric', ['9.5', '10.0', 'NaN']],
      ['date', ['-infinity', '0044-03-15 BC', '2024-01-01', 'infinity']],
      ['timestamptz', ['1900-01-01 00:00:00.000001+00', '2024-01-01 00:00:00+00']],
      ['bytea', ['\\x00', '\\x01ff']],
      ['boolean', ['f', 't']],
    ] as const
    for (const [type, texts] of types) {
      const rows = texts.map((text, i) => `(${9 - i}, '${text}')`).join(', ')
      const { source, access } = await open(`drop type if exists mood;
        create type mood as enum ('ok', 'bad'); create table t (id int primary key, v ${type});
        insert into t values ${rows}, (10, null), (11, null)`)
      const found = await walk(source, await access('t'), 'v')
      expect(found).toHaveLength(texts.length + 2)
      expect(found.slice(-2)).toEqual([null, null])
      const keys = await keysOf(source, await access('t'))
      expect(keys.flat()).toHaveLength(texts.length + 2)
      const ids = await readPage(source, await access('t'), {
        sort: [{ column: 'v', descending: false }],
      })
      expect(
        ids.rows.slice(0, -2).map(({ key }) => key[0]),
        type,
      ).toEqual(texts.map((_, i) => 9 - i))
    }
  })

  test('a forged place in an order that only the server can read is refused', async () => {
    const { source, access } = await open(`create table t (id int primary key, v interval);
      insert into t values (1, '1 day')`)
    const forged = readPage(source, await access('t'), {
      sort: [{ column: 'v', descending: false }],
      place: { at: 'after', anchor: { sort: ['soon'], key: [1] } },
    })
    await expect(forged).rejects.toMatchObject({ code: 'TABLE_BAD_PLACE' })
  })

  test('equality is exact where the column itself is not', async () => {
    const { source, access } = await open(`
      create extension if not exists citext;
      create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
      create table t (id int primary key, ci citext unique, lo text collate loose);
      insert into t values (1, 'Ada', 'É'), (2, 'Bob', 'e'), (3, null, 'x');
      create index on t (lo);`)
    const t = await access('t')
    const ids = (where: Predicate) => idsOf(source, t, where)
    expect(await ids({ op: 'eq', column: 'ci', value: 'Ada' })).toEqual([1])
    expect(await ids({ op: 'eq', column: 'ci', value: 'ada' })).toEqual([])
    expect(await ids({ op: 'in', column: 'ci', values: ['ADA', 'Bob'] })).toEqual([2])
    expect(await ids({ op: 'eq', column: 'lo', value: 'e' })).toEqual([2])
    expect(await ids({ op: 'in', column: 'lo', values: ['É', 'X'] })).toEqual([1])
    expect(await ids({ op: 'contains', column: 'ci', text: 'aDA' })).toEqual([1])
    expect(await ids({ op: 'contains', column: 'lo', text: 'é' })).toEqual([1])
    expect(await ids({ op: 'contains', column: 'lo', text: 'X' })).toEqual([3])
    expect(await walk(source, t, 'lo')).toEqual(['É', 'e', 'x'])
    expect(await walk(source, t, 'ci')).toEqual(['Ada', 'Bob', null])
    const update = (ci: string) =>
      writeOne(source, t, { update: [1], set: { ci: 'x' }, expect: { ci } })
    expect(await update('ada')).toEqual({ status: 'conflict', current: { ci: 'Ada' } })
    expect(await update('Ada')).toMatchObject({ status: 'done' })
  })

  test('letter case is ignored for all letters where the locale knows ASCII alone', async () => {
    const plain = await createDatabase(`template template0 locale 'C'`)
    onTestFinished(() => plain.drop())
    const { source, access } = await openOn(
      plain,
      `create table t (id int primary key, v text);
      insert into t values (1, 'ÉLAN'), (2, 'ПРИВЕТ'), (3, 'Plain')`,
    )
    const t = await access('t')
    const found = (text: string) => idsOf(source, t, { op: 'contains', column: 'v', text })
    expect(await found('élan')).toEqual([1])
    expect(await found('elan')).toEqual([])
    expect(await found('привет')).toEqual([2])
    expect(await found('pLAIN')).toEqual([3])
  })

  test('numbers beyond a column are less or greater than all that it holds', async () => {
    const { source, access } =
      await open(`create table t (id smallint primary key, o oid, n numeric,
      r real, d date); insert into t values (1, 5, 1.5, 1.1, '2024-02-29'), (2, 6, -2, 2, '2024-03-01')`)
    const t = await access('t')
    const ids = (op: 'lt' | 'lte' | 'gt' | 'gte', column: string, value: Value) =>
      idsOf(source, t, { op, column, value })
    for (const value of [40_000, 2n ** 63n, 2n ** 80n, 1e300, Infinity, '9'.repeat(400)])
      for (const column of ['id', 'o', 'n', 'r']) {
        expect(await ids('lt', column, value), `${column} < ${value}`).toEqual([1, 2])
        expect(await ids('gte', column, value)).toEqual([])
      }
    for (const value of [-40_000, -(2n ** 63n) - 1n, -1e300, -Infinity])
      for (const column of ['id', 'n', 'r']) {
        expect(await ids('gt', column, value)).toEqual([1, 2])
        expect(await ids('lte', column, value)).toEqual([])
      }
    expect(await ids('lt', 'id', 1.5)).toEqual([1])
    expect(await ids('gt', 'id', '1.5')).toEqual([2])
    expect(await ids('gte', 'r', 1.1)).toEqual([1, 2])
    expect(await ids('gt', 'd', '2024-02-29 12:00')).toEqual([2])
    expect(await ids('lte', 'd', '2024-02-29')).toEqual([1])
    expect(await ids('lt', 'd', '2024-02-30')).toEqual([])
  })

  test('labels of rows that are referred to by any type', async () => {
    const { source, access } = await open(`
      create table a (k char(5) primary key, label text); insert into a values ('ab', 'A');
      create table b (k bytea primary key, label int); insert into b values ('\\x01', 7);
      create table c (k timestamptz primary key, label date);
      insert into c values ('2020-01-01 00:00:00.5+00', '2024-01-01');
      create table t (id int primary key, a char(5) references a, b bytea references b,
        c timestamptz references c);
      insert into t values (1, 'ab', '\\x01', '2020-01-01 00:00:00.5+00');`)
    const related = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => ({
        column: name,
        access: await access(name),
        references: 'k',
        label: 'label',
      })),
    )
    const { rows } = await readPage(source, await access('t'), { related })
    expect(rows[0]?.labels).toEqual(['A', '7', '2024-01-01'])
  })

  test('long values of any type are cut by the database', async () => {
    const { source, access } = await open(`
      create table t (id int primary key, j jsonb, a int[], u uuid, b bytea, c char(30));
      insert into t values (1, '{"key": "0123456789"}', '{1,2,3,4,5,6,7,8,9}', gen_random_uuid(),
        '\\x000102030405060708090a0b', 'x')`)
    const columns = ['j', 'a', 'u', 'b', 'c']
    const { rows } = await readPage(source, await access('t'), {
      columns,
      cut: { columns, length: 8 },
    })
    expect(rows[0]?.values.map((value) => (value as string | Uint8Array).length)).toEqual([
      8, 8, 8, 8, 1,
    ])
    expect([...(rows[0]?.lengths ?? [])]).toEqual([
      [0, 21],
      [1, 19],
      [2, 36],
      [3, 12],
    ])
  })
})
