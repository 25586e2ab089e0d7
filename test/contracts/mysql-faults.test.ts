import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openMysql, type MysqlOptions } from '../../src/database/mysql/open.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Access } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { fullAccess } from './actors.ts'
import {
  createDatabase,
  describeMysql,
  isMariaDb,
  mysqlPort,
  numbersTo,
  type TestDatabase,
} from './mysql-server.ts'
import { idsOf, readPage, writeOne, writeRows } from './opened.ts'
import { openProxy, type TcpProxy } from './tcp-proxy.ts'

const BIG = `create table big (id int auto_increment primary key, v varchar(100));
  insert into big (v) select concat('This is the text of row number ', seq) from ${numbersTo(200_000)}`
const SMALL = `create table small (id int auto_increment primary key, v varchar(100) not null, n int, key by_v (v));
  insert into small (v, n) values ('a', 1), ('b', 2), ('c', 3)`

/** Of the two lists that MySQL has, one cannot hold a statement with all letters. */
const PROCESSES = `${isMariaDb ? 'information_schema' : 'performance_schema'}.processlist`

/** Seconds of work on the big table. */
const endless: Predicate = {
  op: 'or',
  all: Array.from({ length: 80 }, (_, i) => ({
    op: 'contains' as const,
    column: 'v',
    text: `never ${i}`,
  })),
}

