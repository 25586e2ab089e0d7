/** An administrator sees the admin as a role does: what they see, that nothing is changed, and when it ends. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Roles } from '../src/exports/index.ts'
import type { PageData } from '../src/protocol/page.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { type Guest, openGuest, people } from './embedding/guest.ts'

const roles: Roles = {
  support: {
    label: 'Support',
    tables: {
      fruit: {
        ...{ read: ['name', 'crates'], create: true, update: true, delete: true },
        rows: {
          op: 'eq',
          column: 'name',
          value: ({ actor }) => (actor.id === 'ana' ? 'Apple' : ''),
        },
      },
    },
  },
}

const HOUR_MS = 60 * 60_000

let guest: Guest
let time = 0
/** Cookies of Ana's browser. */
let cookies: Map<string, string>

beforeAll(async () => {
  people.set('ana', { id: 'ana', name: 'Ana', role: 'admin', session: 's1' })
  people.set('other', { id: 'ana', name: 'Ana', role: 'admin', session: 's2' })
  people.set('ed', { id: 'ed', name: 'Ed', role: 'editor', session: 'e' })
  const start = Date.now()
  guest = await openGuest({ roles, write: true, now: () => start + time })
})
afterAll(() => guest.close())
beforeEach(() => {
  time = 0
  cookies = new Map([['host', 'ana']])
})
// Refusals are logged as they should be.
afterEach(() => expect(guest.log.filter((line) => !/^4\d\d /.test(line))).toEqual([]))

async function send(
  url: string,
  { payload, ...headers }: { payload?: string | object } & Record<string, string | object> = {},
) {
  const answer = await guest.admin.app.inject({
    ...{ method: payload === undefined ? 'GET' : 'POST', url: `/admin${url}` },
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'application/x-www-form-urlencoded',
      ...(headers as Record<string, string>),
    },
    ...(payload !== undefined && { payload }),
  })
  for (const { name, value } of answer.cookies)
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  return answer
}

const read = async (url: string) =>
  (await send(url, { 'x-tablewire-navigate': '1' })).json<PageData>()

const form = async (url: string, fields: Record<string, string>) => {
  const { csrf } = await read('/people/roles').catch(() => read('/tables/fruit'))
  return send(url, { payload: new URLSearchParams({ _token: csrf, ...fields }).toString() })
}

const post = async (url: string, fields: Record<string, string> = {}) => {
  const { csrf } = await read('/history')
  return send(url, { payload: new URLSearchParams({ _token: csrf, ...fields }).toString() })
}

const begin = (role = 'support') => form('/people/roles/see', { role })

async function call(page: PageData, name: string, method: string, params: unknown[]) {
  const { snapshot = '' } = page.components.find((one) => one.name === name) ?? {}
  const calls = [{ method, params }]
  const answer = await send(page.updateUrl.slice('/admin'.length), {
    'content-type': 'application/json',
    'x-tablewire': '1',
    'idempotency-key': crypto.randomUUID(),
    payload: { _token: page.csrf, components: [{ snapshot, updates: {}, calls }] },
  })
  return { status: answer.statusCode, body: answer.json<UpdateResponse>(), text: answer.body }
}

const shellOf = ({ components }: PageData) =>
  components.find(({ name }) => name === 'shell')?.view as
    | { looking: unknown; user: { role: string } }
    | undefined

const LOOKING = {
  text: 'You see Tablewire as Support. Nothing can be changed.',
  stop: 'Stop',
  href: '/admin/people/roles/stop',
}

test('everything is as the role sees it, and a strip says so', async () => {
  expect(shellOf(await read('/tables/fruit'))).toMatchObject({ looking: null })
  expect((await begin()).statusCode).toBe(303)
  const page = await read('/tables/fruit')
  expect(shellOf(page)).toMatchObject({ looking: LOOKING, user: { role: 'Support' } })
  expect(page.components.find(({ name }) => name === 'list')?.view).toMatchObject({
    rows: { length: 1 },
  })
  expect((await send('/tables/growers')).statusCode).toBe(404)
  expect((await send('/people/roles')).statusCode).toBe(403)
  const { body } = await send('/tables/fruit')
  expect(body).toContain(LOOKING.text)
  expect(body).not.toContain('Quince')
})

test('stop brings everything back', async () => {
  await begin()
  const stopped = await post('/people/roles/stop')
  expect([stopped.statusCode, stopped.headers.location]).toEqual([303, '/admin/people/roles'])
  expect(shellOf(await read('/tables/growers'))).toMatchObject({ looking: null })
})

