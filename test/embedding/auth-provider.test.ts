/** The host's word on who is signed in: how much of it is believed, and what comes of it. */

import { afterEach, describe, expect, test } from 'vitest'
import type { AuthProvider, HostPerson } from '../../src/admin/sign-in/auth-provider.ts'
import type { AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { OWN_CLIENT } from '../../src/admin/compose/client-folders.ts'
import { AppError } from '../../src/server/app-error.ts'
import { loadClient } from '../../src/server/http/client-files.ts'
import type { ShellView } from '../../src/protocol/admin-view.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import { nothing } from '../../src/table/source/predicate.ts'
import { ANA, type Guest, openGuest, sortRequest, HOST_SIGN_IN } from './guest.ts'

let guest: Guest
let person: unknown

afterEach(() => guest.close())

/** `person` is who is signed in. */
async function open(more: Partial<AuthProvider> = {}, options: Partial<AdminOptions> = {}) {
  person = ANA
  // What hosts return is not always what the type says.
  const authenticate = () => person as HostPerson | undefined
  guest = await openGuest({ ...options, auth: { ...HOST_SIGN_IN, authenticate, ...more } })
}

const ask = (url: string, headers: Record<string, string> = {}) =>
  guest.admin.app.inject({ url, headers })

const pageAt = async (url: string) =>
  (await ask(url, { 'x-tablewire-navigate': '1' })).json<PageData>()

const update = (payload: string) =>
  guest.admin.app.inject({
    method: 'POST',
    url: '/admin/tablewire/update',
    headers: {
      'content-type': 'application/json',
      'x-tablewire': '1',
      'idempotency-key': 'key-of-a-batch',
    },
    payload,
  })

const LIST = '/admin/tables/fruit'
const shellOf = ({ components }: PageData) =>
  components.find(({ name }) => name === 'shell')?.view as unknown as ShellView

describe('what it returns', () => {
  test.each([undefined, null])('%s is nobody', async (nobody) => {
    await open()
    person = nobody
    expect((await ask(LIST)).headers['location']).toBe(`/login?next=${encodeURIComponent(LIST)}`)
  })

  test.each([
    ['no object', 'ana'],
    ['no id', { ...ANA, id: undefined }],
    ['an empty id', { ...ANA, id: '' }],
    ['a number for an id', { ...ANA, id: 7 }],
    ['no name', { ...ANA, name: undefined }],
    ['no role', { ...ANA, role: undefined }],
    ['no session', { ...ANA, session: undefined }],
    ['an empty session', { ...ANA, session: '' }],
    ['a session without end', { ...ANA, session: 'x'.repeat(5000) }],
    ['a promise of no person', Promise.resolve({})],
  ])('with %s is a server error, and the log says what was wrong', async (_name, returned) => {
    await open()
    person = returned
    const answer = await ask(LIST)
    expect(answer.statusCode).toBe(500)
    expect(answer.body).toContain('Something went wrong on the server.')
    expect(answer.body).not.toContain('authenticate')
    expect(guest.log.join()).toContain('authenticate returned no person:')
  })

  test('may be without an email, which is then not shown', async () => {
    await open()
    const { user, links } = shellOf(await pageAt(LIST))
    expect(user).toEqual({ name: 'Ana', email: '', role: 'Administrator' })
    expect(links).toEqual({
      ...{ start: '/admin/', account: '/admin/you' },
      signOut: { href: '/logout', method: 'get' },
    })
    expect((await ask(LIST)).body).toContain('<span>Administrator</span>')
  })
})

describe('what it throws', () => {
  const failing: AuthProvider['authenticate'] = () => {
    throw Object.assign(new Error('ECONNREFUSED redis://:secret@cache'), { statusCode: 401 })
  }

  test('is a server error in one sentence, with nothing of the inside', async () => {
    await open({ authenticate: failing })
    const page = await ask(LIST)
    expect([page.statusCode, page.body.includes('secret')]).toEqual([500, false])
    const data = await ask(LIST, { 'x-tablewire-navigate': '1' })
    expect([data.statusCode, data.json().error.message]).toEqual([
      500,
      'Something went wrong on the server.',
    ])
    const answer = await update('{}')
    expect([answer.statusCode, answer.body.includes('secret')]).toEqual([500, false])
    expect(guest.log[0]).toContain('The auth provider’s authenticate failed.')
  })

  test('does not keep files and health from being served', async () => {
    await open({ authenticate: failing })
    expect((await ask('/admin/healthz')).statusCode).toBe(200)
    expect((await ask('/admin/readyz')).statusCode).toBe(200)
    const { files } = await loadClient(OWN_CLIENT, '/admin/tablewire/assets/')
    expect((await ask(files.script)).statusCode).toBe(200)
  })

  test('as FORBIDDEN turns somebody away who is signed in', async () => {
    await open({ authenticate: () => Promise.reject(new AppError('FORBIDDEN')) })
    const answer = await ask(LIST)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain('You may not do this.')
  })
})

describe('where it sends people to sign in', () => {
  test.each([
    ['https://id.example.org/login?a=b', 'https://id.example.org/login?a=b'],
    ['/ämter/login', '/%C3%A4mter/login'],
    ['/login\r\nset-cookie: a=b', '/loginset-cookie:%20a=b'],
  ])('%j is %s', async (href, location) => {
    await open({ signInUrl: () => href })
    person = undefined
    const answer = await ask(LIST)
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, location])
  })

  test.each(['javascript:alert(1)', 'https://', undefined])(
    '%j is a server error',
    async (href) => {
      await open({ signInUrl: () => href as string })
      person = undefined
      const answer = await ask(LIST)
      expect([answer.statusCode, answer.headers['location']]).toEqual([500, undefined])
      expect(answer.body).toMatch(/<p>Something went wrong on the server\. [0-9a-f]{10}<\/p>/)
      expect(guest.log.join()).toContain('which is no address')
    },
  )

  test('is on the pages of those who are not signed in as well', async () => {
    await open()
    person = undefined
    expect((await ask('/admin/nowhere')).body).toContain('href="/login?next=%2Fadmin%2F"')
  })
})

