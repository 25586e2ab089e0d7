/** Allowing changes: who may, over HTTP, what outlives a restart, and what settings decide. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Admin, AdminOptions } from '../src/admin/compose/admin-options.ts'
import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { readCommand, readSettings } from '../src/cli/settings.ts'
import { openPostgres } from '../src/database/postgres/open.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import type { PageData } from '../src/protocol/page.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import type { RowSource } from '../src/table/source/row-source.ts'
import { fullAccess } from './contracts/actors.ts'
import { writeTo } from './contracts/opened.ts'
import { createDatabase, describePostgres } from './contracts/postgres-server.ts'
import { HOST_SIGN_IN } from './embedding/guest.ts'

const ROLES = ['admin', 'editor', 'viewer'] as const
type Role = (typeof ROLES)[number]

type Running = { readonly admin: Admin; readonly source: RowSource; readonly log: string[] }

let folder: string
const running: Running[] = []

/** Starts an admin on the one data folder; whoever asks is of the role that the cookie names. */
async function start(source: RowSource, options: Partial<AdminOptions> = {}): Promise<Running> {
  const log: string[] = []
  const admin = await createAdmin({
    source,
    dataFolder: join(folder, 'data'),
    auth: {
      ...HOST_SIGN_IN,
      authenticate({ headers }) {
        const role = ROLES.find((one) => headers.cookie === `role=${one}`)
        return role && { id: role, name: role, role, session: `session of ${role}` }
      },
    },
    log: (line) => log.push(line),
    ...options,
  })
  const started = { admin, source, log }
  running.push(started)
  return started
}

const startOn = async (file: string, options?: Partial<AdminOptions>) =>
  start(await openSqlite(join(folder, file)), options)

async function stop({ admin }: Running): Promise<void> {
  running.splice(0)
  await admin.close()
}

const pageFor = async ({ admin }: Running, role: Role) =>
  (
    await admin.app.inject({
      url: '/tables/fruit',
      headers: { cookie: `role=${role}`, 'x-tablewire-navigate': '1' },
    })
  ).json<PageData>()

let keys = 0

/** Calls an action of the shell with the page of `page`, as the browser of `role` does. */
async function call(
  { admin }: Running,
  { csrf, components, updateUrl }: PageData,
  role: Role | null,
  method: string,
  ...params: boolean[]
) {
  // Every page has a shell.
  const { snapshot } = components.find(({ name }) => name === 'shell')!
  const calls = [{ method, params }]
  const answer = await admin.app.inject({
    method: 'POST',
    url: updateUrl,
    headers: {
      ...(role && { cookie: `role=${role}` }),
      'content-type': 'application/json',
      'x-tablewire': '1',
      'x-requested-with': 'XMLHttpRequest',
      'idempotency-key': `key-of-call-${keys++}`,
    },
    payload: { _token: csrf, components: [{ snapshot, updates: {}, calls }] },
  })
  return { status: answer.statusCode, body: answer.json<UpdateResponse & { error?: object }>() }
}

const allow = async (started: Running, isAllowed = true) =>
  expect(
    await call(started, await pageFor(started, 'admin'), 'admin', 'allowChanges', isAllowed),
  ).toMatchObject({ status: 200, body: { components: [{ effects: { returns: [null] } }] } })

/** Whether a row is written, or the code of the refusal. */
async function write({ source }: Running): Promise<string> {
  const { tables } = await source.describe()
  // There is one table.
  const unit = { rows: [{ update: [1], set: { name: 'Fig' } }] }
  return writeTo(source, fullAccess(tables[0]!), unit).then(
    ({ rows: [row] }) => row?.status ?? 'nothing',
    (error: { code: string }) => error.code,
  )
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-changes-'))
  for (const file of ['shop.sqlite', 'other.sqlite']) {
    const database = new DatabaseSync(join(folder, file))
    database.exec(`create table fruit (id integer primary key, name text not null);
      insert into fruit (name) values ('Quince'), ('Apple')`)
    database.close()
  }
})

afterEach(async () => {
  for (const started of running.splice(0)) await started.admin.close()
  await rm(folder, { recursive: true, force: true })
})

describe('who may allow changes', () => {
  test('is an administrator, who is told first what that means', async () => {
    const started = await startOn('shop.sqlite')
    const page = await pageFor(started, 'admin')
    expect(await write(started)).toBe('TABLE_READ_ONLY')
    const { body } = await call(started, page, 'admin', 'changes')
    expect(body.components[0]?.effects.returns).toMatchObject([
      { isAllowed: false, obstacle: null, title: 'Allow changes to this database?' },
    ])
    await allow(started)
    expect(await write(started)).toBe('done')
    await allow(started, false)
    expect(await write(started)).toBe('TABLE_READ_ONLY')
  })

  test.each(
    (['editor', 'viewer'] as const).flatMap((role) =>
      (['changes', 'allowChanges'] as const).map((method) => [role, method] as const),
    ),
  )('is no %s, who is refused %s with a page of their own', async (role, method) => {
    const started = await startOn('shop.sqlite')
    const params = method === 'allowChanges' ? [true] : []
    const answer = await call(started, await pageFor(started, role), role, method, ...params)
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect(await write(started)).toBe('TABLE_READ_ONLY')
  })

  test.each(['editor', 'viewer'] as const)(
    'is no %s who has also taken the page of an administrator',
    async (role) => {
      const started = await startOn('shop.sqlite')
      const page = await pageFor(started, 'admin')
      const { csrf } = await pageFor(started, role)
      for (const taken of [page, { ...page, csrf }])
        expect(await call(started, taken, role, 'allowChanges', true)).toMatchObject({
          status: 419,
          body: { error: { code: 'PAGE_EXPIRED' } },
        })
      expect(await write(started)).toBe('TABLE_READ_ONLY')
    },
  )

  test('is nobody who is not signed in, and no editor may take it back', async () => {
    const started = await startOn('shop.sqlite')
    const page = await pageFor(started, 'admin')
    expect((await call(started, page, null, 'allowChanges', true)).status).toBe(419)
    expect(await write(started)).toBe('TABLE_READ_ONLY')
    await allow(started)
    const own = await pageFor(started, 'editor')
    expect((await call(started, own, 'editor', 'allowChanges', false)).status).toBe(403)
    expect(await write(started)).toBe('done')
  })
})

