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
      metadata.links.insert({ tokenHash: 'x', userId: 'nobody', role: 'admin', expiresAt: 1 }),
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
  }, 30_000)
})

describe('transactions', () => {
  test('apply whole or not at all', async () => {
    const metadata = await openMetadata(':memory:')
    const failing = metadata.transaction(async ({ users }) => {
      await users.insert(ana)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await metadata.users.find('ana')).toBeUndefined()
  })

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
    await metadata.links.insert({ ...link, expiresAt: now + 1 })
    now += 60 * 60 * 1000
    vi.advanceTimersByTime(60 * 60 * 1000)
    await expect.poll(() => metadata.links.findOpen('a', 0)).toBeUndefined()
  } finally {
    await metadata.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  }
})
