/** The admin as a guest in other applications: the same in each kind of host. */

import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANA, browse, type Guest, openGuest, people, rowsOf } from './guest.ts'
import { type Host, HOSTS, OWN_UPGRADE } from './hosts.ts'

describe.each(Object.keys(HOSTS))('in %s', (name) => {
  let host: Host
  let guest: Guest
  let nested: Guest
  let ana: ReturnType<typeof browse>
  let nobody: ReturnType<typeof browse>

  beforeAll(async () => {
    guest = await openGuest()
    nested = await openGuest({ prefix: '/a/b/' })
    host = await HOSTS[name]!(guest.admin, nested.admin)
    people.set('ana', ANA)
    ana = browse(host.origin, 'host=ana')
    nobody = browse(host.origin, '')
  })
  afterAll(async () => {
    await host.close()
    await guest.close()
    await nested.close()
  })

  test.each(['/admin', '/a/b'])('%s leads to a table, with and without a slash', async (prefix) => {
    for (const path of [prefix, `${prefix}/`]) {
      const answer = await ana.ask(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `${prefix}/tables/fruit`,
      ])
    }
  })

  test.each(['/', '/administrator', '/admin-x', '/a', '/a/bc', '/tables/fruit', '/Admin'])(
    '%s is the host’s own',
    async (path) => {
      const answer = await ana.ask(path)
      expect(await answer.text()).toBe(`mine ${path}`)
      expect(answer.headers.get('content-security-policy')).toBeNull()
    },
  )

  test.each(['/admin/application', '/a/b', '/admin?x'])(
    'nothing listens for a socket at %s, which is said before the connection is closed',
    async (path) => {
      const answer = await upgrade(host.origin, path)
      expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
      expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im)
    },
  )

  test('a socket of somebody who is not signed in is refused', async () => {
    const answer = await upgrade(host.origin, '/admin/app/key')
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im)
  })

  test.each(['/', '/administrator'])('a socket at %s is the host’s own', async (path) => {
    expect(await upgrade(host.origin, path)).toBe(OWN_UPGRADE)
  })

  test('the host reads its own forms', async () => {
    const answer = await ana.post('/form', '{"a":1}')
    expect(await answer.json()).toEqual({ a: 1 })
  })

  test.each([
    ['/admin', '/tables/fruit'],
    ['/a/b', '/tables/fruit?search=a'],
    ['/admin', '/tables/fruit/records/1'],
    ['/a/b', '/tables/growers/records/1'],
    ['/a/b', '/tables/fruit?sort=nonsense'],
  ])('everything on the page %s%s is below the prefix', async (prefix, path) => {
    const html = await (await ana.ask(prefix + path)).text()
    const links = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(10)
    const outside = links.filter((link) => link.startsWith('/') && !link.startsWith(`${prefix}/`))
    // The way out is the host's.
    expect(outside).toEqual(['/logout'])
    const texts = [...html.matchAll(/"(\/[a-z][^"\\]*)/g)].map(([, text]) => text!)
    // Sockets are told the prefix itself.
    const known = ['/logout', prefix]
    expect(texts.filter((text) => !text.startsWith(`${prefix}/`) && !known.includes(text))).toEqual(
      [],
    )
    for (const link of links.filter((link) => link.startsWith(`${prefix}/tablewire/`)))
      expect([link, (await nobody.ask(link)).status]).toEqual([link, 200])
  })

  test('an update sorts the rows', async () => {
    const shown = await ana.page('/admin/tables/fruit')
    expect(shown.updateUrl).toBe('/admin/tablewire/update')
    const answer = await ana.sortBy(shown, 'name')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await rowsOf(answer)).toEqual(['Apple', 'Medlar', 'Quince'])
  })

  test('JSON is read as strictly as anywhere, and only so much of it', async () => {
    const twice = await ana.post('/admin/tablewire/update', '{"_token":"a","_token":"b"}')
    expect([twice.status, await twice.json()]).toMatchObject([
      400,
      { error: { code: 'JSON_MALFORMED' } },
    ])
    const large = await ana.post('/admin/tablewire/update', `"${'x'.repeat(300_000)}"`)
    expect(large.status).toBe(413)
    const other = await ana.post('/admin/tablewire/update', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(other.status).toBe(415)
  })

  test('a body that is refused unread leaves its connection to the next request', async () => {
    const refused =
      `POST /admin/tablewire/update HTTP/1.1\r\nHost: own\r\nCookie: host=ana\r\n` +
      `Content-Type: text/csv\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`
    const next = 'GET /admin/nowhere HTTP/1.1\r\nHost: own\r\nConnection: close\r\n\r\n'
    const answers = await exchange(host.origin, refused + next)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 404'])
  })

  test('what is not there is told by a page of the admin', async () => {
    const answer = await ana.ask('/admin/nowhere')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('There is nothing here, or you may not see it.')
  })

  test('without a sign-in, pages lead to it, and nothing else is given', async () => {
    const page = await nobody.ask('/admin/tables/fruit?sort=name')
    expect([page.status, page.headers.get('location'), page.headers.get('set-cookie')]).toEqual([
      303,
      '/login?next=%2Fadmin%2Ftables%2Ffruit%3Fsort%3Dname',
      null,
    ])
    const data = await nobody.ask('/admin/tables/fruit', {
      headers: { 'x-tablewire-navigate': '1' },
    })
    expect(data.status).toBe(401)
    const update = await nobody.sortBy(await ana.page('/admin/tables/fruit'), 'name')
    expect([update.status, (await update.json()).error.code]).toEqual([419, 'PAGE_EXPIRED'])
  })

  test('the way in and out is the host’s alone', async () => {
    for (const path of ['sign-in', 'sign-in/link/x', 'people'])
      expect((await ana.ask(`/admin/${path}`)).status).toBe(404)
    for (const path of ['sign-in', 'sign-in/link/x', 'sign-out'])
      expect((await ana.post(`/admin/${path}`, '{}')).status).toBe(404)
    await expect(guest.admin.signInLink()).rejects.toThrow('sign in at the application')
  })

  test('one admin takes nothing that another has given out', async () => {
    const shown = await ana.page('/admin/tables/fruit')
    const { csrf } = await ana.page('/a/b/tables/fruit')
    // Neither its token and snapshot nor its snapshot alone: nothing runs, and the page is fetched anew.
    for (const given of [shown, { ...shown, csrf }]) {
      const answer = await ana.sortBy(given, 'name', '/a/b/tablewire/update')
      expect(answer.status).toBe(200)
      expect((await answer.json()).components[0]).toEqual({
        snapshot: '',
        effects: { outdated: true },
      })
    }
  })

  test('whoever watches is answered below the prefix', async () => {
    expect((await nobody.ask('/admin/healthz')).status).toBe(200)
    expect((await nobody.ask('/admin/readyz')).status).toBe(200)
  })
})

