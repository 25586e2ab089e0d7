import { setTimeout } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { tableLayouts } from '../../src/admin/pages/preferences.ts'
import { openDatabase } from '../../src/cli/open-database.ts'
import { Idempotency } from '../../src/database/metadata/idempotency.ts'
import { type Metadata, openMetadata } from '../../src/database/metadata/metadata.ts'
import { MIGRATIONS } from '../../src/database/metadata/migrations.ts'
import type { StoredSession } from '../../src/database/metadata/sessions.ts'
import { openStore } from '../../src/database/metadata/store.ts'
import type { MetadataTables } from '../../src/database/metadata/tables.ts'
import type { User } from '../../src/database/metadata/users.ts'
import type { Actor } from '../../src/server/actor.ts'
import type { StoredView } from '../../src/table/saved-views/view-records.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { admin } from '../table-of.ts'
import { describeMetadata } from './metadata-places.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const START = 1_700_000_000_000

let now = START
let metadata: Metadata

const person = (id: string, more: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.org`,
  name: id,
  role: 'editor',
  passwordHash: null,
  createdAt: now,
  disabledAt: null,
  lastSeenAt: null,
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

const TABLES = [
  'corrections',
  'correction_changes',
  'sessions',
  'links',
  'users',
  'preferences',
  'idempotency',
  'settings',
  'limits',
  'uploads',
  'people_changes',
  'files',
  'saved_views',
]

describeMetadata('the stores', (place) => {
  beforeAll(async () => void (metadata = await openMetadata(place().address, { now: () => now })))
  afterAll(() => metadata.close())

  beforeEach(async () => {
    now = START
    for (const table of TABLES) await place().run(`delete from tablewire_${table}`)
    await metadata.users.insert(person('ana', { passwordHash: 'old' }))
  })

  test('files are due when they are held anew, put off, and forgotten once', async () => {
    const { files } = metadata
    const holder = { table: 'strikes', column: 'photo' }
    await files.hold('kept/ab/Größe.png', holder, 20)
    await files.hold('kept/ab/b.png', holder, 10)
    const [second, first] = [
      { key: 'kept/ab/Größe.png', ...holder, dueAt: 20 },
      { key: 'kept/ab/b.png', ...holder, dueAt: 10 },
    ]
    expect(await files.due(20, 5)).toEqual([first, second])
    expect([await files.due(20, 1), await files.due(9, 5)]).toEqual([[first], []])
    await files.hold(first.key, holder, 30)
    expect([await files.forget(first), await files.due(20, 5)]).toEqual([false, [second]])
    await files.putOff(first, 99)
    await files.putOff(second, 40)
    expect(await files.due(99, 5)).toMatchObject([{ dueAt: 30 }, { dueAt: 40 }])
    const forgotten = await Promise.all([1, 2].map(() => files.forget({ ...second, dueAt: 40 })))
    expect(forgotten.filter(Boolean)).toHaveLength(1)
  })

  test('a plan is ended and released by who holds it, and stays with its keys while it is written', async () => {
    const { plans } = metadata
    const ana = { id: 'ana', name: 'Ana' }
    const chunk = { keys: [[1]], digests: [7] }
    const bytes = await plans.addChunk('p', 0, chunk)
    const left = [
      { key: [3], reason: 'Locked.' },
      { key: [2], reason: 'Gone.' },
    ]
    await plans.keepLeft('p', -1, left)
    await plans.keepLeft('p', 0, left.slice(0, 1))
    await plans.dropLeft('p', 0)
    await plans.keepLeft('q', 0, left)
    const times = { at: now, endsAt: now + HOUR }
    await plans.add(
      { ...times, id: 'p', table: 't', by: ana, behalf: null, rows: 1, content: '{}', bytes },
      { plans: 9, bytes: 2 ** 20 },
    )
    const first = (await plans.claim('p', ana)) ?? null
    expect(await plans.claim('p', ana)).toBeUndefined()
    await plans.release({ id: 'p', claimedAt: first })
    now += 1
    const second = (await plans.claim('p', ana)) ?? null
    await plans.release({ id: 'p', claimedAt: first })
    expect(await plans.end({ id: 'p', claimedAt: first }, '1', now + DAY)).toBe(false)
    now += HOUR
    await metadata.sweep()
    expect(await plans.find('p')).toMatchObject({ state: 'writing', outcome: null })
    for await (const kept of plans.chunks('p')) expect(kept).toEqual(chunk)
    expect((await plans.chunks('p').next()).done).toBe(false)
    expect(await plans.end({ id: 'p', claimedAt: second }, '2', now + DAY)).toBe(true)
    expect(await plans.find('p')).toMatchObject({ state: 'ended', outcome: '2' })
    await metadata.sweep()
    expect(await plans.left('p')).toEqual(left)
    now += DAY
    await metadata.sweep()
    expect(await plans.find('p')).toBeUndefined()
    // What was kept of a plan that was not sealed after all goes as well.
    expect([await plans.left('p'), await plans.left('q')]).toEqual([[], []])
  })

  test('codes and recovery codes are used once, and a passkey as often as it counts', async () => {
    const { secondFactors, users } = metadata
    const codes = { userId: 'ana', secret: 'sealed', lastStep: 10, createdAt: now }
    await secondFactors.setCodes({ ...codes, secret: 'older' })
    await secondFactors.setCodes(codes)
    expect(await secondFactors.codesOf('ana')).toEqual(codes)
    const once = async (use: () => Promise<boolean>) =>
      (await Promise.all([use(), use(), use()])).filter(Boolean).length
    expect(await once(() => secondFactors.useStep('ana', 11))).toBe(1)
    expect(await secondFactors.useStep('ana', 11)).toBe(false)
    await secondFactors.setRecovery('ana', ['a', 'b'])
    expect(await once(() => secondFactors.useRecovery('ana', 'a'))).toBe(1)
    expect(await secondFactors.useRecovery('bo', 'b')).toBe(false)
    expect(await secondFactors.countRecovery('ana')).toBe(1)

    const passkey = {
      ...{ id: 'p', credentialId: 'c', userId: 'ana', name: 'Schlüssel', publicKey: 'k' },
      ...{ counter: 1, transports: '[]', createdAt: now, lastUsedAt: null },
    }
    expect(await once(() => secondFactors.addPasskey(passkey))).toBe(1)
    expect(await secondFactors.passkeysOf('ana')).toEqual([passkey])
    const use = () => secondFactors.usePasskey('p', { from: 1, to: 2, now: now + 5 })
    expect(await once(use)).toBe(1)
    expect(await secondFactors.findPasskey('p')).toEqual({
      ...{ ...passkey, counter: 2, lastUsedAt: now + 5 },
    })
    expect(await secondFactors.removePasskey('bo', 'p')).toBe(false)
    expect([...(await secondFactors.holders())]).toEqual(['ana'])
    expect([await secondFactors.has('ana'), await secondFactors.removeAll('ana')]).toEqual([
      true,
      true,
    ])
    expect([await secondFactors.has('ana'), await secondFactors.removeAll('ana')]).toEqual([
      false,
      false,
    ])
    // They go with their person.
    await secondFactors.setCodes(codes)
    await secondFactors.addPasskey(passkey)
    await users.remove('ana')
    expect([await secondFactors.has('ana'), await secondFactors.hasPasskeys()]).toEqual([
      false,
      false,
    ])
  })

  describe('uploads', () => {
    const record = (id: string, more = {}) => ({
      ...{ id, userId: 'ana', component: 'report', property: 'parts.ä', name: 'Übung.txt' },
      ...{
        type: 'text/plain',
        size: 5_000_000_000,
        digest: 'd',
        state: 'arrived' as const,
        ...more,
      },
    })

    test('are there once, until they are removed, and count for their person', async () => {
      const { uploads } = metadata
      const inserted = await Promise.all([1, 2].map(() => uploads.insert(record('one'))))
      expect(inserted.filter(Boolean)).toHaveLength(1)
      await uploads.insert(record('two', { userId: 'bo', size: 7 }))
      expect(await uploads.find('one')).toEqual(record('one'))
      await uploads.finish('one')
      expect(await uploads.find('one')).toEqual(record('one', { state: 'finished' }))
      expect(await uploads.bytesOf('ana')).toBe(5_000_000_000)
      await uploads.keep('one')
      await uploads.finish('one')
      expect(await uploads.find('one')).toEqual(record('one', { state: 'kept' }))
      expect(await uploads.bytesOf('ana')).toBe(0)
      const removed = await Promise.all([1, 2].map(() => uploads.remove('one')))
      expect(removed.filter(Boolean)).toHaveLength(1)
      expect([await uploads.find('one'), await uploads.bytesOf('ana')]).toEqual([undefined, 0])
    })

    test('arrive once that were put into the storage', async () => {
      const { uploads } = metadata
      await uploads.insert(record('one', { digest: '', state: 'started' }))
      await uploads.finish('one')
      expect([await uploads.find('one'), await uploads.bytesOf('ana')]).toEqual([
        record('one', { digest: '', state: 'started' }),
        5_000_000_000,
      ])
      const arrived = await Promise.all(['a', 'b'].map((digest) => uploads.arrive('one', digest)))
      expect(arrived.filter(Boolean)).toHaveLength(1)
      const digest = arrived[0] ? 'a' : 'b'
      expect(await uploads.find('one')).toEqual(record('one', { digest, state: 'finished' }))
      expect(await uploads.arrive('none', 'a')).toBe(false)
    })

    test('leave after a day', async () => {
      await metadata.uploads.insert(record('one'))
      now += DAY - 1
      await metadata.sweep()
      expect(await metadata.uploads.find('one')).toBeDefined()
      now += 2
      await metadata.sweep()
      expect(await metadata.uploads.find('one')).toBeUndefined()
    })
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
      await metadata.users.update('zoe', { disabledAt: now })
      expect((await metadata.users.firstAdministrator())?.id).toBe('bo')
    })

    test('have any role, as a policy may know others', async () => {
      await metadata.users.insert(person('bo', { role: 'clerk' }))
      expect((await metadata.users.find('bo'))?.role).toBe('clerk')
    })

    test('are listed with their links and sessions, change, and are removed', async () => {
      const { users, links, sessions } = metadata
      await users.insert(person('bo', { role: 'admin' }))
      const link = { userId: 'bo', role: 'admin', expiresAt: now + HOUR, setsPassword: 1 } as const
      await links.insert({ ...link, tokenHash: 'one' })
      await links.insert({ ...link, tokenHash: 'two', userId: 'ana', setsPassword: 0 })
      await sessions.insert(session('s'))
      await sessions.insert(session('t'))
      await sessions.insert(session('u', { userId: 'bo', expiresAt: now }))
      expect((await users.list()).map(({ id }) => id)).toEqual(['ana', 'bo'])
      expect([...(await links.openForPasswords(now))]).toEqual([['bo', now + HOUR]])
      expect([...(await links.openForPasswords(now + HOUR))]).toEqual([])
      expect([...(await sessions.counts(now))]).toEqual([['ana', 2]])
      expect(await users.countAdministrators()).toBe(1)
      expect(await users.update('bo', { disabledAt: now, lastSeenAt: now })).toBe(true)
      expect(await users.update('nobody', { name: 'x' })).toBe(false)
      expect(await users.find('bo')).toMatchObject({ disabledAt: now, lastSeenAt: now })
      expect(await users.countAdministrators()).toBe(0)
      expect(await links.removePasswordLinks('bo')).toBe(true)
      expect(await links.removePasswordLinks('ana')).toBe(false)
      await users.remove('ana')
      expect((await users.list()).map(({ id }) => id)).toEqual(['bo'])
      expect(await sessions.list('ana', now)).toEqual([])
    })

    test('changes a password', async () => {
      await metadata.users.setPasswordHash('ana', 'new')
      expect((await metadata.users.find('ana'))?.passwordHash).toBe('new')
    })
  })

  test('changes of people are told, the newest first, by whom and when', async () => {
    const change = (id: string, at: number, byId: string) => ({
      ...{ id, at, byId, byName: byId, personId: 'ana', personName: 'Ana' },
      ...{ what: 'role' as const, before: 'editor', after: 'viewer' },
    })
    const { peopleChanges } = metadata
    for (const [id, at, by] of [
      ['a', now, 'zoe'],
      ['b', now + 2, 'bo'],
      ['c', now + 1, 'zoe'],
    ] as const)
      await peopleChanges.insert(change(id, at, by))
    const ids = async (query: object) =>
      (await peopleChanges.list({ size: 9, ...query })).map(({ id }) => id)
    expect(await peopleChanges.list({ size: 1 })).toEqual([change('b', now + 2, 'bo')])
    expect(await ids({})).toEqual(['b', 'c', 'a'])
    expect(await ids({ by: 'zoe' })).toEqual(['c', 'a'])
    expect(await ids({ since: now + 1, until: now + 2 })).toEqual(['c'])
  })

  test('corrections are kept with who made them, and each change is told', async () => {
    const { corrections } = metadata
    const edit = (
      id: string,
      part: string,
      value: string | null,
      columnName: string | null = null,
    ) =>
      corrections.edit('shop', {
        ...{ id, at: now + Number(id), byId: 'ana', byName: 'Ana' },
        ...{ tableName: 'orders', columnName, part, value },
      })
    expect(await corrections.version('shop')).toBe('')
    await edit('1', 'label', '"Sales"')
    await edit('2', 'label', '"Total"', '')
    await edit('3', 'label', '"Sold"')
    await edit('4', 'label', '"Sold"')
    expect(await corrections.version('shop')).toBe('3')
    const told = async (database: string) =>
      (await corrections.list(database)).map(({ columnName, value }) => [columnName, value])
    expect(await told('shop')).toEqual([
      ['', '"Total"'],
      [null, '"Sold"'],
    ])
    expect(await told('other shop')).toEqual([])
    expect(await corrections.version('other shop')).toBe('')
    await edit('5', 'label', null, '')
    expect(await told('shop')).toEqual([[null, '"Sold"']])
    const changes = async (query: object) =>
      (await corrections.changes('shop', { size: 9, ...query })).map(({ id, before, after }) => [
        ...[id, before, after],
      ])
    expect(await changes({})).toEqual([
      ['5', '"Total"', null],
      ['3', '"Sales"', '"Sold"'],
      ['2', null, '"Total"'],
      ['1', null, '"Sales"'],
    ])
    const last = async (columnName: string | null, tableName = 'orders') =>
      (await corrections.lastChange('shop', { tableName, columnName, part: 'label' }))?.id
    expect([await last(null), await last(''), await last('name')]).toEqual(['3', '5', undefined])
    expect(await last(null, 'strikes')).toBeUndefined()
    expect(await changes({ by: 'bo' })).toEqual([])
    expect(await changes({ since: now + 2, until: now + 4, size: 1 })).toEqual([
      ['3', '"Sales"', '"Sold"'],
    ])
  })

  describe('sessions', () => {
    test('give the person with them while they last', async () => {
      await metadata.sessions.insert(session('s'))
      const active = await metadata.sessions.findActive('hash of s', now)
      expect(active).toMatchObject({ id: 's', userId: 'ana', name: 'ana', role: 'editor' })
      expect(await metadata.sessions.findActive('hash of s', now + HOUR)).toBeUndefined()
      await metadata.users.update('ana', { disabledAt: now })
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
      await metadata.links.insert({
        tokenHash: 'x',
        userId: null,
        role: 'admin',
        expiresAt: now + 1,
        setsPassword: 0,
      })
      const tries = Array.from({ length: 50 }, () => metadata.links.spend('x', now))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      expect(await metadata.links.findOpen('x', now)).toBeUndefined()
    })

    test('expire to the millisecond', async () => {
      await metadata.links.insert({
        tokenHash: 'x',
        userId: null,
        role: 'admin',
        expiresAt: now + 1,
        setsPassword: 0,
      })
      expect(await metadata.links.spend('x', now + 1)).toBe(false)
      expect(await metadata.links.findOpen('x', now)).toMatchObject({ role: 'admin', userId: null })
    })
  })

  test('columns are kept for each person and table, and not of somebody who only looks', async () => {
    const layouts = tableLayouts(metadata.preferences)
    const long = `${'s'.repeat(63)}.${'t'.repeat(63)}`
    const who = (id: string): Actor => ({ ...admin, id })
    const layout = { columns: ['b', 'a'], pinned: ['b'], widths: { a: 120 } }
    for (const table of ['notes', long]) {
      await layouts.write(who('layouts-ana'), table, layout)
      expect(await layouts.read(who('layouts-ana'), table)).toEqual(layout)
      expect(await layouts.read(who('layouts-bo'), table)).toBeUndefined()
    }
    await layouts.write({ ...who('layouts-ana'), isLooking: true }, 'notes', null)
    expect(await layouts.read(who('layouts-ana'), 'notes')).toEqual(layout)
    await layouts.write(who('layouts-ana'), 'notes', null)
    expect(await layouts.read(who('layouts-ana'), 'notes')).toBeUndefined()
    expect(await layouts.read(who('layouts-ana'), long)).toEqual(layout)
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

  describe('saved views', () => {
    const view = (id: string, more: Partial<StoredView> = {}): StoredView => ({
      ...{ id, table: 'strikes', name: `View ${id} é`, ownerId: 'ana', query: 'sort=-cost' },
      ...{ by: { id: 'ana', name: 'Ana' }, isDefault: false, isTab: false },
      ...{ position: 0, changedAt: now },
      ...more,
    })
    const idsOf = async (table: string, id: string) =>
      (await metadata.savedViews.of(table, id)).map((one) => one.id)

    test('are a person’s own or everyone’s, of one table, in their order', async () => {
      const shared = view('b', { ownerId: null, isTab: true, isDefault: true, position: 2 })
      await metadata.savedViews.insert(view('a', { position: 3 }))
      await metadata.savedViews.insert(shared)
      await metadata.savedViews.insert(view('c', { table: 'Strikes' }))
      await metadata.savedViews.insert(view('d', { ownerId: 'bo', query: 'x'.repeat(13_500) }))
      expect(await metadata.savedViews.of('strikes', 'ana')).toEqual([
        shared,
        view('a', { position: 3 }),
      ])
      expect(await idsOf('strikes', 'bo')).toEqual(['d', 'b'])
      expect(await idsOf('strikes', 'Ana')).toEqual(['b'])
      expect(await idsOf('Strikes', 'ana')).toEqual(['c'])
    })

    test('change in what is named, and go', async () => {
      await metadata.savedViews.insert(view('a', { isDefault: true }))
      const change = { name: 'Other', ownerId: null, isDefault: false, isTab: true, changedAt: 7 }
      await metadata.savedViews.update('a', change)
      expect(await metadata.savedViews.of('strikes', 'bo')).toEqual([view('a', change)])
      await metadata.savedViews.remove('a')
      expect(await idsOf('strikes', 'ana')).toEqual([])
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

    test('is bounded for each person: a new one is refused at the bound, and none goes early', async () => {
      const store = await openStore<MetadataTables>(place().address, MIGRATIONS)
      const full = new Idempotency(store.db, () => now, 3)
      const tooMany = { code: 'TOO_MANY_REQUESTS' }
      for (const key of ['k1', 'k2', 'k3'])
        expect(await full.claim('ana', key, 'd')).toEqual({ kind: 'claimed' })
      await expect(full.claim('ana', 'k4', 'd')).rejects.toMatchObject(tooMany)
      expect(await full.claim('ana', 'k1', 'd')).toMatchObject({ kind: 'known' })
      expect(await full.claim('bo', 'k4', 'd')).toMatchObject({ kind: 'claimed' })
      now += DAY
      await expect(full.claim('ana', 'k4', 'd')).rejects.toMatchObject(tooMany)
      now += 1
      expect(await full.claim('ana', 'k4', 'd')).toMatchObject({ kind: 'claimed' })
      await store.close()
    })

    test('settles only what is claimed, once, and no more than 4 kB', async () => {
      await expect(metadata.idempotency.settle('ana', 'k', '1')).rejects.toThrow('claimed')
      await claim()
      await expect(metadata.idempotency.settle('ana', 'k', 'é'.repeat(2049))).rejects.toThrow(
        '4096',
      )
      await metadata.idempotency.settle('ana', 'k', 'é'.repeat(2048))
      await expect(metadata.idempotency.settle('ana', 'k', '2')).rejects.toThrow('claimed')
    })
  })

  describe('the sweep', () => {
    test('removes what has expired and leaves the rest', async () => {
      const { sessions, links, idempotency } = metadata
      await sessions.insert(session('s'))
      await links.insert({
        ...{ tokenHash: 'x', userId: null, role: 'admin' },
        ...{ expiresAt: now + HOUR, setsPassword: 0 },
      })
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

    test('keeps changes of people as long as the history', async () => {
      const { address } = place()
      const change = (id: string, at: number) => ({
        ...{ id, at, byId: 'ana', byName: 'Ana', personId: 'bo', personName: 'Bo' },
        ...{ what: 'disabled' as const, before: null, after: null },
      })
      await metadata.peopleChanges.insert(change('old', now - 2 * DAY - 1))
      await metadata.peopleChanges.insert(change('new', now - 2 * DAY))
      await metadata.sweep()
      const kept = async () => (await metadata.peopleChanges.list({ size: 9 })).map(({ id }) => id)
      expect(await kept()).toEqual(['new', 'old'])
      const correction = { tableName: 'orders', columnName: null, part: 'label' }
      for (const [id, at] of [
        ['old', now - 2 * DAY - 1],
        ['new', now - 2 * DAY],
      ] as const)
        await metadata.corrections.edit('shop', {
          ...{ ...correction, id, at, byId: 'ana', byName: 'Ana', value: `"${id}"` },
        })
      const other = await openMetadata(address, { now: () => now, historyMs: 2 * DAY })
      onTestFinished(() => other.close())
      expect(await kept()).toEqual(['new'])
      const changes = await metadata.corrections.changes('shop', { size: 9 })
      expect(changes.map(({ id }) => id)).toEqual(['new'])
      expect(await metadata.corrections.list('shop')).toHaveLength(1)
    })
  })

  describe('transactions', () => {
    test('apply whole or not at all', async () => {
      const failing = metadata.transaction(async ({ users }) => {
        await users.insert(person('bo'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await metadata.users.find('bo')).toBeUndefined()
    })

    test('that are in the way of one another happen one after the other', async () => {
      const take = () =>
        metadata.transaction(async ({ settings }) => {
          const taken = Number((await settings.get('taken')) ?? 0)
          await settings.set('taken', taken + 1)
          return taken
        })
      const taken = await Promise.all(Array.from({ length: 6 }, take))
      expect(new Set(taken)).toEqual(new Set([0, 1, 2, 3, 4, 5]))
    })
  })

  describe('two nodes', () => {
    let other: Metadata
    beforeEach(async () => void (other = await openMetadata(place().address, { now: () => now })))
    afterEach(() => other.close())

    test('share sessions, links, preferences and what was answered', async () => {
      await metadata.sessions.insert(session('s'))
      expect(await other.sessions.findActive('hash of s', now)).toMatchObject({ userId: 'ana' })
      expect(await other.sessions.removeAll('ana')).toBe(1)
      expect(await metadata.sessions.findActive('hash of s', now)).toBeUndefined()

      await metadata.links.insert({
        tokenHash: 'x',
        userId: null,
        role: 'admin',
        expiresAt: now + 1,
        setsPassword: 0,
      })
      const spent = await Promise.all([metadata, other].map(({ links }) => links.spend('x', now)))
      expect(spent.filter(Boolean)).toHaveLength(1)

      await metadata.preferences.set('ana', 'look', 'dark')
      expect(await other.preferences.get('ana', 'look')).toBe('dark')

      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? metadata : other).idempotency.claim('ana', 'k', 'd'),
        ),
      )
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    })
  })

  test('share how often somebody has tried', async () => {
    const other = await openMetadata(place().address, { now: () => now })
    const take = (at: Metadata) => at.limits.take({ key: 'k', limit: 5, windowMs: 60_000 })
    const waits = await Promise.all(
      [...Array(12).keys()].map((i) => take(i % 2 ? metadata : other)),
    )
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
    expect(waits.filter((wait) => wait !== 0)).toEqual(Array(7).fill(12_000))
    now += 12_000
    expect([await take(other), await take(metadata)]).toEqual([0, 12_000])
    now -= 3_600_000
    expect(await take(metadata)).toBe(0)
    await other.close()
  })

  test('texts are kept letter by letter, and ids tell every letter and space apart', async () => {
    const name = 'Zoë \\ \'"` 🌍'
    await metadata.preferences.set('ana', 'look', name)
    expect(await metadata.preferences.get('ana', 'look')).toBe(name)
    for (const id of ['Ana', 'ana ', 'aná'])
      expect(
        await metadata.users.insert(person(id, { email: `${id.trim()}${id.length}@b.c` })),
      ).toBe(true)
    expect((await metadata.users.find('ana '))?.id).toBe('ana ')
    await metadata.preferences.set('ana', 'long', 'x'.repeat(200_000))
    expect(await metadata.preferences.get('ana', 'long')).toHaveLength(200_000)
  })
})

