import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FormBrowser, formBrowser, type Shown } from '../../../test/form-browser.ts'
import { type OpenedProvider, openProvider } from '../../../test/oidc/open-provider.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { SignInView } from '../../protocol/admin-view.ts'
import type { HistoryView } from '../../protocol/history-view.ts'
import type { PeopleView } from '../../protocol/people-view.ts'
import type { YouView } from '../../protocol/you-view.ts'
import type { Admin, AdminOptions } from '../compose/admin-options.ts'
import { createAdmin } from '../compose/create-admin.ts'
import type { OidcOptions } from './oidc-settings.ts'

const url = 'http://localhost:4600'
const back = `${url}/sign-in/oidc/back`
const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const oidc: OidcOptions = {
  name: 'Example',
  scopes: ['groups'],
  roles: { admin: 'admins', editor: ['sales', 'support'], viewer: 'staff' },
}

let provider: OpenedProvider
let folder: string
let admin: Admin
let now: number
let browser: FormBrowser
let lines: string[]

beforeAll(async () => {
  provider = await openProvider({ redirectUris: [back] })
})
afterAll(() => provider.close())

const settings = () => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.client.id,
  OIDC_CLIENT_SECRET: provider.client.secret,
})

async function open(options: Partial<AdminOptions> = {}): Promise<void> {
  admin = await reopen({ url, env: settings(), signIn: { oidc }, ...options })
  browser = formBrowser(admin.app)
}

