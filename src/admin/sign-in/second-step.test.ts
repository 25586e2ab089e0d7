import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FormBrowser, formBrowser, type Shown } from '../../../test/form-browser.ts'
import { passkeyDevice } from '../../../test/passkey-device.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { SignInView } from '../../protocol/admin-view.ts'
import type { YouView } from '../../protocol/you-view.ts'
import type { Admin, AdminOptions } from '../compose/admin-options.ts'
import { createAdmin } from '../compose/create-admin.ts'

const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }

let folder: string
let admin: Admin
let now: number
let browser: FormBrowser

async function open(options: Partial<AdminOptions> = {}): Promise<void> {
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec('create table if not exists crates (id integer primary key, name text)')
  database.close()
  admin = await createAdmin({
    source: await openSqlite(join(folder, 'shop.sqlite')),
    dataFolder: join(folder, 'data'),
    now: () => now,
    ...options,
  })
  browser = formBrowser(admin.app)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-second-'))
  now = Date.now()
})
afterEach(async () => {
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

// The pages send their views beside their words.
const signInOf = (shown: Shown) => (shown.page().content.data as { view: SignInView }).view
const youOf = (shown: Shown) => (shown.page().content.data as { view: YouView }).view

const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: now })

async function enter(): Promise<void> {
  const link = await admin.signInLink()
  await browser.get(link)
  await browser.post(link, ana)
}

/** Sets codes up on the page of the account; returns their secret and the recovery codes. */
async function setUp() {
  await browser.get('/you')
  const begun = await browser.post('/you', { do: 'codesBegin', password: ana.password })
  const { draft } = youOf(begun).account!.second
  const { secret, sealed, qr, uri } = draft!
  expect(begun.body).toContain(`<path d="${qr.path}"`)
  expect(uri).toContain(secret.replaceAll(' ', ''))
  const refused = await browser.post('/you', { do: 'codesFinish', sealed, code: '000000' })
  expect(refused.status).toBe(401)
  expect(youOf(refused)).toMatchObject({
    errors: { code: 'The code is not right, or was used before.' },
    account: { second: { draft: { secret } } },
  })
  const done = await browser.post('/you', { do: 'codesFinish', sealed, code: codeOf(secret) })
  expect(done.status).toBe(200)
  const { recovery } = youOf(done).account!.second
  // A double click has one answer, the second.
  expect(
    await browser.post('/you', { do: 'codesFinish', sealed, code: codeOf(secret) }),
  ).toMatchObject({ status: 303, location: '/you?done=codesOn' })
  now += 60_000
  return { secret, recovery }
}

async function firstStep(who: FormBrowser, next = '/history') {
  await who.get(`/sign-in?next=${next}`)
  return who.post('/sign-in', { email: ana.email, password: ana.password, next })
}

const wrong = 'The code is not right, or was used before.'

test('who has set codes up is asked for one after the password, and led where they were going', async () => {
  await open()
  await enter()
  const { secret, recovery } = await setUp()
  expect(recovery).toHaveLength(10)
  // They are shown once.
  const { second } = youOf(await browser.get('/you')).account!
  expect(second).toMatchObject({ recovery: [], left: '10 recovery codes are left.', isUsed: true })

  const who = formBrowser(admin.app)
  const asked = await firstStep(who)
  expect([asked.status, who.cookies.has(admin.sessionCookie)]).toEqual([200, false])
  const { token } = signInOf(asked).second!
  expect(asked.body).not.toContain(secret)
  const post = (code: string) => who.post('/sign-in', { step: token, code, next: '/history' })
  const refused = await post('000000')
  expect([refused.status, signInOf(refused).error]).toEqual([401, wrong])
  expect(signInOf(refused).second?.token).toBe(token)
  const code = codeOf(secret)
  expect(await post(code)).toMatchObject({ status: 303, location: '/history' })
  expect((await who.get('/history')).status).toBe(200)

  // A code that was used, one of another time, nonsense and nothing are answered alike.
  const thief = formBrowser(admin.app, '192.0.2.9')
  const answers: string[] = []
  for (const tried of [code, '123456', recovery[0]!.slice(1), '']) {
    const again = signInOf(await firstStep(thief)).second!.token
    const answer = await thief.post('/sign-in', { step: again, code: tried, next: '/history' })
    answers.push(`${answer.status} ${signInOf(answer).error}`)
  }
  expect(new Set(answers)).toEqual(new Set([`401 ${wrong}`]))
  expect(thief.cookies.has(admin.sessionCookie)).toBe(false)
})

test('a step that nobody has begun begins anew', async () => {
  await open()
  await enter()
  await setUp()
  const who = formBrowser(admin.app)
  await who.get('/sign-in')
  const answer = await who.post('/sign-in', { step: 'made-up', code: '123456', next: '/' })
  expect([answer.status, signInOf(answer).second]).toEqual([419, null])
  expect(signInOf(answer).error).toBe('This page has expired.')
})

