import { writeRows } from '../../../test/contracts/opened.ts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import {
  createDatabase,
  describeMysql,
  type TestDatabase,
} from '../../../test/contracts/mysql-server.ts'
import { DataVersion } from './data-version.ts'
import { openMysql } from './open.ts'

describeMysql('whether anything has changed', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await database.run('create table t (id int primary key, v int); insert into t values (1, 1)')
  })
  afterAll(() => database.drop())

  test('is told at once of our own writes, and of others within five seconds', async () => {
    let now = 1000
    const source = await openMysql(database.url(), { readOnly: false, now: () => now })
    onTestFinished(() => source.close())
    const { tables } = await source.describe()
    const first = await source.dataVersion()
    await writeRows(source, fullAccess(tables[0]!), [{ update: [1], set: { v: 2 } }])
    const second = await source.dataVersion()
    expect(second).not.toBe(first)
    await database.run('update t set v = 3')
    now += 5000
    expect(await source.dataVersion()).not.toBe(second)
  })

  test('is told apart from what another opening says', async () => {
    const [one, two] = [await openMysql(database.url()), await openMysql(database.url())]
    onTestFinished(async () => void (await Promise.all([one.close(), two.close()])))
    expect(await one.dataVersion()).not.toBe(await two.dataVersion())
  })

  test('is told by MariaDB at once after a quiet time, and within five seconds of that write', async ({
    skip,
  }) => {
    let now = 1000
    const source = await openMysql(database.url(), { now: () => now })
    onTestFinished(() => source.close())
    expect(source.noticedBy).toBe('delayed')
    // Nothing is told in the first two seconds after a write; MySQL never tells.
    const isQuiet = async () => (await source.exactVersion()) !== null
    const waited = await vi.waitUntil(isQuiet, { timeout: 6000, interval: 100 }).catch(() => false)
    if (!waited) skip('The server does not tell.')
    const quiet = await source.dataVersion()
    await database.run('update t set v = 4')
    const first = await source.dataVersion()
    expect(first).not.toBe(quiet)
    await database.run('update t set v = 5')
    expect(await source.dataVersion()).toBe(first)
    now += 5000
    expect(await source.dataVersion()).not.toBe(first)
  })
})

test('which tables others have written is told while every engine records it, and then is not known', async () => {
  /** Name, when it was written, whether that is a while ago, and whether the engine records it. */
  const tables = [
    ['a', 'at one', 1, 1],
    ['b', 'at one', 1, 1],
  ]
  let asked = 0
  const server = {
    info: { server: 'localhost', user: 'root', database: 'shop' },
    // Before the tables it is asked since when it runs, and whether it has forgotten nothing.
    ask: async () => (asked++ % 2 === 0 ? [[100, 1]] : tables),
  }
  const watch = new DataVersion(server, () => 0).watch()
  const look = () => watch({ isMariaDb: true }, tables.length)
  expect(await look()).toBe('any')
  tables[0] = ['a', 'at two', 1, 1]
  expect(await look()).toEqual(['a'])
  expect(await look()).toEqual([])
  tables.push(['c', 'at one', 1, 0])
  expect(await look()).toBe('any')
})
