/** Uploads that live in memory, for tests of components. */

import { readAddress, UPLOAD_CALLS } from '../../protocol/upload.ts'
import type { Json } from '../../protocol/json.ts'
import { AppError } from '../app-error.ts'
import type { KeyRing } from '../keys.ts'
import type { FileRecords, HeldFile } from './file-records.ts'
import type { Storage } from './storage.ts'
import type { Transfers } from './transfers.ts'
import type { UploadRecord, UploadRecords, UploadState } from './upload-records.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** A file as a test hands it to a component. */
export type TestFile = {
  readonly name: string
  /** Default: what the ending of the name stands for. */
  readonly type?: string
  readonly bytes: Uint8Array
}

export function memoryStorage(): Storage {
  const stored = new Map<string, Uint8Array>()
  return {
    async put(key, body) {
      const pieces = []
      for await (const piece of body) pieces.push(piece)
      stored.set(key, Buffer.concat(pieces))
    },
    size: async (key) => stored.get(key)?.byteLength,
    async read(key, range) {
      const bytes = stored.get(key)
      return bytes && piecesOf(range ? bytes.subarray(range.start, range.end + 1) : bytes)
    },
    async move(from, to) {
      const bytes = stored.get(from) ?? stored.get(to)
      if (!bytes) throw new AppError('NOT_FOUND')
      stored.delete(from)
      stored.set(to, bytes)
    },
    remove: async (key) => void stored.delete(key),
    sweep: async () => {},
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export function memoryRecords(): UploadRecords {
  const records = new Map<string, UploadRecord>()
  const move = (id: string, state: UploadState, from: readonly UploadState[]) => {
    const record = records.get(id)
    if (record && from.includes(record.state)) records.set(id, { ...record, state })
  }
  const waits = (one: UploadRecord, userId: string) =>
    one.userId === userId && !['kept', 'used'].includes(one.state)
  return {
    async insert(record) {
      if (records.has(record.id)) return false
      records.set(record.id, record)
      return true
    },
    find: async (id) => records.get(id),
    async arrive(id, digest) {
      const record = records.get(id)
      if (record?.state !== 'started') return false
      records.set(id, { ...record, digest, state: 'finished' })
      return true
    },
    finish: async (id) => move(id, 'finished', ['arrived']),
    keep: async (id) => move(id, 'kept', ['arrived', 'finished']),
    use: async (id) => move(id, 'used', ['kept']),
    remove: async (id) => records.delete(id),
    bytesOf: async (userId) =>
      [...records.values()].reduce((sum, one) => sum + (waits(one, userId) ? one.size : 0), 0),
  }
}

export function memoryFiles(): FileRecords {
  const files = new Map<string, HeldFile>()
  const isSame = ({ key, dueAt }: HeldFile) => files.get(key)?.dueAt === dueAt
  return {
    hold: async (key, holder, dueAt) => void files.set(key, { key, ...holder, dueAt }),
    due: async (before, limit) =>
      [...files.values()]
        .filter(({ dueAt }) => dueAt <= before)
        .toSorted((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit),
    async putOff(file, dueAt) {
      if (isSame(file)) files.set(file.key, { ...file, dueAt })
    },
    forget: async (file) => isSame(file) && files.delete(file.key),
  }
}

/** None: tests of components send files whole. */
const noTransfers: Transfers = {
  begin: async () => {},
  arrived: async () => undefined,
  append: async () => {
    throw new AppError('NOT_FOUND')
  },
  read: () => piecesOf(new Uint8Array()),
  remove: async () => {},
  forget: async () => {},
  bytesOf: async () => 0,
  sweep: async () => {},
}

export const memoryUploads = (keys: KeyRing): Uploads =>
  createUploads({
    ...{ keys, storage: memoryStorage(), records: memoryRecords(), files: memoryFiles() },
    transfers: noTransfers,
    now: Date.now,
  })

/** Uploads a file by the component's own calls, as a page does. Rejects if it is not taken. */
export async function uploadTo(
  uploads: Uploads,
  binding: { readonly user: string; readonly lineage: string },
  ask: (method: string, ...params: Json[]) => Promise<Json>,
  property: string,
  { name, type = '', bytes }: TestFile,
): Promise<void> {
  const facts = { name, type, size: bytes.byteLength }
  const { url, paths } = readAddress(await ask(UPLOAD_CALLS.start, property, [facts], false))
  const ticket = uploads.open(new URLSearchParams(url.split('?')[1]).get('ticket'), binding)
  for (const file of ticket.files) {
    const unfit = await uploads.receive(ticket, file, piecesOf(bytes))
    if (unfit)
      throw new AppError('REQUEST_INVALID', { detail: ({ upload }) => upload[unfit](name) })
  }
  await ask(UPLOAD_CALLS.finish, property, [...paths], false)
}