test('files of the client find each other wherever they are', () => {
  const built = new URL('../../dist/assets/', import.meta.url)
  const names = readdirSync(built).filter((name) => /\.(js|css|json)$/.test(name))
  expect(names.length).toBeGreaterThan(2)
  for (const name of names)
    expect(readFileSync(new URL(name, built), 'utf8')).not.toContain('/tablewire/')
})

test('closing the admin leaves the host and other admins as they are', async () => {
  const [guest, other] = [await openGuest(), await openGuest({ prefix: '/a/b' })]
  const host = await HOSTS['node:http']!(guest.admin, other.admin)
  const ana = browse(host.origin, 'host=ana')
  await guest.close()
  expect((await ana.ask('/admin/tables/fruit')).status).toBe(503)
  expect((await ana.ask('/a/b/tables/fruit')).status).toBe(200)
  expect(await (await ana.ask('/mine')).text()).toBe('mine /mine')
  await host.close()
  await other.close()
})

/** Asks for a socket; all that is answered until the connection is closed. */
const upgrade = (origin: string, path: string): Promise<string> =>
  exchange(
    origin,
    `GET ${path} HTTP/1.1\r\nHost: own\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )

/** All that is answered on one connection to what is sent there at once. */
async function exchange(origin: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(sent)
  return (await socket.toArray()).join('')
}
