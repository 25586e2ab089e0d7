import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { idsOf, readPage, writeOne, writeRows } from '../../../test/contracts/opened.ts'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import type { Access } from '../../table/source/access.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { openPostgres, type PostgresOptions } from './open.ts'

const unavailable = (detail: RegExp) => ({
  code: 'DATABASE_UNAVAILABLE',
  detail: expect.stringMatching(detail),
})

/** A listener that is no PostgreSQL server, or one that refuses. */
async function listen(onConnect: (socket: Socket) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    onConnect(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port.')
  return `postgres://ada:hush@127.0.0.1:${address.port}/shop`
}

/** An error message of the protocol. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Refuses every connection, first for asking for TLS, which it does not support. */
const refusing = (code: string, message = 'no') =>
  listen((socket) => {
    socket.on('data', (data) => {
      const isTlsRequest = data.length === 8
      if (isTlsRequest) socket.write('N')
      else socket.end(refusal(code, message))
    })
  })

describe('what cannot be opened is told in one sentence, without the password', () => {
  const opening = async (url: string, options?: PostgresOptions) => {
    const error: unknown = await openPostgres(url, options).catch((error: unknown) => error)
    expect(JSON.stringify(error)).not.toContain('hush')
    return error
  }

  test('nothing listens, or there is no such host', async () => {
    const url = await listen(() => undefined)
    expect(await opening(url.replace(/:\d+\//, ':1/'))).toMatchObject(
      unavailable(/^Nothing listens at/),
    )
    expect(await opening('postgres://ada:hush@no.such.host.invalid/shop')).toMatchObject(
      unavailable(/^There is no host “no.such.host.invalid”/),
    )
    expect(await opening('postgres:///shop?host=/nowhere&password=hush')).toMatchObject(
      unavailable(/socket/),
    )
  })

  test('nothing answers', async () => {
    const url = await listen(() => undefined)
    expect(await opening(url, { connectMs: 100 })).toMatchObject(unavailable(/does not answer/))
  })

  test('something else answers', async () => {
    const http = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await opening(http)).toMatchObject(unavailable(/PostgreSQL/))
    expect(await opening(`${http}?sslmode=disable`)).toMatchObject(unavailable(/PostgreSQL/))
    // MariaDB speaks first; the length that its greeting begins with is a message of PostgreSQL's.
    const mariadb = await listen((socket) =>
      socket.write(Buffer.from(`d\0\0\0\n5.5.5-10.11.14-MariaDB\0${'\0'.repeat(80)}`)),
    )
    expect(await opening(mariadb)).toMatchObject(unavailable(/not as PostgreSQL does/))
  })

  test.each([
    ['28P01', /does not take this password for user “ada”/],
    ['28000', /does not let user “ada” in/],
    ['3D000', /There is no database “shop”/],
    ['57P03', /stopping or starting/],
  ])('the server refuses with %s', async (code, sentence) => {
    expect(await opening(await refusing(code))).toMatchObject(unavailable(sentence))
  })

  test('the server has no connection left', async () => {
    expect(await opening(await refusing('53300'))).toMatchObject({
      code: 'BUSY',
      retryAfter: 1,
      detail: expect.stringMatching(/no connection left/),
    })
  })

  test('encryption is demanded where there is none, or missing where it is demanded', async () => {
    const plain = await refusing('28000', 'no pg_hba.conf entry for host, no encryption')
    expect(await opening(`${plain}?sslmode=require`)).toMatchObject(unavailable(/cannot encrypt/))
    expect(await opening(`${plain}?sslmode=disable`)).toMatchObject(
      unavailable(/wants an encrypted connection/),
    )
  })
})

describePostgres('a PostgreSQL database', () => {
  let database: TestDatabase

  beforeAll(async () => (database = await createDatabase()))
  afterAll(() => database.drop())
  beforeEach(async () => {
    await database.run(`
      drop schema if exists public cascade; create schema public;
      create table people (id int primary key, name text);
      insert into people values (1, 'Ada'), (2, 'Bob');`)
  })

  async function open(options?: PostgresOptions, user?: string): Promise<RowSource> {
    const source = await openPostgres(database.url(user), options)
    onTestFinished(() => source.close())
    return source
  }

  async function accessTo(source: RowSource, name: string): Promise<Access> {
    const { tables } = await source.describe()
    return fullAccess(tables.find((table) => table.name === name)!)
  }

  /** Ends all sessions of the database but the test's own. */
  const endSessions = () =>
    database.run(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)

  /** The statements that Tablewire's connections are running. */
  const running = async (): Promise<unknown[]> => {
    const rows = await database.run(`select query from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`)
    return rows.flat()
  }

  const until = (isSo: () => Promise<boolean>): Promise<boolean> =>
    vi.waitUntil(isSo, { interval: 10, timeout: 30_000 })

  test('unknown databases and users are told', async () => {
    const url = new URL(database.url())
    url.pathname = '/no_such_database'
    await expect(openPostgres(url.href)).rejects.toMatchObject(
      unavailable(/There is no database “no_such_database”/),
    )
    await expect(openPostgres(database.url('no_such_user'))).rejects.toMatchObject(
      unavailable(/“no_such_user”/),
    )
  })

  test('opened for reading only, nothing is written', async () => {
    await database.run(`create function changed() returns int language sql as
      'delete from people returning id'; create view trap as select changed() as id`)
    const source = await open()
    const access = await accessTo(source, 'people')
    await expect(writeRows(source, access, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'TABLE_READ_ONLY',
    })
    const trap = await accessTo(source, 'trap')
    await expect(readPage(source, trap)).rejects.toMatchObject({ code: 'TABLE_READ_ONLY' })
    expect(await idsOf(source, access)).toEqual([1, 2])
  })

  test('whatever is committed changes the version of the data, also beside what is still open', async () => {
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    await database.run(`begin; insert into people values (3, 'Cleo')`)
    const before = await source.dataVersion()
    await writeOne(source, access, { insert: { id: 4, name: 'Dan' } })
    const between = await source.dataVersion()
    expect(between).not.toBe(before)
    await database.run('commit')
    await until(async () => (await source.dataVersion()) !== between)
  })

  test('sessions that the server has ended are replaced without anybody noticing', async () => {
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    for (let round = 0; round < 5; round++) {
      await Promise.all([1, 2, 3, 4].map(() => idsOf(source, access)))
      await endSessions()
      expect(await idsOf(source, access)).toEqual([1, 2])
      await endSessions()
      expect(await writeOne(source, access, { update: [1], set: { name: `A${round}` } })).toEqual({
        status: 'done',
        key: [1],
      })
    }
  })

  test('a query whose session is ended is asked once more, and then told', async () => {
    await database.run(`create view slow as select id, pg_sleep(0.3)::text as slept from people`)
    const source = await open()
    const slow = await accessTo(source, 'slow')
    const reading = readPage(source, slow)
    await until(async () => (await running()).length > 0)
    await endSessions()
    expect((await reading).rows).toHaveLength(2)
    const ended = readPage(source, slow)
    let isOver = false
    ended.catch(() => undefined).finally(() => (isOver = true))
    // A terminated session may stay listed for a while, so this could see the old one.
    await until(async () => {
      if ((await running()).length > 0) await endSessions()
      return isOver
    })
    await expect(ended).rejects.toMatchObject(unavailable(/./))
    expect((await readPage(source, slow)).rows).toHaveLength(2)
  })

  test('a write whose session is ended in between happens once or not at all', async () => {
    await database.run(`
      create function slowly() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.3); return new; end $$;
      create trigger slowly before insert on people for each row execute function slowly();`)
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    const writing = writeOne(source, access, { insert: { id: 3, name: 'Cleo' } })
    await until(async () => (await running()).length > 0)
    await endSessions()
    expect(await writing).toEqual({ status: 'done', key: [3] })
    expect(await database.run('select count(*) from people where id = 3')).toEqual([['1']])
  })

  test('a commit that was not acknowledged is told, and not repeated', async () => {
    await database.run(`
      create function late() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.5); return null; end $$;
      create constraint trigger late after insert on people deferrable initially deferred
        for each row execute function late();`)
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    const writing = writeOne(source, access, { insert: { id: 3, name: 'Cleo' } })
    writing.catch(() => undefined)
    await until(async () => (await running()).some((query) => query === 'commit'))
    await endSessions()
    await expect(writing).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await until(async () => (await running()).length === 0)
    expect(await database.run('select count(*) from people')).toEqual([['2']])
  })

  test('a server that falls silent is given up, and asked anew once it answers', async () => {
    const { hostname, port } = new URL(database.url())
    const pairs: Socket[] = []
    const through = await listen((near) => {
      const far = connect(Number(port || 5432), hostname)
      far.on('error', () => near.destroy())
      near.on('close', () => far.destroy())
      near.pipe(far).pipe(near)
      pairs.push(near, far)
    })
    const url = new URL(database.url())
    url.port = new URL(through).port
    const source = await openPostgres(url.href, { timeoutMs: 200, connections: 5 })
    onTestFinished(() => source.close())
    const access = await accessTo(source, 'people')
    for (const socket of pairs) socket.unpipe().pause()
    await expect(idsOf(source, access)).rejects.toMatchObject(unavailable(/does not answer/))
    expect(await idsOf(source, access)).toEqual([1, 2])
  })

  test('what nobody waits for any more is ended on the server', async () => {
    await database.run(`create view slow as select id, pg_sleep(20)::text as slept from people`)
    const source = await open({ connections: 6 })
    const slow = await accessTo(source, 'slow')
    const controller = new AbortController()
    const run = { signal: controller.signal, timeoutMs: 60_000 }
    const waiting = [
      ...[1, 2, 3].map(() => readPage(source, slow, {}, run)),
      ...[1, 2, 3].map(() => source.count(slow, { op: 'null', column: 'slept' }, run)),
    ]
    const settled = Promise.allSettled(waiting)
    await until(async () => (await running()).length >= 3)
    controller.abort()
    for (const one of await settled)
      expect(one).toMatchObject({ status: 'rejected', reason: controller.signal.reason })
    await until(async () => (await running()).length === 0)
    expect(await idsOf(source, await accessTo(source, 'people'))).toEqual([1, 2])
  })

  test('rows are written while all connections for pages are taken', async () => {
    await database.run(`create view slow as select id, pg_sleep(60)::text as slept from people`)
    const source = await open({ connections: 9, readOnly: false })
    const [slow, people] = [await accessTo(source, 'slow'), await accessTo(source, 'people')]
    const controller = new AbortController()
    const run = { signal: controller.signal, timeoutMs: 120_000 }
    const waiting = Promise.allSettled([1, 2, 3, 4].map(() => readPage(source, slow, {}, run)))
    await until(async () => (await running()).length === 2)
    expect(
      await writeRows(source, people, [{ update: [1], set: { name: 'Adele' } }]),
    ).toMatchObject([{ status: 'done' }])
    expect((await running()).length).toBe(2)
    controller.abort()
    await waiting
  })

  test('a query that takes too long is ended there, and the next one may take its own time', async () => {
    await database.run(`
      create table pause as select 0.0::float8 as seconds;
      create view slow as
        select id, pg_sleep((select seconds from pause))::text as slept from people`)
    const source = await open({ timeoutMs: 100, connections: 5 })
    const slow = await accessTo(source, 'slow')
    for (let round = 0; round < 2; round++) {
      await database.run('update pause set seconds = 60')
      await expect(readPage(source, slow)).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
        detail: expect.stringMatching(/after 100 ms/),
      })
      // The server sends the error a moment before it lists the statement as ended.
      await until(async () => (await running()).length === 0)
      await database.run('update pause set seconds = 0.15')
      expect((await readPage(source, slow, {}, { timeoutMs: 5000 })).rows).toHaveLength(2)
    }
  })

  test('counts and sums get no help from other processes, pages do', async () => {
    // The session of each tells how many it would get.
    await database.run(`
      do $$ begin
        execute format('alter database %I set max_parallel_workers_per_gather = 3', current_database());
      end $$;
      create view helpers as
        select 1 as id, current_setting('max_parallel_workers_per_gather')::int as most`)
    const source = await open()
    const helpers = await accessTo(source, 'helpers')
    const none: Predicate = { op: 'eq', column: 'most', value: 0 }
    expect((await readPage(source, helpers, { columns: ['most'] })).rows[0]?.values).toEqual([3])
    expect(await source.count(helpers, none)).toEqual({ kind: 'exact', count: 1 })
    expect(await source.facets(helpers, everything, 'most')).toMatchObject({
      facets: [{ value: 0, count: 1 }],
    })
    expect(await source.sums(helpers, everything, ['most'])).toEqual([{ sum: '0', count: 1 }])
  })

  test('a count that takes too long is guessed where nothing is hidden', async () => {
    await database.run(`
      create table large as select i as id, 'number ' || i as text from generate_series(1, 20000) i;
      analyze large`)
    const source = await open()
    const large = await accessTo(source, 'large')
    const where: Predicate = {
      op: 'or',
      all: Array.from({ length: 300 }, (_, i) => ({
        op: 'contains',
        column: 'text',
        text: `x ${i}`,
      })),
    }
    const counted = await source.count(large, where, { bound: 100, timeoutMs: 5 })
    expect(counted.kind).toBe('estimate')
    const hiding = fullAccess(large.table, { rows: { op: 'gt', column: 'id', value: 5 } })
    await expect(source.count(hiding, where, { bound: 100, timeoutMs: 5 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    })
  })

  test('rows that another program holds locked are told about', async () => {
    const source = await open({ readOnly: false, timeoutMs: 300 })
    const access = await accessTo(source, 'people')
    await database.run('begin; select * from people where id = 1 for update')
    onTestFinished(async () => void (await database.run('rollback')))
    const update = writeOne(source, access, { update: [1], set: { name: 'X' } })
    await expect(update).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
  })

  test('two batches that lock the same rows crosswise are both written', async () => {
    const source = await open({ readOnly: false })
    const access = await accessTo(source, 'people')
    const batch = (ids: number[], name: string) =>
      writeRows(
        source,
        access,
        ids.map((id) => ({ update: [id], set: { name } })),
      )
    for (let round = 0; round < 3; round++) {
      const results = await Promise.all([
        batch([1, 2], 'a'),
        batch([2, 1], 'b'),
        batch([1, 2], 'c'),
      ])
      expect(results.flat().every(({ status }) => status === 'done')).toBe(true)
    }
  })

  describe('tables that change below an open source', () => {
    test('a dropped table is not found, a dropped column unknown, a new one there', async () => {
      await database.run('create table pets (id int primary key)')
      let now = 0
      const source = await open({ now: () => now })
      const access = await accessTo(source, 'people')
      const pets = await accessTo(source, 'pets')
      await readPage(source, access)
      await database.run(`drop table pets; alter table people drop column name;
        alter table people add column email text default 'e'`)
      await expect(readPage(source, pets)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(readPage(source, access)).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
      now += 10_000
      const { rows } = await readPage(source, await accessTo(source, 'people'))
      expect(rows[0]?.values).toEqual([1, 'e'])
    })

    test('a changed type is taken up, also by statements that were prepared', async () => {
      const source = await open({ connections: 5 })
      const access = await accessTo(source, 'people')
      const where: Predicate = { op: 'eq', column: 'name', value: '7' }
      for (let i = 0; i < 8; i++) await readPage(source, access, { where })
      await database.run(`alter table people alter column name type int using 7`)
      expect((await readPage(source, access, { where })).rows.map(({ values }) => values)).toEqual([
        [1, 7],
        [2, 7],
      ])
      expect((await source.describe()).tables[0]?.columns[1]?.type).toBe('integer')
    })

    test('new words of an enum, new tables and new rules are noticed', async () => {
      await database.run(
        `create type mood as enum ('sad'); alter table people add column mood mood`,
      )
      let now = 0
      const source = await open({ now: () => now })
      await source.describe()
      await database.run(`alter type mood add value 'ok'; create table fresh (id int);
        alter table people add constraint short check (length(name) < 9)`)
      now += 10_000
      const { tables } = await source.describe()
      expect(tables.map(({ name }) => name)).toEqual(['fresh', 'people'])
      expect(tables[1]?.columns.at(-1)?.allowed).toEqual(['sad', 'ok'])
      expect(tables[1]?.checks).toHaveLength(1)
    })

    test('a privilege that is taken away is told, and given back it works again', async () => {
      const role = `${database.name}_role`
      await database.run(`create role ${role} login; grant usage on schema public to ${role};
        grant select on people to ${role}`)
      onTestFinished(
        async () => void (await database.run(`drop owned by ${role}; drop role ${role}`)),
      )
      const source = await open({}, role)
      const access = await accessTo(source, 'people')
      await database.run(`revoke select on people from ${role}`)
      await expect(readPage(source, access)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        detail: expect.stringMatching(/lacks the privilege/),
      })
      await database.run(`grant select on people to ${role}`)
      expect(await idsOf(source, access)).toEqual([1, 2])
    })
  })

  describe("the database's own rules", () => {
    const insert = async (
      text: string,
      table: string,
      values: Record<string, string | number | null>,
    ) => {
      await database.run(text)
      const source = await open({ readOnly: false })
      return writeOne(source, await accessTo(source, table), { insert: values })
    }

    test.each([
      ['check (n > 0)', { n: -1 }, 'check', ['n']],
      ['check (n >= length(s))', { n: 0, s: 'abc' }, 'check', ['n', 's']],
      ['unique (n, s)', { n: 1, s: 'a' }, 'unique', ['n', 's']],
    ])('%s', async (rule, values, name, columns) => {
      const made = `create table t (id int primary key, n int, s text, ${rule});
        insert into t values (1, 1, 'a')`
      const refused = await insert(made, 't', { id: 2, ...values })
      expect(refused).toMatchObject({ status: 'refused', rule: name, columns })
    })

    test('a domain names its columns', async () => {
      const made = `create domain positive as int check (value > 0);
        create table t (id int primary key, a positive, b int)`
      expect(await insert(made, 't', { id: 1, a: -1, b: -1 })).toMatchObject({
        rule: 'check',
        columns: ['a'],
      })
    })

    test('a trigger says why in its own words', async () => {
      const made = `create table t (id int primary key);
        create function no() returns trigger language plpgsql as
          $$ begin raise exception 'Not on a Sunday.'; end $$;
        create trigger no before insert on t for each row execute function no();`
      expect(await insert(made, 't', { id: 1 })).toEqual({
        status: 'refused',
        rule: 'trigger',
        columns: [],
        message: 'Not on a Sunday.',
      })
    })

    test('a trigger that keeps a row away is not taken for a write', async () => {
      const made = `create table t (id int primary key);
        create function away() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger away before insert or update on t for each row execute function away();`
      expect(await insert(made, 't', { id: 1 })).toMatchObject({ rule: 'trigger' })
    })

    test('texts that are too long, numbers that are too great, and dates that are none', async () => {
      const made = `create type mood as enum ('ok'); create table t (id int primary key,
        s varchar(3), n numeric(4, 2), i smallint, d date, m mood, u uuid, t timestamptz)`
      await database.run(made)
      const source = await open({ readOnly: false })
      const access = await accessTo(source, 't')
      const refused = async (values: Record<string, string | number>) =>
        await writeRows(source, access, [{ insert: { id: 1, ...values } }, { delete: [9] }])
      for (const [column, value] of [
        ['s', 'four'],
        ['n', 100],
        ['n', 'abc'],
        ['i', 40_000],
        ['i', 'abc'],
        ['d', '2024-02-30'],
        ['m', 'bad'],
        ['u', 'abc'],
        ['t', 'soon'],
        ['s', 'a\0'],
      ] as const)
        expect(await refused({ [column]: value })).toEqual([
          { status: 'refused', rule: 'type', columns: [column] },
          { status: 'missing' },
        ])
      const fine = {
        s: 'abc',
        n: '99.99',
        i: 5,
        d: '2024-02-29',
        m: 'ok',
        t: '2024-02-29 12:00+02',
      }
      expect(await writeOne(source, access, { insert: { id: 1, ...fine } })).toEqual({
        status: 'done',
        key: [1],
      })
      expect((await readPage(source, access)).rows[0]?.values).toEqual([
        1,
        'abc',
        '99.99',
        5,
        '2024-02-29',
        'ok',
        null,
        '2024-02-29 10:00:00+00',
      ])
    })

    test('a rule that is put off until the end refuses the batch', async () => {
      const made = `create table boss (id int primary key);
        create table t (id int primary key, boss int references boss deferrable initially deferred)`
      expect(await insert(made, 't', { id: 1, boss: 9 })).toMatchObject({
        rule: 'reference',
        columns: ['boss'],
      })
    })

    test('a row that others refer to stays', async () => {
      await database.run('create table pets (id int primary key, owner int references people)')
      await database.run('insert into pets values (1, 2)')
      const source = await open({ readOnly: false })
      const access = await accessTo(source, 'people')
      expect(await writeOne(source, access, { delete: [2] })).toMatchObject({
        status: 'refused',
        rule: 'reference',
      })
      expect(await idsOf(source, access, everything)).toEqual([1, 2])
    })

    test('what the database counts up or works out itself is not written', async () => {
      await database.run(`create table t (id int generated always as identity primary key, n int,
        twice int generated always as (n * 2) stored)`)
      const source = await open({ readOnly: false })
      const access = await accessTo(source, 't')
      for (const values of [{ id: 5 }, { twice: 4 }])
        await expect(writeRows(source, access, [{ insert: values }])).rejects.toMatchObject({
          code: 'FORBIDDEN',
        })
      expect(await writeOne(source, access, { insert: { n: 2 } })).toEqual({
        status: 'done',
        key: [1],
      })
    })
  })
})
