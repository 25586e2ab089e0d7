/** What every storage of files does. */

import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../../src/server/upload/storage.ts'

/** A storage that is empty, and what tells of it what the interface does not. */
export type OpenStorage = {
  readonly storage: Storage
  /** All that is stored, parts and half files included: keys, or names of parts. */
  everything(): readonly string[]
  /** Makes all that is stored older than a day. */
  age(): void
  clear(): void
  close(): Promise<void>
}

export async function* words(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

const MEGABYTE = 1024 ** 2
const DAY_MS = 24 * 60 * 60_000

async function* zeros(megabytes: number, broken?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < megabytes; at++) yield Buffer.alloc(MEGABYTE)
  if (broken) throw broken
}

export function describeStorage(name: string, open: () => Promise<OpenStorage>): void {
  describe(`files in ${name}`, () => {
    let opened: OpenStorage
    let storage: Storage

    beforeAll(async () => {
      opened = await open()
      storage = opened.storage
    })
    beforeEach(() => opened.clear())
    afterAll(() => opened.close())

    const read = async (key: string) => {
      const bytes = await storage.read(key)
      return bytes && text(bytes)
    }

    test('what was put is read, moved and removed', async () => {
      await storage.put('pending/one', words('hel', 'lo'))
      expect([await read('pending/one'), await storage.size('pending/one')]).toEqual(['hello', 5])
      await storage.move('pending/one', 'kept/ab/one-Größe_x.txt')
      await storage.move('pending/one', 'kept/ab/one-Größe_x.txt')
      expect([await read('pending/one'), await read('kept/ab/one-Größe_x.txt')]).toEqual([
        undefined,
        'hello',
      ])
      await storage.remove('kept/ab/one-Größe_x.txt')
      await storage.remove('kept/ab/one-Größe_x.txt')
      expect(await read('kept/ab/one-Größe_x.txt')).toBeUndefined()
      await expect(storage.move('pending/none', 'kept/none')).rejects.toThrow()
      expect(opened.everything()).toEqual([])
    })

    test('a range of a file is read alone', async () => {
      await storage.put('pending/one', words('hello'))
      const ranges = await Promise.all(
        [
          { start: 0, end: 0 },
          { start: 1, end: 3 },
          { start: 3, end: 4 },
        ].map(async (range) => text((await storage.read('pending/one', range))!)),
      )
      expect(ranges).toEqual(['h', 'ell', 'lo'])
      const none = 'pending/none'
      expect([await storage.size(none), await storage.read(none, { start: 0, end: 1 })]).toEqual([
        undefined,
        undefined,
      ])
    })

    test('an empty file is a file', async () => {
      await storage.put('pending/empty', words())
      await storage.move('pending/empty', 'kept/empty')
      expect([await read('kept/empty'), await storage.size('kept/empty')]).toEqual(['', 0])
    })

    test('a large file comes back byte for byte', async () => {
      const piece = Buffer.from('0123456789abcdef'.repeat(MEGABYTE / 16))
      await storage.put(
        'pending/large',
        (async function* () {
          for (let at = 0; at < 11; at++) yield piece
          yield Buffer.from('end')
        })(),
      )
      await storage.move('pending/large', 'kept/large')
      expect(await read('kept/large')).toBe(`${piece.toString().repeat(11)}end`)
    })

    test.each([0, 1, 11])(
      'of what breaks off after %i MB nothing stays, and what was there does',
      async (megabytes) => {
        await storage.put('pending/one', words('first'))
        const broken = new Error('The line broke.')
        await expect(storage.put('pending/one', zeros(megabytes, broken))).rejects.toThrow(broken)
        expect(await read('pending/one')).toBe('first')
        expect(opened.everything()).toEqual(['pending/one'])
      },
    )

    test('a later file takes the place of an earlier one', async () => {
      await storage.put('pending/one', words('first'))
      await storage.put('pending/two', words('second'))
      await storage.move('pending/two', 'pending/one')
      expect([await read('pending/one'), await read('pending/two')]).toEqual(['second', undefined])
    })

    test('a sweep removes what is old, and leaves the rest and other folders', async () => {
      for (const key of [
        'pending/a',
        'pending/b',
        'pending/c',
        'pending/d',
        'pendings/e',
        'kept/f',
      ])
        await storage.put(key, words('x'))
      opened.age()
      await storage.put('pending/new', words('x'))
      await storage.sweep('pending', Date.now() - DAY_MS / 2)
      await storage.sweep('nothing', Date.now() - DAY_MS / 2)
      expect(opened.everything()).toEqual(['kept/f', 'pending/new', 'pendings/e'])
    })

    test.each([
      ...['../x/one', 'pending/../../one', '/etc/passwd', 'pending/one.part', 'pending/.one'],
      ...['pending\\one', 'pending/one\0', 'pending//one', 'one', ''],
    ])('%j is no key', async (key) => {
      await expect(storage.put(key, words('x'))).rejects.toThrow('is no key of a storage')
      await expect(storage.read(key)).rejects.toThrow('is no key of a storage')
      await expect(storage.move('pending/one', key)).rejects.toThrow('is no key of a storage')
      await expect(storage.size(key)).rejects.toThrow('is no key of a storage')
      await expect((async () => storage.remove(key))()).rejects.toThrow('is no key of a storage')
    })
  })
}
