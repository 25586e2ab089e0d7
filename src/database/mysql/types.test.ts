import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createDatabase,
  describeMysql,
  isMariaDb,
  type TestDatabase,
} from '../../../test/contracts/mysql-server.ts'
import { columnsThatLoseRows } from '../../../test/contracts/walk-types.ts'
import { infer } from '../../../test/table-of.ts'
import { openMysql } from './open.ts'

const TYPES: Readonly<Record<string, readonly string[]>> = {
  tinyint: ['-128', '0', '127'],
  'bigint unsigned': ['0', '9007199254740993', '18446744073709551615'],
  'decimal(20, 4)': ['-1.5', '0', '99999999999999.9999'],
  float: ['-3.4e38', '0', '0.1', '16777217'],
  double: ['-1e300', '0', '0.1', '5e-320'],
  bit: ["b'0'", "b'1'"],
  'bit(9)': ["b'0'", "b'101010101'"],
  year: ['0', '1901', '2155'],
  date: ["'0000-00-00'", "'2024-02-00'", "'2024-02-29'", "'9999-12-31'"],
  datetime: ["'0000-00-00 00:00:00'", "'2024-02-29 12:00:00'"],
  'timestamp(6)': ["'0000-00-00 00:00:00'", "'2024-02-29 12:00:00.000001'"],
  'time(3)': ["'-838:59:59'", "'00:00:00.25'", "'838:59:59'"],
  'char(3)': ["''", "'a'", "'abc'"],
  'varchar(9)': ["''", "'a'", "'A'", "'é'"],
  'varchar(9) character set latin1': ["''", "'a'", "'ä'"],
  longtext: ["''", "'a'", "'A'"],
  'binary(3)': ["''", "'a'", "'abc'"],
  longblob: ["''", "x'00'", "x'00ff'"],
  "enum('b','a','')": ["'b'", "'a'", "''"],
  "set('b','a')": ["''", "'a'", "'b'", "'a,b'"],
  json: ["'null'", "'1'", `'{"a": 1}'`],
  point: ['point(1, 2)', 'point(0, 0)'],
  ...(isMariaDb && {
    inet6: ["'::1'", "'::'", "'ff::'"],
    uuid: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-1fff-9fff-ffffffffffff'"],
  }),
}

const ROWS = 60

describeMysql('the types of MySQL and MariaDB', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createDatabase()
    const entries = Object.entries(TYPES)
    const columns = entries.map(([type], i) => `c${i} ${type} null default null`)
    await database.run(`create table t (id int primary key, ${columns.join(', ')})`)
    for (let id = 0; id < ROWS; id++) {
      const values = entries.map(([, values]) =>
        id % 5 === 4 ? 'null' : values[id % values.length],
      )
      await database.run(`insert into t values (${id}, ${values.join(', ')})`)
    }
  })
  afterAll(() => database.drop())

  const opened = async () => {
    const source = await openMysql(database.url())
    onTestFinished(() => source.close())
    return source
  }

  test('page both ways without loss', async () => {
    expect(await columnsThatLoseRows(await opened(), 't')).toEqual([])
  })

  test('are sortable where they have an order', async () => {
    const { tables } = await (await opened()).describe()
    const sortable = [...infer(tables[0]!).columns.values()].filter((column) => column.sortable)
    const names = Object.keys(TYPES).map((type, i) => [type, `c${i}`] as const)
    const without = ['binary(3)', 'longblob', 'json', 'point']
    expect(sortable.map(({ name }) => name)).toEqual([
      'id',
      ...names.filter(([type]) => !without.includes(type)).map(([, name]) => name),
    ])
  })
})
