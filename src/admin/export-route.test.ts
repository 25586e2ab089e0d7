import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sourceWith } from '../../test/source-with.ts'
import { openSqlite } from '../database/sqlite/open.ts'
import type { PageData } from '../protocol/page.ts'
import { AppError } from '../server/app-error.ts'
import { issueCsrfToken } from '../server/http/csrf.ts'
import { createHttp, readForms } from '../server/http/http.ts'
import type { RowSource } from '../table/source/row-source.ts'
import { createAddresses } from './addresses.ts'
import type { Admin, AdminOptions } from './compose/admin-options.ts'
import { createAdmin } from './compose/create-admin.ts'
import { addExportRoute } from './export-route.ts'
import type { Visitor } from '../server/visitor.ts'
import type { AuthProvider } from './sign-in/auth-provider.ts'

const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const ROWS = 30_000

let folder: string
let admin: Admin
let cookie: string
let token: string

type Options = Partial<AdminOptions> & { readonly wrap?: (source: RowSource) => RowSource }

async function open({ wrap = (source) => source, ...options }: Options = {}): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-export-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table orders (id integer primary key, note text not null);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into orders select i, 'note ' || i from n;
    create table hooks (id integer primary key, api_token text, name text);
    insert into hooks values (1, 'zyzzyva', 'one')`)
  database.close()
  admin = await createAdmin({
    source: wrap(await openSqlite(file)),
    dataFolder: join(folder, 'data'),
    ...options,
  })
  if (options.auth) cookie = 'host=ana'
  else await signIn()
  const page = await admin.app.inject({
    url: '/tables/orders',
    headers: { cookie, 'x-tablewire-navigate': '1' },
  })
  token = page.json<PageData>().csrf
}

async function signIn(): Promise<void> {
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const redeemed = await admin.accounts.redeemLink(link, person, {
    address: '127.0.0.1',
    userAgent: 'test',
  })
  cookie = `${admin.sessionCookie}=${redeemed.token}`
}

afterEach(async () => {
  await admin.close()
  await rm(folder, { recursive: true, force: true })
})

const FORM = 'application/x-www-form-urlencoded'

const post = (
  fields: readonly (readonly [string, string])[] = [],
  url = '/tables/orders/export',
  headers: Record<string, string> = {},
) =>
  admin.app.inject({
    method: 'POST',
    url,
    headers: { cookie, 'content-type': FORM, ...headers },
    payload: new URLSearchParams([
      ['_token', token],
      ...fields.map((pair) => [...pair]),
    ]).toString(),
  })

const linesOf = ({ body }: { body: string }) => body.slice(1).trimEnd().split('\r\n')

test('a form without script exports the rows that were ticked, or all that match', async () => {
  await open()
  const ticked = await post([
    ['key', '7'],
    ['key', '9'],
  ])
  expect(ticked.statusCode).toBe(200)
  expect(ticked.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'no-store',
  })
  expect(ticked.headers['content-disposition']).toMatch(
    /^attachment; filename="Orders \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''Orders%20[\d-]+\.csv$/,
  )
  expect(ticked.headers['content-encoding']).toBeUndefined()
  expect(ticked.body.startsWith('\uFEFF')).toBe(true)
  expect(linesOf(ticked).slice(1)).toEqual(['9,note 9', '7,note 7'])
  expect(linesOf(await post([['key', '7']])).slice(1)).toEqual(['7,note 7'])
  const all = linesOf(await post())
  expect([all.length, all.at(-1)]).toEqual([ROWS + 1, '1,note 1'])
  const found = await post(
    [],
    '/tables/orders/export?search=%22note+2999%22&sort=-id&columns=id&page=3',
  )
  expect(linesOf(found)).toEqual([
    'ID',
    ...['29999', '29998', '29997', '29996', '29995'],
    ...['29994', '29993', '29992', '29991', '29990', '2999'],
  ])
})

test('a script sends the selection as JSON: rows, or all but some', async () => {
  await open()
  const search = '/tables/orders/export?search=%22note+2999%22&columns=id'
  const but = JSON.stringify({ except: ['2999', '29990', '1'] })
  expect(linesOf(await post([['selected', but]], search))).toHaveLength(1 + 11 - 2)
  expect(linesOf(await post([['selected', '["29990","1"]']], search))).toEqual(['ID', '29990'])
  expect(linesOf(await post([['selected', '[]']], search))).toHaveLength(1 + 11)
  const both = [
    ['selected', '["5"]'],
    ['columns', 'all'],
  ] as const
  expect(linesOf(await post(both, '/tables/orders/export?columns=id'))).toEqual([
    'ID,Note',
    '5,note 5',
  ])
})

test('what is no export of a person who is signed in is refused in words', async () => {
  await open({ definitions: { hooks: { bulkActions: false } } })
  const codes = async (answer: ReturnType<typeof post>) => {
    const { statusCode, headers, body } = await answer
    expect(headers['content-type']).toContain('text/html')
    expect(body).not.toContain('note 1')
    return [statusCode, /data-code="(\w+)"|"code":"(\w+)"/.exec(body)?.slice(1).find(Boolean)]
  }
  expect(await codes(post([['selected', '["x"]']]))).toEqual([422, 'TABLE_BAD_KEY'])
  expect(await codes(post([['selected', '7']]))).toEqual([422, 'REQUEST_INVALID'])
  expect(await codes(post([['selected', '{']]))).toEqual([400, 'JSON_MALFORMED'])
  expect(await codes(post([['columns', 'secret']]))).toEqual([422, 'REQUEST_INVALID'])
  expect(await codes(post([], '/tables/orders/export?filter.x=1'))).toEqual([
    422,
    'TABLE_UNKNOWN_COLUMN',
  ])
  expect(await codes(post([], '/tables/nowhere/export'))).toEqual([404, 'NOT_FOUND'])
  expect(await codes(post([], '/tables/hooks/export'))).toEqual([422, 'TABLE_NO_SELECTION'])
  expect(await codes(post([['_token', 'x']]))).toEqual([419, 'PAGE_EXPIRED'])
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect(await codes(post([], undefined, crossSite))).toEqual([419, 'PAGE_EXPIRED'])
  expect(await codes(post([], undefined, { cookie: '' }))).toEqual([401, 'SIGN_IN_REQUIRED'])
  token = 'forged'
  expect(await codes(post())).toEqual([419, 'PAGE_EXPIRED'])
  const reload = await admin.app.inject({
    url: '/tables/orders/export?sort=id',
    headers: { cookie },
  })
  expect([reload.statusCode, reload.headers.location]).toEqual([303, '/tables/orders?sort=id'])
})

test('ticked rows are limited as a selection in JSON is', async () => {
  await open()
  const keys = Array.from({ length: 1001 }, (_, i) => String(i + 1))
  const ticked = (some: string[]) => post(some.map((key) => ['key', key] as const))
  expect(linesOf(await ticked(keys.slice(1)))).toHaveLength(1 + 1000)
  for (const refused of [await ticked(keys), await post([['selected', JSON.stringify(keys)]])]) {
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('REQUEST_INVALID')
  }
})

test('columns that are hidden are in no export', async () => {
  await open()
  const { body } = await post([['columns', 'all']], '/tables/hooks/export')
  expect(body).toContain('one')
  expect(body).not.toMatch(/zyzzyva|token/i)
})

test('too many exports in a minute are refused', async () => {
  await open({ now: () => 1_000_000 })
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push((await post([['key', '1']])).statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
})

/** Answers chunks of exports one at a time, when they are let go. */
function held(source: RowSource) {
  let waiting: (() => void)[] = []
  let asked = 0
  const signals: AbortSignal[] = []
  const wrapped: RowSource = new Proxy(source, {
    get(target, name) {
      if (name === 'lines')
        return async (...args: Parameters<RowSource['lines']>) => {
          const [, , run] = args
          asked++
          if (run?.signal) signals.push(run.signal)
          await new Promise<void>((resolve) => waiting.push(resolve))
          return target.lines(...args)
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    wrapped,
    signals,
    asked: () => asked,
    go() {
      const now = waiting
      waiting = []
      for (const resolve of now) resolve()
    },
  }
}

/** Posts over a real socket; resolves when the head of the answer has come. */
async function download() {
  if (!admin.app.server.listening) await admin.app.listen({ port: 0 })
  // A server that listens on a port has such an address.
  const { port } = admin.app.server.address() as AddressInfo
  const body = new URLSearchParams({ _token: token }).toString()
  return new Promise<{ response: IncomingMessage; abort(): void }>((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        method: 'POST',
        path: '/tables/orders/export',
        headers: { cookie, 'content-type': FORM },
      },
      (response) => resolve({ response, abort: () => request.destroy() }),
    )
    request.on('error', reject)
    request.end(body)
  })
}

test('an export reads no further than one chunk ahead, and stops when nobody waits for it', async () => {
  let gate: ReturnType<typeof held>
  await open({ wrap: (source) => (gate = held(source)).wrapped })
  const coming = download()
  await vi.waitFor(() => expect(gate.asked()).toBe(1))
  gate!.go()
  const { response, abort } = await coming
  response.on('error', () => undefined)
  await vi.waitFor(() => expect(gate.asked()).toBe(2))
  abort()
  await vi.waitFor(() => expect(gate.signals.at(-1)!.aborted).toBe(true))
  gate!.go()
  // What was given back can be taken again: a person may run two at once.
  for (let i = 0; i < 3; i++) {
    const again = download()
    await vi.waitFor(() => expect(gate.asked()).toBe(3 + i * 2))
    gate!.go()
    const { response, abort } = await again
    response.on('error', () => undefined)
    await vi.waitFor(() => expect(gate.asked()).toBe(4 + i * 2))
    abort()
    await vi.waitFor(() => expect(gate.signals.at(-1)!.aborted).toBe(true))
    gate!.go()
  }
})

test('an export breaks off once its person has another role', async () => {
  let gate: ReturnType<typeof held>
  let role = 'editor'
  const auth: AuthProvider = {
    authenticate: ({ headers }) => (headers.cookie === undefined ? undefined : ANA()),
    signInUrl: () => '/login',
  }
  const ANA = () => ({ id: 'ana', name: 'Ana', role, session: 'one' })
  let time = 0
  await open({ wrap: (source) => (gate = held(source)).wrapped, auth, now: () => time })
  const coming = download()
  await vi.waitFor(() => expect(gate.asked()).toBe(1))
  gate!.go()
  const { response } = await coming
  await vi.waitFor(() => expect(gate.asked()).toBe(2))
  ;[role, time] = ['viewer', 10_000]
  const ended = once(response.resume(), 'error')
  gate!.go()
  await ended
  expect(gate!.asked()).toBe(2)
})

const session = { id: 'one', lineage: 'one' }
const visitor: Visitor = { actor: { id: 'ana', name: 'Ana', email: '', role: 'admin' }, session }

/** Adds the route alone; `find` tells who asks. Returns what to post, and how. */
async function addRoute(
  app: FastifyInstance,
  source: RowSource,
  find: (request: FastifyRequest) => Promise<Visitor>,
  limits: Pick<Parameters<typeof addExportRoute>[1], 'limitMs' | 'stallMs' | 'waitMs'> = {},
) {
  await readForms(app)
  addExportRoute(app, {
    ...{ catalog: admin.catalog, addresses: createAddresses(), now: Date.now, source },
    guard: { keys: admin.keys, origin: undefined, visitors: { find } },
    stillSignedIn: find,
    ...limits,
  })
  const _token = issueCsrfToken(admin.keys, session.lineage)
  return { method: 'POST', body: new URLSearchParams({ _token, key: '7' }) } as const
}

test('an export of somebody who left before it began takes no place of another one', async () => {
  await open()
  let asked = 0
  const source = await openSqlite(join(folder, 'shop.sqlite'))
  const counted = sourceWith(source, {
    lines(...args) {
      asked++
      return source.lines(...args)
    },
  })
  const known = Promise.withResolvers<Visitor>()
  const app = fastify()
  const running: FastifyReply[] = []
  app.addHook('onRequest', async (_request, reply) => void running.push(reply))
  const request = await addRoute(app, counted, () => known.promise)
  const url = `${await app.listen({ port: 0 })}/tables/orders/export`
  const leaving = new AbortController()
  const left = Array.from({ length: 2 }, () => fetch(url, { ...request, signal: leaving.signal }))
  await vi.waitFor(() => expect(running).toHaveLength(2))
  leaving.abort()
  await Promise.allSettled(left)
  await vi.waitFor(() => expect(running.every(({ raw }) => raw.closed)).toBe(true))
  known.resolve(visitor)
  const next = await fetch(url, request)
  expect([next.status, (await next.text()).trimEnd().split('\r\n').at(-1)]).toEqual([
    200,
    '7,note 7',
  ])
  expect(asked).toBe(1)
  await app.close()
  await source.close()
})

type Limits = { readonly handlerLimitMs: number; readonly limitMs?: number }

/** A server of exports, beside which `/slow` is a request that never ends. */
async function openLimited({ handlerLimitMs, limitMs }: Limits) {
  await open()
  const source = await openSqlite(join(folder, 'shop.sqlite'))
  onTestFinished(() => source.close())
  const gate = held(source)
  const app = await createHttp({
    client: {
      ...{ folder: '', path: '', version: '' },
      files: { script: '', imports: [], styles: [], fonts: [], messages: {} },
    },
    errorPage: () => expect.unreachable(),
    handlerLimitMs,
  })
  onTestFinished(() => app.close())
  const request = await addRoute(
    app,
    gate.wrapped,
    async () => visitor,
    limitMs === undefined ? {} : { limitMs },
  )
  app.get('/slow', () => new Promise(() => undefined))
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    gate,
    exported: () => fetch(`${origin}/tables/orders/export`, request),
    slow: () => fetch(`${origin}/slow`),
  }
}

test('an export may take longer than other requests', async () => {
  const { gate, exported, slow } = await openLimited({ handlerLimitMs: 20 })
  const answer = exported()
  await vi.waitFor(() => expect(gate.asked()).toBe(1))
  // It begins after the export, and has no more time.
  const other = await slow()
  expect([other.status, await other.json()]).toMatchObject([503, { error: { code: 'TIME_LIMIT' } }])
  expect(gate.signals[0]?.aborted).toBe(false)
  gate.go()
  const { status, text } = await answer.then(async (one) => ({
    status: one.status,
    text: await one.text(),
  }))
  expect([status, text.trimEnd().split('\r\n').at(-1)]).toEqual([200, '7,note 7'])
})

test('an export that reaches its own limit is ended, and the database is no longer asked', async () => {
  const { gate, exported } = await openLimited({ handlerLimitMs: 60_000, limitMs: 20 })
  const answer = await exported()
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { error: { code: 'TIME_LIMIT' } },
  ])
  expect(gate.signals[0]?.reason).toMatchObject({ code: 'TIME_LIMIT' })
  gate.go()
})

/** A source whose exports never end, until `end` is called. */
function endless(source: RowSource) {
  let isEnded = false
  const wrapped = sourceWith(source, {
    lines: async (...args) =>
      isEnded
        ? source.lines(...args)
        : {
            pieces: [Buffer.alloc(65_536, 'x')],
            rows: 1,
            indexed: true,
            next: { at: 'offset', skip: 1 },
          },
  })
  return { wrapped, end: () => void (isEnded = true) }
}

/** A server of exports, in which a header names the person. */
async function openForPeople(
  wrap: (source: RowSource) => RowSource,
  limits: Parameters<typeof addRoute>[3],
) {
  await open()
  const source = await openSqlite(join(folder, 'shop.sqlite'))
  // Closing would wait until the connections of those who read nothing are given up.
  const app = fastify({ forceCloseConnections: true })
  onTestFinished(async () => {
    await app.close()
    await source.close()
  })
  const find = async (request: FastifyRequest) => {
    const id = String(request.headers['x-person'])
    return { ...visitor, actor: { ...visitor.actor, id } }
  }
  const request = await addRoute(app, wrap(source), find, limits)
  const url = `${await app.listen({ port: 0 })}/tables/orders/export`
  return (person: string) => fetch(url, { ...request, headers: { 'x-person': person } })
}

async function openEndless(limits: Parameters<typeof addRoute>[3] = {}) {
  let made: ReturnType<typeof endless> | undefined
  const exported = await openForPeople((source) => (made = endless(source)).wrapped, limits)
  return { end: () => made?.end(), exported }
}

test('whoever waits too long for their turn is told so', async () => {
  let gate: ReturnType<typeof held> | undefined
  const exported = await openForPeople((source) => (gate = held(source)).wrapped, { waitMs: 20 })
  const reading = ['a', 'a', 'b', 'b', 'c', 'c'].map(exported)
  await vi.waitFor(() => expect(gate?.asked()).toBe(6))
  const late = await exported('d')
  expect([late.status, await late.json()]).toMatchObject([503, { code: 'BUSY' }])
  const timer = setInterval(() => gate?.go(), 1)
  for (const one of reading) expect((await one).status).toBe(200)
  clearInterval(timer)
})

test('people who do not read their exports keep nobody from theirs', async () => {
  const { end, exported } = await openEndless()
  for (const person of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'])
    expect((await exported(person)).status).toBe(200)
  end()
  const other = await exported('e')
  expect([other.status, (await other.text()).trimEnd().split('\r\n').at(-1)]).toEqual([
    200,
    '7,note 7',
  ])
})

test('an export that nobody reads is closed, and its person may begin another one', async () => {
  const { end, exported } = await openEndless({ stallMs: 20 })
  const stalled = [await exported('a'), await exported('a')]
  await vi.waitFor(async () => {
    const next = await exported('a')
    expect(next.status).toBe(200)
    await next.body?.cancel()
  })
  end()
  for (const one of stalled) await expect(one.text()).rejects.toThrow()
})

test('a third export at once is told to wait', async () => {
  let gate: ReturnType<typeof held>
  await open({ wrap: (source) => (gate = held(source)).wrapped })
  const running = [post(), post()]
  await vi.waitFor(() => expect(gate.asked()).toBe(2))
  const third = await post()
  expect([third.statusCode, third.headers['retry-after']]).toEqual([503, '5'])
  const timer = setInterval(() => gate.go(), 1)
  for (const one of running) expect((await one).statusCode).toBe(200)
  clearInterval(timer)
})

test('an export that fails on the way breaks the connection, so that half a file is none', async () => {
  const lines: string[] = []
  let chunks = 0
  await open({
    log: (line) => lines.push(line),
    wrap: (source) =>
      new Proxy(source, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (name === 'lines')
            return (...args: Parameters<RowSource['lines']>) =>
              ++chunks === 3
                ? Promise.reject(new AppError('DATABASE_UNAVAILABLE'))
                : target.lines(...args)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
  })
  const { response } = await download()
  expect(response.statusCode).toBe(200)
  let bytes = 0
  const failed = new Promise<string>((resolve) => {
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.on('end', () => resolve('ended'))
    response.on('error', (error) => resolve(`broken: ${error.message}`))
  })
  expect(await failed).toBe('broken: aborted')
  expect(bytes).toBeGreaterThan(1000)
  expect(response.complete).toBe(false)
  expect(lines).toContain('An export broke off.')
})
