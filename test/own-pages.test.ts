/** Pages of one's own in the admin: served, drawn, listed, live and refused as its own are. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_PARTS } from '../src/admin/compose/client-folders.ts'
import { AppError, defineComponent, page, redirectTo, refuse } from '../src/exports/index.ts'
import type { ShellView } from '../src/protocol/admin-view.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { ANA, browse, type Guest, openGuest, people } from './embedding/guest.ts'
import { type Host, HOSTS } from './embedding/hosts.ts'
import { writeClient } from './own-client.ts'
import { rating } from './rating.ts'

const tally = defineComponent({
  name: 'tally',
  params: v.object({ start: v.number() }),
  state: { count: v.number() },
  authorize: () => true,
  mount: ({ params }) => ({ count: params.start }),
  actions: {
    add: { args: v.strictTuple([]), run: ({ state }) => void (state.count += 1) },
    refuse: { args: v.strictTuple([]), run: () => refuse('The store is full.') },
    crates: {
      kind: 'query',
      args: v.strictTuple([]),
      run: ({ source }) => source.table('friut').count(),
    },
  },
  view: ({ state }) => ({ count: state.count }),
})

const visits: string[] = []

const PAGES = [
  page('/tally', {
    title: 'Tally',
    rail: true,
    data: { lead: 'Two <of> them.' },
    components: { left: tally.with({ start: 1 }), right: tally.with({ start: 5 }) },
    sources: { img: ['https://tiles.example.org'] },
  }),
  page('/shelves/:shelf', {
    name: 'shelf',
    open({ params, query }) {
      if (params.shelf === 'gone') throw new AppError('NOT_FOUND')
      if (params.shelf === 'locked') refuse('The shelf is locked.', { status: 403 })
      if (params.shelf === 'old') return redirectTo('/admin/shelves/new')
      return { shelf: params.shelf, start: Number(query.get('start')) }
    },
    data: ({ opened, locale }) => ({ shelf: opened.shelf, locale }),
    components: ({ opened }) => ({ count: tally.with({ start: opened.start }) }),
    title: ({ opened, views }) => `${opened.shelf} with ${views.count.count}`,
    breadcrumbs: ({ opened }) => [
      { label: 'Shelves', href: '/admin/tally' },
      { label: opened.shelf },
    ],
    visited: ({ opened, actor }) => void visits.push(`${actor.name}: ${opened.shelf}`),
  }),
  page('/office', {
    title: 'Office',
    rail: true,
    authorize: ({ actor }) => actor.role === 'admin',
  }),
]

const VIEWS = `{
  '/tally': ({ data, components }) => h('section', null, data.lead, h(Count, { id: components.left }), h(Count, { id: components.right })),
  shelf: ({ data }) => h('p', null, data.shelf + ' in ' + data.locale),
  '/office': () => 'Ours alone',
}`

let folder: string
let guest: Guest
let host: Host
let ana: ReturnType<typeof browse>
let viewer: ReturnType<typeof browse>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-pages-'))
  const client = await writeClient(join(folder, 'client'), VIEWS)
  guest = await openGuest({ pages: PAGES, client, components: [tally] })
  host = await HOSTS['node:http']!(guest.admin)
  people.set('ana', ANA)
  people.set('vi', { ...ANA, id: 'u2', name: 'Vi', role: 'viewer', session: 's2' })
  ana = browse(host.origin, 'host=ana')
  viewer = browse(host.origin, 'host=vi')
})

afterEach(() => void visits.splice(0))

afterAll(async () => {
  await host.close()
  await guest.close()
  rmSync(folder, { recursive: true })
})

const railOf = (shown: { components: { name: string; view: unknown }[] }) => {
  const shell = shown.components.find(({ name }) => name === 'shell')
  const { groups } = shell!.view as ShellView
  return groups.find(({ kind }) => kind === 'pages')?.items
}

type Shown = Awaited<ReturnType<typeof ana.page>>

/** Calls an action of a component on Ana's page. */
function call(shown: Shown, slot: string, method: string): Promise<Response> {
  const { snapshot } = shown.components.find(({ id }) => id === slot)!
  const part = { snapshot, updates: {}, calls: [{ method, params: [] }] }
  return ana.post(shown.updateUrl, JSON.stringify({ _token: shown.csrf, components: [part] }))
}

