/** The uploads of an application: tickets for files, their bytes until they are kept, and who may use them. */

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type FileFacts,
  UPLOAD_PATH,
  type UploadAddress,
  type UploadedFile,
} from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import type { KeyRing } from '../keys.ts'
import { directFor, directKey, finishDirect, startDirect } from './direct-uploads.ts'
import type { FileHolder, FileRecords } from './file-records.ts'
import { isOfType, SNIFFED_BYTES } from './file-types.ts'
import { keptKey } from './kept-key.ts'
import { pendingKey } from './pending-key.ts'
import type { Storage } from './storage.ts'
import { openTicket, signTicket, type Ticket, TICKET_MS, type UploadPlace } from './ticket.ts'
import type { UploadRecord, UploadRecords } from './upload-records.ts'

/** How long files stay that nobody keeps, ms. */
export const PENDING_MS = 24 * 60 * 60_000
/** How long a file is not swept that a row is about to refer to, ms; by then its upload is forgotten. */
const HELD_MS = 2 * PENDING_MS
/** Most bytes that wait for one person to keep them. */
const PENDING_BYTES = 2 * 1024 ** 3

/** A file that has arrived, and its key once it is kept. */
export type FoundUpload = { readonly file: UploadedFile; readonly key: string }

/** Why a file that has arrived is not taken. */
export type Unfit = 'otherBytes' | 'otherSize'

export type UploadsOptions = {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly records: UploadRecords
  readonly files: FileRecords
  readonly now: () => number
  /** Where files are posted. Default: `UPLOAD_PATH`. */
  readonly path?: string
}

export type Uploads = ReturnType<typeof createUploads>

export function createUploads({
  keys,
  storage,
  records,
  files,
  now,
  path = UPLOAD_PATH,
}: UploadsOptions) {
  const arrived = async (at: string): Promise<UploadRecord> => {
    const record = await records.find(idIn(at))
    if (!record || record.state === 'started') throw new AppError('NOT_FOUND')
    return record
  }
  /** The record of a path that this person was given for this property. Throws `NOT_FOUND`. */
  const own = async (place: Owner, at: string): Promise<UploadRecord> => {
    const record = await arrived(at)
    if (!isFor(record, place)) throw new AppError('NOT_FOUND')
    return record
  }
  const ofPerson = async (user: string, at: string): Promise<UploadRecord> => {
    const record = await arrived(at)
    if (record.userId !== user) throw new AppError('NOT_FOUND')
    return record
  }
  /** Throws `TOO_MANY_REQUESTS` while too much of this person waits to be kept. */
  const checkRoom = async (user: string, bytes: number): Promise<void> => {
    if ((await records.bytesOf(user)) + bytes > PENDING_BYTES)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 3600 })
  }
  const keep = async (record: UploadRecord): Promise<string> => {
    await storage.move(pendingKey(record), keptKey(record))
    await records.keep(record.id)
    return keptKey(record)
  }
  return {
    /**
     * Signs permission to send these files, from a page of this origin if it is known. Throws
     * `TOO_MANY_REQUESTS` while too much waits to be kept.
     */
    async start(
      place: UploadPlace,
      facts: readonly FileFacts[],
      origin?: string,
    ): Promise<UploadAddress> {
      await checkRoom(
        place.user,
        facts.reduce((sum, { size }) => sum + size, 0),
      )
      const direct = await directFor(storage, facts, origin)
      if (direct && facts[0]) return startDirect(direct, records, place, facts[0])
      const named = facts.map((file) => ({ ...file, id: randomBytes(16).toString('base64url') }))
      const ticket = signTicket(keys, { ...place, files: named, endsAt: now() + TICKET_MS })
      return { url: `${path}?ticket=${ticket}`, paths: named.map(({ id }) => id) }
    },

    /** The ticket of a request. Throws `NOT_FOUND` for any that is not this session's, or too old. */
    open(text: unknown, { user, lineage }: Pick<UploadPlace, 'user' | 'lineage'>): Ticket {
      const ticket = openTicket(keys, text, now())
      if (ticket?.user !== user || ticket.lineage !== lineage) throw new AppError('NOT_FOUND')
      return ticket
    },

    /**
     * Stores one file of a ticket. Returns why it is not taken, if it is not; then nothing of it is left.
     * The same bytes may come again until `finish`.
     */
    async receive(
      ticket: Ticket,
      file: Ticket['files'][number],
      body: AsyncIterable<Uint8Array>,
    ): Promise<Unfit | null> {
      await checkRoom(ticket.user, file.size)
      // Of two that are sent at once, neither writes over the other.
      const arriving = arrivingKey(randomBytes(16).toString('base64url'))
      const seen = inspected(body, file.size)
      try {
        await storage.put(arriving, seen.body)
        if (seen.size() !== file.size) return 'otherSize'
        if (!(await isOfType(file.type, seen.start()))) return 'otherBytes'
        const record = recordOf(ticket, file, seen.digest())
        // A process that dies here leaves bytes without a record, never a record without bytes.
        await storage.move(arriving, pendingKey(record))
        if (!(await records.insert(record))) await assertSame(storage, records, record)
        return null
      } finally {
        await storage.remove(arriving)
      }
    },

    /** The files at these paths, for the state; their ticket is used up. Throws `NOT_FOUND`. */
    async finish(place: Owner, paths: readonly string[]): Promise<UploadedFile[]> {
      for (const at of paths) {
        const record = await records.find(idIn(at))
        if (record?.state === 'started' && isFor(record, place))
          await finishDirect(storage, records, record)
      }
      const found = await Promise.all([...new Set(paths)].map((at) => own(place, at)))
      for (const { id } of found) await records.finish(id)
      return found.map(factsOf)
    },

    /** Removes the file at a path, if it is this person's and of this property. */
    async remove(place: Owner, at: string): Promise<void> {
      const record = await records.find(idIn(at))
      if (!record || !isFor(record, place) || record.state === 'kept') return
      await records.remove(record.id)
      await storage.remove(record.state === 'started' ? directKey(record.id) : pendingKey(record))
    },

    /** The bytes of a file that has arrived. Throws `NOT_FOUND`. */
    async read(user: string, { path: at }: UploadedFile): Promise<AsyncIterable<Uint8Array>> {
      const record = await ofPerson(user, at)
      const bytes =
        (await storage.read(pendingKey(record))) ?? (await storage.read(keptKey(record)))
      if (!bytes) throw new AppError('NOT_FOUND')
      return bytes
    },

    /** Keeps a file for good, under a key that it returns, the same one each time. Throws `NOT_FOUND`. */
    keep: async (user: string, { path: at }: UploadedFile): Promise<string> =>
      keep(await ofPerson(user, at)),

    /** The file at a path, and the key that it is kept under. Throws `NOT_FOUND`. */
    async find(place: Owner, at: string): Promise<FoundUpload> {
      const record = await own(place, at)
      return { file: factsOf(record), key: keptKey(record) }
    },

    /** Keeps a file for a column, until no row and no entry of the history refers to it. Throws `NOT_FOUND`. */
    async keepFor(place: Owner, at: string, holder: FileHolder): Promise<void> {
      const record = await own(place, at)
      // A process that dies here leaves a file that nothing refers to, and that is swept.
      await files.hold(keptKey(record), holder, now() + HELD_MS)
      await keep(record)
    },

    /** Removes what nobody has kept for a day. */
    async sweep(): Promise<void> {
      for (const prefix of ['pending', 'arriving', 'direct'])
        await storage.sweep(prefix, now() - PENDING_MS)
    },
  }
}

