import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { DEPTH_CASES, DEPTHS } from '../../../test/contracts/depth-cases.ts'
import {
  createDatabase,
  describeMysql,
  numbersTo,
  type TestDatabase,
  type TestValue,
} from '../../../test/contracts/mysql-server.ts'
import { DEPTH_ROWS, within } from '../../../test/tier.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { Anchor } from '../../table/source/row-source.ts'
import { startQuestion } from '../query/question.ts'
import { pageShape } from '../query/page-sql.ts'
import { statementOf } from '../query/select.ts'
import { SqlSource } from '../source/sql-source.ts'
import { planUnit } from '../write/plan.ts'
import { readAddress } from './address.ts'
import { MysqlDatabase } from './database.ts'
import { mysqlDialect } from './dialect.ts'
import { introspect } from './introspect.ts'
import { Server } from './server.ts'
import { writeDialectOf } from './write-dialect.ts'

const SIZE = 50
/** One of a thousand rows. */
const N_IS_7: Predicate = { op: 'eq', column: 'n', value: 7 }

describeMysql('a page at any depth', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await database.run(`create table t (id int auto_increment primary key,
        status varchar(10) collate utf8mb4_general_ci not null, n int, placed datetime not null,
        index (status), index (n), index (placed, status), index (status, placed),
        index (status, placed desc, id desc));
      insert into t (status, n, placed)
        select elt(1 + seq % 3, 'new', 'Paid', 'sent'), if(seq % 5 = 0, null, seq * 7919 % 1000),
          '2024-01-01' + interval seq * 7919 % ${DEPTH_ROWS} minute from ${numbersTo(DEPTH_ROWS)};
      create table u (id int auto_increment primary key, place int not null, code varchar(9),
        list int not null, at int not null, unique (place), unique (code), unique (list, at));
      insert into u (place, code, list, at)
        select seq * 7, if(seq % 500 = 0, null, concat('c', seq)), seq % 2, seq
          from ${numbersTo(DEPTH_ROWS)};
      analyze table t, u`)
  })
  afterAll(() => database.drop())

  test.for(DEPTH_CASES)('reads no more rows than it needs: %s', async ([, sort, where]) => {
    const { catalogue, source, access, context } = await open()
    const query = { columns: ['id', 'status', 'n', 'placed'], where, sort, size: SIZE } as const
    const anchorAt = async (part: number): Promise<Anchor> => {
      const { count } = await source.count(access, where)
      const place = { at: 'offset', skip: Math.floor(count * part) } as const
      const { rows } = await source.page(access, { ...query, columns: [], size: 1, place })
      return { sort: rows[0]!.sort, key: rows[0]!.key }
    }
    for (const part of DEPTHS)
      for (const backwards of [false, true]) {
        const anchor = await anchorAt(part)
        const place = { at: backwards ? 'before' : 'after', anchor } as const
        expect((await source.page(access, { ...query, place })).indexed).toBe(true)
        const shape = pageShape(catalogue, access, { ...query, place })
        const question = startQuestion(context, shape, { backwards, anchor }, SIZE + 2)
        const looked = await rowsRead(statementOf(context, question.select))
        expect(looked, `${part} ${backwards ? 'before' : 'after'}`).toBeLessThan(8 * SIZE)
      }
  })

  test.for<[name: string, sort: string, where: Predicate]>([
    ['never NULL', 'place', everything],
    // Those are sorted by their key.
    ['NULL in a few rows', 'code', everything],
    ['of rows of one value', 'at', { op: 'eq', column: 'list', value: 1 }],
  ])('a unique column decides the order, and nothing is sorted: %s', async ([, column, where]) => {
    const { catalogue, source, access, context } = await open('u')
    for (const descending of [false, true]) {
      const sort = [{ column, descending }]
      const query = { columns: ['id'], where, sort, size: SIZE } as const
      for (const place of [{ at: 'first' }, { at: 'offset', skip: SIZE }] as const) {
        const { rows, indexed } = await source.page(access, { ...query, place })
        expect(indexed).toBe(true)
        const { sort: values, key } = rows[0]!
        const start = { backwards: false, anchor: { sort: values, key } }
        const shape = pageShape(catalogue, access, { ...query, place })
        const question = startQuestion(context, shape, start, SIZE)
        const looked = await rowsRead(statementOf(context, question.select))
        expect(looked, JSON.stringify([descending, place])).toBeLessThan(8 * SIZE)
      }
    }
  })

  test('the ranks of an order are read by its unique index', async () => {
    const { catalogue, access } = await open('u')
    const dialect = writeDialectOf(catalogue.flavour)
    const orderBy = (column: string, within: Predicate = everything) =>
      planUnit(
        { catalogue, dialect },
        {
          parts: [{ access, ranks: { column, within, at: [[[1], 2]] } }],
        },
      ).parts[0]?.ranks?.terms.map((term) => term.column)
    expect(orderBy('place')).toEqual(['place'])
    expect(orderBy('at')).toEqual(['at', 'id'])
    expect(orderBy('at', { op: 'eq', column: 'list', value: 1 })).toEqual(['at'])
  })

  test.for<[name: string, all: readonly Predicate[]]>([
    ['not all rows', [N_IS_7, { op: 'gte', column: 'placed', value: '2024-01-01 00:00:00' }]],
    ['of the value that fewer rows have', [{ op: 'eq', column: 'status', value: 'new' }, N_IS_7]],
  ])('of several filters, the rows of one value are walked: %s', async ([, all]) => {
    const { catalogue, access, context } = await open()
    const where = { op: 'and' as const, all }
    const query = { columns: ['id'], where, sort: [], size: SIZE } as const
    const shape = pageShape(catalogue, access, { ...query, place: { at: 'first' } })
    const { select } = startQuestion(context, shape, { backwards: false }, SIZE + 2)
    const found = DEPTH_ROWS / 1000
    expect(await rowsRead(statementOf(context, select))).toBeLessThan(8 * found)
  })

  test.for<[name: string, first: number, way: string]>([
    ['few rows, which are sorted', DEPTH_ROWS - 100, 'ignore index for order by'],
    ['nearly all rows, which are walked', 0, 'force index (`PRIMARY`)'],
  ])('in the order of the key, an index finds %s', async ([, first, way]) => {
    const { server, source, access } = await open()
    const value = new Date(Date.UTC(2024, 0, 1) + first * 60_000).toISOString().slice(0, 19)
    const where = { op: 'gte' as const, column: 'placed', value: value.replace('T', ' ') }
    const query = { columns: ['id'], where, sort: [], size: SIZE } as const
    const read = vi.spyOn(server, 'read')
    const { rows } = await source.page(access, { ...query, place: { at: 'first' } })
    expect(rows).toHaveLength(SIZE)
    const pages = read.mock.calls
      .map(([, { text }]) => text)
      .filter((text) => text.includes('from `t`') || text.includes('`t` as'))
      .filter((text) => !text.startsWith('explain'))
    expect(pages.map((text) => text.includes(way))).toEqual([true])
  })

  /** The table as the source sees it. */
  async function open(name = 't') {
    const server = new Server(readAddress(database.url()), {
      readOnly: true,
      connectMs: 5000,
      timeoutMs: within(5000),
      size: 5,
      queue: 64,
    })
    onTestFinished(() => server.close())
    const flavour = await server.use('rows', async (connection) => connection.flavour)
    const catalogue = await introspect({
      database: database.name,
      flavour,
      ask: (fragment) => server.ask('rows', fragment),
      look: (fragment, ms) => server.look(fragment, ms),
      now: () => performance.now(),
    })
    const now = () => 0
    const read = new MysqlDatabase({
      server,
      url: '',
      readOnly: true,
      timeoutMs: within(5000),
      now,
    })
    const source = new SqlSource(read, { now, instance: '' })
    const access = fullAccess(catalogue.tables.get(name)!.table)
    return { server, catalogue, source, access, context: { catalogue, dialect: mysqlDialect } }
  }

  /** Rows and index entries that the server reads for a statement. */
  async function rowsRead(statement: {
    text: string
    binds: readonly TestValue[]
  }): Promise<number> {
    const binds = statement.binds.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value) : value,
    )
    await database.run('flush status')
    await database.run(statement.text, binds)
    const counters = await database.run(
      `show session status where variable_name rlike '^Handler_read_(key|next|prev|first|last|rnd)'`,
    )
    return counters.reduce((sum, [, count]) => sum + Number(count), 0)
  }
})
