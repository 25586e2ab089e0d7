import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import { PeopleChanges } from '../../database/metadata/people-changes.ts'
import type { Actor } from '../../server/actor.ts'
import { KeyRing, passingKeys } from '../../server/keys.ts'
import { type Accounts, type AccountsOptions, createAccounts } from './accounts.ts'
import { Passwords } from './passwords.ts'

const client = { address: '127.0.0.1', userAgent: '' }
const password = 'correct horse battery'
const wrong = { code: 'CODE_WRONG' }
const MINUTE = 60_000

let now: number
let metadata: Metadata
let accounts: Accounts
let ana: Actor
const keys = passingKeys()

const another = (more: Partial<AccountsOptions> = {}) =>
  createAccounts({
    ...{ metadata, now: () => now, randomBytes, sealer: keys },
    passwords: new Passwords({ randomBytes, cost: { memory: 8, passes: 1, parallelism: 1 } }),
    ...more,
  })

beforeEach(async () => {
  now = 1_700_000_000_000
  metadata = await openMetadata(':memory:', { now: () => now })
  accounts = another()
  const link = await accounts.issueLink({ role: 'admin' })
  const entry = { name: 'Ana', email: 'ana@example.org', password }
  ana = (await accounts.redeemLink(link, entry, client)).actor
})

const codeAt = (secret: string, at = now): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

const self = () => ({ actor: ana, client })

/** Sets codes up; returns the secret and the recovery codes. */
async function setUp(who = accounts): Promise<{ secret: string; recovery: string[] }> {
  const { secret, sealed } = await who.secondFactors.begin(self(), password)
  const recovery = await who.secondFactors.finish(
    ana,
    { sealed, code: codeAt(secret) },
    client.address,
  )
  now += MINUTE
  return { secret, recovery }
}

/** Signs in by password; returns the token of the second step. */
async function firstStep(who = accounts): Promise<string> {
  const entered = await who.enterByPassword({ email: ana.email, password, ...client })
  if (!('asks' in entered)) throw new Error('No second step is asked.')
  return entered.step
}

const prove = async (code: string, who = accounts, address = client.address) =>
  who.enterByCode(await firstStep(who), code, { ...client, address })

const changes = async () =>
  (await metadata.peopleChanges.list({ size: 50 })).map(({ what }) => what).toReversed()

