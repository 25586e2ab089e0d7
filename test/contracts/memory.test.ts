import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMysql } from '../../src/database/mysql/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Access } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { isPlain, MEMORY_ROWS, within } from '../tier.ts'
import { fullAccess } from './actors.ts'
import * as mysql from './mysql-server.ts'
import { readPage } from './opened.ts'
import * as postgres from './postgres-server.ts'

const MB = 2 ** 20
/** How much one request may make the process grow, MB: half as much where the table is a part as large. */
const growthMax = (rows: number): number => (rows < 1_000_000 ? 50 : 100)
/** How much of that may be left once it has been answered, MB: allocators keep some free pages. */
const LEFT_MAX = 30
/** Time in which memory is given back, ms. */
const BACK_MS = 10_000

/** A table `people (id, name, note)` of so many rows, with an index on `name`, made by the engine itself. */
type MakeTable = (rows: number) => Promise<RowSource>

const sqlite: MakeTable = async (rows) => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'people.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off;
    create table people (id integer primary key, name text not null, note text not null);
    with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${rows - 1})
      insert into people select i, 'name ' || (i % 1000), 'nöte ' || (i * 7919 % ${rows}) from numbers;
    create index people_name on people (name)`)
  db.close()
  return openSqlite(file)
}

const onPostgres: MakeTable = async (rows) => {
  const database = await postgres.createDatabase()
  onTestFinished(() => database.drop())
  await database.run(`
    create table people (id bigint primary key, name text not null, note text not null);
    insert into people select i, 'name ' || i % 1000, 'nöte ' || i * 7919 % ${rows}
      from generate_series(0::bigint, ${rows - 1}) i;
    create index people_name on people (name); analyze people`)
  return openPostgres(database.url())
}

const onMysql: MakeTable = async (rows) => {
  const database = await mysql.createDatabase()
  onTestFinished(() => database.drop())
  await database.run(`create table people
    (id bigint primary key, name varchar(100) not null, note varchar(100) not null, index (name))`)
  await database.run(`insert into people
    select seq, concat('name ', seq % 1000), concat('nöte ', seq * 7919 % ${rows})
    from ${mysql.numbersTo(rows)}`)
  await database.run('analyze table people')
  return openMysql(database.url())
}

const holds = (text: string): Predicate => ({
  op: 'or',
  all: ['name', 'note'].map((column) => ({ op: 'contains', column, text })),
})

type Works = Readonly<Record<string, () => Promise<unknown>>>

function worksOf(source: RowSource, access: Access, rows: number): Works {
  const run = { timeoutMs: 120_000 }
  const byNote = [{ column: 'note', descending: true }]
  const page = (query: Parameters<typeof readPage>[2]) => readPage(source, access, query, run)
  return {
    'a search': () => page({ where: holds('müller') }),
    'a search for a frequent word': () => page({ where: holds('nöte') }),
    'a search under an order': () => page({ where: holds('jürgen é'), sort: byNote }),
    'the last page of a search': () =>
      page({ where: holds('ö'), sort: byNote, place: { at: 'last', rows: 50 } }),
    'the count of a search': () => source.count(access, holds('Ωmega'), run),
    'the count of a frequent word': () => source.count(access, holds('Ö'), run),
    'a count of all': () => source.count(access, everything, run),
    'a search for a long text': () => source.count(access, holds('ü'.repeat(5000)), run),
    'a search for NUL': () => source.count(access, holds('\0'), run),
    'a sort': () => page({ sort: byNote }),
    'the page in the middle of a sort': () =>
      page({ sort: byNote, place: { at: 'offset', skip: rows / 2 } }),
    'the last page of all': () => page({ place: { at: 'last', rows: 100 } }),
    'the values of a column': () => source.facets(access, holds('é'), 'name', run),
    'the values of a long column': () => source.facets(access, everything, 'note', run),
  }
}

// Every night is soon enough for the servers: their rows take half a minute to be made and read.
describe.each([
  ['SQLite', true, MEMORY_ROWS, sqlite],
  ['PostgreSQL', !isPlain && postgres.postgresVersion !== undefined, MEMORY_ROWS, onPostgres],
  [
    mysql.isMariaDb ? 'MariaDB' : 'MySQL',
    !isPlain && mysql.mysqlVersion !== undefined,
    MEMORY_ROWS,
    onMysql,
  ],
] as const)('%s', (_, isThere, rows, makeTable) => {
  test.skipIf(!isThere)(
    'no search, sort, count or page of many rows takes much memory, nor keeps it',
    async () => {
      const source = await makeTable(rows)
      onTestFinished(() => source.close())
      const access = fullAccess((await source.describe()).tables[0]!)
      const works = worksOf(source, access, rows)
      // Threads and connections are started by whoever comes first, and stay.
      await readPage(source, access, { where: holds('name 1'), sort: [] })
      await source.count(access, holds('name 1'))
      const wrong: string[] = []
      for (const [name, work] of Object.entries(works))
        wrong.push(...(await wrongOf(name, work, { most: growthMax(rows) })))
      expect(wrong).toEqual([])
    },
    within(300_000),
  )
})

test('work that takes much memory, or keeps it, is found', async () => {
  const bounds = { most: 100, backMs: 100 }
  let kept: Buffer | undefined
  const keep = async () => void (kept = Buffer.alloc(150 * MB, 1))
  expect(await wrongOf('a hoard', keep, bounds)).toEqual([
    expect.stringMatching(/^a hoard took 1[45]\d MB$/),
    expect.stringMatching(/^a hoard left /),
  ])
  kept = undefined
  expect(await wrongOf('nothing', async () => kept, bounds)).toEqual([])
})

type Bounds = { readonly most: number; readonly backMs?: number }

/** Says if the process grew too much, or has not given it back in time. */
async function wrongOf(
  name: string,
  work: () => Promise<unknown>,
  { most, backMs = BACK_MS }: Bounds,
): Promise<string[]> {
  const before = settled()
  const growth = await growthOf(work, before.resident)
  const left = await vi
    .waitFor(() => {
      const after = settled()
      expect(after.resident - before.resident).toBeLessThan(LEFT_MAX)
      expect(after.reachable - before.reachable).toBeLessThan(LEFT_MAX)
    }, backMs)
    .then(
      () => [],
      (error: unknown) => [`${name} left ${String(error)}`],
    )
  return [...(growth < most ? [] : [`${name} took ${growth} MB`]), ...left]
}

/** How much the process has grown at most, MB: all of it, since most engines work in threads of their own. */
async function growthOf(work: () => Promise<unknown>, before: number): Promise<number> {
  let most = before
  const look = setInterval(() => (most = Math.max(most, resident())), 20)
  try {
    await work()
  } finally {
    clearInterval(look)
  }
  return Math.round(Math.max(most, resident()) - before)
}

const resident = (): number => process.memoryUsage.rss() / MB

setFlagsFromString('--expose-gc')
/** Collects garbage, which otherwise happens whenever the process pleases. */
const collect = runInNewContext('gc') as () => void

/**
 * What the process holds after a collection, MB. `resident` has all threads but also pages that are free
 * and kept; `reachable` is what this thread really refers to.
 */
function settled(): { readonly resident: number; readonly reachable: number } {
  collect()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return { resident: resident(), reachable: (heapUsed + external + arrayBuffers) / MB }
}