describe('what a page has been given out with', () => {
  test.each([
    ['another person', { ...ANA, id: 'u2' }],
    ['the same person in another session', { ...ANA, session: 's2' }],
    ['nobody', undefined],
  ])('is not taken from %s', async (_name, next) => {
    await open()
    const shown = await pageAt(LIST)
    expect((await update(sortRequest(shown, 'name'))).statusCode).toBe(200)
    person = next
    expect((await update(sortRequest(shown, 'name'))).statusCode).toBe(419)
  })

  test('by one person to another, with a token of their own, is forged', async () => {
    await open()
    const shown = await pageAt(LIST)
    person = { ...ANA, id: 'u2' }
    const { csrf } = await pageAt(LIST)
    expect((await update(sortRequest({ ...shown, csrf }, 'name'))).statusCode).toBe(419)
  })

  test('never holds the host’s word for the session', async () => {
    await open()
    person = { ...ANA, session: 'secret-of-the-host' }
    expect(JSON.stringify(await pageAt(LIST))).not.toContain('secret-of-the-host')
  })

  test('is good for what the person may do at that very moment', async () => {
    const policy: AdminOptions['policy'] = {
      version: 'test-1',
      grant: (actor, table) => ({
        ...rolePolicy.grant(actor, table),
        ...(actor.role === 'viewer' && { actions: [], rows: nothing }),
      }),
    }
    await open({}, { policy })
    const shown = await pageAt(LIST)
    person = { ...ANA, role: 'viewer' }
    expect((await ask(LIST)).statusCode).toBe(404)
    expect((await update(sortRequest(shown, 'name'))).statusCode).toBe(404)
  })
})

test('preferences are kept by the host’s id of the person, over sessions', async () => {
  await open()
  const prefer = async (theme: string) => {
    const { csrf, components } = await pageAt(LIST)
    const { snapshot } = components.find(({ name }) => name === 'shell')!
    const calls = [{ method: 'prefer', params: ['theme', theme] }]
    const part = { snapshot, updates: {}, calls }
    return update(JSON.stringify({ _token: csrf, components: [part] }))
  }
  expect((await prefer('dark')).statusCode).toBe(200)
  person = { ...ANA, session: 's2' }
  expect((await pageAt(LIST)).preferences.theme).toBe('dark')
  person = { ...ANA, id: 'u2' }
  expect((await pageAt(LIST)).preferences.theme).toBe('system')
})

test('it is asked once for each request', async () => {
  let asked = 0
  await open({ authenticate: () => (asked++, ANA) })
  await ask(LIST)
  await ask('/admin/nowhere')
  await update('{}')
  expect(asked).toBe(3)
})