test('allowing changes says what becomes possible, table by table', async () => {
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec(`create table tasks (id integer primary key, title text, position integer);
    create table notes (id integer primary key, text text);
    create table archive (id integer primary key, text text);
    create view recent as select * from notes`)
  database.close()
  const started = await startOn('shop.sqlite', {
    definitions: {
      tasks: { reorder: { column: 'position' } },
      archive: { write: false },
    },
  })
  const page = await pageFor(started, 'admin')
  const { body } = await call(started, page, 'admin', 'changes')
  const [statement] = body.components[0]?.effects.returns ?? []
  expect(statement).toMatchObject({
    tables: expect.arrayContaining([
      {
        name: 'tasks',
        label: 'Tasks',
        may: 'add, correct and delete rows; put rows in order, by Position',
      },
      expect.objectContaining({
        label: expect.stringContaining('Notes'),
        may: 'add, correct and delete rows',
      }),
    ]),
    lines: expect.arrayContaining(['Nothing can be changed in 2 other tables.']),
  })
  expect(JSON.stringify(statement)).not.toContain('Archive')
})

describe('what an administrator has decided', () => {
  test('outlives a restart, and concerns that database alone', async () => {
    const first = await startOn('shop.sqlite')
    await allow(first)
    await stop(first)
    const again = await startOn('shop.sqlite')
    expect([again.source.writing?.isAllowed(), await write(again)]).toEqual([true, 'done'])
    await stop(again)
    const other = await startOn('other.sqlite')
    expect([other.source.writing?.isAllowed(), await write(other)]).toEqual([
      false,
      'TABLE_READ_ONLY',
    ])
    await stop(other)
    const last = await startOn('shop.sqlite')
    await allow(last, false)
    await stop(last)
    expect(await write(await startOn('shop.sqlite'))).toBe('TABLE_READ_ONLY')
  })
})

test('what an administrator has decided is followed by another node within five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const [here, there] = [await startOn('shop.sqlite'), await startOn('shop.sqlite')]
    for (const [isAllowed, outcome] of [
      [true, 'done'],
      [false, 'TABLE_READ_ONLY'],
    ] as const) {
      await allow(here, isAllowed)
      await vi.advanceTimersByTimeAsync(5000)
      await expect.poll(() => there.source.writing?.isAllowed()).toBe(isAllowed)
      expect(await write(there)).toBe(outcome)
    }
  } finally {
    vi.useRealTimers()
  }
})

describe('a setting', () => {
  test.each([
    [['--write'], {}, undefined, 'done'],
    [[], { TABLEWIRE_WRITE: 'true' }, undefined, 'done'],
    [[], { TABLEWIRE_WRITE: '0' }, true, 'TABLE_READ_ONLY'],
    [[], {}, true, 'done'],
  ] as const)('%j with %j and %j in the configuration decides', async (args, env, write_, end) => {
    const config = write_ === undefined ? {} : { write: write_ }
    const { write: setting } = readSettings(readCommand(['a.db', ...args]), env, config)
    const started = await startOn('shop.sqlite', setting === undefined ? {} : { write: setting })
    expect(await write(started)).toBe(end)
    const page = await pageFor(started, 'admin')
    for (const isAllowed of [true, false])
      expect((await call(started, page, 'admin', 'allowChanges', isAllowed)).status).toBe(403)
    expect(await write(started)).toBe(end)
  })

  test('against changes wins over what an administrator has decided before', async () => {
    const before = await startOn('shop.sqlite')
    await allow(before)
    await stop(before)
    const refusing = await startOn('shop.sqlite', { write: false })
    expect(await write(refusing)).toBe('TABLE_READ_ONLY')
    await stop(refusing)
    expect(await write(await startOn('shop.sqlite'))).toBe('done')
  })
})

describePostgres('a database user who may only read', () => {
  test('keeps a server from starting with --write, and later from writing', async () => {
    const database = await createDatabase()
    const user = `${database.name}_user`
    await database.run(`create table fruit (id int primary key, name text not null);
      insert into fruit values (1, 'Quince');
      create role ${user} login; grant usage on schema public to ${user};
      grant select, update on fruit to ${user}`)
    try {
      const open = () => openPostgres(database.url(user))
      const allowed = await start(await open())
      await allow(allowed)
      expect(await write(allowed)).toBe('done')
      await stop(allowed)
      await database.run(`revoke update on fruit from ${user}`)

      const source = await open()
      await expect(start(source, { write: true })).rejects.toMatchObject({
        code: 'TABLE_READ_ONLY',
      })
      await source.close()

      const started = await start(await open())
      expect(started.log).toContain('Changes were allowed, but the database cannot be written.')
      expect(await write(started)).toBe('TABLE_READ_ONLY')
      const page = await pageFor(started, 'admin')
      const { body } = await call(started, page, 'admin', 'changes')
      expect(body.components[0]?.effects.returns).toMatchObject([
        { obstacle: 'So nothing could be changed. Grant more first.' },
      ])
      await stop(started)
    } finally {
      await database.run(`drop owned by ${user}; drop role ${user}`)
      await database.drop()
    }
  })
})