describe('codes', () => {
  test('are asked once they are set up, which takes the password and a code', async () => {
    const begin = (word: string) => accounts.secondFactors.begin(self(), word)
    await expect(begin('not the right one')).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    const { secret, sealed, uri } = await begin(password)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tablewire:ana%40example\.org\?/)
    const finish = (code: string) => accounts.secondFactors.finish(ana, { sealed, code }, 'a')
    await expect(finish('000000')).rejects.toMatchObject(wrong)
    expect(
      await accounts.enterByPassword({ email: ana.email, password, ...client }),
    ).toHaveProperty('token')
    expect(await finish(codeAt(secret))).toHaveLength(10)
    // Somebody who posts the form twice has one secret, and the recovery codes of the first answer.
    expect(await finish(codeAt(secret))).toEqual([])
    await expect(finish(codeAt(secret, now + 30_000))).rejects.toMatchObject(wrong)
    await expect(
      accounts.signInWithPassword({ email: ana.email, password, ...client }),
    ).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    now += MINUTE
    expect((await prove(codeAt(secret))).actor).toEqual(ana)
    expect(await changes()).toEqual(['codesOn'])
  })

  test('are taken by a sign-in that hashes the password at a new cost', async () => {
    const { secret } = await setUp()
    const cost = { memory: 16, passes: 1, parallelism: 1 }
    const costlier = another({ passwords: new Passwords({ randomBytes, cost }) })
    expect((await prove(codeAt(secret), costlier)).actor).toEqual(ana)
  })

  test('are stored so that nobody makes them of the records alone', async () => {
    const { secret, recovery } = await setUp()
    const stored = await metadata.secondFactors.codesOf(ana.id)
    expect(JSON.stringify(stored)).not.toContain(secret)
    const other = another({ sealer: new KeyRing([randomBytes(32)]) })
    await expect(prove(codeAt(secret), other)).rejects.toMatchObject(wrong)
    // Whoever has changed the secret of the data folder still comes in.
    expect((await prove(recovery[0]!, other)).actor).toEqual(ana)
  })

  test.each(['１２３４５６', '\0\0\0\0\0\0', '😀😀😀', '12345', '1234567'])(
    'are six digits, and %j is wrong as any other',
    async (odd) => {
      await setUp()
      await expect(prove(odd)).rejects.toMatchObject(wrong)
    },
  )

  test('work once, on all nodes, among fifty that come at once', async () => {
    const { secret } = await setUp()
    const nodes = Array.from({ length: 5 }, () =>
      another({ limits: { codesPerAccount: 100, attemptsPerPair: 100 } }),
    )
    const steps = await Promise.all(nodes.map((node) => firstStep(node)))
    const tries = Array.from({ length: 50 }, (_, at) =>
      nodes[at % 5]!.enterByCode(steps[at % 5]!, codeAt(secret), client),
    )
    const won = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
  })

  test('of the step before and the next are taken, and no older one once a newer was used', async () => {
    const { secret } = await setUp()
    now += 5 * MINUTE
    const step = 30_000
    await expect(prove(codeAt(secret, now - 2 * step))).rejects.toMatchObject(wrong)
    await expect(prove(codeAt(secret, now + 2 * step))).rejects.toMatchObject(wrong)
    await prove(codeAt(secret, now - step))
    await expect(prove(codeAt(secret, now - step))).rejects.toMatchObject(wrong)
    now += 10 * MINUTE
    await prove(codeAt(secret, now + step))
    await expect(prove(codeAt(secret, now))).rejects.toMatchObject(wrong)
  })

  test('are taken in any step that is near, and in no other', async () => {
    const { secret } = await setUp()
    const generous = another({
      limits: {
        codesPerAccount: 1e6,
        attemptsPerPair: 1e6,
        attemptsPerAccount: 1e6,
        attemptsPerAddress: 1e6,
      },
    })
    const token = () => firstStep(generous)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -6, max: 6 }),
        fc.integer({ min: 0, max: 29_999 }),
        async (away, into) => {
          now = Math.ceil((now + 20 * MINUTE) / 30_000) * 30_000 + into
          const tried = generous.enterByCode(
            await token(),
            codeAt(secret, now + away * 30_000),
            client,
          )
          if (Math.abs(away) <= 1) expect((await tried).actor).toEqual(ana)
          else await expect(tried).rejects.toMatchObject(wrong)
        },
      ),
      { numRuns: runs(200, 60) },
    )
  })

  test('are tried so rarely that none is guessed, by account and address', async () => {
    const { secret } = await setUp()
    const token = await firstStep()
    const answers: string[] = []
    for (let at = 0; at < 40; at++)
      await accounts
        .enterByCode(token, String(100_000 + at), { ...client, address: `192.0.2.${at % 8}` })
        .catch((error: { code: string }) => answers.push(error.code))
    expect(answers.filter((code) => code === 'CODE_WRONG')).toHaveLength(10)
    expect(answers.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(30)
    await expect(accounts.enterByCode(token, codeAt(secret), client)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    // From one address fewer.
    now += 10 * MINUTE
    const again = await firstStep()
    const fromOne: string[] = []
    for (let at = 0; at < 8; at++)
      await accounts
        .enterByCode(again, '000000', client)
        .catch((error: { code: string }) => fromOne.push(error.code))
    expect(fromOne.filter((code) => code === 'CODE_WRONG')).toHaveLength(5)
  })

  test('are turned off by the password, with the recovery codes', async () => {
    await setUp()
    await expect(accounts.secondFactors.removeCodes(self(), 'no')).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    await accounts.secondFactors.removeCodes(self(), password)
    expect(await accounts.secondFactors.stateOf(ana.id)).toEqual({
      ...{ isUsed: false, codesSince: null, recoveryLeft: 0 },
    })
    expect(
      await accounts.signInWithPassword({ email: ana.email, password, ...client }),
    ).toBeDefined()
    expect(await changes()).toEqual(['codesOn', 'codesOff'])
  })

  test('are not turned on again by what has turned them on', async () => {
    const { secret, sealed } = accounts.secondFactors.draft(ana)
    const form = { sealed, code: codeAt(secret), isFirst: false }
    expect(await accounts.secondFactors.finish(ana, form, client.address)).toHaveLength(10)
    await accounts.secondFactors.removeCodes(self(), password)
    await expect(another().secondFactors.finish(ana, form, client.address)).rejects.toMatchObject({
      code: 'PAGE_EXPIRED',
    })
    expect(await accounts.secondFactors.stateOf(ana.id)).toMatchObject({ isUsed: false })
  })
})

