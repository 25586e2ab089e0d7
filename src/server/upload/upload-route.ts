/** The route that files are posted to: as many as its ticket names, streamed into the storage (spec §7). */

import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { messagesFor, type ServerMessages } from '../../messages/messages.ts'
import {
  type StoredPaths,
  UPLOAD_PART,
  UPLOAD_PATH,
  type UploadErrors,
} from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import { addGuardedRoute, type Guard, type Guarded } from '../http/guarded-routes.ts'
import { readerOf } from '../http/locale.ts'
import { visitorLimit } from '../rate-limit.ts'
import { propertyOf } from '../property-of.ts'
import type { Ticket } from './ticket.ts'
import type { Unfit, Uploads } from './uploads.ts'

/** POSTs of a person in a minute. */
const PER_MINUTE = 60
/** POSTs of a person that may be under way at once. */
const AT_ONCE = 6
/** Most bytes of one request. */
const LARGEST_BODY = 16 * 1024 ** 3
/** How long a body may take to arrive, ms; one that stands still is given up much sooner. */
const BODY_MS = 6 * 60 * 60_000
/** How long nothing may arrive before a body is given up, ms. */
export const STALL_MS = 30_000
/** What the parts' heads may add to the bytes of a file. */
const HEAD_BYTES = 4096

export type UploadRouteOptions = {
  readonly guard: Guard
  readonly uploads: Uploads
  readonly now: () => number
  /** Default: `UPLOAD_PATH`. */
  readonly path?: string
  /** Default: `STALL_MS`. */
  readonly stallMs?: number
}

export function addUploadRoute(app: FastifyInstance, options: UploadRouteOptions): void {
  const { guard, uploads, now, path = UPLOAD_PATH, stallMs = STALL_MS } = options
  const underWay = new Map<string, number>()
  addGuardedRoute(app, guard, {
    ...{ path, sends: 'stream', stranger: 'PAGE_EXPIRED' },
    ...{ bodyBytes: LARGEST_BODY, bodyMs: BODY_MS, limitMs: BODY_MS },
    limit: visitorLimit({ now, limit: PER_MINUTE, windowMs: 60_000 }),
    read(body) {
      if (body instanceof Readable) return body
      throw new TypeError('A route that takes streams is given one.')
    },
    async handle({ request, reply, visitor, body }: Guarded<Readable>) {
      const binding = { user: visitor.actor.id, lineage: visitor.session.lineage }
      const ticket = uploads.open(propertyOf(request.query, 'ticket'), binding)
      const bytes = ticket.files.reduce((sum, { size }) => sum + size + HEAD_BYTES, HEAD_BYTES)
      if (Number(request.headers['content-length'] ?? 0) > bytes)
        throw new AppError('REQUEST_TOO_LARGE')
      const type = request.headers['content-type']
      const { user } = binding
      const others = underWay.get(user) ?? 0
      if (others >= AT_ONCE) throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 5 })
      underWay.set(user, others + 1)
      const unfit = await receiveAll(uploads, { ticket, type, body, stallMs }).finally(() => {
        const left = (underWay.get(user) ?? 1) - 1
        if (left > 0) underWay.set(user, left)
        else underWay.delete(user)
      })
      if (unfit.size > 0)
        return refuse(reply, ticket, unfit, messagesFor(readerOf(request).language))
      const paths: StoredPaths = { paths: ticket.files.map(({ id }) => id) }
      return reply.send(paths)
    },
  })
}

/** Stores the parts of a body as the files of a ticket, in order. Returns why some are not taken, by number. */
async function receiveAll(
  uploads: Uploads,
  { ticket, type, body, stallMs }: Posted,
): Promise<ReadonlyMap<number, Unfit>> {
  const { files } = ticket
  const unfit = new Map<number, Unfit>()
  const received: { readonly part: Readable; readonly done: Promise<void> }[] = []
  const parser = parserOf(type, files.length)
  const fail = (error: Error) => void parser.destroy(error)
  parser.on('file', (name, part) => {
    const at = received.length
    const file = files[at]
    if (name !== UPLOAD_PART || !file) return fail(malformed())
    const done = uploads.receive(ticket, file, piecesOf(part)).then((why) => {
      if (why) unfit.set(at, why)
      part.resume()
    })
    // What fails ends the request, which waits for the others; a line may break before anybody reads.
    done.catch(fail)
    part.on('error', fail)
    received.push({ part, done })
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(malformed()))
  try {
    await pipeUnlessStalled(body, parser, stallMs)
    if (received.length !== files.length) throw malformed()
    await Promise.all(received.map(({ done }) => done))
    return unfit
  } catch (error) {
    // The parser leaves its parts open when a line breaks.
    for (const { part } of received) part.destroy(error instanceof Error ? error : undefined)
    await Promise.allSettled(received.map(({ done }) => done))
    throw error
  }
}

/** Whoever stops reading early leaves the part open, so that the rest of the body can pass. */
const piecesOf = (part: Readable): AsyncIterable<Uint8Array> =>
  part.iterator({ destroyOnReturn: false })

type Posted = {
  readonly ticket: Ticket
  readonly type: string | undefined
  readonly body: Readable
  readonly stallMs: number
}

/** Throws `REQUEST_TIMEOUT` once nothing has come for a while. */
async function pipeUnlessStalled(body: Readable, parser: Writable, ms: number): Promise<void> {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(new AppError('REQUEST_TIMEOUT')), ms)
  body.on('data', () => timer.refresh())
  try {
    await pipeline(body, parser, { signal: stalled.signal })
  } catch (error) {
    stalled.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function parserOf(type: string | undefined, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type ?? '' },
      limits: { files, parts: files, fields: 0, headerPairs: 20, fieldNameSize: 100 },
    })
  } catch (cause) {
    throw new AppError('CONTENT_TYPE', { cause })
  }
}

const malformed = () => new AppError('REQUEST_INVALID')

function refuse(
  reply: FastifyReply,
  { files }: Ticket,
  unfit: ReadonlyMap<number, Unfit>,
  { details: { upload } }: ServerMessages,
) {
  const told: UploadErrors = {
    message: upload.notTaken,
    errors: Object.fromEntries(
      [...unfit].map(([at, why]) => [`files.${at}`, [upload[why](files[at]?.name ?? '')]]),
    ),
  }
  return reply.code(422).send(told)
}
