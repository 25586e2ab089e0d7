import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FormBrowser, formBrowser, type Shown } from '../../../test/form-browser.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { HistoryView } from '../../protocol/history-view.ts'
import type { YouView } from '../../protocol/you-view.ts'
import type { Admin, AdminOptions } from '../compose/admin-options.ts'
import { createAdmin } from '../compose/create-admin.ts'

const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const another = 'wrong horse battery'

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
  folder = mkdtempSync(join(tmpdir(), 'tablewire-you-'))
  now = Date.now()
})
afterEach(async () => {
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

async function enter(who = browser): Promise<void> {
  const link = await admin.signInLink()
  await who.get(link)
  await who.post(link, ana)
}

async function signIn(who: FormBrowser, email = ana.email, password = ana.password) {
  await who.get('/sign-in')
  return who.post('/sign-in', { email, password, next: '/' })
}

// The page sends its view beside its words.
const viewOf = (shown: Shown) => (shown.page().content.data as { view: YouView }).view
const you = async (who = browser) => viewOf(await who.get('/you'))
const saved = { status: 303, location: '/you?done=saved' }

async function entries(): Promise<string[]> {
  const { components } = (await browser.get('/history')).page()
  const { view } = components.find(({ name }) => name === 'history')!
  // The component of that name draws this view.
  return (view as HistoryView).entries.map(({ who, what }) => `${who}: ${what}`)
}

describe('one’s own name and address', () => {
  test('change at once; an address takes the password, and stands in the history', async () => {
    await open()
    await enter()
    const change = (more: object) =>
      browser.post('/you', { do: 'identity', ...ana, password: '', ...more })
    await browser.get('/you')
    expect(await change({ name: ' Ana Kovač ' })).toMatchObject(saved)
    const shown = await browser.get('/you?done=saved')
    expect(viewOf(shown)).toMatchObject({ name: 'Ana Kovač', done: 'Saved.' })

    const refused = await change({ email: 'ak@example.org' })
    expect(refused.status).toBe(422)
    expect(viewOf(refused)).toMatchObject({
      errors: { password: 'This is not your password.' },
      email: ana.email,
      account: { entered: { name: ana.name, email: 'ak@example.org' } },
    })
    const odd = await change({ email: 'ak', password: ana.password })
    expect(viewOf(odd).errors).toEqual({ email: 'This does not look like an email address.' })

    const known = browser.cookies.get(`${admin.sessionCookie}_browser`)
    expect(await change({ email: 'ak@example.org', password: ana.password })).toMatchObject(saved)
    expect(await you()).toMatchObject({ email: 'ak@example.org', name: 'Ana' })
    expect(browser.cookies.get(`${admin.sessionCookie}_browser`)).not.toBe(known)
    // Those of one millisecond stand in any order.
    expect((await entries()).toSorted()).toEqual([
      'Ana Kovač: Changed their own name from Ana to Ana Kovač',
      'Ana: Changed their own address from ana@example.org to ak@example.org',
      'Ana: Changed their own name from Ana Kovač to Ana',
    ])
    expect((await signIn(formBrowser(admin.app))).status).toBe(401)
    expect((await signIn(formBrowser(admin.app), 'ak@example.org')).status).toBe(303)
  })

  test('an address that somebody else has is refused, by right password alone', async () => {
    await open()
    await enter()
    const bo = { name: 'Bo', email: 'bo@example.org', role: 'viewer' }
    await admin.accounts.directory.invite({ id: 'x', name: 'X' }, bo)
    await browser.get('/you')
    const fields = { do: 'identity', ...ana, email: 'BO@example.org' }
    const guessed = await browser.post('/you', { ...fields, password: another })
    expect(Object.keys(viewOf(guessed).errors)).toEqual(['password'])
    const taken = await browser.post('/you', fields)
    expect(viewOf(taken).errors).toEqual({
      email: 'An account with this address exists already.',
    })
  })
})

describe('one’s own password', () => {
  const change = (current: string, next: string) =>
    browser.post('/you', { do: 'password', current, next })

  test('takes the one before, and ends all other sessions', async () => {
    await open()
    await enter()
    const elsewhere = formBrowser(admin.app)
    await signIn(elsewhere)
    expect((await you()).account?.sessions).toHaveLength(2)
    expect(viewOf(await change(another, another)).errors).toEqual({
      current: 'This is not your password.',
    })
    expect(viewOf(await change(ana.password, 'short')).errors).toEqual({
      next: 'The password needs at least 12 characters. It has 5.',
    })
    expect((await elsewhere.get('/you')).status).toBe(200)
    expect(await change(ana.password, another)).toMatchObject({
      ...{ status: 303, location: '/you?done=password' },
    })
    expect((await elsewhere.get('/you')).location).toMatch(/^\/sign-in/)
    expect((await you()).account?.sessions).toMatchObject([{ current: true }])
    expect((await signIn(elsewhere)).status).toBe(401)
    expect((await signIn(elsewhere, ana.email, another)).status).toBe(303)
    expect(await entries()).toEqual(['Ana: Ana chose a new password'])
  })

  test('is tried as often as at sign-in, whoever has the session', async () => {
    await open()
    await enter()
    await browser.get('/you')
    for (let tries = 0; tries < 5; tries++)
      expect((await change(another, ana.password)).status).toBe(422)
    const late = await change(ana.password, another)
    expect([late.status, viewOf(late).errors]).toEqual([
      429,
      { current: 'Too many requests. Try again in a moment.' },
    ])
    const asAddress = { do: 'identity', ...ana, email: 'b@example.org' }
    expect((await browser.post('/you', asAddress)).status).toBe(429)
    // Signing in has limits of its own, so that nobody is kept out by this.
    expect((await signIn(formBrowser(admin.app))).status).toBe(303)
    now += 60_000
    expect((await change(ana.password, another)).status).toBe(303)
  })
})

test('sessions end one by one, and never somebody else’s', async () => {
  await open()
  await enter()
  const elsewhere = formBrowser(admin.app, '192.0.2.7')
  await signIn(elsewhere)
  const other = (await you()).account!.sessions.find(({ current }) => !current)!
  expect(other.address).toBe('192.0.2.7')
  const link = await admin.accounts.issueLink({ role: 'viewer' })
  const bo = { ...ana, name: 'Bo', email: 'bo@example.org' }
  const from = { address: '', userAgent: '' }
  const foreign = await admin.accounts.redeemLink(link, bo, from)
  const ended = { location: '/you?done=ended' }
  const end = (session: string) => browser.post('/you', { do: 'end', session })
  // As one that has just ended.
  for (const session of [foreign.session.id, 'nope', ''])
    expect(await end(session)).toMatchObject(ended)
  expect(await admin.accounts.look(foreign.token)).toBeDefined()
  const current = (await you()).account!.sessions.find((one) => one.current)!
  expect((await end(current.id)).status).toBe(404)
  expect(await end(other.id)).toMatchObject(ended)
  expect(await end(other.id)).toMatchObject(ended)
  expect((await elsewhere.get('/you')).status).toBe(303)
  await signIn(elsewhere)
  await browser.get('/you')
  expect(await browser.post('/you', { do: 'endOthers' })).toMatchObject({
    location: '/you?done=endedOthers',
  })
  expect((await elsewhere.get('/you')).status).toBe(303)
  expect((await browser.get('/you')).status).toBe(200)
})

test('what is chosen of the look follows the person into another browser', async () => {
  await open()
  await enter()
  await browser.get('/you')
  const look = { do: 'look', theme: 'dark', density: 'compact', timeZone: 'Asia/Tokyo' }
  expect(await browser.post('/you', look)).toMatchObject(saved)
  // Beside another Tablewire of the same host, whose people have chosen something else.
  expect(browser.cookies.get(`${admin.sessionCookie}_reader`)).toBe('Asia/Tokyo~')
  browser.cookies.set('tablewire_other_reader', 'Asia/Seoul~')
  const elsewhere = formBrowser(admin.app)
  await signIn(elsewhere)
  const shown = await elsewhere.get('/you')
  expect(viewOf(shown).look).toMatchObject({ theme: 'dark', timeZone: 'Asia/Tokyo', language: '' })
  expect(shown.page().preferences).toMatchObject({ theme: 'dark', density: 'compact' })
  expect(viewOf(shown).account?.sessions[0]?.created).toMatch(/GMT\+9$/)
  expect((await elsewhere.post('/you', { ...look, timeZone: '' })).status).toBe(303)
  expect(viewOf(await elsewhere.get('/you')).account?.sessions[0]?.created).toMatch(/UTC$/)
  // The other browser learns of it with its next page.
  await browser.get('/you')
  expect(viewOf(await browser.get('/you')).account?.sessions[0]?.created).toMatch(/UTC$/)
  for (const wrong of [{ timeZone: 'Mars/Base' }, { theme: 'pink' }, { language: 'tlh' }])
    expect((await browser.post('/you', { ...look, ...wrong })).status).toBe(422)
})

test('where the application signs people in, it offers what applies', async () => {
  const person = { id: 'u1', name: 'Ana', role: 'viewer', session: 's1' }
  await open({ auth: { authenticate: () => person, signInUrl: () => '/login' } })
  const shown = await browser.get('/you')
  expect(viewOf(shown)).toMatchObject({ name: 'Ana', role: 'Reader', account: null })
  expect(shown.body).toContain('The application around Tablewire signs you in.')
  expect(shown.body).not.toContain('type="password"')
  const look = { do: 'look', theme: 'light', density: 'relaxed', timeZone: '' }
  expect(await browser.post('/you', look)).toMatchObject(saved)
  expect((await you()).look).toMatchObject({ theme: 'light', density: 'relaxed' })
  for (const fields of [
    { do: 'identity', ...ana },
    { do: 'password', current: another, next: another },
    { do: 'end', session: 's1' },
    { do: 'endOthers' },
  ])
    expect((await browser.post('/you', fields)).status).toBe(404)
})
