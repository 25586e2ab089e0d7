import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { keysOf, readPage, writeRows } from '../../../test/contracts/opened.ts'
import type { Access } from '../../table/source/access.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { openSqlite, type SqliteOptions } from './open.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-open-'))
  file = join(folder, 'shop.db')
  return () => rmSync(folder, { recursive: true })
})

function execute(text: string, path = file): void {
  const db = new DatabaseSync(path)
  db.exec(text)
  db.close()
}

async function open(options?: SqliteOptions): Promise<RowSource> {
  const source = await openSqlite(file, options)
  onTestFinished(() => source.close())
  return source
}

async function accessTo(source: RowSource, name: string): Promise<Access> {
  const { tables } = await source.describe()
  const everyAccess = (wanted: string): Access =>
    fullAccess(
      tables.find((table) => table.name === wanted)!,
      {},
      everyAccess,
    )
  return everyAccess(name)
}

const people = `create table people (id integer primary key, name text);
  insert into people values (1, 'Ada'), (2, 'Bob');`

const unavailable = (detail: RegExp) => ({
  code: 'DATABASE_UNAVAILABLE',
  detail: expect.stringMatching(detail),
})

describe('opening', () => {
  test('says in one sentence why a file cannot be opened', async () => {
    const opening = (path: string) => expect(openSqlite(path)).rejects
    await opening(join(folder, 'none.db')).toMatchObject(unavailable(/^There is no file “/))
    await opening(folder).toMatchObject(unavailable(/is a folder/))
    writeFileSync(file, 'This is a letter, and no database at all. '.repeat(50))
    await opening(file).toMatchObject(unavailable(/is not a SQLite database/))
    await opening(join(file, 'x.db')).toMatchObject(unavailable(/shop\.db/))
  })

  test('opens an empty file as a database without tables', async () => {
    writeFileSync(file, '')
    expect((await (await open()).describe()).tables).toEqual([])
  })

  test('a file that is only read stays as it is, byte for byte', async () => {
    execute(people)
    const before = readFileSync(file)
    const source = await openSqlite(file)
    const access = await accessTo(source, 'people')
    await readPage(source, access)
    await source.count(access, everything)
    await expect(writeRows(source, access, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'TABLE_READ_ONLY',
    })
    await source.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('reads a file with a write-ahead log while another program writes to it', async () => {
    execute(`pragma journal_mode = wal; ${people}`)
    const other = new DatabaseSync(file)
    const source = await open()
    const access = await accessTo(source, 'people')
    const before = await source.dataVersion()
    expect(await source.dataVersion()).toBe(before)
    other.exec(`begin immediate; insert into people values (3, 'Cleo')`)
    expect((await readPage(source, access)).rows).toHaveLength(2)
    expect(await source.dataVersion()).toBe(before)
    other.exec('commit')
    expect(await source.dataVersion()).not.toBe(before)
    expect((await readPage(source, access)).rows).toHaveLength(3)
    other.close()
  })

  test('waits for a lock in a worker, and says so when it waits in vain', async () => {
    execute(people)
    const source = await open({ busyMs: 100 })
    const access = await accessTo(source, 'people')
    const other = new DatabaseSync(file)
    other.exec('begin exclusive')
    const reading = readPage(source, access)
    await expect(reading).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
    other.exec('rollback')
    expect((await readPage(source, access)).rows).toHaveLength(2)
    other.close()
  })

  test('a writer that finds the file locked is told, and nothing is written', async () => {
    execute(people)
    const source = await open({ readOnly: false, busyMs: 100 })
    const access = await accessTo(source, 'people')
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    await expect(writeRows(source, access, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'BUSY',
    })
    other.exec('rollback')
    other.close()
    expect((await readPage(source, access)).rows).toHaveLength(2)
  })
})

describe('a file that changes below an open source', () => {
  test('a dropped table is not found, a dropped column unknown, a new one there', async () => {
    execute(`${people} create table pets (id integer primary key)`)
    let now = 0
    const source = await open({ now: () => now })
    const access = await accessTo(source, 'people')
    const pets = await accessTo(source, 'pets')
    await readPage(source, access)
    execute(`drop table pets; alter table people drop column name;
      alter table people add column email text default 'e'`)
    now += 1000
    await expect(readPage(source, pets)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(readPage(source, access)).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
    const { rows } = await readPage(source, await accessTo(source, 'people'))
    expect(rows[0]?.values).toEqual([1, 'e'])
  })

  test('a change that was not noticed yet is an error of the catalogue, and is noticed then', async () => {
    execute(people)
    const source = await open({ now: () => 0 })
    const access = await accessTo(source, 'people')
    await readPage(source, access)
    execute('alter table people rename to persons')
    await expect(readPage(source, access)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await source.describe()).tables.map(({ name }) => name)).toEqual(['persons'])
  })

  test('a deleted file is missed, and one that takes its place is read', async () => {
    execute(people)
    let now = 0
    const source = await open({ now: () => now, smallRows: 0 })
    const access = await accessTo(source, 'people')
    await source.count(access, everything)
    const version = await source.dataVersion()
    renameSync(file, `${file}.old`)
    now += 1000
    await expect(readPage(source, access)).rejects.toMatchObject(unavailable(/There is no file/))
    execute(`${people} insert into people values (3, 'Cleo')`)
    expect((await readPage(source, access)).rows).toHaveLength(3)
    expect(await source.count(access, everything)).toEqual({ kind: 'exact', count: 3 })
    expect(await source.dataVersion()).not.toBe(version)
  })

  test('a damaged file is named as such', async () => {
    execute(`${people} with recursive n(i) as (select 3 union all select i + 1 from n where i < 9999)
      insert into people select i, hex(randomblob(50)) from n`)
    const source = await open()
    const access = await accessTo(source, 'people')
    const size = readFileSync(file).length
    const bytes = readFileSync(file)
    bytes.fill(0xff, 8192, size - 4096)
    writeFileSync(file, bytes)
    await expect(
      source.count(access, { op: 'contains', column: 'name', text: 'x' }),
    ).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      detail: 'The database says: “database disk image is malformed”.',
    })
    mkdirSync(join(folder, 'copy'))
    const cut = join(folder, 'copy', 'cut.db')
    copyFileSync(file, cut)
    truncateSync(cut, 5000)
    await expect(openSqlite(cut)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })
})

describe('what the database refuses is told in its own words, on that table alone', () => {
  const says = (sentence: string) => ({
    code: 'DATABASE_REFUSED',
    detail: `The database says: “${sentence}”.`,
  })

  test('a damaged table stays, and the others are read', async () => {
    execute(`${people} create table lost (id text primary key, body text, n int);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into lost select i, hex(randomblob(500)), i from n;`)
    const root = new DatabaseSync(file)
    const found = root.prepare(`select rootpage from sqlite_schema where name = 'lost'`).get()
    root.close()
    const bytes = readFileSync(file)
    const start = (Number(found?.['rootpage']) - 1) * 4096
    bytes.fill(0xff, start, start + 4096)
    writeFileSync(file, bytes)
    const source = await open()
    const { tables } = await source.describe()
    expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['lost', 3],
      ['people', 2],
    ])
    const malformed = says('database disk image is malformed')
    const lost = await accessTo(source, 'lost')
    await expect(readPage(source, lost)).rejects.toMatchObject(malformed)
    expect((await readPage(source, await accessTo(source, 'people'))).rows).toHaveLength(2)
  })

  test('a view of what is gone, and one that cannot be computed', async () => {
    execute(`${people} create table gone (a); create view broken as select a from gone;
      drop table gone; create view failing as select abs(-9223372036854775808 + 0 * id) as n
        from people`)
    const source = await open()
    await expect(readPage(source, await accessTo(source, 'broken'))).rejects.toMatchObject(
      says('no such table: main.gone'),
    )
    await expect(readPage(source, await accessTo(source, 'failing'))).rejects.toMatchObject(
      says('integer overflow'),
    )
    expect((await readPage(source, await accessTo(source, 'people'))).rows).toHaveLength(2)
  })
})

