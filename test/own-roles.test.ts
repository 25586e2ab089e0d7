/** Roles of one's own, by the doors that everybody has: two people at work on one table, one of them restricted. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Roles } from '../src/exports/index.ts'
import type { PageData } from '../src/protocol/page.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { type Guest, openGuest, people } from './embedding/guest.ts'

type Shop = {
  growers: { id: number; name: string | null }
  fruit: { id: number; name: string; crates: number | null; grower_id: number | null }
}

/** Which grower's fruit each person sells. */
const GROWERS: { readonly [person: string]: number } = { sam: 1, tom: 2 }

const roles: Roles<Shop> = {
  support: {
    label: 'Support',
    help: 'Sells the fruit of one grower.',
    tables: {
      fruit: {
        read: ['name', 'crates', 'grower_id'],
        update: ['crates'],
        rows: { op: 'eq', column: 'grower_id', value: ({ actor }) => GROWERS[actor.id] },
      },
    },
  },
}

let guest: Guest

beforeAll(async () => {
  people.set('ada', { id: 'ada', name: 'Ada', role: 'editor', session: 'a' })
  for (const [id, role] of Object.entries({
    sam: 'support',
    tom: 'support',
    una: 'support',
    old: 'packer',
  }))
    people.set(id, { id, name: id, role, session: id })
  guest = await openGuest({ roles, write: true })
})
afterAll(() => guest.close())

const ask = (who: string, url: string, method: 'GET' | 'POST' = 'GET', payload?: string) =>
  guest.admin.app.inject({
    ...{ method, url: `/admin${url}` },
    headers: {
      cookie: `host=${who}`,
      'x-tablewire-navigate': '1',
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(payload !== undefined && { payload }),
  })

const read = async (who: string, url: string) => (await ask(who, url)).json<PageData>()

const viewOf = (page: PageData, name: string): unknown =>
  page.components.find((one) => one.name === name)?.view

/** Calls an action of a component of the page. */
async function call(who: string, page: PageData, name: string, method: string, params: unknown[]) {
  const { snapshot = '' } = page.components.find((one) => one.name === name) ?? {}
  const answer = await guest.admin.app.inject({
    ...{ method: 'POST', url: page.updateUrl },
    headers: {
      cookie: `host=${who}`,
      'content-type': 'application/json',
      'x-tablewire': '1',
      'idempotency-key': crypto.randomUUID(),
    },
    payload: {
      _token: page.csrf,
      components: [{ snapshot, updates: {}, calls: [{ method, params }] }],
    },
  })
  return { status: answer.statusCode, body: answer.json<UpdateResponse>() }
}

const save = async (who: string, key: number, changed: object, seen: object) => {
  const page = await read(who, `/tables/fruit/records/${key}?edit=on`)
  const { status, body } = await call(who, page, 'form', 'save', [changed, seen, null])
  return status === 200 ? body.components[0]?.effects.returns?.[0] : status
}

test('the restricted one reads three columns and the key, of their own rows', async () => {
  const { body } = await ask('sam', '/tables/fruit')
  expect(body).toContain('Quince')
  const page = await read('sam', '/tables/fruit')
  expect(viewOf(page, 'list')).toMatchObject({ rows: { length: 3 } })
  expect((await read('ada', '/tables/fruit')).components).not.toEqual([])
  expect(viewOf(await read('tom', '/tables/fruit'), 'list')).toMatchObject({ rows: [] })
  // Nobody has told which grower is hers.
  expect(viewOf(await read('una', '/tables/fruit'), 'list')).toMatchObject({ rows: [] })
})

test('what a role does not name is not there', async () => {
  expect((await ask('sam', '/tables/growers')).statusCode).toBe(404)
  expect((await ask('ada', '/tables/growers')).statusCode).toBe(200)
  const { body } = await ask('sam', '/tables/fruit')
  expect(body).not.toMatch(/Growers|Ilse/)
  expect(viewOf(await read('sam', '/tables/fruit'), 'shell')).toMatchObject({
    user: { role: 'Support' },
  })
})

test('both change a row, each what they may, and neither undoes the other', async () => {
  expect(await save('ada', 1, { name: 'Quince pear' }, { name: 'Quince' })).toMatchObject({
    status: 'saved',
  })
  expect(await save('sam', 1, { crates: '5' }, { crates: '4' })).toMatchObject({ status: 'saved' })
  const { body } = await ask('sam', '/tables/fruit/records/1')
  expect(body).toContain('Quince pear')
  expect(await save('sam', 1, { name: 'Mine' }, { name: 'Quince pear' })).toBe(403)
  expect(await save('sam', 1, { grower_id: '2' }, { grower_id: '1' })).toBe(403)
  expect((await ask('ada', '/tables/fruit/records/1')).body).toContain('Quince pear')
})

test('an export holds what the role reads', async () => {
  const page = await read('sam', '/tables/fruit')
  const fields = new URLSearchParams({ _token: page.csrf, columns: 'all' })
  const { body } = await ask('sam', '/tables/fruit/export', 'POST', fields.toString())
  expect(body.slice(1).split('\r\n')[0]).toBe('ID,Name,Crates,Grower')
})

test('another role counts from the next request, on pages that are open, too', async () => {
  people.set('max', { id: 'max', name: 'Max', role: 'editor', session: 'max' })
  const form = await read('max', '/tables/fruit/records/2?edit=on')
  const list = await read('max', '/tables/fruit')
  people.set('max', { id: 'max', name: 'Max', role: 'support', session: 'max' })
  const saved = await call('max', form, 'form', 'save', [{ name: 'Mine' }, { name: 'Apple' }, null])
  expect(saved.body.components[0]?.effects.returns).toMatchObject([{ status: 'refused' }])
  const sorted = await call('max', list, 'list', 'sortBy', ['name', false])
  // He sells the fruit of no grower.
  expect(sorted.body.components[0]?.effects.view).toMatchObject({ rows: [] })
  expect((await ask('ada', '/tables/fruit/records/2')).body).toContain('Apple')
})

describe('a role that is not defined', () => {
  test('may do nothing, and its person is told whom to ask', async () => {
    expect((await ask('old', '/tables/fruit')).statusCode).toBe(404)
    const { content } = await read('old', '/')
    expect(content).toMatchObject({
      page: 'no-tables',
      data: {
        title: 'Your role sees no table',
        text: 'You have the role “packer”, which is none that Tablewire knows, and nothing else lets it see a table. Ask an administrator for another role.',
      },
    })
    expect((await read('ada', '/tables/fruit')).content.data).toBeNull()
  })
})

test('mistakes in roles are named when the admin is made', async () => {
  const wrong = { support: { tables: { fruit: { read: true, update: ['crate'] } } } } as const
  await expect(openGuest({ roles: wrong })).rejects.toThrow(
    'roles.support.tables.fruit.update[0]: there is no such column. Did you mean [crates]?',
  )
})
