/** Triggers by which PostgreSQL tells of writes: installed only by whoever runs their SQL, and then heard at once. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { CHANGE_TRIGGERS } from '../../src/database/postgres/change-triggers.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../contracts/postgres-server.ts'
import { sourceWith } from '../source-with.ts'
import { type LiveAdmin, type LiveSocket, openShop, type Person, type Shop } from './live-admin.ts'

/** How often the admin has looked whether the version is another. */
let looks = 0
/** A source whose version never changes, so that only triggers tell. */
const unversioned = (source: RowSource): RowSource =>
  sourceWith(source, {
    async dataVersion() {
      looks++
      return '1'
    },
  })

describePostgres('triggers of PostgreSQL', () => {
  let database: TestDatabase
  let shop: Shop

  beforeEach(async () => {
    database = await createDatabase()
    await database.run(`create table orders (id int primary key, note text);
      create schema "Odd ""place"; create table "Odd ""place"."A 'table" (id int primary key);
      create table days (day date not null) partition by range (day);
      create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01');
      create view seen as select * from orders`)
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
    await database.drop()
  })

  const start = async (): Promise<LiveAdmin> =>
    shop.start({ source: unversioned(await openPostgres(database.url())) })
  const noticedBy = async (person: Person) =>
    (await person.page('/tables/orders')).realtime?.noticedBy

  test.each([
    ['a row', "insert into orders values (1, 'new')"],
    ['a table that is emptied', 'truncate orders'],
    ['a table of an odd name', `insert into "Odd ""place"."A 'table" values (1)`],
    ['a partition', "insert into days_2026 values ('2026-05-01')"],
    ['what is partitioned', "insert into days values ('2026-05-01')"],
  ])('tell of %s at once, and the page says that they do', async (_, write) => {
    await database.run(CHANGE_TRIGGERS)
    const admin = await start()
    const ana = await admin.signIn('ana')
    await vi.waitFor(async () => expect(await noticedBy(ana)).toBe('triggers'), 5000)
    const socket = await ana.connect()
    await socket.subscribe('private-table.orders')
    await settled(socket)
    const before = socket.named('changed').length
    await database.run(write)
    await vi.waitFor(() => expect(socket.named('changed').length).toBeGreaterThan(before), 5000)
  })

  test('are installed by nobody but who runs their SQL, which may be run again and taken back', async () => {
    const installed = async () =>
      (await database.run("select 1 from pg_trigger where tgname = 'tablewire_tell_changes'"))
        .length
    const admin = await start()
    const ana = await admin.signIn('ana')
    expect(await noticedBy(ana)).toBe('asking')
    expect(await installed()).toBe(0)
    await database.run(CHANGE_TRIGGERS)
    await database.run(CHANGE_TRIGGERS)
    expect(await installed()).toBe(4)
    const [, remove = ''] = /To remove all of it: (.*)/.exec(CHANGE_TRIGGERS) ?? []
    await database.run(remove)
    expect(await installed()).toBe(0)
  })
})

/** Waits until everything that joining has told has come. */
async function settled({ say, wait }: LiveSocket): Promise<void> {
  const before = looks
  // The first may have begun before; what a look tells, the next one does not tell again.
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 2), 5000)
  // What was sent to the socket until now comes before the answer.
  say('pusher:ping', {})
  await wait('pusher:pong')
}

test('`tablewire triggers` prints their SQL, and opens no database', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  expect(await main(['triggers'], {})).toBe(0)
  expect(log.mock.calls.flat().join('\n')).toBe(CHANGE_TRIGGERS.trimEnd())
  log.mockRestore()
})
