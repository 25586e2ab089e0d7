import { argon2, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import { type AccountLimits, createAccounts, type Accounts } from './accounts.ts'
import { type Argon2, Passwords } from './passwords.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const cheap = { memory: 8, passes: 1, parallelism: 1 }
const origin = { address: '127.0.0.1', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/142.0' }
const password = 'correct horse battery'
const ana = { name: 'Ana', email: 'ana@example.org', password }

let now: number
let hashes: number
let metadata: Metadata
let accounts: Accounts

const counting: Argon2 = (algorithm, parameters) => {
  hashes += 1
  return promisify(argon2)(algorithm, parameters)
}

const accountsOver = (stores: Metadata, limits: Partial<AccountLimits> = {}, cost = cheap) =>
  createAccounts({
    metadata: stores,
    now: () => now,
    randomBytes,
    limits,
    passwords: new Passwords({ randomBytes, argon2: counting, cost }),
  })

/** Makes the first administrator by a link, and returns their session. */
const enter = async (on = accounts) =>
  on.redeemLink(await on.issueLink({ role: 'admin' }), ana, origin)

const signIn = (more: Partial<typeof ana & typeof origin & { browser: string }> = {}) =>
  accounts.signInWithPassword({ email: ana.email, password, ...origin, ...more })

const failed = expect.objectContaining({ code: 'SIGN_IN_FAILED' })

beforeEach(async () => {
  now = 1_700_000_000_000
  hashes = 0
  metadata = await openMetadata(':memory:', { now: () => now })
  accounts = accountsOver(metadata)
})

describe('signing in with a password', () => {
  test('opens a session that the token stands for', async () => {
    const first = await enter()
    const { token, actor, session } = await signIn({ email: ' ANA@Example.org' })
    expect(actor).toMatchObject({ name: 'Ana', email: 'ana@example.org', role: 'admin' })
    expect(await accounts.authenticate(token)).toEqual({ actor, session })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(session.id).not.toBe(first.session.id)
    expect(session.lineage).not.toBe(first.session.lineage)
  })

  test('fails alike, after one hash, whether the password, the account or its use is wrong', async () => {
    const { actor } = await enter()
    const noPassword = { ...actor, id: 'bo', email: 'bo@example.org', role: 'viewer' as const }
    await metadata.users.insert({
      ...noPassword,
      passwordHash: null,
      createdAt: 0,
      disabledAt: null,
      lastSeenAt: null,
    })
    const attempt = async (more: object) => {
      hashes = 0
      const error = await signIn(more).catch((reason: unknown) => reason)
      expect(hashes).toBe(1)
      return error
    }
    const wrong = await attempt({ password: 'another password' })
    expect(wrong).toEqual(failed)
    expect(await attempt({ email: 'nobody@example.org' })).toEqual(wrong)
    expect(await attempt({ email: 'bo@example.org' })).toEqual(wrong)
    expect(await attempt({ email: 'not an address' })).toEqual(wrong)
    await metadata.users.update(actor.id, { disabledAt: now })
    expect(await attempt({})).toEqual(wrong)
  })

  test('makes a hash of another cost anew, once', async () => {
    await enter()
    const before = (await metadata.users.findByEmail(ana.email))?.passwordHash
    accounts = accountsOver(metadata, {}, { memory: 16, passes: 1, parallelism: 1 })
    await signIn()
    const after = (await metadata.users.findByEmail(ana.email))?.passwordHash
    expect([before, after]).toEqual([
      expect.stringContaining('m=8,'),
      expect.stringContaining('m=16,'),
    ])
    hashes = 0
    await signIn()
    expect(hashes).toBe(1)
  })

  test('may be tried five times a minute for one account from one address, however it is spelled', async () => {
    await enter()
    const spellings = [
      'ana@example.org',
      'ANA@EXAMPLE.ORG',
      'ａna@example.org',
      ' ana@example.org ',
      'Ana@example.org',
    ]
    for (const email of spellings)
      await expect(signIn({ email, password: 'wrong' })).rejects.toThrow(failed)
    hashes = 0
    await expect(signIn()).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 12,
    })
    expect(hashes).toBe(0)
    now += 12_000
    await signIn()
  })

  test('cannot be locked by a stranger elsewhere, but for thirty tries a minute', async () => {
    await enter()
    const wrong = (i: number) => signIn({ password: 'wrong', address: `10.0.${i}.1` })
    for (let i = 0; i < 29; i += 1) await expect(wrong(i % 6)).rejects.toThrow(failed)
    await signIn()
    await expect(wrong(6)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('may be tried twenty times a minute from one address, for any account', async () => {
    const attempt = (i: number, address: string) =>
      signIn({ email: `${i}@example.org`, address, userAgent: `browser ${i}` })
    for (let i = 0; i < 20; i += 1)
      await expect(attempt(i, `2001:db8::${i}`)).rejects.toThrow(failed)
    await expect(attempt(20, '2001:db8::ffff')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(attempt(20, '2001:db9::1')).rejects.toThrow(failed)
  })

  test('may be tried eighty times a minute from one /48', async () => {
    const attempt = (i: number) =>
      signIn({ email: `${i}@example.org`, address: `2001:db8:1:${i % 8}::${i}` })
    for (let i = 0; i < 80; i += 1) await expect(attempt(i)).rejects.toThrow(failed)
    await expect(attempt(80)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('has limits of its own in a browser that has signed in before', async () => {
    await enter()
    const stranger = (i: number) => signIn({ password: 'wrong', address: `10.0.${i % 7}.1` })
    await Promise.allSettled(Array.from({ length: 40 }, (_, i) => stranger(i)))
    await expect(signIn()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const known = (browser: string, more = {}) => signIn({ browser, ...more })
    await known('one')
    for (let i = 0; i < 4; i += 1)
      await expect(known('one', { password: 'wrong' })).rejects.toThrow(failed)
    await expect(known('one')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 12 })
    await known('another')
  })

  test('counts a thousand attempts at once as what they are', async () => {
    await enter()
    const attempts = Array.from({ length: 1000 }, () => signIn({ password: 'wrong' }))
    const codes = (await Promise.allSettled(attempts)).map((result) =>
      result.status === 'rejected' ? result.reason.code : 'signed in',
    )
    expect(codes.filter((code) => code !== 'TOO_MANY_REQUESTS')).toEqual(
      Array(5).fill('SIGN_IN_FAILED'),
    )
  })
})

describe('a session', () => {
  test('ends two hours after its last use', async () => {
    const { token } = await enter()
    now += 2 * HOUR - 1
    expect(await accounts.authenticate(token)).toBeDefined()
    now += 2 * HOUR - 1
    expect(await accounts.authenticate(token)).toBeDefined()
    now += 2 * HOUR
    expect(await accounts.authenticate(token)).toBeUndefined()
  })

  test('ends twelve hours after the sign-in, however much it is used and rotated', async () => {
    let { token, session } = await enter()
    const start = now
    for (; now < start + 12 * HOUR; now += HOUR) {
      expect(await accounts.authenticate(token)).toBeDefined()
      const rotated = await accounts.rotate(session)
      token = rotated.token
      session = rotated.session
    }
    expect(await accounts.authenticate(token)).toBeUndefined()
  })

  test('ends sooner when told to', async () => {
    const strict = accountsOver(metadata, { idleMs: 30 * MINUTE, absoluteMs: HOUR })
    const { token, session } = await enter(strict)
    expect(session.expiresAt).toBe(now + 30 * MINUTE)
    now += 30 * MINUTE
    expect(await strict.authenticate(token)).toBeUndefined()
  })

  test('is trusted for five seconds, and its use is noted once a minute', async () => {
    const { token, actor } = await enter()
    const start = now
    await accounts.authenticate(token)
    const elsewhere = accountsOver(metadata)
    await elsewhere.revokeOthers(actor.id, 'none')
    now += 4999
    expect(await accounts.authenticate(token)).toBeDefined()
    now += 1
    expect(await accounts.authenticate(token)).toBeUndefined()

    const { token: second, actor: again } = await signIn()
    const lastSeen = async () => (await accounts.sessions(again.id))[0]!.lastSeenAt - start
    for (let i = 0; i < 20; i += 1) {
      now += 5000
      await accounts.authenticate(second)
      expect(await lastSeen()).toBe(5000 + Math.floor((now - start - 5000) / MINUTE) * MINUTE)
    }
  })

  test('is not used by whoever only looks, and a look hides no use', async () => {
    const { token, actor, session } = await enter()
    const lastSeen = async () => (await accounts.sessions(actor.id))[0]!.lastSeenAt
    const before = await lastSeen()
    now += HOUR
    expect(await accounts.look(token)).toEqual({ actor, session })
    expect(await lastSeen()).toBe(before)
    await accounts.authenticate(token)
    expect(await lastSeen()).toBe(now)
    await accounts.signOut(token)
    expect(await accounts.look(token)).toBeUndefined()
  })

  test('keeps its lineage when it is rotated, and the old token is refused at once', async () => {
    const { token, actor, session } = await enter()
    await accounts.authenticate(token)
    const rotated = await accounts.rotate(session)
    expect(rotated.session).toEqual({ ...session, id: rotated.session.id })
    expect(rotated.session.id).not.toBe(session.id)
    expect(await accounts.authenticate(token)).toBeUndefined()
    expect(await accounts.authenticate(rotated.token)).toEqual({ actor, session: rotated.session })
    await expect(accounts.rotate(session)).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' })
  })

  test('is refused at once after signing out', async () => {
    const { token } = await enter()
    await accounts.authenticate(token)
    await accounts.signOut(token)
    expect(await accounts.authenticate(token)).toBeUndefined()
    await accounts.signOut(token)
    await accounts.signOut('nonsense')
  })

  test.each(['', 'x', 'x'.repeat(43), '../../etc/passwd', 'x'.repeat(100_000)])(
    'is not made by a token such as %.20s',
    async (token) => {
      expect(await accounts.authenticate(token)).toBeUndefined()
    },
  )
})

describe('sessions of a person', () => {
  test('are listed with their device, and revoked one by one, at once', async () => {
    const first = await enter()
    now += 1000
    const second = await signIn({ address: '10.0.0.2', userAgent: 'curl/8' })
    await accounts.authenticate(second.token)
    expect(await accounts.sessions(first.actor.id)).toEqual([
      expect.objectContaining({
        id: second.session.id,
        device: { kind: 'program', browser: null, system: null },
        address: '10.0.0.2',
      }),
      expect.objectContaining({
        id: first.session.id,
        device: { kind: 'browser', browser: 'Firefox', system: 'Linux' },
        createdAt: now - 1000,
      }),
    ])
    expect(await accounts.revoke('somebody else', second.session.id)).toBe(false)
    expect(await accounts.authenticate(second.token)).toBeDefined()
    expect(await accounts.revoke(first.actor.id, second.session.id)).toBe(true)
    expect(await accounts.authenticate(second.token)).toBeUndefined()
    expect(await accounts.authenticate(first.token)).toBeDefined()
  })

  test('are all revoked but the current one', async () => {
    const current = await enter()
    const others = [await signIn(), await signIn()]
    for (const { token } of others) await accounts.authenticate(token)
    expect(await accounts.revokeOthers(current.actor.id, current.session.id)).toBe(2)
    for (const { token } of others) expect(await accounts.authenticate(token)).toBeUndefined()
    expect(await accounts.authenticate(current.token)).toBeDefined()
  })

  test('are not remembered by an authentication that a revocation overtakes', async () => {
    const { token, actor, session } = await enter()
    const many = { attemptsPerPair: 100, attemptsPerAccount: 100, attemptsPerAddress: 100 }
    for (let i = 0; i < 50; i += 1) {
      const { token, session } = await accountsOver(metadata, many).signInWithPassword({
        email: ana.email,
        password,
        ...origin,
      })
      const early = Array.from({ length: 5 }, () => accounts.authenticate(token))
      await accounts.revoke(actor.id, session.id)
      await Promise.all(early)
      expect(await accounts.authenticate(token)).toBeUndefined()
    }
    expect(await accounts.authenticate(token)).toMatchObject({ session: { id: session.id } })
  })

  test('all end at once when the person is disabled', async () => {
    const { actor: administrator } = await enter()
    const link = await accounts.issueLink({ role: 'editor' })
    const { token, actor } = await accounts.redeemLink(
      link,
      { ...ana, email: 'bo@example.org' },
      origin,
    )
    await accounts.authenticate(token)
    await accounts.directory.disable(administrator, actor.id)
    expect(await accounts.authenticate(token)).toBeUndefined()
    expect(await accounts.sessions(actor.id)).toEqual([])
  })
})

test('a link that is redeemed fifty times at once costs one password hash', async () => {
  const link = await accounts.issueLink({ role: 'admin' })
  const tries = Array.from({ length: 50 }, () => accounts.redeemLink(link, ana, origin))
  const refusals = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected')
  expect(refusals).toHaveLength(49)
  for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { code: 'LINK_SPENT' } })
  expect(hashes).toBe(1)
})

test('nothing on disk holds a token or a password', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tablewire-accounts-'))
  metadata = await openMetadata(join(data, 'meta.sqlite'), { now: () => now })
  accounts = accountsOver(metadata)
  const unused = await accounts.issueLink({ role: 'viewer' })
  const link = await accounts.issueLink({ role: 'admin' })
  const { token, session } = await accounts.redeemLink(link, ana, origin)
  const rotated = await accounts.rotate(session)
  const second = await signIn()
  const bytes = Buffer.concat(readdirSync(data).map((file) => readFileSync(join(data, file))))
  expect(bytes.includes(session.lineage)).toBe(true)
  for (const secret of [unused, link, token, rotated.token, second.token, password])
    for (const form of [
      secret,
      Buffer.from(secret, 'base64url'),
      Buffer.from(secret).toString('hex'),
    ])
      expect(bytes.includes(form)).toBe(false)
  await metadata.close()
})
