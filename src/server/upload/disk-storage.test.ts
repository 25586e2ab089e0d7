import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskStorage } from './disk-storage.ts'
import type { Storage } from './storage.ts'

let folder: string
let storage: Storage

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-storage-'))
  storage = createDiskStorage(join(folder, 'files'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* words(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('The line broke.')
}

const read = async (key: string) => {
  const bytes = await storage.read(key)
  return bytes && text(bytes)
}

test('what was put is read, moved and removed', async () => {
  await storage.put('pending/one', words('hel', 'lo'))
  expect(await read('pending/one')).toBe('hello')
  expect([await storage.size('pending/one'), await storage.size('pending/none')]).toEqual([
    5,
    undefined,
  ])
  const part = await storage.read('pending/one', { start: 1, end: 3 })
  expect(part && (await text(part))).toBe('ell')
  await storage.move('pending/one', 'kept/ab/one.txt')
  await storage.move('pending/one', 'kept/ab/one.txt')
  expect([await read('pending/one'), await read('kept/ab/one.txt')]).toEqual([undefined, 'hello'])
  await storage.remove('kept/ab/one.txt')
  await storage.remove('kept/ab/one.txt')
  expect(await read('kept/ab/one.txt')).toBeUndefined()
  await expect(storage.move('pending/none', 'kept/none')).rejects.toThrow('ENOENT')
})

test.each(['ENOSPC', 'EDQUOT'])(
  'of %s it is said that the storage is full, and nothing stays',
  async (code) => {
    async function* full(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw Object.assign(new Error('No room is left.'), { code })
    }
    await storage.put('kept/one', words('whole'))
    await expect(storage.put('kept/one', full())).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    expect(readdirSync(join(folder, 'files/kept'))).toEqual(['one'])
    expect(await read('kept/one')).toBe('whole')
  },
)

test('of what breaks off nothing stays, and what was there does', async () => {
  await storage.put('pending/one', words('first'))
  await expect(storage.put('pending/one', breaking())).rejects.toThrow('The line broke.')
  expect(await read('pending/one')).toBe('first')
  expect(readdirSync(join(folder, 'files/pending'))).toEqual(['one'])
})

test('other people of the machine read nothing', async () => {
  await storage.put('pending/one', words('x'))
  const modes = ['pending', 'pending/one'].map(
    (path) => statSync(join(folder, 'files', path)).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o600])
})

test.each([
  '../x/one',
  'pending/../../one',
  '/etc/passwd',
  'pending/one.part',
  'pending/.one',
  'pending\\one',
  'pending/one\0',
  'one',
  '',
])('%j is no key', async (key) => {
  await expect(storage.put(key, words('x'))).rejects.toThrow('is no key of a storage')
  await expect(storage.read(key)).rejects.toThrow('is no key of a storage')
})

test('a sweep removes what is old, and leaves the rest and other folders', async () => {
  await storage.put('pending/old', words('x'))
  await storage.put('pending/new', words('x'))
  await storage.put('kept/ab/old', words('x'))
  for (const path of ['pending/old', 'kept/ab/old'])
    utimesSync(join(folder, 'files', path), 1000, 1000)
  await storage.sweep('pending', 2_000_000)
  await storage.sweep('nothing', 2_000_000)
  expect([await read('pending/old'), await read('pending/new')]).toEqual([undefined, 'x'])
  expect(await read('kept/ab/old')).toBe('x')
})
