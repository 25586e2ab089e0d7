import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { closing, unavailable } from '../../database/failure.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { SessionView, YouView } from '../../protocol/you-view.ts'
import type { ShellView } from '../../protocol/admin-view.ts'
import type { HistoryView } from '../../protocol/history-view.ts'
import type { PageData, ShownPage } from '../../protocol/page.ts'
import { recordHref } from '../../protocol/record-view.ts'
import type { UpdateResponse } from '../../protocol/wire.ts'
import { loadClient } from '../../server/http/client-files.ts'
import type { Policy } from '../../table/source/access.ts'
import { encodeKey } from '../../table/row-key.ts'
import { nothing } from '../../table/source/predicate.ts'
import { rolePolicy } from '../accounts/roles.ts'
import type { Admin, AdminOptions } from './admin-options.ts'
import { OWN_CLIENT } from './client-folders.ts'
import { createAdmin } from './create-admin.ts'

const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const origin = { address: '127.0.0.1', userAgent: 'test' }

let folder: string
let admin: Admin
let cookie: string

/** So many other tables that not all are in sight, and recent ones are listed. */
const MANY = 20

/** With the client of the package itself: nothing names its folder. */
async function open(options: Partial<AdminOptions> = {}, others = 0): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-admin-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table orders (id integer primary key, note text);
    insert into orders (note) values ('why?'), ('because');
    create table customers (id integer primary key, name text)`)
  database.exec('begin')
  for (let at = 0; at < others; at++)
    database.exec(`create table other${at} (id integer primary key)`)
  database.exec('commit')
  database.close()
  admin = await createAdmin({
    source: await openSqlite(file),
    dataFolder: join(folder, 'data'),
    ...options,
  })
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const { token } = await admin.accounts.redeemLink(link, person, origin)
  cookie = `${admin.sessionCookie}=${token}`
}

afterEach(async () => {
  await admin.close()
  await rm(folder, { recursive: true, force: true })
})

const visit = (url: string, headers: Record<string, string> = {}) =>
  admin.app.inject({ url, headers: { cookie, 'x-tablewire-navigate': '1', ...headers } })

const pageAt = async (url: string): Promise<PageData> => (await visit(url)).json<PageData>()

function viewOf<View>({ components }: Pick<PageData, 'components'>, wanted: string): View {
  return components.find(({ name }) => name === wanted)?.view as View
}

/** Names of the tables opened last, as a page shows them. */
const recentOf = (page: Pick<PageData, 'components'>) =>
  viewOf<ShellView>(page, 'shell')
    .groups.filter(({ kind }) => kind === 'recent')
    .flatMap(({ items }) => items.map(({ name }) => name))

/** The sessions that the page of the account lists. */
async function ownSessions(): Promise<readonly SessionView[]> {
  const { content } = await pageAt('/you')
  // The page sends this beside its words.
  return (content.data as { view: YouView }).view.account?.sessions ?? []
}

type Part = { snapshot: string; updates?: object; calls?: [method: string, ...params: unknown[]][] }

async function update(page: PageData, parts: Part[], headers: Record<string, string> = {}) {
  const components = parts.map(({ snapshot, updates = {}, calls = [] }) => ({
    snapshot,
    updates,
    calls: calls.map(([method, ...params]) => ({ method, params })),
  }))
  return admin.app.inject({
    method: 'POST',
    url: '/tablewire/update',
    headers: {
      cookie,
      'content-type': 'application/json',
      'x-tablewire': '1',
      'idempotency-key': 'key-of-a-batch',
      ...headers,
    },
    payload: JSON.stringify({ _token: page.csrf, components }),
  })
}

const snapshotOf = ({ components }: PageData, wanted: string) =>
  components.find(({ name }) => name === wanted)!.snapshot

const tryPassword = (fields: Record<string, string>, more: InjectOptions = {}) =>
  admin.app.inject({
    method: 'POST',
    url: '/sign-in',
    payload: new URLSearchParams(fields).toString(),
    ...more,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
  })

test('a refresh that reads nothing asks the policy about its own table alone', async () => {
  const asked: string[] = []
  const policy: Policy = {
    ...rolePolicy,
    grant(actor, table) {
      asked.push(table.name)
      return rolePolicy.grant(actor, table)
    },
  }
  await open({ policy })
  const page = await pageAt('/tables/orders')
  expect(new Set(asked)).toEqual(new Set(['orders', 'customers']))
  const refresh = async (): Promise<string[]> => {
    asked.length = 0
    const answer = await update(page, [{ snapshot: snapshotOf(page, 'list') }])
    expect(answer.json<UpdateResponse>()).toMatchObject({ components: [{ effects: {} }] })
    return [...new Set(asked)]
  }
  expect(await refresh()).toEqual(['orders'])
  expect(await refresh()).toEqual(['orders'])
})

describe('too many requests', () => {
  test('for pages are slowed, by person, and updates still go through', async () => {
    await open({ requestsPerMinute: 5 })
    const page = await pageAt('/tables/orders')
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await visit('/tables/orders'))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 429, 429])
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await update(page, [{ snapshot: snapshotOf(page, 'list') }])).statusCode).toBe(200)
    expect((await admin.app.inject('/sign-in')).statusCode).toBe(200)
    for (let i = 0; i < 9; i++) expect((await admin.app.inject('/healthz')).statusCode).toBe(200)
    const html = await admin.app.inject({ url: '/you', headers: { cookie } })
    expect([html.statusCode, html.body.includes('orders')]).toEqual([429, false])
  })

  test('to sign in are told when to come again', async () => {
    await open()
    const form = await admin.app.inject({
      url: '/sign-in',
      headers: { 'x-tablewire-navigate': '1' },
    })
    const [visitor] = [form.headers['set-cookie']].flat()
    const answers = []
    for (let i = 0; i < 6; i++)
      answers.push(
        await tryPassword(
          { _token: form.json<PageData>().csrf, email: person.email, password: 'wrong' },
          { headers: { cookie: visitor!.split(';', 1)[0]! } },
        ),
      )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401, 429])
    // Five attempts a minute are one in twelve seconds, less the time since the first.
    const wait = Number(answers.at(-1)!.headers['retry-after'])
    expect([wait > 0, wait <= 12]).toEqual([true, true])
  })
})

describe('behind a proxy with TLS', () => {
  const url = 'https://admin.example.org'

  test('cookies are secure, and browsers stay with TLS', async () => {
    await open({ url })
    expect(admin.sessionCookie).toMatch(/^__Host-/)
    const { headers } = await admin.app.inject('/sign-in')
    expect(headers['set-cookie']).toContain('Secure')
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
  })

  test('only its own origin may update, whatever the proxy calls the host', async () => {
    await open({ url })
    const page = await pageAt('/tables/orders')
    const from = (origin: string, host: string) =>
      update(page, [{ snapshot: snapshotOf(page, 'list') }], { origin, host })
    expect((await from(url, '10.0.0.7:4600')).statusCode).toBe(200)
    expect((await from('http://10.0.0.7:4600', '10.0.0.7:4600')).statusCode).toBe(419)
  })

  test.each([
    [undefined, '127.0.0.1'],
    [1, '203.0.113.9'],
    [2, '198.51.100.1'],
    ['127.0.0.1', '203.0.113.9'],
    ['10.0.0.0/8', '127.0.0.1'],
  ])('with %s trusted, the client is %s', async (trustProxy, address) => {
    await open(trustProxy === undefined ? {} : { trustProxy })
    const form = await admin.app.inject({
      url: '/sign-in',
      headers: { 'x-tablewire-navigate': '1' },
    })
    const [visitor] = [form.headers['set-cookie']].flat()
    const { email, password } = person
    const answer = await tryPassword(
      { _token: form.json<PageData>().csrf, email, password },
      {
        headers: {
          cookie: visitor!.split(';', 1)[0]!,
          'x-forwarded-for': '192.0.2.4, 198.51.100.1, 203.0.113.9',
        },
      },
    )
    expect(answer.statusCode).toBe(303)
    expect(
      (await ownSessions()).some((session) => session.address === address && !session.current),
    ).toBe(true)
  })

  test('without it nothing of that is asked', async () => {
    await open()
    expect(admin.sessionCookie).not.toMatch(/^__Host-/)
    expect((await admin.app.inject('/sign-in')).headers).not.toHaveProperty(
      'strict-transport-security',
    )
  })
})

describe('pages', () => {
  test('name the page that they show, whichever was asked for', async () => {
    await open()
    for (const [asked, url] of [
      ['?page=999&search=b', '?page=1&search=b'],
      ['?search=page%3D9&page=-3', '?search=page%3D9&page=1'],
    ])
      expect(await pageAt(`/tables/orders${asked}`)).toMatchObject({
        ...{ url: `/tables/orders${url}`, isElsewhere: true },
      })
    for (const query of ['', '?page=1', '?page=last', '?search=nothing']) {
      const { url, isElsewhere } = await pageAt(`/tables/orders${query}`)
      expect([url, isElsewhere]).toEqual([`/tables/orders${query}`, undefined])
    }
  })

  test('keep a question mark in what was searched for', async () => {
    await open()
    const page = await pageAt('/tables/orders?search=why?')
    expect(viewOf<{ search: string; rows: unknown[] }>(page, 'list')).toMatchObject({
      search: 'why?',
      rows: [expect.anything()],
    })
  })

  test('remember the tables that were opened, the last one first', async () => {
    await open({}, MANY)
    const recent = async (url: string) => recentOf(await pageAt(url))
    expect(await recent('/you')).toEqual([])
    expect(await recent('/tables/orders')).toEqual(['orders'])
    expect(await recent('/tables/customers')).toEqual(['customers', 'orders'])
    expect(await recent('/tables/customers')).toEqual(['customers', 'orders'])
    expect((await visit('/tables/nowhere')).statusCode).toBe(404)
    expect(await recent('/you')).toEqual(['customers', 'orders'])
  })

  test('do not remember what nobody sees: fetched ahead, or asked for by HEAD', async () => {
    await open({}, MANY)
    for (const purpose of ['prefetch', 'prefetch;prerender'])
      expect((await visit('/tables/orders', { 'sec-purpose': purpose })).statusCode).toBe(200)
    expect((await visit('/tables/orders', { purpose: 'prefetch' })).statusCode).toBe(200)
    const ahead = { 'x-tablewire-navigate': 'prefetch' }
    expect((await visit('/tables/orders', ahead)).json<PageData>().current).toBe('orders')
    const head = await admin.app.inject({
      method: 'HEAD',
      url: '/tables/orders',
      headers: { cookie },
    })
    expect(head.statusCode).toBe(200)
    expect(recentOf(await pageAt('/you'))).toEqual([])
  })

  test('fetched ahead are remembered when they are shown, which brings the shell alone', async () => {
    await open({}, MANY)
    const answer = await visit('/tables/orders', { 'x-tablewire-navigate': 'shown' })
    const { shell, ...others } = answer.json<ShownPage>()
    expect(others).toEqual({})
    expect(recentOf({ components: [shell!] })).toEqual(['orders'])
    expect(recentOf(await pageAt('/you'))).toEqual(['orders'])
    const missing = await visit('/tables/nowhere', { 'x-tablewire-navigate': 'shown' })
    expect(missing.statusCode).toBe(404)
  })

  test('that cannot be shown are pages as data as well, with the reason', async () => {
    await open()
    const answer = await visit('/tables/nowhere')
    expect(answer.statusCode).toBe(404)
    expect(answer.json<PageData>()).toMatchObject({
      url: '/tables/nowhere',
      content: { page: 'error' },
      error: { code: 'NOT_FOUND' },
      shell: 'shell',
    })
    // Nobody looks at what was fetched ahead and failed.
    const ahead = await visit('/tables/nowhere', { 'x-tablewire-navigate': 'prefetch' })
    expect(Object.keys(ahead.json())).toEqual(['error'])
  })

  test('are shown even where what was opened cannot be kept', async () => {
    const said: string[] = []
    await open({ log: (line) => said.push(line) }, MANY)
    const records = new DatabaseSync(join(folder, 'data', 'meta.sqlite'))
    records.exec(`create trigger full before insert on tablewire_preferences
      begin select raise(abort, 'full'); end`)
    records.close()
    const page = await visit('/tables/orders')
    expect(page.statusCode).toBe(200)
    expect(recentOf(page.json<PageData>())).toEqual([])
    expect(said).toEqual([expect.stringContaining('recent')])
  })

  test('name the zone of their times, and say how long a session lasts', async () => {
    await open()
    expect((await ownSessions())[0]?.created).toMatch(/(UTC|GMT|[A-Z]{2,5}|[+-]\d+)$/)
    const form = await admin.app.inject({
      url: '/sign-in',
      headers: { 'x-tablewire-navigate': '1' },
    })
    expect(form.body).toContain('Ends after 2 hours without use, 12 in any case')
  })
})

test('people of the same name are told apart by their addresses, also where they are not shown', async () => {
  await open()
  const { directory } = admin.accounts
  for (const [name, email] of [
    ['Bo', 'bo@example.org'],
    ['bo', 'other@example.org'],
    ['Cy', 'cy@example.org'],
  ] as const)
    await directory.invite({ id: 'ana', name: 'Ana' }, { name, email, role: 'viewer' })
  const { components } = await pageAt('/people?search=bo@')
  const { view } = components.find(({ name }) => name === 'people')!
  expect(view).toMatchObject({ people: [{ name: 'Bo', called: 'Bo (bo@example.org)' }] })
  const page = await pageAt('/people?search=cy')
  const cy = page.components.find(({ name }) => name === 'people')!.view
  expect(cy).toMatchObject({ people: [{ name: 'Cy', called: 'Cy' }] })
})

test('a write that was done is told, whatever is refused after it', async () => {
  await open()
  const { directory } = admin.accounts
  const bo = { name: 'Bo', email: 'bo@example.org', role: 'viewer' }
  const { person } = await directory.invite({ id: 'ana', name: 'Ana' }, bo)
  const page = await pageAt('/people')
  const refused = { '': ['There is nothing here, or you may not see it.'] }
  const calls: Part['calls'] = [
    ['changeRole', person.id, 'editor'],
    ['withdraw', 'nope'],
  ]
  const alone = await update(page, [{ snapshot: snapshotOf(page, 'people'), calls }])
  expect(alone.statusCode).toBe(200)
  expect(alone.json<UpdateResponse>().components[0]?.effects).toMatchObject({
    returns: [null],
    errors: refused,
    view: { people: [{ isYou: true }, { role: { name: 'editor' } }] },
  })
  const batch = await update(
    page,
    [
      { snapshot: snapshotOf(page, 'shell'), calls: [['prefer', 'theme', 'dark']] },
      { snapshot: snapshotOf(page, 'people'), calls: [['withdraw', 'nope']] },
    ],
    { 'idempotency-key': 'another-batch' },
  )
  expect(batch.json<UpdateResponse>().components.map(({ effects }) => effects)).toMatchObject([
    { returns: [null] },
    { errors: refused },
  ])
  expect((await pageAt('/you')).preferences.theme).toBe('dark')
  const single = await update(
    page,
    [{ snapshot: snapshotOf(page, 'people'), calls: [['withdraw', 'nope']] }],
    { 'idempotency-key': 'a-single-one' },
  )
  expect(single.statusCode).toBe(404)
})

test('the history is kept for as many days as the setting says', async () => {
  await open({ historyDays: 7 })
  const { note } = viewOf<HistoryView>(await pageAt('/history'), 'history')
  expect(note).toMatch(/^Changes are kept for 7 days\./)
})

test('a new account is told which field is wrong', async () => {
  await open()
  const link = `/sign-in/link/${await admin.accounts.issueLink({ role: 'viewer' })}`
  const form = await admin.app.inject({ url: link, headers: { 'x-tablewire-navigate': '1' } })
  const [visitor] = [form.headers['set-cookie']].flat()
  const attempt = async (fields: Partial<typeof person>) => {
    const answer = await tryPassword(
      { _token: form.json<PageData>().csrf, ...person, ...fields },
      { url: link, headers: { cookie: visitor!.split(';', 1)[0]!, 'x-tablewire-navigate': '1' } },
    )
    return answer.json<{ content: { data: { errors: object } } }>().content.data.errors
  }
  expect(await attempt({ email: 'bo@example.org', password: 'x'.repeat(2000) })).toEqual({
    password: 'The password may have at most 1024 bytes.',
  })
  expect(await attempt({ name: 'x'.repeat(300) })).toHaveProperty('name')
  expect(await attempt({})).toEqual({ email: 'An account with this address exists already.' })
})

test('all parts of a page share one actor object, and the next page has another', async () => {
  const actors = new Set<unknown>()
  const policy: Policy = {
    ...rolePolicy,
    grant(actor, table) {
      actors.add(actor)
      return rolePolicy.grant(actor, table)
    },
  }
  await open({ policy })
  for (const pages of [1, 2]) {
    await pageAt('/tables/orders')
    expect(actors.size).toBe(pages)
  }
})

describe('headers', () => {
  const policyOf = async (url: string) =>
    String((await visit(url)).headers['content-security-policy'])

  test.each([
    ['/%zz', 400],
    [`/tables/${'a'.repeat(2100)}`, 414],
  ])('stand even where the router refuses: %.20s', async (url, status) => {
    await open()
    const { statusCode, headers } = await visit(url)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  test('let no picture in from elsewhere because a column looks as if it held some', async () => {
    let now = Date.now()
    await open({ now: () => now })
    expect(await policyOf('/')).not.toContain('https:')
    const database = new DatabaseSync(join(folder, 'shop.sqlite'))
    database.exec(`create table people (id integer primary key, photo_url text);
      insert into people (photo_url) values ('https://example.org/ada.png')`)
    database.close()
    now += 60_000
    const [, list] = (await pageAt('/tables/people')).components
    expect(JSON.stringify(list?.view)).toContain('"kind":"image"')
    expect(await policyOf('/')).not.toContain('https:')
  })

  test('let pictures in from elsewhere for those who see a column that is declared to hold some', async () => {
    await open({ definitions: { orders: { columns: { note: { kind: 'image' } } } } })
    expect(await policyOf('/')).toMatch(/img-src 'self' data: https: http:/)
    cookie = ''
    expect(await policyOf('/sign-in')).not.toContain('https:')
  })

  test('tell nobody of pictures in rows or columns that they may not see', async () => {
    const hidden = new Set<string>()
    const policy: Policy = {
      version: 'test-1',
      grant(actor, table) {
        const grant = rolePolicy.grant(actor, table)
        const readable = grant.readable.filter((name) => !hidden.has(name))
        return hidden.has('rows') ? { ...grant, rows: nothing } : { ...grant, readable }
      },
    }
    await open({ policy, definitions: { orders: { columns: { note: { kind: 'image' } } } } })
    expect(await policyOf('/')).toContain('img-src')
    expect(await policyOf('/')).toContain('https:')
    hidden.add('rows')
    expect(await policyOf('/'), 'declared, which no row has told').toContain('https:')
    hidden.clear()
    hidden.add('note')
    expect(await policyOf('/')).not.toContain('https:')
  })
})

test('tables with the same label are told apart in the sidebar by their names', async () => {
  await open()
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec('create table "Orders." (id integer primary key)')
  database.close()
  await admin.close()
  admin = await createAdmin({
    source: await openSqlite(join(folder, 'shop.sqlite')),
    dataFolder: join(folder, 'data'),
  })
  const { groups } = viewOf<ShellView>(await pageAt('/tables/customers'), 'shell')
  const tables = groups.find(({ kind }) => kind === 'tables')?.items ?? []
  expect(tables.map(({ label, real }) => `${label} ${real}`).toSorted()).toEqual([
    'Customers undefined',
    'Orders Orders.',
    'Orders orders',
  ])
})

test('tables are pinned, and parts that fold are open, as the person has chosen', async () => {
  await open({}, MANY)
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  for (const name of 'abcdef') database.exec(`create table auth_${name} (id integer primary key)`)
  database.close()
  await admin.close()
  admin = await createAdmin({
    source: await openSqlite(join(folder, 'shop.sqlite')),
    dataFolder: join(folder, 'data'),
  })
  const shown = async () => {
    const { groups } = viewOf<ShellView>(await pageAt('/you'), 'shell')
    const pinned = groups.filter(({ kind }) => kind === 'pinned')
    const folds = groups.flatMap(({ folds = [] }) => folds.map(({ id, isOpen }) => [id, isOpen]))
    return { pinned: pinned.flatMap(({ items }) => items.map(({ name }) => name)), folds }
  }
  const choose = async (key: string, ...call: [string, ...unknown[]]) => {
    const page = await pageAt('/you')
    const part = { snapshot: snapshotOf(page, 'shell'), calls: [call] }
    return (await update(page, [part], { 'idempotency-key': `key-of-a-choice-${key}` })).statusCode
  }
  expect(await shown()).toEqual({ pinned: [], folds: [['tables auth_', null]] })
  expect(await choose('1', 'pin', 'orders', true)).toBe(200)
  expect(await choose('2', 'pin', 'auth_a', true)).toBe(200)
  expect(await choose('3', 'fold', 'tables auth_', true)).toBe(200)
  expect(await shown()).toEqual({ pinned: ['auth_a', 'orders'], folds: [['tables auth_', true]] })
  expect(await choose('4', 'pin', 'orders', false)).toBe(200)
  expect(await choose('5', 'fold', 'tables auth_', false)).toBe(200)
  expect(await shown()).toEqual({ pinned: ['auth_a'], folds: [['tables auth_', false]] })
  await choose('6', 'pin', 'nowhere', true)
  await choose('7', 'fold', 'nowhere', true)
  const records = new DatabaseSync(join(folder, 'data', 'meta.sqlite'))
  const kept = records.prepare(`select name from tablewire_preferences where name like '%nowhere'`)
  expect(kept.all()).toEqual([])
  records.close()
})

test.each(['.', '..', 'a/b', '../..', 'a\\b', '~2F', '50%', 'a?b#c'])(
  'the table %j opens, with its rows, at addresses that no browser or proxy changes',
  async (name) => {
    await open()
    const database = new DatabaseSync(join(folder, 'shop.sqlite'))
    database.exec(`create table "${name}" (id text primary key, title text);
      insert into "${name}" values ('..', 'first'), ('a/b', 'second')`)
    database.close()
    await admin.close()
    admin = await createAdmin({
      source: await openSqlite(join(folder, 'shop.sqlite')),
      dataFolder: join(folder, 'data'),
    })
    const { groups } = viewOf<ShellView>(await pageAt('/tables/orders'), 'shell')
    const tables = groups.flatMap(({ items }) => items)
    const { href } = tables.find((table) => table.name === name)!
    expect(new URL(href, 'http://localhost').pathname).toBe(href)
    expect(decodeURIComponent(href)).toMatch(/^\/tables\/[^/\\]+$/)
    const list = await pageAt(href)
    expect(list.components.find(({ name }) => name === 'list')?.view).toMatchObject({ name })
    for (const key of ['..', 'a/b'])
      expect((await visit(recordHref(href, encodeKey([key]), ''))).statusCode).toBe(200)
    const other = `/tables/${encodeURIComponent(name)}`
    if (other !== href) expect((await visit(other)).statusCode).not.toBe(200)
  },
)

describe('a page', () => {
  test.each([
    ['document', 200],
    ['empty', 200],
    ['image', 403],
    ['iframe', 403],
    ['script', 403],
    ['', 403],
    ['Document', 403],
  ])('wanted as %j answers %i', async (destination, status) => {
    await open()
    const headers = { cookie, 'sec-fetch-dest': destination }
    for (const url of ['/tables/orders', '/tables/orders/records/1', '/you']) {
      const { statusCode, body } = await admin.app.inject({ url, headers })
      expect(statusCode, url).toBe(status)
      if (status === 403)
        expect(JSON.parse(body)).toMatchObject({ error: { code: 'NOT_EMBEDDABLE' } })
    }
  })

  test('wanted as a picture leaves no trace, and nothing else there is one', async () => {
    await open({}, MANY)
    const headers = { cookie, 'sec-fetch-dest': 'image' }
    await admin.app.inject({ url: '/tables/orders', headers })
    expect(recentOf(await pageAt('/you'))).toEqual([])
    const nothing = await admin.app.inject({ url: '/nothing', headers })
    expect([nothing.statusCode, nothing.json()]).toMatchObject([
      404,
      { error: { code: 'NOT_FOUND' } },
    ])
  })

  test('takes forms from the configured origin alone, byte for byte', async () => {
    await open({ url: 'https://admin.example.org' })
    const csrf = (await pageAt('/you')).csrf
    const signOut = async (from: string) => {
      const { statusCode } = await admin.app.inject({
        method: 'POST',
        url: '/sign-out',
        headers: { cookie, origin: from, 'content-type': 'application/x-www-form-urlencoded' },
        payload: `_token=${csrf}`,
      })
      return statusCode
    }
    expect(await signOut('http://admin.example.org')).toBe(419)
    expect(await signOut('https://admin.example.org:443')).toBe(419)
    expect(await signOut('https://admin.example.org')).toBe(303)
  })
})

test('the files of the client are served, but neither its manifest nor what is hidden', async () => {
  await open()
  const { files } = await loadClient(OWN_CLIENT)
  const statusOf = async (url: string) => (await admin.app.inject({ url })).statusCode
  expect(await statusOf(files.script)).toBe(200)
  for (const name of [
    'manifest.json',
    'manifest.json.br',
    '%6danifest.json',
    '.vite/manifest.json',
    '.built',
  ])
    expect(await statusOf(`/tablewire/assets/${name}`), name).toBe(404)
})

test.each([
  [{ url: 'https://admin.example.org' }, 'max-age=31536000'],
  [{ url: 'http://admin.example.org' }, undefined],
  [{ url: 'https://example.org', prefix: '/admin' }, undefined],
  [{}, undefined],
])('with %j, browsers are made to stay with TLS for this host alone: %s', async (options, told) => {
  await open(options)
  const { headers } = await visit(`${'prefix' in options ? options.prefix : ''}/you`)
  expect(headers['strict-transport-security']).toBe(told)
})

describe('the name that it is asked by', () => {
  const asked = (host: string, url = '/tables/orders', headers: Record<string, string> = {}) =>
    admin.app.inject({ url, headers: { cookie, host, ...headers } })

  test('is one that it has, or an address, or it refuses and says what to do', async () => {
    await open({ hosts: ['admin.lan'] })
    for (const host of ['localhost:4600', '127.0.0.1', '[::1]:4600', 'admin.lan'])
      expect((await asked(host)).statusCode, host).toBe(200)
    const page = await asked('evil.example')
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      421,
      'text/html; charset=utf-8',
    ])
    expect(page.body).toContain('--url')
    expect(page.headers['set-cookie']).toBeUndefined()
    const data = await asked('evil.example', '/tables/orders', { 'x-tablewire-navigate': '1' })
    expect(data.json()).toMatchObject({ error: { code: 'HOST_UNKNOWN' } })
    for (const url of ['/', '/sign-in', '/nothing', '/tablewire/assets/x.js', '/healthz/x'])
      expect((await asked('evil.example', url)).statusCode, url).toBe(421)
  })

  test('is of no account to probes', async () => {
    await open({ hosts: [] })
    for (const url of ['/healthz', '/readyz', '/readyz?a'])
      expect((await asked('evil.example', url)).statusCode, url).toBe(200)
  })

  test('is its host’s affair where it is mounted', async () => {
    await open()
    expect((await asked('anything.example')).statusCode).toBe(200)
  })
})

test('whether it can do its work is asked of the database each time', async () => {
  const other = await mkdtemp(join(tmpdir(), 'tablewire-admin-'))
  onTestFinished(() => rm(other, { recursive: true }))
  const file = join(other, 'other.sqlite')
  new DatabaseSync(file).close()
  const source = await openSqlite(file)
  let now = Date.now()
  await open({ source, now: () => now })
  const ready = async () => (await admin.app.inject('/readyz')).statusCode
  expect(await ready()).toBe(200)
  // Sources may remember versions, and not ask the database for them.
  vi.spyOn(source, 'dataVersion').mockResolvedValue('1')
  vi.spyOn(source, 'describe').mockRejectedValue(unavailable(({ database }) => database.ended))
  now += 60_000
  expect(await ready()).toBe(503)
})

test('what fails because the server ends is not written down as a failure', async () => {
  const lines: string[] = []
  const failing = async (app: FastifyInstance) => {
    app.get('/closing', () => Promise.reject(closing()))
    app.get('/failing', () => Promise.reject(unavailable(({ database }) => database.ended)))
  }
  await open({ extend: failing, log: (line) => lines.push(line) })
  expect((await visit('/closing')).statusCode).toBe(503)
  expect((await visit('/failing')).statusCode).toBe(503)
  expect(lines).toEqual([expect.stringMatching(/^503 DATABASE_UNAVAILABLE GET \/failing .+/)])
})

test('why the database does not answer is told to administrators only', async () => {
  await open()
  const link = await admin.accounts.issueLink({ role: 'viewer' })
  const other = { ...person, email: 'bo@example.org' }
  const { token } = await admin.accounts.redeemLink(link, other, origin)
  await rm(join(folder, 'shop.sqlite'))
  const pageOf = (cookie: string) =>
    admin.app.inject({ url: '/tables/orders', headers: { cookie, accept: 'text/html' } })
  // A file that was just looked at is trusted for a moment.
  await expect.poll(async () => (await pageOf(cookie)).statusCode).toBe(503)
  const shown = await pageOf(cookie)
  expect(shown.body).toContain('The database does not answer.')
  expect(shown.body).toContain('shop.sqlite')
  const toOthers = await pageOf(`${admin.sessionCookie}=${token}`)
  expect(toOthers.statusCode).toBe(503)
  expect(toOthers.body).toContain('The database does not answer.')
  expect(toOthers.body).not.toContain('shop.sqlite')
})

test('what the database refuses is told to administrators in its own words, on that table alone', async () => {
  await open()
  const db = new DatabaseSync(join(folder, 'shop.sqlite'))
  db.exec('create table gone (a); create view broken as select a from gone; drop table gone')
  db.close()
  const link = await admin.accounts.issueLink({ role: 'viewer' })
  const other = { ...person, email: 'bo@example.org' }
  const { token } = await admin.accounts.redeemLink(link, other, origin)
  const pageOf = (table: string, cookie: string) =>
    admin.app.inject({ url: `/tables/${table}`, headers: { cookie, accept: 'text/html' } })
  // A file that was just looked at is trusted for a moment.
  await expect.poll(async () => (await pageOf('broken', cookie)).statusCode).toBe(500)
  const shown = await pageOf('broken', cookie)
  expect(shown.body).toContain('no such table: main.gone')
  expect(shown.body).not.toMatch(/Something went wrong|have changed/)
  const toOthers = await pageOf('broken', `${admin.sessionCookie}=${token}`)
  expect(toOthers.body).toContain('The database refuses this.')
  expect(toOthers.body).not.toContain('main.gone')
  const sound = await pageOf('orders', cookie)
  expect(sound.statusCode).toBe(200)
  expect(sound.body).toContain('/tables/broken')
})
