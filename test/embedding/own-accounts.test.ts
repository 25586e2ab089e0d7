/** The admin under a prefix with accounts of its own: cookies, ways in and out, and headers. */

import { afterEach, expect, test } from 'vitest'
import type { AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { type Guest, openGuest } from './guest.ts'

let guest: Guest
afterEach(() => guest.close())

const open = async (options: Partial<AdminOptions> = {}): Promise<void> =>
  void (guest = await openGuest({ ...options, auth: null }))

const inject = (url: string, more: { headers?: Record<string, string>; form?: object } = {}) =>
  guest.admin.app.inject({
    url,
    method: more.form ? 'POST' : 'GET',
    headers: {
      ...(more.form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...more.headers,
    },
    ...(more.form && { payload: new URLSearchParams({ ...more.form }).toString() }),
  })

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String([answer.headers['set-cookie']].flat()[0])

test('the link makes an administrator, who is led below the prefix', async () => {
  await open()
  const link = await guest.admin.signInLink()
  expect(link).toMatch(/^\/admin\/sign-in\/link\//)
  const form = await inject(link, { headers: { 'x-tablewire-navigate': '1' } })
  const page = form.json<PageData>()
  expect(page.content).toMatchObject({ page: 'link', data: { action: link } })
  expect(cookieOf(form)).toContain('; Path=/admin;')
  const cookie = cookieOf(form).split(';', 1)[0]!
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const entered = await inject(link, {
    headers: { cookie },
    form: { _token: page.csrf, ...person },
  })
  expect([entered.statusCode, entered.headers['location']]).toEqual([303, '/admin/'])
  expect(cookieOf(entered)).toContain('; Path=/admin;')
  const session = cookieOf(entered).split(';', 1)[0]!
  const account = await inject('/admin/you', { headers: { cookie: session } })
  expect(account.body).toContain('action="/admin/sign-out"')
  const token = /name="_token" value="([^"]*)"/.exec(account.body)![1]!
  const out = await inject('/admin/sign-out', {
    headers: { cookie: session },
    form: { _token: token },
  })
  expect([out.statusCode, out.headers['location']]).toEqual([303, '/admin/sign-in'])
})

test('sign-in leads back below the prefix, and nowhere else', async () => {
  await open()
  expect((await inject('/admin/tables/fruit?sort=name')).headers['location']).toBe(
    '/admin/sign-in?next=%2Fadmin%2Ftables%2Ffruit%3Fsort%3Dname',
  )
  expect((await inject('/admin/')).headers['location']).toBe('/admin/sign-in')
  const form = await inject('/admin/sign-in?next=/elsewhere', {
    headers: { 'x-tablewire-navigate': '1' },
  })
  expect(form.json<PageData>().content).toMatchObject({
    data: { view: { action: '/admin/sign-in', next: '/admin/' } },
  })
})

test('with TLS its cookies are for this very host, and TLS is left to the host to demand', async () => {
  await open({ url: 'https://example.org' })
  const answer = await inject('/admin/sign-in')
  expect(cookieOf(answer)).toMatch(/^__Host-tablewire_\w+_visitor=.*; Path=\/; .*Secure/)
  expect(answer.headers).not.toHaveProperty('strict-transport-security')
})

test('admins of one secret have cookies of their own', async () => {
  await open()
  const first = guest.admin.sessionCookie
  await guest.close()
  await open({ prefix: '/a/b' })
  expect(guest.admin.sessionCookie).not.toBe(first)
})

test.each([
  [{ prefix: 'admin' }, 'The prefix [admin] is not a path'],
  [{ url: 'https://example.org/admin' }, 'a path of it belongs in `prefix`'],
])('%j is refused', async (options, sentence) => {
  await open()
  await expect(
    createAdmin({ source: undefined!, dataFolder: '/nowhere', ...options }),
  ).rejects.toThrow(sentence)
})
