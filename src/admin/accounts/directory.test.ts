import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import type { Actor } from '../../server/actor.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import type { Person } from './directory.ts'
import { Passwords } from './passwords.ts'

const DAY = 24 * 60 * 60 * 1000
const origin = { address: '127.0.0.1', userAgent: '' }
const password = 'correct horse battery'
const bo = { name: 'Bo', email: 'bo@example.org', role: 'editor' }
const spent = { code: 'LINK_SPENT' }

let now: number
let metadata: Metadata
let accounts: Accounts
let ana: Actor

const another = () =>
  createAccounts({
    metadata,
    now: () => now,
    randomBytes,
    passwords: new Passwords({ randomBytes, cost: { memory: 8, passes: 1, parallelism: 1 } }),
  })

beforeEach(async () => {
  now = 1_700_000_000_000
  metadata = await openMetadata(':memory:', { now: () => now })
  accounts = another()
  const link = await accounts.issueLink({ role: 'admin' })
  const entry = { name: 'Ana', email: 'ana@example.org', password }
  ana = (await accounts.redeemLink(link, entry, origin)).actor
})

const choose = (token: string, chosen = password) =>
  accounts.redeemLink(token, { name: '', email: '', password: chosen }, origin)

const invite = (more: Partial<typeof bo> = {}) => accounts.directory.invite(ana, { ...bo, ...more })

/** Invites somebody, who comes in. */
const join = async (more: Partial<typeof bo> = {}) => choose((await invite(more)).token)

async function find(email = bo.email): Promise<Person | undefined> {
  return (await accounts.directory.list()).find((person) => person.email === email)
}

const changes = async () =>
  (await metadata.peopleChanges.list({ size: 50 })).map(
    ({ byName, personName, what, before, after }) => [byName, what, personName, before, after],
  )

