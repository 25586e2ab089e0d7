import { beforeEach, describe, expect, test } from 'vitest'
import { type Metadata, openMetadata } from './metadata.ts'
import type { StoredSession } from './sessions.ts'
import type { User } from './users.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let now: number
let metadata: Metadata

const person = (id: string, more: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.org`,
  name: id,
  role: 'editor',
  passwordHash: null,
  createdAt: now,
  disabledAt: null,
  ...more,
})

const session = (id: string, more: Partial<StoredSession> = {}): StoredSession => ({
  id,
  tokenHash: `hash of ${id}`,
  lineage: `lineage of ${id}`,
  userId: 'ana',
  createdAt: now,
  lastSeenAt: now,
  expiresAt: now + HOUR,
  address: '127.0.0.1',
  userAgent: 'curl',
  ...more,
})

beforeEach(async () => {
  now = 1_700_000_000_000
  metadata = await openMetadata(':memory:', { now: () => now })
  await metadata.users.insert(person('ana', { passwordHash: 'old' }))
})

describe('users', () => {
  test.each(['ANA@example.org', ' ana@Example.ORG ', 'ａna@example.org'])(
    'finds the person of %j, and nobody else may take it',
    async (email) => {
      expect((await metadata.users.findByEmail(email))?.id).toBe('ana')
      expect(await metadata.users.insert(person('bo', { email }))).toBe(false)
    },
  )

  test('holds an address with other letters apart', async () => {
    expect(await metadata.users.insert(person('bo', { email: 'aná@example.org' }))).toBe(true)
  })

  test('knows the first administrator who is not disabled', async () => {
    expect(await metadata.users.firstAdministrator()).toBeUndefined()
    await metadata.users.insert(person('zoe', { role: 'admin', createdAt: 1 }))
    await metadata.users.insert(person('bo', { role: 'admin', createdAt: 2 }))
    expect((await metadata.users.firstAdministrator())?.id).toBe('zoe')
    await metadata.users.disable('zoe', now)
    expect((await metadata.users.firstAdministrator())?.id).toBe('bo')
  })

  test('takes no role that there is not', async () => {
    const god = person('bo', { role: 'god' as never })
    await expect(metadata.users.insert(god)).rejects.toThrow('CHECK')
  })

  test('changes a password', async () => {
    await metadata.users.setPasswordHash('ana', 'new')
    expect((await metadata.users.find('ana'))?.passwordHash).toBe('new')
  })
})

describe('sessions', () => {
  test('give the person with them while they last', async () => {
    await metadata.sessions.insert(session('s'))
    const active = await metadata.sessions.findActive('hash of s', now)
    expect(active).toMatchObject({ id: 's', userId: 'ana', name: 'ana', role: 'editor' })
    expect(await metadata.sessions.findActive('hash of s', now + HOUR)).toBeUndefined()
    await metadata.users.disable('ana', now)
    expect(await metadata.sessions.findActive('hash of s', now)).toBeUndefined()
  })

  test('are touched only when they were not seen lately', async () => {
    await metadata.sessions.insert(session('s'))
    const touch = { id: 's', now: now + 5, expiresAt: now + 2 * HOUR }
    await metadata.sessions.touch({ ...touch, seenBefore: now - 1 })
    expect((await metadata.sessions.list('ana', now))[0]?.lastSeenAt).toBe(now)
    await metadata.sessions.touch({ ...touch, seenBefore: now })
    expect((await metadata.sessions.list('ana', now))[0]).toMatchObject({
      lastSeenAt: now + 5,
      expiresAt: now + 2 * HOUR,
    })
  })

  test('are removed for their own person only', async () => {
    await metadata.sessions.insert(session('s'))
    await metadata.sessions.insert(session('t'))
    expect(await metadata.sessions.remove('bo', 's')).toBe(false)
    expect(await metadata.sessions.removeAll('bo')).toBe(0)
    expect(await metadata.sessions.removeAll('ana', 't')).toBe(1)
    expect((await metadata.sessions.list('ana', now)).map(({ id }) => id)).toEqual(['t'])
  })
})

describe('links', () => {
  test('are spent once among all who try', async () => {
    await metadata.links.insert({ tokenHash: 'x', userId: null, role: 'admin', expiresAt: now + 1 })
    const tries = Array.from({ length: 50 }, () => metadata.links.spend('x', now))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await metadata.links.findOpen('x', now)).toBeUndefined()
  })

  test('expire to the millisecond', async () => {
    await metadata.links.insert({ tokenHash: 'x', userId: null, role: 'admin', expiresAt: now + 1 })
    expect(await metadata.links.spend('x', now + 1)).toBe(false)
    expect(await metadata.links.findOpen('x', now)).toMatchObject({ role: 'admin', userId: null })
  })
})

describe('preferences', () => {
  test('keep any JSON by person and name', async () => {
    const value = { theme: 'dark', recent: ['a', null, 1.5, true] }
    await metadata.preferences.set('ana', 'look', null)
    await metadata.preferences.set('ana', 'look', value)
    await metadata.preferences.set('bo', 'look', 'light')
    expect(await metadata.preferences.get('ana', 'look')).toEqual(value)
    expect(await metadata.preferences.get('bo', 'look')).toBe('light')
    await metadata.preferences.remove('ana', 'look')
    expect(await metadata.preferences.get('ana', 'look')).toBeUndefined()
  })
})

describe('idempotency', () => {
  const claim = (digest = 'd', user = 'ana') => metadata.idempotency.claim(user, 'k', digest)

  test('is claimed by one of fifty, the others see it pending', async () => {
    const claims = await Promise.all(Array.from({ length: 50 }, () => claim()))
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    const others = claims.filter(({ kind }) => kind !== 'claimed')
    for (const other of others)
      expect(other).toEqual({ kind: 'known', record: { state: 'pending' } })
  })

  test('gives the answer again, to the same person and request only', async () => {
    await claim()
    await metadata.idempotency.settle('ana', 'k', '{"ok":true}')
    expect(await claim()).toEqual({
      kind: 'known',
      record: { state: 'done', answer: '{"ok":true}' },
    })
    expect(await claim('another')).toEqual({ kind: 'mismatch' })
    expect(await claim('another', 'bo')).toEqual({ kind: 'claimed' })
  })

  test('is free again when released, but not once settled', async () => {
    await claim()
    await metadata.idempotency.release('ana', 'k')
    expect(await claim()).toEqual({ kind: 'claimed' })
    await metadata.idempotency.settle('ana', 'k', '1')
    await metadata.idempotency.release('ana', 'k')
    expect(await claim()).toMatchObject({ kind: 'known' })
  })

  test('settles only what is claimed, once, and no more than 4 kB', async () => {
    await expect(metadata.idempotency.settle('ana', 'k', '1')).rejects.toThrow('claimed')
    await claim()
    await expect(metadata.idempotency.settle('ana', 'k', 'é'.repeat(2049))).rejects.toThrow('4096')
    await metadata.idempotency.settle('ana', 'k', 'é'.repeat(2048))
    await expect(metadata.idempotency.settle('ana', 'k', '2')).rejects.toThrow('claimed')
  })
})

describe('the sweep', () => {
  test('removes what has expired and leaves the rest', async () => {
    const { sessions, links, idempotency } = metadata
    await sessions.insert(session('s'))
    await links.insert({ tokenHash: 'x', userId: null, role: 'admin', expiresAt: now + HOUR })
    await idempotency.claim('ana', 'k', 'd')

    now += HOUR - 1
    await metadata.sweep()
    expect(await sessions.list('ana', 0)).toHaveLength(1)
    expect(await links.findOpen('x', 0)).toBeDefined()

    now += 1
    await metadata.sweep()
    expect(await sessions.list('ana', 0)).toHaveLength(0)
    expect(await links.findOpen('x', 0)).toBeUndefined()

    now += DAY - HOUR
    await metadata.sweep()
    expect((await idempotency.claim('ana', 'k', 'd')).kind).toBe('known')
    now += 1
    await metadata.sweep()
    expect((await idempotency.claim('ana', 'k', 'd')).kind).toBe('claimed')
  })
})