describeMetadata('opening', (place) => {
  test('makes the tables once, whoever of many nodes comes first', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openMetadata(place().address)))
    await Promise.all(opened.map((one) => one.close()))
    const names = (await place().run('select name from tablewire_migrations order by name')).flat()
    expect(names).toContain('0007-roles')
    expect(new Set(names).size).toBe(names.length)
  })

  test('tells before it makes the first tables, and only then', async () => {
    for (const table of (await place().run(TABLE_NAMES[place().engine])).flat())
      await place().run(`drop table ${String(table)}`)
    const told: string[] = []
    const open = () => openMetadata(place().address, { creating: (where) => told.push(where) })
    await (await open()).close()
    await (await open()).close()
    expect(told).toHaveLength(1)
  })

  test('refuses tables that a newer Tablewire has changed', async () => {
    await (await openMetadata(place().address)).close()
    await place().run(`insert into tablewire_migrations values ('9999-future', 1)`)
    await expect(openMetadata(place().address)).rejects.toThrow(
      /cannot be used: It was made by a newer Tablewire .*9999-future/,
    )
    await place().run(`delete from tablewire_migrations where name = '9999-future'`)
  })
})

/** Those that refer to others come first. */
const TABLE_NAMES = {
  sqlite: `select name from sqlite_schema where name like 'tablewire%' and type = 'table'
    order by name = 'tablewire_users'`,
  postgres: `select relname from pg_class where relname like 'tablewire%' and relkind = 'r'
    order by relname = 'tablewire_users'`,
  mysql: `select table_name from information_schema.tables where table_schema = database()
    and table_name like 'tablewire%' order by table_name = 'tablewire_users'`,
}

