import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import { columnsThatLoseRows } from '../../../test/contracts/walk-types.ts'
import { infer } from '../../../test/table-of.ts'
import { openPostgres } from './open.ts'

/** Values of types that have an order, as a cast takes them. */
const ORDERED: Readonly<Record<string, readonly string[]>> = {
  int2: ['-32768', '0', '32767'],
  int8: ['-9223372036854775808', '9007199254740993', '9223372036854775807'],
  numeric: [
    'NaN',
    'Infinity',
    '-Infinity',
    '1.0',
    '1.00',
    '1e-20',
    '123456789012345678901234567890',
  ],
  float4: ['NaN', 'Infinity', '-Infinity', '-0', '0', '1e-45', '3.4028235e38', '0.1'],
  float8: ['NaN', 'Infinity', '-Infinity', '-0', '0', '5e-324', '0.1', '1e300'],
  money: ['-1.5', '0', '92233720368547758.07'],
  oid: ['0', '4294967295'],
  bool: ['true', 'false'],
  date: ['infinity', '-infinity', '0044-03-15 BC', '2024-02-29', '5874897-12-31'],
  timestamp: ['infinity', '-infinity', '0044-03-15 12:00:00 BC', '2024-02-29 12:00:00.000001'],
  timestamptz: ['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '1890-01-01 00:00:00+00'],
  time: ['00:00:00', '24:00:00', '09:30:00.25'],
  timetz: ['00:00:00+15:59', '24:00:00-15:59', '09:30:00.25+01:30'],
  interval: ['-1 year', '1 mon', '30 days', '00:00:00.000001', '1 year 2 mons 3 days 04:05:06'],
  text: ['', ' ', 'a', 'A', 'é', '😀', "'", '\\'],
  'varchar(9)': ['', 'a ', 'a', '%'],
  'char(3)': ['', 'a', 'ab', 'abc'],
  '"char"': ['a', 'b'],
  name: ['', 'a', 'B'],
  citext: ['a', 'A', 'b', 'B', ''],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  bytea: ['\\x', '\\x00', '\\x00ff'],
  'bit(3)': ['000', '101', '111'],
  varbit: ['', '0', '101'],
  inet: ['10.0.0.1', '10.0.0.1/8', '::1'],
  cidr: ['10.0.0.0/8', '::/0'],
  macaddr: ['08:00:2b:01:02:03', '00:00:00:00:00:00'],
  macaddr8: ['08:00:2b:01:02:03:04:05', '00:00:00:00:00:00:00:00'],
  mood: ['sad', 'ok', 'happy'],
  'int[]': ['{}', '{1}', '{1,NULL}', '{2,1}'],
  'float8[]': ['{NaN}', '{Infinity}', '{-0}', '{0}'],
  'text[]': ['{}', '{""}', '{NULL}', '{"NULL"}', '{"a,b","\\""}'],
  int4range: ['empty', '[1,2)', '[1,)', '(,)'],
  jsonb: ['null', '1', '"a"', '[]', '{"a": 1}'],
  pg_lsn: ['0/0', 'FFFFFFFF/FFFFFFFF'],
  euro: ['0', '1.50'],
}

/** Those that have none, or one that means nothing to a person. */
const UNORDERED: Readonly<Record<string, readonly string[]>> = {
  json: ['null', '1', '{"a": 1}'],
  xml: ['<a/>', '<b/>'],
  hstore: ['', 'a=>1', 'a=>2'],
  tsvector: ['', 'a', 'a b'],
  tsquery: ['a', 'a & b'],
  point: ['(1,2)', '(0,0)'],
  line: ['{1,2,3}', '{1,0,0}'],
  lseg: ['[(0,0),(1,1)]', '[(0,0),(2,1)]'],
  box: ['(1,1),(0,0)', '(2,1),(0,0)'],
  path: ['[(0,0),(1,1)]', '((0,0),(1,1))'],
  polygon: ['((0,0),(1,1),(1,0))', '((0,0),(2,1),(1,0))'],
  circle: ['<(0,0),1>', '<(0,0),2>'],
  pair: ['(1,a)', '(2,b)'],
  'point[]': ['{"(1,2)"}', '{}'],
  jsonpath: ['$.a', '$.b'],
}

const ROWS = 60

describePostgres('the types of PostgreSQL', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createDatabase()
    await database.run(`create extension citext; create extension hstore;
      create type mood as enum ('sad', 'ok', 'happy'); create type pair as (a int, b text);
      create domain euro as numeric(12, 2)`)
    await createTable('ordered', ORDERED)
    await createTable('unordered', UNORDERED)
  })
  afterAll(() => database.drop())

  /** Each value stands in many rows, and every fifth is NULL. */
  async function createTable(name: string, types: typeof ORDERED): Promise<void> {
    const entries = Object.entries(types)
    const columns = entries.map(([type], i) => `c${i} ${type}`)
    await database.run(`create table ${name} (id int primary key, ${columns.join(', ')})`)
    for (let id = 0; id < ROWS; id++) {
      const values = entries.map(([, values]) => (id % 5 === 4 ? null : values[id % values.length]))
      const casts = entries.map(([type], i) => `$${i + 1}::text::${type}`)
      await database.run(`insert into ${name} values (${id}, ${casts.join(', ')})`, values)
    }
  }

  const opened = async () => {
    const source = await openPostgres(database.url())
    onTestFinished(() => source.close())
    return source
  }

  test('page both ways without loss, those included that no list is sorted by', async () => {
    const source = await opened()
    expect(await columnsThatLoseRows(source, 'ordered')).toEqual([])
    expect(await columnsThatLoseRows(source, 'unordered')).toEqual([])
  })

  test('are sortable where they have an order', async () => {
    const { tables } = await (await opened()).describe()
    const sortable = (name: string): string[] =>
      [...infer(tables.find((table) => table.name === name)!).columns.values()]
        .filter((column) => column.sortable)
        .map((column) => column.name)
    expect(sortable('unordered')).toEqual(['id'])
    const bytes = Object.keys(ORDERED).findIndex((type) => type === 'bytea')
    const json = Object.keys(ORDERED).findIndex((type) => type === 'jsonb')
    const names = Object.keys(ORDERED).map((_, i) => `c${i}`)
    expect(sortable('ordered')).toEqual([
      'id',
      ...names.filter((_, i) => i !== bytes && i !== json),
    ])
  })
})
