import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { openMetadata } from './metadata.ts'
import type { User } from './users.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'tablewire-metadata-'))
const modeOf = (file: string) => statSync(file).mode & 0o777

const ana: User = {
  id: 'ana',
  email: 'Ana@Example.org',
  name: 'Ana',
  role: 'editor',
  passwordHash: null,
  createdAt: 1,
  disabledAt: null,
  lastSeenAt: null,
}

describe('opening', () => {
  test('makes the folder and files that only their owner may read', async () => {
    const data = join(folder(), 'a', 'b')
    const metadata = await openMetadata(join(data, 'meta.sqlite'))
    await metadata.users.insert(ana)
    const files = readdirSync(data)
    expect(files).toEqual(['meta.sqlite', 'meta.sqlite-shm', 'meta.sqlite-wal'])
    for (const file of files) expect(modeOf(join(data, file))).toBe(0o600)
    await metadata.close()
  })

  test('narrows the mode of a file that others could read', async () => {
    const file = join(folder(), 'meta.sqlite')
    writeFileSync(file, '', { mode: 0o644 })
    await (await openMetadata(file)).close()
    expect(modeOf(file)).toBe(0o600)
  })

  test('keeps what was written and migrates once', async () => {
    const file = join(folder(), 'meta.sqlite')
    const first = await openMetadata(file)
    await first.users.insert(ana)
    await first.close()
    const second = await openMetadata(file)
    expect(await second.users.find('ana')).toEqual(ana)
    await second.close()
  })

  test('writes ahead, durably, with foreign keys on', async () => {
    const file = join(folder(), 'meta.sqlite')
    const metadata = await openMetadata(file)
    await expect(
      metadata.links.insert({
        tokenHash: 'x',
        userId: 'nobody',
        role: 'admin',
        expiresAt: 1,
        setsPassword: 0,
      }),
    ).rejects.toThrow('FOREIGN KEY')
    await metadata.close()
    expect(new DatabaseSync(file).prepare('pragma journal_mode').get()).toEqual({
      journal_mode: 'wal',
    })
  })

  test('refuses a file that a newer Tablewire has migrated', async () => {
    const file = join(folder(), 'meta.sqlite')
    await (await openMetadata(file)).close()
    const database = new DatabaseSync(file)
    database.exec(`insert into tablewire_migrations values ('9999-future', 1)`)
    database.close()
    await expect(openMetadata(file)).rejects.toThrow(
      /meta\.sqlite” cannot be used: It was made by a newer Tablewire .*9999-future/,
    )
  })

  test('migrates whole or not at all', async () => {
    const file = join(folder(), 'meta.sqlite')
    const database = new DatabaseSync(file)
    database.exec('create table tablewire_idempotency (mine)')
    await expect(openMetadata(file)).rejects.toThrow('already exists')
    expect(database.prepare('select name from sqlite_schema').all()).toHaveLength(1)
    database.close()
  })

  test('says in one sentence that a file is no database', async () => {
    const file = join(folder(), 'meta.sqlite')
    writeFileSync(file, 'dear diary, '.repeat(1000))
    await expect(openMetadata(file)).rejects.toThrow(
      `The metadata file “${file}” cannot be used: file is not a database`,
    )
  })

  test('works for many processes that start together', async () => {
    const file = join(folder(), 'meta.sqlite')
    const module = JSON.stringify(new URL('./metadata.ts', import.meta.url).href)
    const script = `
      const { openMetadata } = await import(${module})
      const metadata = await openMetadata(${JSON.stringify(file)})
      const claim = await metadata.idempotency.claim('ana', 'key', 'digest')
      await metadata.close()
      console.log(claim.kind)`
    const start = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    const answers = await Promise.all(Array.from({ length: 6 }, start))
    const kinds = answers.map(({ stdout }) => stdout.trim()).sort()
    expect(kinds).toEqual(['claimed', 'known', 'known', 'known', 'known', 'known'])
  })
})

