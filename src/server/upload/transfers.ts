/** Files that are sent in pieces: what has arrived of each so far, on the local disk of this node. */

import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../app-error.ts'
import { propertyOf } from '../property-of.ts'
import { isFull } from './disk-storage.ts'
import { filePieces } from './file-pieces.ts'

/** One file of a person; `id` is made by the server. */
export type Transfer = { readonly user: string; readonly id: string; readonly size: number }

export type Transfers = {
  /** Makes room for a file. Nothing happens if it has begun. */
  begin(transfer: Transfer): Promise<void>
  /** Bytes that have arrived; `undefined` if it has not begun. */
  arrived(transfer: Transfer): Promise<number | undefined>
  /**
   * Adds bytes from `offset` on, and returns how many have arrived; what comes before a break stays. Throws
   * `UPLOAD_OFFSET` past what has arrived, `NOT_FOUND` if it has not begun.
   */
  append(transfer: Transfer, offset: number, body: AsyncIterable<Uint8Array>): Promise<number>
  read(transfer: Transfer): AsyncIterable<Uint8Array>
  remove(transfer: Transfer): Promise<void>
  /** Removes a file of a person by its id alone, if there is one. */
  forget(user: string, id: string): Promise<void>
  /** Bytes of all that a person has begun, as if they had arrived. */
  bytesOf(user: string): Promise<number>
  /** Removes those to which nothing was added since a time (ms since 1970). */
  sweep(before: number): Promise<void>
}

export function createTransfers(folder: string): Transfers {
  const folderOf = (user: string) => join(folder, createHash('sha256').update(user).digest('hex'))
  const fileOf = ({ user, id, size }: Transfer) => join(folderOf(user), `${id}.${size}`)
  return {
    async begin(transfer) {
      await mkdir(folderOf(transfer.user), { recursive: true, mode: 0o700 })
      const file = await open(fileOf(transfer), 'a', 0o600)
      await file.close()
    },
    arrived: (transfer) =>
      stat(fileOf(transfer)).then(
        ({ size }) => size,
        () => undefined,
      ),
    append: (transfer, offset, body) => write(fileOf(transfer), transfer.size, offset, body),
    read: (transfer) => unlessGone(filePieces(fileOf(transfer))),
    remove: (transfer) => rm(fileOf(transfer), { force: true }),
    async forget(user, id) {
      const names = await readdir(folderOf(user)).catch(() => [])
      const own = names.filter((name) => name.startsWith(`${id}.`))
      for (const name of own) await rm(join(folderOf(user), name), { force: true })
    },
    async bytesOf(user) {
      const names = await readdir(folderOf(user)).catch(() => [])
      return names.reduce((sum, name) => sum + Number(name.split('.')[1] ?? 0), 0)
    },
    async sweep(before) {
      for (const person of await readdir(folder).catch(() => [])) {
        const within = join(folder, person)
        for (const name of await readdir(within).catch(() => [])) {
          const path = join(within, name)
          const found = await stat(path).catch(() => undefined)
          if (found && found.mtimeMs < before) await rm(path, { force: true })
        }
        // It stays while it holds anything.
        await rmdir(within).catch(() => undefined)
      }
    },
  }
}

/** It may be taken back while its last piece arrives. Throws `NOT_FOUND` then. */
async function* unlessGone(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    throw propertyOf(error, 'code') === 'ENOENT' ? new AppError('NOT_FOUND') : error
  }
}

/** Writes from `offset` on, up to `size`; the last piece that was sent replaces what an earlier one has left there. */
async function write(
  path: string,
  size: number,
  offset: number,
  body: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, 'r+').catch(() => {
    throw new AppError('NOT_FOUND')
  })
  let at = offset
  try {
    const { size: arrived } = await file.stat()
    if (offset > arrived) throw new AppError('UPLOAD_OFFSET')
    await file.truncate(offset)
    for await (const piece of body) {
      if (at + piece.byteLength > size) throw new AppError('REQUEST_TOO_LARGE')
      // A disk that is nearly full takes less than it is given.
      for (let from = 0; from < piece.byteLength;) {
        const { bytesWritten } = await file.write(piece, from, piece.byteLength - from, at)
        from += bytesWritten
        at += bytesWritten
      }
    }
    return at
  } catch (error) {
    throw isFull(error) ? new AppError('STORAGE_FULL', { cause: error }) : error
  } finally {
    // What a client is told has arrived is on the disk, also after a broken line.
    await file.datasync().catch(() => undefined)
    await file.close()
  }
}