describe('recovery codes', () => {
  test('each sign in once, however they are typed', async () => {
    const { recovery } = await setUp()
    expect(new Set(recovery).size).toBe(10)
    expect(recovery[0]).toMatch(/^(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/)
    await prove(recovery[0]!.toUpperCase().replaceAll('-', ' '))
    await expect(prove(recovery[0]!)).rejects.toMatchObject(wrong)
    expect((await accounts.secondFactors.stateOf(ana.id)).recoveryLeft).toBe(9)
    expect(await changes()).toEqual(['codesOn', 'recoveryUsed'])
  })

  test('stay where their use cannot be recorded', async () => {
    const { recovery } = await setUp()
    const insert = vi.spyOn(PeopleChanges.prototype, 'insert')
    onTestFinished(() => insert.mockRestore())
    insert.mockRejectedValueOnce(new Error('The disk is full.'))
    await expect(prove(recovery[0]!)).rejects.toThrow('The disk is full.')
    expect((await prove(recovery[0]!)).actor).toEqual(ana)
  })

  test('are made anew by the password, and the earlier ones end', async () => {
    const { recovery } = await setUp()
    const fresh = await accounts.secondFactors.renewRecovery(self(), password)
    await expect(prove(recovery[0]!)).rejects.toMatchObject(wrong)
    expect((await prove(fresh[0]!)).actor).toEqual(ana)
    const stored = await metadata.secondFactors.countRecovery(ana.id)
    expect(stored).toBe(9)
  })

  test('of another person are none', async () => {
    const { recovery } = await setUp()
    const link = await accounts.issueLink({ role: 'admin', userId: ana.id })
    expect(await accounts.redeemLink(link, null, client)).toBeDefined()
    const bo = await accounts.directory.invite(ana, {
      name: 'Bo',
      email: 'bo@example.org',
      role: 'viewer',
    })
    const entered = await accounts.redeemLink(bo.token, { name: '', email: '', password }, client)
    await expect(
      accounts.secondFactors.prove(entered.actor, recovery[0]!, client.address),
    ).rejects.toMatchObject(wrong)
  })
})

describe('the token of the second step', () => {
  test('is nobody’s to make, ends after ten minutes, and with the password', async () => {
    const { secret } = await setUp()
    const expired = { code: 'PAGE_EXPIRED' }
    const token = await firstStep()
    const enter = (one: string) => accounts.enterByCode(one, codeAt(secret), client)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom(...'ABCxyz019_-'),
        async (at, sign) => {
          fc.pre(token[at] !== sign)
          await expect(
            enter(token.slice(0, at) + sign + token.slice(at + 1)),
          ).rejects.toMatchObject(expired)
        },
      ),
      { numRuns: runs(500, 100) },
    )
    for (const odd of ['', 'x', `${token}A`, token.slice(1)])
      await expect(enter(odd)).rejects.toMatchObject(expired)
    now += 10 * MINUTE
    await expect(enter(token)).rejects.toMatchObject(expired)
    const late = await firstStep()
    await accounts.own.changePassword(self(), password, 'another horse battery', 'x')
    await expect(enter(late)).rejects.toMatchObject(expired)
  })

  test('is of no use once the person is disabled', async () => {
    const { secret } = await setUp()
    const token = await firstStep()
    await metadata.users.update(ana.id, { disabledAt: now })
    await expect(accounts.enterByCode(token, codeAt(secret), client)).rejects.toMatchObject({
      code: 'PAGE_EXPIRED',
    })
  })
})

