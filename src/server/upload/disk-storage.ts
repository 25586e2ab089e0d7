/** The storage by default: a folder on the local disk, closed to other people of the machine. */

import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../app-error.ts'
import { propertyOf } from '../property-of.ts'
import { filePieces } from './file-pieces.ts'
import { checkKey, PART } from './storage-key.ts'
import type { Storage } from './storage.ts'

/** Bytes of a file that may wait to be written. */
const AHEAD_BYTES = 1024 ** 2

export function createDiskStorage(folder: string): Storage {
  const place = (key: string): string => join(folder, checkKey(key))
  return {
    async put(key, body) {
      const path = place(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const part = join(dirname(path), `${randomUUID()}${PART}`)
      try {
        await writeAll(part, body)
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw isFull(error) ? new AppError('STORAGE_FULL', { cause: error }) : error
      }
    },
    size: async (key) => sizeOf(place(key)),
    async read(key, range) {
      const path = place(key)
      return (await sizeOf(path)) === undefined ? undefined : filePieces(path, range)
    },
    async move(from, to) {
      const path = place(to)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(place(from), path).catch(async (error) => {
        if ((await sizeOf(path)) === undefined) throw error
      })
      await syncFolder(dirname(path))
    },
    remove: (key) => rm(place(key), { force: true }),
    async sweep(prefix, before) {
      const within = join(folder, prefix)
      const names = await readdir(within).catch(() => [])
      for (const name of names) {
        const path = join(within, name)
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true })
      }
    },
  }
}

/** Writes a new file to its end, and onto the disk; more of it may arrive while a part is written. */
async function writeAll(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  // Once it is there, so that nobody who gives up removes it too early.
  const file = await open(path, 'wx', 0o600)
  await pipeline(body, file.createWriteStream({ flush: true, highWaterMark: AHEAD_BYTES }))
}

/** A file's new name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String(propertyOf(error, 'code')))
