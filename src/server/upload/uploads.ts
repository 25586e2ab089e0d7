/** The uploads of an application: tickets for files, their bytes until they are kept, and who may use them. */

import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type FileFacts,
  UPLOAD_PATH,
  UPLOAD_PIECE,
  type UploadAddress,
  type UploadedFile,
} from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import type { KeyRing } from '../keys.ts'
import { directFor, directKey, finishDirect, startDirect } from './direct-uploads.ts'
import type { FileHolder, FileRecords } from './file-records.ts'
import { isOfType } from './file-types.ts'
import { inspected } from './inspected.ts'
import { keptKey } from './kept-key.ts'
import { createNewestPiece } from './newest-piece.ts'
import { pendingKey } from './pending-key.ts'
import type { Storage } from './storage.ts'
import type { Transfers } from './transfers.ts'
import { openTicket, signTicket, type Ticket, TICKET_MS, type UploadPlace } from './ticket.ts'
import type { UploadRecord, UploadRecords, UploadState } from './upload-records.ts'

/** How long files stay that nobody keeps, ms. */
export const PENDING_MS = 24 * 60 * 60_000
/** How long a file is not swept that a row is about to refer to, ms; by then its upload is forgotten. */
const HELD_MS = 2 * PENDING_MS
/** Most bytes that wait for one person to keep them. */
const PENDING_BYTES = 2 * 1024 ** 3

/** A file that has arrived, and its key once it is kept. `isUsed`: a row was saved with it. */
export type FoundUpload = {
  readonly file: UploadedFile
  readonly key: string
  readonly isUsed: boolean
}

/** Why a file that has arrived is not taken. */
export type Unfit = 'otherBytes' | 'otherSize' | 'empty'

export type UploadsOptions = {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly records: UploadRecords
  readonly files: FileRecords
  /** Where files are that arrive in pieces. */
  readonly transfers: Transfers
  readonly now: () => number
  /** Where files are posted. Default: `UPLOAD_PATH`. */
  readonly path?: string
}

export type Uploads = ReturnType<typeof createUploads>