describe('a link', () => {
  test('for a new password asks for the second factor first, and changes nothing before', async () => {
    const { secret } = await setUp()
    const by = { id: 'command', name: 'x' }
    const { token } = await accounts.directory.renewLink(by, ana.id)
    const next = 'another horse battery'
    const entered = await accounts.enterByLink(
      token,
      { name: '', email: '', password: next },
      client,
    )
    expect(entered).toMatchObject({ asks: 'code' })
    if (!('asks' in entered)) throw new Error('No second step is asked.')
    const enterWith = (tried: string) =>
      accounts.enterByPassword({ email: ana.email, password: tried, ...client })
    await expect(enterWith(next)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect(await enterWith(password)).toMatchObject({ asks: 'code' })
    expect(await accounts.sessions(ana.id)).toHaveLength(1)
    expect((await accounts.enterByCode(entered.step, codeAt(secret), client)).actor).toEqual(ana)
    await expect(enterWith(password)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect(await enterWith(next)).toMatchObject({ asks: 'code' })
    // The session of before has ended.
    expect(await accounts.sessions(ana.id)).toHaveLength(1)
    expect(await accounts.inspectLink(token)).toBeUndefined()
  })

  test('that is withdrawn before the second factor is shown changes nothing', async () => {
    const { secret } = await setUp()
    const by = { id: 'command', name: 'x' }
    const { token } = await accounts.directory.renewLink(by, ana.id)
    const entry = { name: '', email: '', password: 'another horse battery' }
    const entered = await accounts.enterByLink(token, entry, client)
    if (!('asks' in entered)) throw new Error('No second step is asked.')
    await accounts.directory.withdraw(by, ana.id)
    await expect(accounts.enterByCode(entered.step, codeAt(secret), client)).rejects.toMatchObject({
      code: 'LINK_SPENT',
    })
    expect(await accounts.enterByPassword({ email: ana.email, password, ...client })).toMatchObject(
      { asks: 'code' },
    )
  })

  test('of whoever has the machine signs in without it', async () => {
    await setUp()
    const link = await accounts.issueLink({ role: 'admin', userId: ana.id })
    expect((await accounts.redeemLink(link, null, client)).actor).toEqual(ana)
  })
})

describe('where everybody needs one', () => {
  const required = () => another({ requiresSecondFactor: true })

  test('who has none is led to set it up, and was not signed in before', async () => {
    const who = required()
    const { token } = await accounts.signInWithPassword({ email: ana.email, password, ...client })
    expect(await who.authenticate(token)).toBeUndefined()
    expect(await who.look(token)).toBeUndefined()
    const entered = await who.enterByPassword({ email: ana.email, password, ...client })
    if (!('asks' in entered)) throw new Error('No second step is asked.')
    expect(entered.asks).toBe('setUp')
    await expect(who.enterByCode(entered.step, '123456', client)).rejects.toMatchObject(wrong)
    const { secret, sealed } = who.secondFactors.draft(ana)
    const entry = { sealed, code: codeAt(secret) }
    const { signedIn, recovery } = await who.enterBySetUp(entered.step, entry, client)
    expect(recovery).toHaveLength(10)
    expect(await who.authenticate(signedIn.token)).toMatchObject({ actor: ana })
    const twice = await who.enterBySetUp(entered.step, entry, client)
    expect(twice).toMatchObject({ signedIn: { actor: ana }, recovery: [] })
    expect(await changes()).toEqual(['codesOn'])
    // Another secret is not set up by a step that is over.
    const other = who.secondFactors.draft(ana)
    await expect(
      who.enterBySetUp(entered.step, { sealed: other.sealed, code: codeAt(other.secret) }, client),
    ).rejects.toMatchObject({ code: 'PAGE_EXPIRED' })
    await expect(who.secondFactors.removeCodes(self(), password)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('a link leads there as well', async () => {
    const who = required()
    const link = await who.issueLink({ role: 'admin', userId: ana.id })
    expect(await who.enterByLink(link, null, client)).toMatchObject({ asks: 'setUp' })
    const newcomer = await who.issueLink({ role: 'viewer' })
    const bo = { name: 'Bo', email: 'bo@example.org', password }
    expect(await who.enterByLink(newcomer, bo, client)).toMatchObject({ asks: 'setUp' })
  })
})

test('an administrator takes somebody’s second factor away, and nobody their own', async () => {
  await setUp()
  const { directory } = accounts
  expect((await directory.list())[0]).toMatchObject({ hasSecondFactor: true })
  await expect(directory.removeSecondFactor(ana, ana.id)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  await directory.removeSecondFactor({ id: 'bo', name: 'Bo' }, ana.id)
  expect((await directory.list())[0]).toMatchObject({ hasSecondFactor: false })
  expect(await accounts.signInWithPassword({ email: ana.email, password, ...client })).toBeDefined()
  expect(await changes()).toEqual(['codesOn', 'secondOff'])
})

test('where everybody needs one, who had it taken away is signed out, and sets up anew', async () => {
  const { secret } = await setUp()
  const who = another({ requiresSecondFactor: true })
  const { token } = await prove(codeAt(secret), who)
  expect(await who.look(token)).toBeDefined()
  await who.directory.removeSecondFactor({ id: 'bo', name: 'Bo' }, ana.id)
  expect(await who.look(token)).toBeUndefined()
  const entered = await who.enterByPassword({ email: ana.email, password, ...client })
  expect(entered).toMatchObject({ asks: 'setUp' })
  expect(await changes()).toEqual(['codesOn', 'secondOff'])
})