describe('scans', () => {
  test('each kind can be ended, and its thread is free again at once', async () => {
    execute(`
      create table wide (id integer primary key, a text, b int);
      create table keyed (id text primary key, a text, b int) without rowid;
      create table child (id integer primary key, wide int);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
        insert into wide select i, 'This is the text number ' || i, i % 7 from n;
      insert into keyed select id, a, b from wide;
      insert into child values (1, 7), (2, 8), (3, 9), (4, null);`)
    const source = await open({ workers: 1, smallRows: 0 })
    const [wide, keyed, child] = await Promise.all(
      ['wide', 'keyed', 'child'].map((name) => accessTo(source, name)),
    )
    const never: Predicate = {
      op: 'or',
      all: Array.from({ length: 40 }, (_, i) => ({
        op: 'contains' as const,
        column: 'a',
        text: `${i} is never there`,
      })),
    }
    const related: Predicate = {
      op: 'related',
      column: 'wide',
      table: 'wide',
      references: 'b',
      where: never,
    }
    const sort = [{ column: 'b', descending: true }]
    const timeoutMs = 20
    const scans = [
      () => source.count(wide!, never, { timeoutMs }),
      () => source.count(keyed!, never, { timeoutMs }),
      () => source.count(child!, related, { timeoutMs }),
      () => readPage(source, wide!, { where: never, sort }, { timeoutMs }),
      () => readPage(source, keyed!, { where: never, sort }, { timeoutMs }),
      () =>
        readPage(
          source,
          wide!,
          { where: never, sort, place: { at: 'offset', skip: 5 } },
          { timeoutMs },
        ),
      () => keysOf(source, wide!, never, 10, { timeoutMs }),
    ]
    for (const scan of scans) {
      await expect(scan()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
      // There is only one thread, so an answer means that the scan before has ended.
      expect(await source.count(child!, everything)).toEqual({ kind: 'exact', count: 4 })
    }
  })

  test('what SQLite itself refuses is an error of the catalogue', async () => {
    execute(people)
    const source = await open({ smallRows: 0 })
    const access = await accessTo(source, 'people')
    // More binds than a statement may have.
    const wide: Predicate = {
      op: 'in',
      column: 'id',
      values: Array(40_000).fill(new Uint8Array(1)),
    }
    await expect(source.count(access, wide)).rejects.toMatchObject({ name: 'AppError' })
    expect(await source.count(access, everything)).toEqual({ kind: 'exact', count: 2 })
  })
})

test('values of a column are one where its collation takes them for equal, as conditions do', async () => {
  execute(`create table t (id integer primary key, v text collate nocase);
    insert into t (v) values ('a'), ('A'), ('a')`)
  const source = await open()
  const access = await accessTo(source, 't')
  const { facets } = await source.facets(access, everything, 'v')
  expect(facets.map(({ count }) => count)).toEqual([3])
  const where = { op: 'eq', column: 'v', value: facets[0]!.value } as const
  expect(await source.count(access, where)).toEqual({ kind: 'exact', count: 3 })
})

describe('views', () => {
  test('a view without end is ended, and the next question is answered', async () => {
    execute(`${people} create view endless as
      with recursive n(i) as (select 1 union all select i + 1 from n) select i, count(*) as c from n group by i;
      create view fine as select * from people`)
    const source = await open()
    const endless = await accessTo(source, 'endless')
    const fine = await accessTo(source, 'fine')
    await expect(source.count(endless, everything, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    })
    expect((await readPage(source, fine)).rows).toHaveLength(2)
    const controller = new AbortController()
    const counting = source.count(endless, everything, { signal: controller.signal })
    controller.abort()
    await expect(counting).rejects.toBe(controller.signal.reason)
    expect(await source.count(fine, everything)).toEqual({ kind: 'exact', count: 2 })
  })

  test('a table read by way of a related view is read where it can be ended', async () => {
    execute(`${people} create view names as select id, name from people;
      create table pets (id integer primary key, owner int references people)`)
    execute('insert into pets values (1, 1), (2, 2), (3, null)')
    const source = await open()
    const names = await accessTo(source, 'names')
    const { rows } = await readPage(source, await accessTo(source, 'pets'), {
      where: {
        op: 'related',
        column: 'owner',
        table: 'names',
        references: 'id',
        where: { op: 'contains', column: 'name', text: 'd' },
      },
      related: [{ column: 'owner', access: names, references: 'id', label: 'name' }],
    })
    expect(rows.map(({ key, labels }) => [...key, ...labels])).toEqual([[1, 'Ada']])
  })
})

describe('rules of the database', () => {
  test('a deferred rule that fails at the commit fails its own unit alone', async () => {
    execute(`${people} create table pets (id integer primary key,
      owner int references people deferrable initially deferred)`)
    const source = await open({ readOnly: false })
    const pets = await accessTo(source, 'pets')
    const insert = (id: number, owner: number) =>
      writeRows(source, pets, [{ insert: { id, owner } }])
    const results = await Promise.all([insert(1, 1), insert(2, 1), insert(3, 99), insert(4, 2)])
    expect(results.flat().map(({ status }) => status)).toEqual(['done', 'done', 'refused', 'done'])
    expect(results[2]?.[0]).toMatchObject({ rule: 'reference', columns: ['owner'] })
    expect((await readPage(source, pets)).rows.map(({ key }) => key[0])).toEqual([1, 2, 4])
  })

  test('a trigger that ends the whole transaction ends its own unit alone', async () => {
    execute(`${people} create trigger stop before update on people when new.name = 'stop'
      begin select raise(rollback, 'Not this name.'); end`)
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    const rename = (id: number, name: string) =>
      writeRows(source, access, [{ update: [id], set: { name } }])
    const results = await Promise.all([rename(1, 'A'), rename(2, 'stop'), rename(2, 'B')])
    expect(results.flat()).toEqual([
      { status: 'done', key: [1] },
      { status: 'refused', rule: 'trigger', columns: [], message: 'Not this name.' },
      { status: 'done', key: [2] },
    ])
  })

  test('checks, strict types and generated columns', async () => {
    execute(`create table t (id integer primary key, s text check (s in ('a')), n int not null,
      twice int as (n * 2)) strict`)
    const source = await open({ readOnly: false })
    const t = await accessTo(source, 't')
    const insert = (values: Record<string, string | number>) =>
      writeRows(source, t, [{ insert: values }])
    expect(await insert({ s: 'b', n: 1 })).toMatchObject([{ rule: 'check', columns: ['s'] }])
    expect(await insert({ s: 'a', n: 'x' })).toMatchObject([{ rule: 'type', columns: ['n'] }])
    await expect(insert({ n: 1, twice: 2 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await insert({ s: 'a', n: 1 })).toEqual([{ status: 'done', key: [1] }])
  })
})