export function createUploads(options: UploadsOptions) {
  const { keys, storage, records, files, transfers, now, path = UPLOAD_PATH } = options
  const recordAt = async (at: string): Promise<UploadRecord> => {
    const record = await records.find(idIn(at))
    if (!record || record.state === 'started') throw new AppError('NOT_FOUND')
    return record
  }
  /** The record of a path that this person was given for this property. Throws `NOT_FOUND`. */
  const own = async (place: Owner, at: string): Promise<UploadRecord> => {
    const record = await recordAt(at)
    if (!isFor(record, place)) throw new AppError('NOT_FOUND')
    return record
  }
  const ofPerson = async (user: string, at: string): Promise<UploadRecord> => {
    const record = await recordAt(at)
    if (record.userId !== user) throw new AppError('NOT_FOUND')
    return record
  }
  /** One file may be of any size. Throws `REFUSED` while too much of this person waits to be kept. */
  const checkRoom = async (user: string, bytes: number): Promise<void> => {
    const waiting = await Promise.all([records.bytesOf(user), transfers.bytesOf(user)])
    const held = waiting[0] + waiting[1]
    // Waiting does not help, so that it is not asked to be tried again by itself.
    if (held > 0 && held + bytes > PENDING_BYTES)
      throw new AppError('REFUSED', { detail: ({ upload }) => upload.noRoom })
  }
  const keep = async (record: UploadRecord): Promise<string> => {
    await storage.move(pendingKey(record), keptKey(record))
    await records.keep(record.id)
    return keptKey(record)
  }
  const openFor = (text: unknown, { user, lineage }: Holder): Ticket => {
    const ticket = openTicket(keys, text)
    if (ticket?.user !== user || ticket.lineage !== lineage) throw new AppError('NOT_FOUND')
    return ticket
  }
  /** Stores one file of a ticket, or says why it is not taken. */
  async function store(
    ticket: Ticket,
    file: TicketFile,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Unfit | null> {
    // Of two that are sent at once, neither writes over the other.
    const arriving = arrivingKey(randomBytes(16).toString('base64url'))
    const seen = inspected(body, file.size)
    try {
      await storage.put(arriving, seen.body)
      if (seen.size() !== file.size) return 'otherSize'
      if (!(await isOfType(file.type, seen.start())))
        return file.size === 0 ? 'empty' : 'otherBytes'
      const record = recordOf(ticket, file, seen.digest())
      // A process that dies here leaves bytes without a record, never a record without bytes.
      await storage.move(arriving, pendingKey(record))
      if (!(await records.insert(record))) await assertSame(storage, records, record)
      return null
    } finally {
      await storage.remove(arriving)
    }
  }
  /** How much of a file has arrived. Throws `NOT_FOUND` if it has not begun, or has been finished. */
  async function arrived({ user }: Ticket, { id, size }: TicketFile): Promise<number> {
    const record = await records.find(id)
    if (record && record.state !== 'arrived') throw new AppError('NOT_FOUND')
    const bytes = record ? size : await transfers.arrived({ user, id, size })
    if (bytes === undefined) throw new AppError('NOT_FOUND')
    return bytes
  }
  const newest = createNewestPiece()
  return {
    /**
     * Signs permission to send these files, from a page of this origin if it is known. Throws
     * `REFUSED` while too much waits to be kept.
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
      const isLong = named.length === 1 && (named[0]?.size ?? 0) > UPLOAD_PIECE
      return {
        ...{ url: `${path}?ticket=${ticket}`, paths: named.map(({ id }) => id) },
        ...(isLong && { piece: UPLOAD_PIECE }),
      }
    },

    /** The ticket of a request that begins. Throws `NOT_FOUND` for any that is not this session's, or too old. */
    open(text: unknown, holder: Holder): Ticket {
      const ticket = openFor(text, holder)
      if (now() >= ticket.endsAt) throw new AppError('NOT_FOUND')
      return ticket
    },

    /** The ticket of a request that goes on with a file: its time was checked when that began. */
    reopen: openFor,

    /**
     * Stores one file of a ticket. Returns why it is not taken, if it is not; then nothing of it is left.
     * The same bytes may come again until `finish`.
     */
    async receive(
      ticket: Ticket,
      file: TicketFile,
      body: AsyncIterable<Uint8Array>,
    ): Promise<Unfit | null> {
      await checkRoom(ticket.user, file.size)
      return store(ticket, file, body)
    },

    /** Begins with a file that arrives in pieces. Nothing happens if it has begun. Throws `REFUSED`. */
    async begin({ user }: Ticket, { id, size }: TicketFile): Promise<void> {
      const transfer = { user, id, size }
      if ((await transfers.arrived(transfer)) !== undefined || (await records.find(id))) return
      await checkRoom(user, size)
      await transfers.begin(transfer)
    },

    arrived,

    /**
     * Adds bytes to a file; with the last one, it is stored as `receive` does. Returns how much has arrived,
     * and why the file is not taken. What is being added to the file already ends first, with `UPLOAD_OFFSET`.
     * Throws that for bytes that do not follow on what has arrived, too.
     */
    async append(
      ticket: Ticket,
      file: TicketFile,
      offset: number,
      body: AsyncIterable<Uint8Array>,
    ): Promise<{ readonly arrived: number; readonly unfit: Unfit | null }> {
      const { id, size } = file
      const transfer = { user: ticket.user, id, size }
      return newest.take(id, body, async (pieces) => {
        if (offset > (await arrived(ticket, file))) throw new AppError('UPLOAD_OFFSET')
        // The answer to its last bytes was lost.
        if (await records.find(id)) return { arrived: size, unfit: null }
        const end = await transfers.append(transfer, offset, pieces)
        if (end < size) return { arrived: end, unfit: null }
        const unfit = await store(ticket, file, transfers.read(transfer))
        await transfers.remove(transfer)
        return { arrived: end, unfit }
      })
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
      const id = idIn(at)
      if (id === '') return
      await transfers.forget(place.user, id)
      const record = await records.find(id)
      if (!record || !isFor(record, place) || KEPT.has(record.state)) return
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

    /** A file that this person has uploaded, with its bytes. Throws `NOT_FOUND`. */
    async restore(user: string, at: string) {
      const record = await ofPerson(user, at)
      const bytes = await storage.read(pendingKey(record))
      if (!bytes) throw new AppError('NOT_FOUND')
      return { file: factsOf(record), bytes }
    },

    /** Keeps a file for good, under a key that it returns, the same one each time. Throws `NOT_FOUND`. */
    keep: async (user: string, { path: at }: UploadedFile): Promise<string> =>
      keep(await ofPerson(user, at)),

    /** The file at a path, and the key that it is kept under. Throws `NOT_FOUND`. */
    async find(place: Owner, at: string): Promise<FoundUpload> {
      const record = await own(place, at)
      return { file: factsOf(record), key: keptKey(record), isUsed: record.state === 'used' }
    },

    /** Keeps a file for a column, until no row and no entry of the history refers to it. Throws `NOT_FOUND`. */
    async keepFor(place: Owner, at: string, holder: FileHolder): Promise<void> {
      const record = await own(place, at)
      // A process that dies here leaves a file that nothing refers to, and that is swept.
      await files.hold(keptKey(record), holder, now() + HELD_MS)
      await keep(record)
    },

    /** A row was saved with the file, so that no other one takes it. Throws `NOT_FOUND`. */
    use: async (place: Owner, at: string): Promise<void> => records.use((await own(place, at)).id),

    /** Removes what nobody has kept for a day. */
    async sweep(): Promise<void> {
      for (const prefix of ['pending', 'arriving', 'direct'])
        await storage.sweep(prefix, now() - PENDING_MS)
      await transfers.sweep(now() - PENDING_MS)
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
type Holder = Pick<UploadPlace, 'user' | 'lineage'>
export type TicketFile = Ticket['files'][number]

/** States of files that are removed with what refers to them alone. */
const KEPT: ReadonlySet<UploadState> = new Set(['kept', 'used'])

const arrivingKey = (id: string): string => `arriving/${id}`

/** An id as `start` makes them; anything else is none, and finds nothing. */
const idIn = (path: string): string => (/^[\w-]{22}$/.test(path) ? path : '')

const isFor = (record: UploadRecord, { user, component, property }: Owner): boolean =>
  record.userId === user && record.component === component && record.property === property

const recordOf = (
  { user: userId, component, property }: Ticket,
  { id, name, type, size }: TicketFile,
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