async function reopen(options: Partial<AdminOptions>): Promise<Admin> {
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec('create table if not exists crates (id integer primary key, name text)')
  database.close()
  return createAdmin({
    source: await openSqlite(join(folder, 'shop.sqlite')),
    dataFolder: join(folder, 'data'),
    now: () => now,
    log: (line) => void lines.push(line),
    ...options,
  })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-oidc-'))
  now = Date.now()
  lines = []
  provider.people.clear()
})
afterEach(async () => {
  provider.setDown(false)
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

// The pages send their views beside their words.
const signInOf = (shown: Shown) => (shown.page().content.data as { view: SignInView }).view
const youOf = (shown: Shown) => (shown.page().content.data as { view: YouView }).view
const viewOf = <View>(shown: Shown, component: string) =>
  shown.page().components.find(({ name }) => name === component)?.view as View

/** Ana makes the first account by the link of the terminal. */
async function first(who = browser): Promise<void> {
  const link = await admin.signInLink()
  await who.get(link)
  await who.post(link, ana)
}

/** Whom the provider knows. */
function knows(subject: string, claims: object = {}): void {
  const email = `${subject}@example.org`
  const known = { name: subject, email, email_verified: true, groups: ['staff'] }
  provider.people.set(subject, { ...known, ...claims })
}

/** Signs somebody in at the provider; returns the address that the browser comes back to. */
async function way(who: FormBrowser, subject: string, next = '/'): Promise<string> {
  const { location = '' } = await who.get(`/sign-in/oidc?next=${encodeURIComponent(next)}`)
  const came = await provider.signIn(location, subject)
  return came.pathname + came.search
}

async function come(subject: string, who = formBrowser(admin.app)) {
  const address = await way(who, subject)
  // So that the history tells what came later.
  now += 1000
  const answer = await who.get(address)
  return { ...answer, who, error: answer.status === 303 ? null : signInOf(answer).error }
}

async function people(): Promise<Record<string, string>> {
  const list = await admin.accounts.directory.list()
  return Object.fromEntries(list.map(({ email, role }) => [email, role]))
}

const told = async () => {
  const { entries } = viewOf<HistoryView>(await browser.get('/history'), 'history')
  return entries.map(({ who, door, what }) => [who, door, what])
}

describe('somebody whom the provider signs in', () => {
  test('has the role that their claim says, and goes on to where they were going', async () => {
    await open()
    await first()
    knows('bea', { groups: ['staff', 'sales'], name: 'Bea Berg' })
    const who = formBrowser(admin.app)
    const page = signInOf(await who.get('/sign-in?next=/history'))
    expect(page.provider).toEqual({
      href: '/sign-in/oidc?next=%2Fhistory',
      text: 'Sign in with Example',
    })
    const answer = await who.get(await way(who, 'bea', '/tables/crates'))
    expect(answer).toMatchObject({ status: 303, location: '/tables/crates' })
    expect(who.cookies.has(admin.sessionCookie)).toBe(true)
    expect([...who.cookies.keys()].filter((name) => name.endsWith('_oidc'))).toEqual([])
    expect(await people()).toEqual({ [ana.email]: 'admin', 'bea@example.org': 'editor' })

    const { account, role } = youOf(await who.get('/you'))
    expect(role).toBe('Editor')
    expect(account?.provider).toBe(
      'You sign in with Example, which also says what your role is. You have no password here.',
    )
    const list = viewOf<PeopleView>(await browser.get('/people'), 'people').people
    expect(list.map(({ name, provider: by }) => [name, by])).toEqual([
      ['Ana', null],
      ['Bea Berg', 'signs in with Example'],
    ])
    expect((await told())[0]).toEqual([
      'Example',
      'sign-in',
      'Bea Berg came in for the first time: Editor',
    ])
  })

  test('has the role of today, in open sessions as well, and nobody else gives them one', async () => {
    await open()
    await first()
    knows('bea', { groups: ['sales'] })
    const { who } = await come('bea')
    knows('bea', { groups: ['admins'], name: 'Another', email: 'another@example.org' })
    await come('bea')
    expect(await people()).toEqual({ [ana.email]: 'admin', 'bea@example.org': 'admin' })
    expect(youOf(await who.get('/you')).role).toBe('Administrator')
    expect((await told())[0]?.[2]).toBe('Changed the role of bea from Editor to Administrator')
    const [, bea] = await admin.accounts.directory.list()
    const by = { id: 'command', name: 'tablewire people' }
    await expect(admin.accounts.directory.changeRole(by, bea!.id, 'viewer')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      detail: 'Their role comes from where they sign in. Change it there.',
    })
  })

  test('stays outside without a role, is signed out where they had one, and is told why', async () => {
    await open()
    await first()
    knows('bea')
    const { who } = await come('bea')
    expect((await who.get('/you')).status).toBe(200)
    knows('bea', { groups: ['strangers'] })
    const refused = await come('bea')
    expect(refused).toMatchObject({
      status: 403,
      error:
        'You were signed in, but may not come in here. Nothing that is known of you gives you a role. Ask an administrator.',
    })
    expect((await who.get('/you')).status).toBe(303)
    expect((await told())[0]).toEqual(['Example', 'sign-in', 'Signed bea out everywhere'])
    knows('new', { groups: undefined })
    expect((await come('new')).status).toBe(403)
    expect(Object.keys(await people())).toHaveLength(2)
  })

  test('stays outside while they are disabled', async () => {
    await open()
    await first()
    knows('bea')
    await come('bea')
    const [, bea] = await admin.accounts.directory.list()
    await admin.accounts.directory.disable({ id: 'command', name: '' }, bea!.id)
    expect(await come('bea')).toMatchObject({
      status: 403,
      error: 'You were signed in, but may not come in here. Ask an administrator.',
    })
  })

  test('is known by issuer and subject, whatever address they have', async () => {
    await open()
    await first()
    knows('bea')
    await come('bea')
    knows('eve', { email: 'bea@example.org' })
    const refused = await come('eve')
    expect(refused.status).toBe(403)
    expect(refused.error).toContain('Your address belongs to somebody else’s account here.')
    // Whom an administrator hands a link is no longer of the provider, until they come again.
    const [, bea] = await admin.accounts.directory.list()
    const link = await admin.accounts.directory.renewLink({ id: 'command', name: '' }, bea!.id)
    const reset = formBrowser(admin.app)
    await reset.get(`/sign-in/link/${link.token}`)
    await reset.post(`/sign-in/link/${link.token}`, { password: ana.password })
    expect(youOf(await reset.get('/you')).account?.provider).toBeNull()
    expect((await come('eve')).status).toBe(303)
    expect((await reset.get('/you')).status).toBe(303)
  })
})

describe('an account that stands', () => {
  /** What is left of the ways in that Ana had. */
  async function waysOf() {
    const { sessions } = (await admin.accounts.directory.list())[0]!
    const password = await admin.accounts
      .signInWithPassword({ ...ana, address: '192.0.2.1', userAgent: '' })
      .then(
        () => 'password',
        ({ code }: { code: string }) => code,
      )
    return [sessions, password]
  }

  test('is taken over by its address once that is verified, with nothing of before left in it', async () => {
    await open()
    await first()
    for (const claims of [{ email_verified: false }, { email_verified: undefined }]) {
      knows('ana', { ...claims, groups: ['admins'] })
      const refused = await come('ana')
      // It tells nobody whether there is such an account.
      knows('nobody', { ...claims, groups: ['admins'] })
      const other = await come('nobody')
      expect([refused.status, refused.error]).toEqual([other.status, other.error])
      expect(refused.error).toBe(
        'You were signed in, but may not come in here. Your address is not verified there. Verify it, or ask an administrator.',
      )
    }
    expect(await waysOf()).toEqual([1, 'password'])
    const { token } = await admin.accounts.directory.renewLink(
      { id: 'command', name: '' },
      (await admin.accounts.administrator())!.id,
    )
    knows('ana', { groups: ['admins'] })
    const { who } = await come('ana')
    expect(await waysOf()).toEqual([1, 'SIGN_IN_FAILED'])
    expect((await browser.get('/you')).status).toBe(303)
    expect((await browser.get(`/sign-in/link/${token}`)).status).toBe(422)
    browser = who
    expect((await told())[0]).toEqual([
      'Example',
      'sign-in',
      'Ana comes in through it from now on; password, second factor and sessions of before ended',
    ])
  })

  test('of the last administrator keeps its role, and so nobody comes in to it with less', async () => {
    await open()
    await first()
    knows('ana')
    const refused = await come('ana')
    expect([refused.status, refused.error]).toEqual([
      403,
      'You were signed in, but may not come in here. You are the last administrator here, but no longer one there. Somebody else has to become one first.',
    ])
    expect(await waysOf()).toEqual([1, 'password'])
    knows('bea', { groups: ['admins'] })
    await come('bea')
    expect((await come('ana')).status).toBe(303)
    expect(await people()).toEqual({ [ana.email]: 'viewer', 'bea@example.org': 'admin' })
    // Nor does it lose it once it belongs to the provider.
    knows('bea')
    expect((await come('bea')).status).toBe(403)
    expect(await people()).toMatchObject({ 'bea@example.org': 'admin' })
  })

  test('that is only invited is taken over, and its link works no more', async () => {
    await open()
    await first()
    const by = { id: 'command', name: '' }
    const invited = { name: 'Bea', email: 'Bea@Example.org', role: 'viewer' }
    const { token } = await admin.accounts.directory.invite(by, invited)
    knows('bea', { groups: ['sales'] })
    await come('bea')
    expect(await people()).toEqual({ [ana.email]: 'admin', 'Bea@Example.org': 'editor' })
    expect((await browser.get(`/sign-in/link/${token}`)).status).toBe(422)
  })
})

describe('where everybody needs a second factor', () => {
  const signIn = { oidc, twoFactors: 'required' } as const

  test('whom the provider has asked for one comes in, and stays', async () => {
    await open({ signIn })
    knows('bea', { amr: ['pwd', 'mfa'] })
    const { who } = await come('bea')
    expect((await who.get('/you')).status).toBe(200)
    // The next sign-in without one ends what the other has begun.
    knows('bea', { amr: ['pwd'] })
    const asked = await come('bea')
    expect(signInOf(asked).second?.draft).not.toBeNull()
    now += 6000
    expect((await who.get('/you')).status).toBe(303)
  })

  test('the others set codes up here, and are asked for them from then on', async () => {
    await open({ signIn })
    knows('bea')
    const asked = await come('bea')
    expect([asked.status, asked.who.cookies.has(admin.sessionCookie)]).toEqual([200, false])
    const { token, draft } = signInOf(asked).second!
    const codeOf = () =>
      new TOTP({ secret: Secret.fromBase32(draft!.secret.replaceAll(' ', '')) }).generate({
        timestamp: now,
      })
    const done = await asked.who.post('/sign-in', {
      ...{ step: token, sealed: draft!.sealed, code: codeOf(), next: '/' },
    })
    expect(signInOf(done).second?.recovery).toHaveLength(10)
    expect((await asked.who.get('/you')).status).toBe(200)
    now += 60_000
    const again = await come('bea')
    const second = signInOf(again).second!
    expect([again.status, second.draft]).toEqual([200, null])
    expect(
      await again.who.post('/sign-in', { step: second.token, code: codeOf(), next: '/history' }),
    ).toMatchObject({ status: 303, location: '/history' })
  })
})

describe('a provider that does not answer', () => {
  test.each(['at first', 'once it was known'])(
    'is told %s, and a password signs in',
    async (when) => {
      await open()
      await first()
      knows('bea')
      const who = formBrowser(admin.app)
      const back = when === 'at first' ? '' : await way(who, 'bea', '/history')
      provider.setDown(true)
      const answer = await who.get(back || '/sign-in/oidc?next=/history')
      expect([answer.status, signInOf(answer).error, signInOf(answer).next]).toEqual([
        503,
        'Nobody can sign in this way now. Try again in a moment, or use a password.',
        '/history',
      ])
      expect(lines.join()).toMatch(/503 PROVIDER_UNAVAILABLE GET \/sign-in\/oidc .*unexpected/)
      const fields = { email: ana.email, password: ana.password, next: '/history' }
      expect(await who.post('/sign-in', fields)).toMatchObject({ location: '/history' })
      provider.setDown(false)
      expect((await come('bea')).status).toBe(303)
    },
  )

  test('that does not know this Tablewire is told to whoever reads the log', async () => {
    await open({ env: { ...settings(), OIDC_CLIENT_SECRET: 'wrong' } })
    knows('bea')
    expect((await come('bea')).status).toBe(503)
    expect(lines.join()).toMatch(/invalid_client/)
  })
})

describe('whoever has not begun stays outside', () => {
  const answered =
    'This sign-in was begun elsewhere or too long ago, or was not finished. Try again.'
  const expectRefused = (answer: Shown, who: FormBrowser) => {
    expect([answer.status, signInOf(answer).error]).toEqual([401, answered])
    expect(who.cookies.has(admin.sessionCookie)).toBe(false)
  }

  test('in another browser, or in one that has begun another time', async () => {
    await open()
    knows('bea')
    const [who, other] = [formBrowser(admin.app), formBrowser(admin.app)]
    const address = await way(who, 'bea')
    expectRefused(await other.get(address), other)
    await other.get('/sign-in/oidc')
    expectRefused(await other.get(address), other)
    expect((await who.get(address)).status).toBe(303)
  })

  test('with an answer for the second time, or ten minutes late', async () => {
    await open()
    knows('bea')
    const who = formBrowser(admin.app)
    const address = await way(who, 'bea')
    const [name, kept] = [...who.cookies].find(([cookie]) => cookie.endsWith('_oidc'))!
    expect((await who.get(address)).status).toBe(303)
    const thief = formBrowser(admin.app)
    thief.cookies.set(name, kept)
    expectRefused(await thief.get(address), thief)
    const late = await way(thief, 'bea')
    now += 10 * 60_000
    expectRefused(await thief.get(late), thief)
  })

  test('with a code that another application was given', async () => {
    await open()
    knows('bea')
    const who = formBrowser(admin.app)
    const { location = '' } = await who.get('/sign-in/oidc')
    const theirs = new URL(location)
    theirs.searchParams.set('client_id', provider.other.id)
    const came = await provider.signIn(theirs.href, 'bea')
    expect(came.searchParams.get('code')).not.toBeNull()
    expectRefused(await who.get(came.pathname + came.search), who)
  })

  test('when another site sends them, and nobody is led away afterwards', async () => {
    await open()
    knows('bea')
    const sent = await admin.app.inject({
      url: '/sign-in/oidc?next=/history',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    })
    expect([sent.statusCode, sent.headers.location]).toEqual([303, '/sign-in?next=%2Fhistory'])
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      `/${'a'.repeat(1500)}`,
    ]) {
      const who = formBrowser(admin.app)
      expect(await who.get(await way(who, 'bea', next))).toMatchObject({ location: '/' })
    }
  })
})