const SWEEP_MS = 60 * 60_000
/** How long the end of a server waits for a sweep: a storage that does not answer would hold it up, ms. */
const END_MS = 2000

/** Sweeps now and every hour; what one sweep cannot remove, the next one does. Returns what ends it. */
export function sweepUploads(
  sweepAll: () => Promise<void>,
  report: (error: unknown) => void = () => undefined,
): () => Promise<void> {
  const sweep = () => sweepAll().catch(report)
  let last = sweep()
  const timer = setInterval(() => {
    last = sweep()
  }, SWEEP_MS).unref()
  return async () => {
    clearInterval(timer)
    await Promise.race([last, setTimeout(END_MS, undefined, { ref: false })])
  }
}

const factsOf = ({ id, name, size, type }: UploadRecord): UploadedFile => ({
  ...{ path: id, name, size, type },
})

type Owner = Omit<UploadPlace, 'lineage'>

const arrivingKey = (id: string): string => `arriving/${id}`

/** An id as `start` makes them; anything else is none, and finds nothing. */
const idIn = (path: string): string => (/^[\w-]{22}$/.test(path) ? path : '')

const isFor = (record: UploadRecord, { user, component, property }: Owner): boolean =>
  record.userId === user && record.component === component && record.property === property

const recordOf = (
  { user: userId, component, property }: Ticket,
  { id, name, type, size }: Ticket['files'][number],
  digest: string,
): UploadRecord => ({
  ...{ id, userId, component, property, name, type, size, digest },
  state: 'arrived',
})

/** The file has arrived before: it may only be the same one, and not after it was used. */
async function assertSame(
  storage: Storage,
  records: UploadRecords,
  record: UploadRecord,
): Promise<void> {
  const before = await records.find(record.id)
  if (before?.digest === record.digest && before.state === 'arrived') return
  if (before?.digest !== record.digest) await storage.remove(pendingKey(record))
  throw new AppError('NOT_FOUND')
}

/** The bytes as they pass, up to one more than there may be, and what is known of them afterwards. */
function inspected(body: AsyncIterable<Uint8Array>, most: number) {
  const hash = createHash('sha256')
  const start: Uint8Array[] = []
  let size = 0
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      if (size < SNIFFED_BYTES) start.push(piece.subarray(0, SNIFFED_BYTES - size))
      size += piece.byteLength
      hash.update(piece)
      yield piece
      if (size > most) return
    }
  }
  return {
    body: pass(),
    size: () => size,
    start: () => Buffer.concat(start),
    digest: () => hash.digest('base64url'),
  }
}