test('a recovery code takes the place of a code, once', async () => {
  await open()
  await enter()
  const { recovery } = await setUp()
  for (const expected of [303, 401]) {
    const who = formBrowser(admin.app)
    const { token } = signInOf(await firstStep(who)).second!
    const answer = await who.post('/sign-in', { step: token, code: recovery[0]!, next: '/' })
    expect(answer.status).toBe(expected)
  }
  await browser.get('/you')
  const renewed = await browser.post('/you', { do: 'recovery', password: ana.password })
  expect(youOf(renewed).account!.second.recovery).toHaveLength(10)
  const off = await browser.post('/you', { do: 'codesOff', password: ana.password })
  expect(off.location).toBe('/you?done=codesOff')
  expect((await firstStep(formBrowser(admin.app))).status).toBe(303)
})

test('a passkey is added on the page of the account, and signs in from the page of signing in', async () => {
  const url = 'http://localhost:4600'
  await open({ url })
  await enter()
  const device = passkeyDevice({ origin: url })
  await browser.get('/you')
  const add = { do: 'passkeyBegin', name: 'Phone', password: ana.password }
  const unnamed = await browser.post('/you', { ...add, name: ' ' })
  expect([unnamed.status, Object.keys(youOf(unnamed).errors)]).toEqual([422, ['passkey']])
  const { draft } = youOf(await browser.post('/you', add)).account!.passkeys
  const finish = { do: 'passkeyFinish', name: draft!.name, passkey: device.create(draft!.question) }
  expect(youOf(await browser.post('/you', finish)).account!.second.recovery).toHaveLength(10)
  const again = await browser.post('/you', finish)
  expect(youOf(again).errors).toEqual({
    passkey: 'The passkey was not accepted. Try again, or use your password.',
  })
  const [passkey] = youOf(again).account!.passkeys.passkeys
  expect(passkey?.name).toBe('Phone')

  const who = formBrowser(admin.app)
  const question = signInOf(await who.get('/sign-in?next=/history')).passkey!
  const signed = device.use(question)
  expect(await who.post('/sign-in', { passkey: signed, next: '/history' })).toMatchObject({
    ...{ status: 303, location: '/history' },
  })
  const thief = formBrowser(admin.app)
  await thief.get('/sign-in')
  const refused = await thief.post('/sign-in', { passkey: signed, next: '/' })
  expect([refused.status, signInOf(refused).second]).toEqual([401, null])
  expect(signInOf(refused).passkey).not.toBe(question)

  const second = signInOf(await firstStep(thief))
  const proof = { step: second.second!.token, passkey: device.use(second.passkey!), next: '/' }
  expect((await thief.post('/sign-in', proof)).status).toBe(303)

  const remove = { do: 'passkeyRemove', id: passkey!.id }
  const wrongly = await browser.post('/you', { ...remove, password: 'not the right one' })
  expect(Object.keys(youOf(wrongly).errors)).toEqual([`remove ${passkey!.id}`])
  expect(await browser.post('/you', { ...remove, password: ana.password })).toMatchObject({
    location: '/you?done=passkeyRemoved',
  })
  expect(signInOf(await formBrowser(admin.app).get('/sign-in')).passkey).toBeNull()
})

describe('where everybody needs a second factor', () => {
  test.each([
    { signIn: { twoFactors: 'required' } },
    { env: { TABLEWIRE_TWO_FACTORS: 'required' } },
  ] as const)('it is set up before there is a session: %j', async (options) => {
    await open(options)
    const link = await admin.signInLink()
    await browser.get(link)
    const asked = await browser.post(link, ana)
    expect([asked.status, browser.cookies.has(admin.sessionCookie)]).toEqual([200, false])
    const { token, draft } = signInOf(asked).second!
    const { secret, sealed } = draft!
    const post = (code: string) =>
      browser.post('/sign-in', { step: token, sealed, code, next: '/' })
    const refused = await post('000000')
    expect(signInOf(refused)).toMatchObject({ error: wrong, second: { draft: { secret } } })
    const done = await post(codeOf(secret))
    expect([done.status, signInOf(done).second?.recovery.length]).toEqual([200, 10])
    // A double click is answered as done, and where new recovery codes are made.
    browser.cookies.delete(admin.sessionCookie)
    await browser.get('/sign-in')
    expect(await post(codeOf(secret))).toMatchObject({ status: 303, location: '/you?done=codesOn' })
    const you = youOf(await browser.get('/you?done=codesOn'))
    expect(you.done).toContain('make new ones here')
    expect(you.account!.second.left).toBe('10 recovery codes are left.')
    const { components } = (await browser.get('/people')).page()
    expect(components.find(({ name }) => name === 'people')).toMatchObject({
      view: { needsSecondFactor: true },
    })
    const off = await browser.post('/you', { do: 'codesOff', password: ana.password })
    expect(off.status).toBe(403)
  })

  test('a session of before counts no more', async () => {
    await open()
    await enter()
    expect((await browser.get('/you')).status).toBe(200)
    await admin.close()
    const { cookies } = browser
    await open({ signIn: { twoFactors: 'required' } })
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect((await browser.get('/you')).location).toBe('/sign-in?next=%2Fyou')
  })

  test('the setting is one of two', async () => {
    await open()
    await expect(open({ env: { TABLEWIRE_TWO_FACTORS: 'yes' } })).rejects.toThrow(
      'TABLEWIRE_TWO_FACTORS is [yes]; it must be optional or required.',
    )
  })
})