describe('settings', () => {
  test('need the address that the provider leads back to', async () => {
    await open()
    await expect(reopen({ env: settings(), signIn: { oidc } })).rejects.toThrow(
      'start Tablewire with --url',
    )
  })

  test('the environment counts before the definition, and says it in JSON', async () => {
    const OIDC_ROLES = '{"admin":["boss"],"viewer":true}'
    await open({ env: { ...settings(), OIDC_ROLES, OIDC_CLAIM: 'realm.groups', OIDC_NAME: 'Us' } })
    knows('bea', { groups: ['admins'] })
    await come('bea')
    expect(await people()).toEqual({ 'bea@example.org': 'viewer' })
    expect(signInOf(await formBrowser(admin.app).get('/sign-in')).provider?.text).toBe(
      'Sign in with Us',
    )
  })

  test('without an issuer nobody signs in by it, and the log says so', async () => {
    await open({ env: {} })
    expect(lines).toContain('Nobody signs in by OpenID Connect: OIDC_ISSUER is not set.')
    expect(signInOf(await browser.get('/sign-in')).provider).toBeNull()
    expect((await browser.get('/sign-in/oidc')).status).toBe(404)
  })

  test('where the application around signs people in, it counts for nothing', async () => {
    const person = { id: 'u1', name: 'Ana', role: 'admin', session: 's' }
    await open({ auth: { authenticate: () => person, signInUrl: () => '/login' } })
    expect(lines).toContain(
      'OIDC_ISSUER counts for nothing: the application around Tablewire signs people in.',
    )
    expect((await browser.get('/sign-in/oidc')).status).toBe(404)
    expect(youOf(await browser.get('/you')).account).toBeNull()
  })
})