/** A file as 0.1.0 made it. */
const FIRST_SCHEMA = `
  create table tablewire_migrations (name text not null primary key, applied_at bigint not null);
  insert into tablewire_migrations values ('0001-users', 1), ('0002-sessions', 1), ('0003-links', 1),
    ('0004-preferences', 1), ('0005-idempotency', 1), ('0006-settings', 1);
  create table tablewire_users (id text not null primary key, email text not null,
    email_key text not null unique, name text not null,
    role text not null check (role in ('admin', 'editor', 'viewer')), password_hash text,
    created_at bigint not null, disabled_at bigint);
  create table tablewire_sessions (id text not null primary key, token_hash text not null unique,
    lineage text not null, user_id text not null references tablewire_users (id) on delete cascade,
    created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null,
    address text not null, user_agent text not null);
  create index tablewire_sessions_user_id on tablewire_sessions (user_id);
  create index tablewire_sessions_expires_at on tablewire_sessions (expires_at);
  create table tablewire_links (token_hash text not null primary key,
    user_id text references tablewire_users (id) on delete cascade,
    role text not null check (role in ('admin', 'editor', 'viewer')), expires_at bigint not null,
    used_at bigint);
  create table tablewire_preferences (user_id text not null, name text not null, value text not null,
    constraint tablewire_preferences_key primary key (user_id, name));
  create table tablewire_idempotency (user_id text not null, key text not null, digest text not null,
    state text not null check (state in ('pending', 'done')), answer text, created_at bigint not null,
    constraint tablewire_idempotency_key primary key (user_id, key));
  create index tablewire_idempotency_created_at on tablewire_idempotency (created_at);
  create table tablewire_settings (name text not null primary key, value text not null);
  insert into tablewire_users values
    ('ana', 'Ana@Example.org', 'ana@example.org', 'Ana', 'editor', 'hash', 1, null);
  insert into tablewire_sessions values
    ('s', 'token', 'lineage', 'ana', 1, 2, 9000000000000, '127.0.0.1', 'curl');
  insert into tablewire_links values ('link', 'ana', 'editor', 9000000000000, null);
  insert into tablewire_preferences values ('ana', 'look', '"dark"');`

describe('a file of the first schema', () => {
  test('keeps who is signed in, and takes any role from then on', async () => {
    const file = join(folder(), 'meta.sqlite')
    const database = new DatabaseSync(file)
    database.exec(FIRST_SCHEMA)
    const metadata = await openMetadata(file)
    expect(await metadata.sessions.findActive('token', 3)).toEqual({
      ...{ id: 's', lineage: 'lineage', userId: 'ana', createdAt: 1, lastSeenAt: 2 },
      ...{ expiresAt: 9e12, email: 'Ana@Example.org', name: 'Ana', role: 'editor' },
    })
    expect(await metadata.links.findOpen('link', 3)).toMatchObject({ userId: 'ana' })
    expect(await metadata.preferences.get('ana', 'look')).toBe('dark')
    await metadata.users.insert({ ...ana, id: 'bo', email: 'bo@b.c', role: 'clerk' })
    await metadata.close()

    const names = database.prepare(`select name from sqlite_schema where sql is not null`).all()
    expect(names.filter(({ name }) => String(name).endsWith('_new'))).toEqual([])
    database.exec(`pragma foreign_keys = on; delete from tablewire_users where id = 'ana'`)
    expect(database.prepare('select id from tablewire_sessions').all()).toEqual([])
    expect(database.prepare('select token_hash from tablewire_links').all()).toEqual([])
    database.close()
  })
})

describe('transactions', () => {
  test('keep other processes from writing between what they read and what they write', async () => {
    const file = join(folder(), 'meta.sqlite')
    const metadata = await openMetadata(file)
    const other = new DatabaseSync(file, { timeout: 0 })
    await metadata.transaction(async ({ users }) => {
      expect(await users.find('ana')).toBeUndefined()
      expect(() => other.exec('delete from tablewire_users')).toThrow('locked')
      await users.insert(ana)
    })
    other.close()
    await metadata.close()
  })

  test('run one after the other, and nothing slips in between', async () => {
    const metadata = await openMetadata(':memory:')
    const seen: string[] = []
    const asked = Promise.withResolvers<void>()
    const slow = metadata.transaction(async ({ users }) => {
      await users.insert(ana)
      await asked.promise
      // A call that was let in between would be answered before these.
      for (let read = 0; read < 5; read++) await users.find('ana')
      seen.push('transaction')
    })
    const outside = metadata.users.find('ana').then(() => seen.push('outside'))
    asked.resolve()
    await Promise.all([slow, outside])
    expect(seen).toEqual(['transaction', 'outside'])
  })
})

test('what has expired is removed every hour, until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = 1_700_000_000_000
  const metadata = await openMetadata(':memory:', { now: () => now })
  try {
    const link = { tokenHash: 'a', role: 'viewer', userId: null } as const
    await metadata.links.insert({ ...link, expiresAt: now + 1, setsPassword: 0 })
    now += 60 * 60 * 1000
    vi.advanceTimersByTime(60 * 60 * 1000)
    await expect.poll(() => metadata.links.findOpen('a', 0)).toBeUndefined()
  } finally {
    await metadata.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  }
})
