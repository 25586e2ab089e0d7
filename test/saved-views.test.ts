/** Saved views over HTTP: where a table's address leads, and what its page says of them. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PageData } from '../src/protocol/page.ts'
import type { SavedViewsView } from '../src/protocol/saved-views.ts'
import { labelOfRow, type TableView } from '../src/protocol/table-view.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { ANA, type Guest, openGuest, people } from './embedding/guest.ts'

let guest: Guest

const LIST = '/admin/tables/fruit'

beforeAll(async () => {
  people.set('ana', ANA)
  people.set('bo', { id: 'u2', name: 'Bo', role: 'editor', session: 's2' })
  guest = await openGuest()
})
afterAll(() => guest.close())
afterEach(() => expect(guest.log).toEqual([]))

const ask = (url: string, headers: Record<string, string> = {}, host = 'ana') =>
  guest.admin.app.inject({ url, headers: { cookie: `host=${host}`, ...headers } })

const read = async (url: string, host?: string) =>
  (await ask(url, { 'x-tablewire-navigate': '1' }, host)).json<PageData>()

/** What the page's components show. */
async function viewsAt(url: string, host?: string) {
  const page = await read(url, host)
  const viewOf = (id: string) => page.components.find((one) => one.id === id)?.view
  // Both are on every list.
  return { list: viewOf('list') as TableView, saved: viewOf('views') as SavedViewsView }
}

/** Saves a view as the page does; returns its id. */
async function save(query: string, name: string, host = 'ana'): Promise<string> {
  const page = await read(`${LIST}?view=all`, host)
  const { snapshot = '' } = page.components.find(({ id }) => id === 'views') ?? {}
  const settings = { name, isShared: false, isDefault: true, isTab: false }
  const calls = [{ method: 'saveViewAs', params: [settings, query] }]
  const answer = await guest.admin.app.inject({
    ...{ method: 'POST', url: page.updateUrl },
    headers: {
      ...{ cookie: `host=${host}`, 'content-type': 'application/json', 'x-tablewire': '1' },
      'idempotency-key': crypto.randomUUID(),
    },
    payload: { _token: page.csrf, components: [{ snapshot, updates: {}, calls }] },
  })
  const [saved] = answer.json<UpdateResponse>().components
  const view = saved?.effects.view as unknown as SavedViewsView
  return view.views[0]?.id ?? ''
}

test('a table’s bare address leads to the view that it opens with, and no other address does', async () => {
  expect((await ask(LIST)).statusCode).toBe(200)
  const id = await save('sort=-crates&filter.crates.min=50', 'Plenty')
  const opened = await ask(LIST)
  const href = `${LIST}?filter.crates.min=50&sort=-crates&view=${id}`
  expect([opened.statusCode, opened.headers.location]).toEqual([303, href])
  const { list, saved } = await viewsAt(href)
  expect(list.rows.map(labelOfRow)).toEqual(['Apple'])
  expect(list.params.at(-1)).toEqual(['view', id])
  expect(saved).toMatchObject({ opensWith: id, views: [{ id, name: 'Plenty', mayChange: true }] })
  for (const other of ['?view=all', '?sort=name', `?view=${id}`, '?view=gone'])
    expect((await ask(LIST + other)).statusCode).toBe(200)
  expect((await viewsAt(`${LIST}?view=all`)).list.rows).toHaveLength(3)
  // Rows lead back to the view.
  expect(list.records?.from).toContain(`view=${id}`)
})

test('an address may name a view that its reader does not have, but nothing odd', async () => {
  const id = await save('sort=name', 'Theirs', 'bo')
  const { saved, list } = await viewsAt(`${LIST}?sort=name&view=${id}`)
  expect(saved.views.map(({ name }) => name)).not.toContain('Theirs')
  expect(list.rows).toHaveLength(3)
  for (const odd of ['a b', '../x', 'x'.repeat(65), ''])
    expect((await ask(`${LIST}?view=${encodeURIComponent(odd)}`)).statusCode).toBe(422)
  expect((await ask(`${LIST}?view=a&view=b`)).statusCode).toBe(422)
  guest.log.length = 0
})