describe('while looking', () => {
  const changes: [string, () => Promise<{ status: number; text: string }>][] = [
    [
      'saving a row',
      async () => {
        const page = await read('/tables/fruit/records/2?edit=on')
        return call(page, 'form', 'save', [{ crates: '1' }, { crates: '90' }, null])
      },
    ],
    [
      'starting an upload',
      async () => {
        const page = await read('/tables/fruit/records/2?edit=on')
        return call(page, 'form', 'start-upload', ['files.name', [], false])
      },
    ],
    [
      'preferences',
      async () => call(await read('/tables/fruit'), 'shell', 'prefer', ['theme', 'dark']),
    ],
    [
      'a form without script',
      async () => {
        const { statusCode: status, body: text } = await post('/tables/fruit/records/2', {
          crates: '1',
        })
        return { status, text }
      },
    ],
    [
      'the look of one’s own account',
      async () => {
        const { statusCode: status, body: text } = await post('/you', { do: 'look', theme: 'dark' })
        return { status, text }
      },
    ],
    [
      'looking as another role',
      async () => {
        const { statusCode: status, body: text } = await post('/people/roles/see', {
          role: 'viewer',
        })
        return { status, text }
      },
    ],
  ]

  test.each(changes)('%s is refused with the reason', async (_what, change) => {
    await begin()
    const { status, text } = await change()
    expect(status).toBe(403)
    expect(text).toContain('so nothing can be changed')
  })

  test('nothing is written, no history and no table that was opened last', async () => {
    const before = await read('/history')
    await begin()
    await send('/tables/fruit')
    for (const [, change] of changes) await change()
    await post('/people/roles/stop')
    const after = await read('/history')
    const viewOf = (page: PageData, name: string) =>
      page.components.find((one) => one.name === name)?.view
    expect(viewOf(after, 'history')).toEqual(viewOf(before, 'history'))
    expect(viewOf(after, 'shell')).toEqual(viewOf(before, 'shell'))
  })

  test('what the role may read is exported', async () => {
    await begin()
    const { body } = await post('/tables/fruit/export', { columns: 'all' })
    expect(body.slice(1)).toBe('ID,Name,Crates\r\n2,Apple,90\r\n')
  })
})

describe('it is nothing', () => {
  test('after an hour', async () => {
    await begin()
    time = HOUR_MS - 1
    expect(shellOf(await read('/tables/fruit'))).toMatchObject({ looking: LOOKING })
    time = HOUR_MS
    expect(shellOf(await read('/tables/fruit'))).toMatchObject({ looking: null })
  })

  test('in another session', async () => {
    await begin()
    cookies.set('host', 'other')
    expect(shellOf(await read('/tables/fruit'))).toMatchObject({ looking: null })
  })

  test('where the cookie was changed', async () => {
    await begin()
    const [name = '', value = ''] = [...cookies].find(([one]) => one.endsWith('_looking')) ?? []
    const [until = '', role = '', ...rest] = value.split('.')
    const editor = Buffer.from('editor').toString('base64url')
    for (const changed of [
      [String(Number(until) + 1), role, ...rest],
      [until, editor, ...rest],
      [until, role],
      ['x'],
    ]) {
      cookies.set(name, changed.join('.'))
      expect(shellOf(await read('/tables/fruit'))).toMatchObject({ looking: null })
    }
  })

  test('for anybody but administrators, and as no role that is not there', async () => {
    expect((await begin('packer')).statusCode).toBe(404)
    expect((await begin('admin')).statusCode).toBe(404)
    cookies.set('host', 'ed')
    expect((await post('/people/roles/see', { role: 'support' })).statusCode).toBe(403)
    expect((await send('/people/roles')).statusCode).toBe(403)
  })
})

describe('the page of roles', () => {
  const viewOf = async (query: string) => (await read(`/people/roles${query}`)).content.data

  test('says what each role may, by what decides', async () => {
    expect(await viewOf('')).toMatchObject({
      view: {
        tabs: [
          { label: 'Administrator', isCurrent: false },
          { label: 'Editor' },
          { label: 'Reader' },
          { label: 'Support', isCurrent: true },
        ],
        notes: [expect.stringContaining('holds for you')],
        seeAs: '/admin/people/roles/see',
        tables: [
          {
            ...{ name: 'fruit', label: 'Fruit', rows: 'Rows where Name is “Apple”' },
            ...{
              columns: 'without Grower',
              create: 'All columns',
              change: 'All columns',
              delete: 'Yes',
            },
          },
        ],
        unseen: ['Growers'],
      },
    })
    expect(await viewOf('?role=viewer&search=grow')).toMatchObject({
      view: {
        tables: [
          {
            name: 'growers',
            rows: 'All rows',
            columns: null,
            create: null,
            change: null,
            delete: null,
          },
        ],
        unseen: [],
      },
    })
    expect(await viewOf('?role=admin')).toMatchObject({ view: { seeAs: null, notes: [] } })
  })
})