describe('a page of one’s own', () => {
  test('is drawn on the server, inside the shell, with the first views of its components', async () => {
    const html = await (await ana.ask('/admin/tally')).text()
    expect(html).toContain('Two &lt;of&gt; them.')
    expect(html).toContain('<output name="left">1</output><output name="right">5</output>')
    expect(html).toContain('<title>Tally · shop</title>')
    expect(html).toMatch(/<a href="\/admin\/tally" aria-current="page">.*?Tally</)
  })

  test('is data for a client that asks for it in place', async () => {
    const shown = await ana.page('/admin/tally')
    expect(shown.content).toEqual({
      page: '/tally',
      data: { lead: 'Two <of> them.' },
      components: { left: 'left', right: 'right' },
    })
    expect(shown.components.map(({ id, name }) => [id, name])).toEqual([
      ['shell', 'shell'],
      ['left', 'tally'],
      ['right', 'tally'],
    ])
    expect(shown.breadcrumbs).toEqual([{ label: 'shop', href: '/admin/' }, { label: 'Tally' }])
  })

  test('holds several of one component, each with a state of its own', async () => {
    const shown = await ana.page('/admin/tally')
    const answer = (await (await call(shown, 'right', 'add')).json()) as UpdateResponse
    expect(answer.components[0]?.effects.view).toEqual({ count: 6 })
    expect(answer.components[0]?.snapshot).toContain('"id":"right"')
  })

  test('refuses in its own words', async () => {
    const refused = await call(await ana.page('/admin/tally'), 'left', 'refuse')
    expect(refused.status).toBe(422)
    expect(await refused.json()).toEqual({
      error: { code: 'REFUSED', message: 'The store is full.' },
    })
    const locked = await ana.ask('/admin/shelves/locked')
    expect(locked.status).toBe(403)
    expect(await locked.text()).toContain('The shelf is locked.')
  })

  test('that asks for a table that does not exist is told so once, and its reader nothing', async () => {
    const logged = () => guest.log.filter((line) => line.includes('friut'))
    for (const _ of [1, 2]) {
      const answer = await call(await ana.page('/admin/tally'), 'left', 'crates')
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.not.stringMatching(/friut|fruit/),
      ])
    }
    expect(logged()).toEqual([
      expect.stringMatching(
        /^source\.table\(\[friut\]\): the database has no such table\. Did you mean \[fruit\]\?/,
      ),
    ])
  })

  test('whose components get wrong parameters names itself, the slot and the path in the log', async () => {
    expect((await ana.ask('/admin/shelves/a?start=x')).status).toBe(500)
    expect(guest.log.join('\n')).toContain(
      'Component [tally]: its params do not fit their schema: [start]: Invalid type: Expected number but received NaN (slot [count] of the page at [/admin/shelves/a])',
    )
  })

  test('is opened by its path and its query, which its title and breadcrumbs are made of', async () => {
    const shown = await ana.page('/admin/shelves/b%2F1?start=7')
    expect(shown.title).toBe('b/1 with 7 · shop')
    expect(shown.content).toEqual({
      page: 'shelf',
      data: { shelf: 'b/1', locale: 'en-US' },
      components: { count: 'count' },
    })
    expect(shown.breadcrumbs.map(({ label }) => label)).toEqual(['shop', 'Shelves', 'b/1'])
    const html = await (await ana.ask('/admin/shelves/b1?start=7')).text()
    expect(html).toContain('<p>b1 in en-US</p>')
  })

  test('leads elsewhere, or says that there is nothing', async () => {
    const moved = await ana.ask('/admin/shelves/old')
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/admin/shelves/new'])
    const gone = await ana.ask('/admin/shelves/gone')
    expect(gone.status).toBe(404)
    expect(await gone.text()).toContain('There is nothing here, or you may not see it.')
  })

  test('is told of visits, and not of what is fetched ahead, asked by HEAD or not there', async () => {
    await ana.page('/admin/shelves/a')
    await ana.ask('/admin/shelves/b', { headers: { 'sec-purpose': 'prefetch' } })
    await ana.ask('/admin/shelves/c', { method: 'HEAD' })
    await ana.ask('/admin/shelves/gone')
    expect(visits).toEqual(['Ana: a'])
  })

  test('is there for whoever is signed in, and listed for whoever may see it', async () => {
    const nobody = await browse(host.origin, '').ask('/admin/tally')
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      '/login?next=%2Fadmin%2Ftally',
    ])
    expect((await viewer.ask('/admin/office')).status).toBe(403)
    expect(await (await ana.ask('/admin/office')).text()).toContain('Ours alone')
    expect(railOf(await ana.page('/admin/tables/fruit'))).toEqual([
      { name: '/tally', label: 'Tally', href: '/admin/tally', count: null },
      { name: '/office', label: 'Office', href: '/admin/office', count: null },
      { name: 'history', label: 'History', href: '/admin/history', count: null },
    ])
    expect(railOf(await viewer.page('/admin/tally'))?.map(({ label }) => label)).toEqual([
      'Tally',
      'History',
    ])
  })

  test('may load from where it says, on every page of the admin', async () => {
    const policyOf = async (path: string) =>
      (await ana.ask(path)).headers.get('content-security-policy')
    for (const path of ['/admin/tally', '/admin/tables/fruit'])
      expect(await policyOf(path)).toContain("img-src 'self' data: https://tiles.example.org;")
  })
})

test('names in the client that the configuration lacks, and kinds it does not draw, are logged', async () => {
  const client = await writeClient(join(folder, 'names'), "{ '/gone': () => null }")
  const { log, close } = await openGuest({ client, kinds: [rating] })
  await close()
  expect(log).toEqual([
    expect.stringMatching(/^defineClient\.pages\["\/gone"\]: the configuration has no page/),
    expect.stringMatching(
      /^kinds: values are shown as text where a kind has no browser half: \[rating\]\./,
    ),
  ])
})

describe('an admin does not start', () => {
  const opened = (options: object) => openGuest({ pages: PAGES, components: [tally], ...options })

  test('with a page that the client does not draw', async () => {
    const told = 'pages[0]: nothing draws the page [/tally].'
    await expect(opened({})).rejects.toThrow(told)
    const client = await writeClient(join(folder, 'other'), "{ '/tally': () => null }")
    await expect(opened({ client })).rejects.toThrow('pages[1]: nothing draws the page [shelf].')
  })

  test('with a client that has not been built, or by another Tablewire', async () => {
    const client = join(folder, 'nowhere')
    await expect(opened({ client })).rejects.toThrow(
      `There is no built client in [${client}]. Run: tablewire build`,
    )
    await writeClient(client, VIEWS)
    writeFileSync(join(client, CLIENT_PARTS.note), '{ "with": "0" }')
    await expect(opened({ client })).rejects.toThrow('was built with another version of Tablewire')
  })
})
