import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { readPage } from '../../../test/contracts/opened.ts'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import type { Access } from '../../table/source/access.ts'
import { everything } from '../../table/source/predicate.ts'
import type { Place, RowSource, SortColumn } from '../../table/source/row-source.ts'
import { pageShape, runsOf, runsSql } from '../query/page-sql.ts'
import { render } from '../query/sql.ts'
import { dialectOf } from './dialect.ts'
import { openPostgres } from './open.ts'
import { notation } from './notation.ts'
import { PostgresDatabase } from './database.ts'
import { Connector } from './connector.ts'
import { readAddress } from './address.ts'
import { loadDriver } from './driver.ts'
import { Server } from './server.ts'

const ROWS = 60_000

describePostgres('pages of a large PostgreSQL table', () => {
  let database: TestDatabase
  let source: RowSource
  let access: Access

  beforeAll(async () => {
    database = await createDatabase()
    await database.run(`create extension pg_trgm;
      create table t (id int primary key, kind text not null, at timestamp, note text, other text, nothing int);
      insert into t select i, 'k' || i % 4, case when i % 10 > 0 then
        timestamp '2024-01-01' + i * interval '1 minute' end, 'note number ' || i, 'other ' || i,
        case when i % 3 = 0 then i end
        from generate_series(1, ${ROWS}) i;
      create index on t (at, id); create index on t (kind, at, id);
      create index on t using gin (note gin_trgm_ops); analyze t;`)
    source = await openPostgres(database.url())
    const { tables } = await source.describe()
    access = fullAccess(tables[0]!)
  })
  afterAll(async () => {
    await source.close()
    await database.drop()
  })

  test('runs of an order are read one after the other, and no further than is wanted', async () => {
    const address = readAddress(database.url())
    const server = new Server({
      address,
      connector: new Connector(await loadDriver(), address, 5000),
      size: 5,
      queue: 5,
      timeoutMs: 5000,
      now: () => performance.now(),
    })
    onTestFinished(() => server.close())
    const read = new PostgresDatabase({
      ...{ server, url: '', environment: {}, readOnly: true },
      now: () => performance.now(),
    })
    const catalogue = await read.catalogue.load()
    const context = { catalogue, dialect: dialectOf(catalogue) }
    const sort = [{ column: 'at', descending: true }]
    const query = {
      columns: ['id'],
      where: everything,
      sort,
      size: 50,
      place: { at: 'first' },
    } as const
    const shape = pageShape(catalogue, access, query)
    const anchor = { sort: ['2024-02-01 00:01:00'], key: [44_641] }
    const runs = runsOf(context, shape, { backwards: false, anchor })
    expect(runs.length).toBeGreaterThan(1)
    const { text, binds } = render(runsSql(context, shape, runs, 51), notation)
    const explained = { text: `explain (analyze, costs off, timing off) ${text}`, binds }
    const plan = (await server.read('rows', explained)).rows.map(([line]) => String(line))
    expect(plan.filter((line) => /never executed/.test(line)).length).toBeGreaterThan(0)
    expect(plan.filter((line) => /Sort|Seq Scan|Parallel/.test(line))).toEqual([])
  })

  test('tells whether an index serves, and which one would', async () => {
    const read = (sort: SortColumn[], where = everything as Parameters<RowSource['count']>[1]) =>
      readPage(source, access, { sort, where, size: 10 })
    const by = (column: string, descending = false): SortColumn => ({ column, descending })
    expect((await read([by('at', true)])).indexed).toBe(true)
    const ofKind = { op: 'eq', column: 'kind', value: 'k1' } as const
    expect((await read([by('at', true)], ofKind)).indexed).toBe(true)
    expect(await read([by('other')])).toMatchObject({
      indexed: false,
      advice: 'create index concurrently on "public"."t" ("other", "id")',
    })
    const ranged = await read([by('at')], { op: 'gt', column: 'other', value: 'other 9' })
    expect(ranged.indexed).toBe(false)
    expect(ranged).not.toHaveProperty('advice')
  })

  test('an order that no index gives is read from any place, both ways, NULLs last', async () => {
    const sort = [{ column: 'nothing', descending: false }]
    const first = await readPage(source, access, { sort, size: 5 })
    const places: Place[] = [
      { at: 'first' },
      { at: 'last', rows: 5 },
      { at: 'after', anchor: { sort: first.rows[4]!.sort, key: first.rows[4]!.key } },
    ]
    const found: unknown[] = []
    for (const place of places) {
      const { rows, indexed } = await readPage(source, access, { sort, size: 5, place })
      found.push([rows.map(({ key }) => key[0]), indexed])
    }
    expect(found).toEqual([
      [[3, 6, 9, 12, 15], false],
      [[59_993, 59_995, 59_996, 59_998, 59_999], false],
      [[18, 21, 24, 27, 30], false],
    ])
  })

  test.each(['note', 'other'])('finds rare, frequent and no texts in [%s]', async (column) => {
    const search = (text: string, signal?: AbortSignal) =>
      readPage(
        source,
        access,
        {
          where: { op: 'contains', column, text },
          sort: [{ column: 'at', descending: true }],
          size: 5,
        },
        signal ? { signal } : {},
      )
    const label = column === 'note' ? 'note number' : 'other'
    expect((await search(`${label} 12345`)).rows.map(({ key }) => key)).toEqual([[12_345]])
    expect((await search(label.toUpperCase())).rows.map(({ key }) => key[0])).toEqual(
      [0, 1, 2, 3, 4].map((i) => ROWS - 1 - i),
    )
    for (const text of ['zzz', 'z', '999999']) expect((await search(text)).rows).toEqual([])
    expect((await search('1')).rows).toHaveLength(5)
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController()
      const given = search('q', controller.signal)
      controller.abort()
      await expect(given).rejects.toBe(controller.signal.reason)
    }
    const running = async () =>
      (
        await database.run(`select count(*) from pg_stat_activity where state = 'active'
        and datname = current_database() and pid <> pg_backend_pid()`)
      )[0]?.[0]
    while ((await running()) !== '0') await Promise.resolve()
  })
})