describeMetadata('beside the data', (place) => {
  test('is in no catalogue, and changes no version of the data, as other writes do', async ({
    skip,
  }) => {
    await place().run('create table crates (id int primary key)')
    const source = await openDatabase(place().address)
    const own = source.own!
    const open = () => openMetadata(own.address, { isBeside: true })
    const [metadata, other] = await Promise.all([open(), open()])
    onTestFinished(async () => {
      await Promise.all([metadata.close(), other.close(), source.close()])
    })
    own.leaveOut(metadata.writes)
    const { tables } = await source.describe()
    expect(tables.map(({ name }) => name)).toEqual(['crates'])

    // MariaDB tells nothing for two seconds after a write, and MySQL never does.
    const isTold = async () => (await source.exactVersion()) !== null
    const waited = await vi.waitUntil(isTold, { timeout: 6000, interval: 100 }).catch(() => false)
    if (!waited) skip('The server does not tell.')

    // A file is of one node.
    const nodes = place().engine === 'sqlite' ? [metadata] : [metadata, other]
    for (const { users, preferences, idempotency, transaction } of nodes)
      for (const write of [
        () => users.insert(person('ana')),
        () => preferences.set('ana', 'look', 'dark'),
        () => idempotency.claim('ana', 'k', 'd'),
        () => transaction(({ settings }) => settings.set('a', 1)),
      ])
        // On PostgreSQL, somebody may write to another database of the server at the same time.
        await expect.poll(() => isSameAfter(source, write)).toBe(true)

    const before = await source.exactVersion()
    await place().run('insert into crates values (1)')
    await expect.poll(() => source.exactVersion()).not.toBe(before)
  })
})

async function isSameAfter(source: RowSource, write: () => Promise<unknown>): Promise<boolean> {
  const before = await source.exactVersion()
  await write()
  // An answer is shared by those who ask within a moment.
  await setTimeout(10)
  return (await source.exactVersion()) === before
}