describe('an invitation', () => {
  test('makes an account in which nobody can sign in until its link has set a password', async () => {
    const { token, expiresAt, person } = await invite()
    expect(expiresAt).toBe(now + 7 * DAY)
    expect(person).toMatchObject(bo)
    expect(await find()).toMatchObject({
      ...{ ...bo, state: 'invited', linkUntil: expiresAt },
      ...{ lastSeenAt: null, sessions: 0 },
    })
    const signIn = () => accounts.signInWithPassword({ email: bo.email, password, ...origin })
    await expect(signIn()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect(await accounts.inspectLink(token)).toMatchObject({ setsPassword: true, role: 'editor' })
    const { actor } = await choose(token)
    expect(actor).toMatchObject(bo)
    expect(await find()).toMatchObject({
      ...{ state: 'active', linkUntil: null },
      ...{ lastSeenAt: now, sessions: 1 },
    })
    expect((await signIn()).actor).toEqual(actor)
    await expect(choose(token)).rejects.toMatchObject(spent)
  })

  test('refuses a short password, and its link still works', async () => {
    const { token } = await invite()
    await expect(choose(token, 'short')).rejects.toMatchObject({ code: 'PASSWORD_TOO_SHORT' })
    await expect(accounts.redeemLink(token, null, origin)).rejects.toMatchObject({
      code: 'PASSWORD_TOO_SHORT',
    })
    expect((await choose(token)).actor.name).toBe('Bo')
  })

  test('expires after seven days, and a new link takes its place', async () => {
    const { token } = await invite()
    now += 7 * DAY
    await expect(choose(token)).rejects.toMatchObject(spent)
    const { id, linkUntil } = (await find())!
    expect(linkUntil).toBeNull()
    const renewed = await accounts.directory.renewLink(ana, id)
    const again = await accounts.directory.renewLink(ana, id)
    expect([renewed.replaces, again.replaces]).toEqual([true, true])
    await expect(choose(renewed.token)).rejects.toMatchObject(spent)
    expect((await choose(again.token)).actor).toMatchObject(bo)
  })

  test('of an address that is only invited takes the place of the earlier one', async () => {
    const first = await invite()
    expect(first.replaces).toBe(false)
    const second = await invite({ name: 'Bo Berg', email: 'BO@example.org', role: 'viewer' })
    expect(second.replaces).toBe(true)
    await expect(choose(first.token)).rejects.toMatchObject(spent)
    expect((await choose(second.token)).actor).toMatchObject({ name: 'Bo Berg', role: 'viewer' })
  })

  test('of an address that somebody has is refused', async () => {
    await join()
    const taken = { code: 'EMAIL_TAKEN' }
    await expect(invite()).rejects.toMatchObject(taken)
    await accounts.directory.disable(ana, (await find())!.id)
    await expect(invite()).rejects.toMatchObject(taken)
    await expect(invite({ email: 'no address' })).rejects.toMatchObject({ code: 'EMAIL_INVALID' })
  })

  test('can be withdrawn, and the address is free', async () => {
    const { token } = await invite()
    await accounts.directory.withdraw(ana, (await find())!.id)
    await expect(choose(token)).rejects.toMatchObject(spent)
    expect(await find()).toBeUndefined()
    expect((await join()).actor.role).toBe('editor')
  })

  test('is accepted once among fifty who try at once', async () => {
    const { token } = await invite()
    const entry = { name: '', email: '', password }
    const tries = Array.from({ length: 50 }, () => another().redeemLink(token, entry, origin))
    const won = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect((await find())?.sessions).toBe(1)
  })
})

describe('a link for somebody who is in', () => {
  test('sets a new password and ends their sessions', async () => {
    const { actor, token } = await join()
    await accounts.authenticate(token)
    const link = await accounts.directory.renewLink(ana, actor.id)
    expect(await accounts.authenticate(token)).toBeDefined()
    const { token: next } = await choose(link.token, 'another horse battery')
    expect(await accounts.authenticate(token)).toBeUndefined()
    expect(await accounts.authenticate(next)).toMatchObject({ actor })
    const signIn = (chosen: string) =>
      accounts.signInWithPassword({ email: bo.email, password: chosen, ...origin })
    await expect(signIn(password)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    await signIn('another horse battery')
  })

  test('can be withdrawn without them; a second time there is none', async () => {
    const { actor } = await join()
    const { token } = await accounts.directory.renewLink(ana, actor.id)
    await accounts.directory.withdraw(ana, actor.id)
    await expect(choose(token)).rejects.toMatchObject(spent)
    expect((await find())?.state).toBe('active')
    await expect(accounts.directory.withdraw(ana, actor.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('is void once they are disabled, and comes back with nobody', async () => {
    const { actor } = await join()
    const { token } = await accounts.directory.renewLink(ana, actor.id)
    await accounts.directory.disable(ana, actor.id)
    await expect(choose(token)).rejects.toMatchObject(spent)
    await accounts.directory.enable(ana, actor.id)
    await expect(choose(token)).rejects.toMatchObject(spent)
    await accounts.directory.disable(ana, actor.id)
    await expect(accounts.directory.renewLink(ana, actor.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a person', () => {
  test('has another role at once', async () => {
    const { actor, token } = await join()
    await accounts.authenticate(token)
    await accounts.directory.changeRole(ana, actor.id, 'viewer')
    expect((await accounts.authenticate(token))?.actor.role).toBe('viewer')
  })

  test('who is disabled is out at once, and in again once enabled', async () => {
    const { actor, token } = await join()
    await accounts.authenticate(token)
    await accounts.directory.disable(ana, actor.id)
    expect(await accounts.authenticate(token)).toBeUndefined()
    expect(await find()).toMatchObject({ state: 'disabled', disabledAt: now, sessions: 0 })
    const signIn = () => accounts.signInWithPassword({ email: bo.email, password, ...origin })
    await expect(signIn()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    await accounts.directory.enable(ana, actor.id)
    await signIn()
  })

  test('is signed out everywhere', async () => {
    const { actor, token } = await join()
    await accounts.authenticate(token)
    await accounts.directory.endSessions(ana, actor.id)
    expect(await accounts.authenticate(token)).toBeUndefined()
  })

  test.each([
    ['changeRole', (id: string) => accounts.directory.changeRole(ana, id, 'viewer')],
    ['disable', (id: string) => accounts.directory.disable(ana, id)],
    ['endSessions', (id: string) => accounts.directory.endSessions(ana, id)],
    ['renewLink', (id: string) => accounts.directory.renewLink(ana, id)],
    ['withdraw', (id: string) => accounts.directory.withdraw(ana, id)],
  ])('cannot do it with their own account: %s', async (_name, change) => {
    await expect(change(ana.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(change('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('of two administrators who take the role from each other at once, one stays', async () => {
  const { actor: cleo } = await join({ name: 'Cleo', role: 'admin' })
  const results = await Promise.allSettled([
    another().directory.changeRole(ana, cleo.id, 'viewer'),
    another().directory.disable(cleo, ana.id),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await metadata.users.countAdministrators()).toBe(1)
})

test('whose role was taken elsewhere a moment ago changes nobody any more', async () => {
  const { actor: cleo } = await join({ name: 'Cleo', role: 'admin' })
  await metadata.users.update(cleo.id, { role: 'editor' })
  const refused = { code: 'FORBIDDEN' }
  const { directory } = accounts
  const person = { ...bo, email: 'dan@example.org' }
  await expect(directory.invite(cleo, person)).rejects.toMatchObject(refused)
  await expect(directory.renewLink(cleo, ana.id)).rejects.toMatchObject(refused)
  await expect(directory.disable(cleo, ana.id)).rejects.toMatchObject(refused)
})

test('a name may hold what joins its letters', async () => {
  const { person } = await invite({ name: 'علی\u200cرضا' })
  expect(person.name).toBe('علی\u200cرضا')
  await expect(invite({ name: 'a\u202eb' })).rejects.toMatchObject({ code: 'NAME_INVALID' })
})

test('every change is recorded, with who made it', async () => {
  const invited = await invite()
  now += 1
  const { actor } = await choose(invited.token)
  now += 1
  await accounts.directory.changeRole(ana, actor.id, 'viewer')
  now += 1
  await accounts.directory.changeRole(ana, actor.id, 'viewer')
  const { token } = await accounts.directory.renewLink(ana, actor.id)
  now += 1
  await choose(token, 'another horse battery')
  now += 1
  await accounts.directory.disable(ana, actor.id)
  now += 1
  await accounts.directory.enable(ana, actor.id)
  expect((await changes()).toReversed()).toEqual([
    ['Ana', 'invited', 'Bo', null, 'editor'],
    ['Bo', 'joined', 'Bo', null, null],
    ['Ana', 'role', 'Bo', 'editor', 'viewer'],
    ['Ana', 'link', 'Bo', null, null],
    ['Bo', 'password', 'Bo', null, null],
    ['Ana', 'disabled', 'Bo', null, null],
    ['Ana', 'enabled', 'Bo', null, null],
  ])
})
