import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { sortRequest } from '../../../test/embedding/guest.ts'
import { sourceWith } from '../../../test/source-with.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { PageData } from '../../protocol/page.ts'
import {
  type Call,
  HEADERS,
  IS_PATIENT,
  UPDATE_PATH,
  type UpdateRequest,
  type UpdateResponse,
} from '../../protocol/wire.ts'
import type { RowSource, Run } from '../../table/source/row-source.ts'
import type { Admin } from '../compose/admin-options.ts'
import { createAdmin } from '../compose/create-admin.ts'

let folder: string
let admin: Admin

afterEach(async () => {
  await admin.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(change = (source: RowSource) => source): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-turns-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table orders (id integer primary key, note text);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 200)
      insert into orders select i, 'note ' || i from n`)
  database.close()
  const source = change(await openSqlite(file))
  admin = await createAdmin({ source, dataFolder: join(folder, 'data') })
}

type Answered = { readonly statusCode: number; json<T>(): T }

/** A person's page of the list, and what sends the update that sorts it, or calls something else. */
async function updating(email: string, role: 'admin' | 'viewer') {
  const cookie = await signIn(email, role)
  const { app } = admin
  const url = '/tables/orders'
  const shown = await app.inject({ url, headers: { cookie, 'x-tablewire-navigate': '1' } })
  // It was written a moment ago.
  const sort = JSON.parse(sortRequest(shown.json<PageData>(), 'note')) as UpdateRequest
  return (more: Record<string, string> = {}, part: { calls?: Call[] } = {}): Promise<Answered> =>
    app.inject({
      ...{ method: 'POST', url: UPDATE_PATH },
      payload: { ...sort, components: sort.components.map((one) => ({ ...one, ...part })) },
      headers: {
        ...{ cookie, [HEADERS.marker]: '1', 'content-type': 'application/json' },
        ...{ origin: 'http://localhost', host: 'localhost' },
        ...more,
      },
    })
}

async function signIn(email: string, role: 'admin' | 'viewer'): Promise<string> {
  const entry = { name: 'Ana', email, password: 'correct horse battery' }
  const link = await admin.accounts.issueLink({ role })
  const device = { address: '127.0.0.1', userAgent: 'test' }
  const { token } = await admin.accounts.redeemLink(link, entry, device)
  return `${admin.sessionCookie}=${token}`
}

test('while one person asks for a hundred pages at once, another is answered among the first', async () => {
  await open()
  const [greedy, other] = [
    await signIn('a@example.org', 'admin'),
    await signIn('b@example.org', 'viewer'),
  ]
  const answered: [person: string, status: number][] = []
  const visit = async (cookie: string): Promise<void> => {
    const url = '/tables/orders'
    const { statusCode } = await admin.app.inject({ url, headers: { cookie } })
    answered.push([cookie === other ? 'other' : 'greedy', statusCode])
  }
  await visit(greedy)
  await visit(other)
  answered.length = 0
  const burst = Array.from({ length: 100 }, () => visit(greedy))
  await setImmediate()
  await visit(other)
  expect(answered.at(-1)).toEqual(['other', 200])
  expect(answered.length).toBeLessThan(20)
  await Promise.all(burst)
  expect(answered.every(([, status]) => status === 200)).toBe(true)
})

test('who has asked to go on with a question is marked as patient, and nobody else', async () => {
  const runs: (Run | undefined)[] = []
  await open((source) =>
    sourceWith(source, {
      page: (access, query, run) => {
        runs.push(run)
        return source.page(access, query, run)
      },
    }),
  )
  const sort = await updating('a@example.org', 'admin')
  runs.length = 0
  await sort()
  await sort({ [HEADERS.marker]: IS_PATIENT })
  expect(runs.map((run) => run?.isLong ?? false)).toEqual([false, true])
})

test('while a question goes on that was asked for, there are pages and counts, and its advice stays', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await open((source) =>
    sourceWith(source, {
      async page(access, query, run) {
        if (!run?.isLong) return source.page(access, query, run)
        begun.resolve()
        await held.promise
        return { ...(await source.page(access, query, run)), advice: 'An index would help.' }
      },
    }),
  )
  const [ana, ben] = [
    await updating('a@example.org', 'admin'),
    await updating('b@example.org', 'viewer'),
  ]
  const patient = ana({ [HEADERS.marker]: IS_PATIENT })
  await begun.promise
  const total = { calls: [{ method: 'total', params: [] }] }
  for (const meanwhile of [ana(), ben(), ana({}, total), ben({}, total)])
    expect((await meanwhile).statusCode).toBe(200)
  held.resolve()
  const [answered] = (await patient).json<UpdateResponse>().components
  expect(answered?.effects.view).toMatchObject({ advice: 'An index would help.' })
})

test('every answer says that its type is not to be guessed, and pages are framed by nobody', async () => {
  await open()
  const cookie = await signIn('a@example.org', 'admin')
  for (const url of ['/', '/tables/orders', '/healthz', '/nothing', '/tablewire/update']) {
    const { headers } = await admin.app.inject({ url, headers: { cookie } })
    expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff'])
  }
  const { headers } = await admin.app.inject({ url: '/', headers: { cookie } })
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('of more pages than may wait at once, the rest is answered with 429', async () => {
  await open()
  const cookie = await signIn('a@example.org', 'admin')
  const visit = () => admin.app.inject({ url: '/tables/orders', headers: { cookie } })
  const answers = await Promise.all(Array.from({ length: 300 }, visit))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(100)
  expect(refused[0]?.headers['retry-after']).toBe('1')
  expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(300 - refused.length)
})