describeMysql('faults', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await database.run(`${BIG}; ${SMALL}`)
  })
  afterAll(() => database.drop())

  async function opened(
    options: MysqlOptions & { url?: string } = {},
  ): Promise<{ source: RowSource; access(table: string): Promise<Access> }> {
    const { url = database.url(), ...rest } = options
    const source = await openMysql(url, { readOnly: false, ...rest })
    onTestFinished(() => source.close())
    const access = async (name: string): Promise<Access> => {
      const { tables } = await source.describe()
      return fullAccess(tables.find((table) => table.name === name)!)
    }
    return { source, access }
  }

  async function proxied(): Promise<{ proxy: TcpProxy; url: string }> {
    const proxy = await openProxy(mysqlPort)
    onTestFinished(() => proxy.close())
    // Without encryption, so that the proxy can read the statements.
    return { proxy, url: `${database.url({ port: proxy.port })}?sslmode=disable` }
  }

  /** The statements that run in this database, except this query. */
  const running = async (): Promise<string[]> => {
    const rows = await database.run(
      `select info from ${PROCESSES}
        where db = ? and command <> 'Sleep' and id <> connection_id()`,
      [database.name],
    )
    return rows.map(([info]) => String(info))
  }

  const killAll = async (what: 'connection' | 'query'): Promise<number> => {
    const rows = await database.run(
      `select id from ${PROCESSES} where db = ? and id <> connection_id()
        and ('query' <> ? or command <> 'Sleep')`,
      [database.name, what],
    )
    for (const [id] of rows)
      await database.run(`kill ${what} ${Number(id)}`).catch((error: unknown) => {
        // It has ended by itself since it was listed.
        if ((error as { code?: unknown }).code !== 'ER_NO_SUCH_THREAD') throw error
      })
    return rows.length
  }

  test('a query that is no longer wanted ends on the server, and its connection is used again', async () => {
    const { source, access } = await opened()
    const big = await access('big')
    const controller = new AbortController()
    const scan = source.count(big, endless, { signal: controller.signal, timeoutMs: 60_000 })
    scan.catch(() => undefined)
    await vi.waitUntil(async () => (await running()).length > 0, 15_000)
    controller.abort()
    await expect(scan).rejects.toBe(controller.signal.reason)
    await vi.waitUntil(async () => (await running()).length === 0, 15_000)
    for (let i = 0; i < 50; i++)
      expect(await source.count(big, { op: 'eq', column: 'id', value: i + 1 })).toMatchObject({
        count: 1,
      })
  })

  test('rows are written while all connections for pages are taken', async () => {
    await database.run('create view slow as select id, sleep(60) as slept from small')
    const { source, access } = await opened({ connections: 3 })
    const [slow, small] = [await access('slow'), await access('small')]
    const controller = new AbortController()
    const run = { signal: controller.signal, timeoutMs: 120_000 }
    const waiting = Promise.allSettled([1, 2, 3].map(() => readPage(source, slow, {}, run)))
    await vi.waitUntil(async () => (await running()).length === 1, 15_000)
    expect(await writeOne(source, small, { update: [2], set: { n: 7 } })).toMatchObject({
      status: 'done',
    })
    // The server may show a statement for a moment that it has answered.
    await expect.poll(running).toHaveLength(1)
    controller.abort()
    await waiting
    await database.run('drop view slow')
  })

  test('a query that takes too long ends on the server', async () => {
    const { source, access } = await opened()
    const scan = source.count(await access('big'), endless, { timeoutMs: 100 })
    await expect(scan).rejects.toMatchObject({ code: 'QUERY_TIMEOUT', retryAfter: 1 })
    await vi.waitUntil(async () => (await running()).length === 0, 15_000)
  })

  test('connections that were ended meanwhile are made anew, and nobody notices', async () => {
    const { source, access } = await opened()
    const small = await access('small')
    for (let round = 0; round < 3; round++) {
      expect(await killAll('connection')).toBeGreaterThan(0)
      expect(await idsOf(source, small)).toEqual([1, 2, 3])
      await killAll('connection')
      expect(await writeOne(source, small, { update: [1], set: { n: round } })).toEqual({
        status: 'done',
        key: [1],
      })
    }
  })

  test('a read whose connection is lost under it is asked once more', async () => {
    const { source, access } = await opened()
    const where: Predicate = { op: 'contains', column: 'v', text: 'number 77' }
    const slow: Predicate = { op: 'and', all: [{ op: 'not', of: endless }, where] }
    const count = source.count(await access('big'), slow, { timeoutMs: 60_000 })
    await vi.waitUntil(async () => (await running()).length > 0, 15_000)
    await killAll('connection')
    expect(await count).toMatchObject({ kind: 'exact' })
  })

  test('a query that somebody else ended is told as such', async () => {
    const { source, access } = await opened()
    const scan = source.count(await access('big'), endless, { timeoutMs: 60_000 })
    let isEnded = false
    scan.catch(() => undefined).finally(() => (isEnded = true))
    await vi.waitUntil(async () => (await running()).length > 0, 15_000)
    // A listed query may not have begun yet, and then ignores that it was killed.
    await vi.waitUntil(async () => {
      await killAll('query')
      return isEnded
    }, 15_000)
    await expect(scan).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      detail: expect.stringContaining('ended from outside'),
    })
  })

  test('while the server is away this is told, and when it is back nothing is to be done', async () => {
    const { proxy, url } = await proxied()
    const { source, access } = await opened({ url })
    const small = await access('small')
    for (let round = 0; round < 2; round++) {
      expect(await idsOf(source, small)).toEqual([1, 2, 3])
      await proxy.goDown()
      for (const call of [
        () => readPage(source, small),
        () => source.count(small, everything),
        () => writeRows(source, small, [{ update: [1], set: { n: 7 } }]),
      ])
        await expect(call()).rejects.toMatchObject({
          code: 'DATABASE_UNAVAILABLE',
          detail: expect.stringContaining('Nothing listens'),
        })
      await proxy.comeBack()
    }
    expect(await idsOf(source, small)).toEqual([1, 2, 3])
    expect(await writeOne(source, small, { update: [1], set: { n: 8 } })).toMatchObject({
      status: 'done',
    })
  })

  test('a line that is dead without a word is given up in time', async () => {
    const { proxy, url } = await proxied()
    const { source, access } = await opened({ url, timeoutMs: 300, connectMs: 300 })
    const small = await access('small')
    expect(await idsOf(source, small)).toEqual([1, 2, 3])
    proxy.holdBack()
    await expect(readPage(source, small)).rejects.toMatchObject({ status: 503 })
    await expect(readPage(source, small)).rejects.toMatchObject({ status: 503 })
    proxy.letThrough()
    // Dropped packets are lost, so the old connections stay dead until they are closed.
    await vi.waitFor(async () => expect(await idsOf(source, small)).toEqual([1, 2, 3]), {
      timeout: 10_000,
      interval: 100,
    })
  })

  test('a write whose commit nobody answered is told, and not repeated', async () => {
    const { proxy, url } = await proxied()
    const { source, access } = await opened({ url })
    const small = await access('small')
    await writeOne(source, small, { update: [2], set: { n: 0 } })
    proxy.cutAt('commit')
    await expect(
      writeRows(source, small, [{ insert: { v: 'once' } }, { update: [2], set: { n: 1 } }]),
    ).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    const where: Predicate = { op: 'eq', column: 'v', value: 'once' }
    await vi.waitFor(async () => expect(await idsOf(source, small, where)).toHaveLength(1))
    await database.run(`delete from small where v = 'once'`)
  })

  test('a write whose connection is lost before its commit happens once', async () => {
    const { proxy, url } = await proxied()
    const { source, access } = await opened({ url })
    const small = await access('small')
    await writeOne(source, small, { update: [2], set: { n: 0 } })
    proxy.cutAt('start transaction')
    expect(await writeOne(source, small, { insert: { v: 'twice' } })).toMatchObject({
      status: 'done',
    })
    expect(await idsOf(source, small, { op: 'eq', column: 'v', value: 'twice' })).toHaveLength(1)
    await database.run(`delete from small where v = 'twice'`)
  })

  test('rows that somebody else holds are waited for, and then told', async () => {
    const { source, access } = await opened()
    const small = await access('small')
    await database.run('start transaction')
    await database.run('update small set n = 5 where id = 3')
    try {
      await expect(
        writeRows(source, small, [{ update: [3], set: { n: 6 } }]),
      ).rejects.toMatchObject({ code: 'BUSY', detail: expect.stringContaining('locked') })
      expect((await readPage(source, small)).rows).toHaveLength(3)
    } finally {
      await database.run('rollback')
    }
  })

  test('writers that wait for each other are sorted out, and none is lost', async () => {
    const { source, access } = await opened()
    const small = await access('small')
    const both = (first: number, second: number) =>
      writeRows(source, small, [
        { update: [first], set: { n: first } },
        { update: [second], set: { n: second } },
      ])
    for (let round = 0; round < 20; round++) {
      const results = await Promise.all([both(1, 2), both(2, 1)])
      expect(results.flat().map(({ status }) => status)).toEqual(Array(4).fill('done'))
    }
  })

  test('a table that is dropped is not there, and is when it is back', async () => {
    await database.run(
      'create table gone (id int primary key, v int, key (v)); insert into gone values (1, 1)',
    )
    const { source, access } = await opened()
    const gone = await access('gone')
    expect(await idsOf(source, gone)).toEqual([1])
    await database.run('drop table gone')
    await expect(readPage(source, gone)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(writeRows(source, gone, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await database.run(
      'create table gone (id int primary key, v int); insert into gone values (2, 2)',
    )
    await vi.waitFor(async () => expect(await idsOf(source, gone)).toEqual([2]), { timeout: 5000 })
    await database.run('drop table gone')
  })

  test('a column that is renamed is not known, and one that comes back is', async () => {
    await database.run(
      'create table turned (id int primary key, v int); insert into turned values (1, 1)',
    )
    const { source, access } = await opened()
    const turned = await access('turned')
    expect(await idsOf(source, turned)).toEqual([1])
    await database.run('alter table turned rename column v to w')
    await expect(readPage(source, turned)).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
    await vi.waitFor(async () => expect((await access('turned')).canRead('w')).toBe(true), {
      timeout: 10_000,
    })
    await database.run('alter table turned rename column w to v')
    await vi.waitFor(async () => expect(await idsOf(source, turned)).toEqual([1]), {
      timeout: 5000,
    })
    await database.run('drop table turned')
  })

  test('the tables are described anew when they have changed, and only then', async () => {
    await database.run('create table changed (id int primary key, v int)')
    const { source } = await opened()
    let last = await source.describe()
    expect(await source.describe()).toBe(last)
    await database.run('insert into changed values (1, 1)')
    expect(await source.describe()).toBe(last)
    for (const change of [
      'alter table changed add column w int',
      "alter table changed modify w varchar(20) not null default 'x'",
      "alter table changed comment 'Other words'",
      'create index by_w on changed (w)',
      'alter table changed add check (v > 0)',
      'alter table changed add foreign key (v) references small (id)',
      'create view of_changed as select * from changed',
      'drop view of_changed',
      'drop table changed',
    ]) {
      await database.run(change)
      // Do not poll a busy server without a pause.
      await vi.waitFor(async () => expect(await source.describe(), change).not.toBe(last), {
        timeout: 10_000,
      })
      last = await source.describe()
    }
  })

  test('an index that is dropped takes nothing but its speed', async () => {
    const { source, access } = await opened()
    const small = await access('small')
    const sort = [{ column: 'v', descending: false }]
    expect((await readPage(source, small, { sort })).indexed).toBe(true)
    await database.run('drop index by_v on small')
    const { rows, indexed, advice } = await readPage(source, small, { sort })
    expect([rows.length, indexed]).toEqual([3, false])
    expect(advice).toBe('create index `small_v` on `small` (`v`)')
    await database.run('create index by_v on small (v)')
  })

  test('a privilege that is withdrawn is told in one sentence, and works again when it is back', async () => {
    const name = `${database.name}_p`.slice(-32)
    await database.run(`create user '${name}'@'%' identified by 'pw';
      grant select on small to '${name}'@'%'`)
    onTestFinished(async () => void (await database.run(`drop user '${name}'@'%'`)))
    const { source, access } = await opened({ url: database.url({ name, password: 'pw' }) })
    const small = await access('small')
    expect(await idsOf(source, small)).toEqual([1, 2, 3])
    await expect(writeRows(source, small, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await database.run(
      `revoke select on small from '${name}'@'%'; grant insert on small to '${name}'@'%'`,
    )
    await expect(readPage(source, small)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      detail: `The database user “${name}” may not read “small”. Its owner can grant SELECT.`,
    })
    await database.run(`grant select on small to '${name}'@'%'`)
    expect(await idsOf(source, small)).toEqual([1, 2, 3])
  })

  test('a server that gives few connections is used with those', async () => {
    const name = `${database.name}_c`.slice(-32)
    await database.run(`create user '${name}'@'%' identified by 'pw' with max_user_connections 2;
      grant select on ${database.name}.* to '${name}'@'%'`)
    onTestFinished(async () => void (await database.run(`drop user '${name}'@'%'`)))
    const { source, access } = await opened({ url: database.url({ name, password: 'pw' }) })
    const small = await access('small')
    const pages = await Promise.all(Array.from({ length: 30 }, () => readPage(source, small)))
    expect(pages.every(({ rows }) => rows.length === 3)).toBe(true)
    await expect(source.count(small, everything)).rejects.toMatchObject({
      code: 'BUSY',
      detail: expect.stringContaining('no connection left'),
    })
  })

  test('what was opened for reading is not written', async () => {
    const { source, access } = await opened({ readOnly: true })
    await expect(writeRows(source, await access('small'), [{ delete: [1] }])).rejects.toMatchObject(
      { code: 'TABLE_READ_ONLY' },
    )
  })

  test('tables whose engine cannot take a change back are not written', async () => {
    await database.run(
      'create table plain (id int primary key) engine = MyISAM; insert into plain values (1)',
    )
    const { source, access } = await opened()
    const plain = await access('plain')
    expect(await idsOf(source, plain)).toEqual([1])
    await expect(writeRows(source, plain, [{ delete: [1] }])).rejects.toMatchObject({
      code: 'TABLE_READ_ONLY',
      detail: expect.stringContaining('InnoDB'),
    })
    await database.run('drop table plain')
  })

  test('why a database cannot be opened is said in one sentence, without the password', async () => {
    const silent = createServer(() => undefined)
    const foreign = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    const portOf = async (server: typeof silent): Promise<number> => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    }
    const [quiet, other] = [await portOf(silent), await portOf(foreign)]
    const name = `${database.name}_o`.slice(-32)
    await database.run(`create user '${name}'@'%' identified by 'sesame'`)
    onTestFinished(async () => void (await database.run(`drop user '${name}'@'%'`)))
    const secret = 'hush-hush'
    // Newer servers always support it, and do not report it.
    const [encryption] = await database.run("show variables like 'have_ssl'")
    const encrypts = encryption?.[1] !== 'DISABLED'
    for (const [url, sentence] of [
      [database.url({ port: 1, password: secret }), 'Nothing listens at “127.0.0.1:1”'],
      [`mysql://me:${secret}@no-such-host.invalid/x`, '“no-such-host.invalid:3306”'],
      [database.url({ port: quiet, password: secret }), 'does not answer'],
      [database.url({ port: other, password: secret }), 'no MySQL or MariaDB server'],
      [database.url({ name, password: secret }), `does not let user “${name}” in`],
      [database.url({ name: 'nobody', password: secret }), 'does not let user “nobody” in'],
      [database.url({ name, password: 'sesame' }), `user “${name}” may not use it`],
      [database.url().replace(database.name, 'no_such_one'), 'There is no database “no_such_one”'],
      encrypts
        ? [`${database.url()}?sslmode=verify-ca`, 'certificate']
        : [`${database.url()}?sslmode=require`, 'cannot encrypt'],
      [`${database.url()}?sslmode=sometimes`, '“sslmode=sometimes”'],
      [`${database.url()}?quick=1`, 'parameter “quick”'],
      [`mysql://me:${secret}@localhost`, 'names no database'],
      [`mysql://me:100%@localhost/x`, 'write it as %25'],
    ] as const) {
      // Only silence needs an end; a busy machine may take its time over the others.
      const connectMs = sentence === 'does not answer' ? 300 : 10_000
      const error = await openMysql(url, { connectMs }).then(
        () => undefined,
        (failed: unknown) => failed,
      )
      expect(error, url).toMatchObject({
        code: 'DATABASE_UNAVAILABLE',
        detail: expect.stringContaining(sentence),
      })
      const said = JSON.stringify([error, String(error), (error as Error).cause])
      expect(said).not.toContain(secret)
    }
  })
})
