/** The routes of uploads, and of them the one that files are posted to: as many as its ticket names (spec §7). */

import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance } from 'fastify'
import { messagesFor } from '../../messages/messages.ts'
import {
  FETCH_PATH,
  RESTORE_PATH,
  type StoredPaths,
  UPLOAD_HEADERS,
  UPLOAD_PART,
  UPLOAD_PATH,
} from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import { addGuardedRoute, type Guard, type Guarded } from '../http/guarded-routes.ts'
import { readerOf } from '../http/locale.ts'
import { visitorLimit } from '../rate-limit.ts'
import { propertyOf } from '../property-of.ts'
import type { Turns } from '../turns.ts'
import { BODY_MS, createBodies, LARGEST_BODY } from './bodies.ts'
import { addFetchRoute } from './fetch-route.ts'
import { addPieceRoutes, holderOf, isLong, streamOf } from './piece-routes.ts'
import { refuseFiles } from './refuse-files.ts'
import type { RemoteFetch } from './remote-fetch.ts'
import { addRestoreRoute } from './restore-route.ts'
import type { Ticket } from './ticket.ts'
import type { Unfit, Uploads } from './uploads.ts'

/** POSTs of a person in a minute. */
const PER_MINUTE = 60
/** What the parts' heads may add to the bytes of a file. */
const HEAD_BYTES = 4096

export type UploadRouteOptions = {
  readonly guard: Guard
  readonly uploads: Uploads
  readonly turns: Turns
  readonly now: () => number
  /** Fetches files of other hosts. Default: nothing does. */
  readonly remote?: RemoteFetch | undefined
  /** Default: `UPLOAD_PATH`. */
  readonly path?: string
}

export function addUploadRoutes(app: FastifyInstance, options: UploadRouteOptions): void {
  const { guard, uploads, turns, now, remote, path = UPLOAD_PATH } = options
  const bodies = createBodies(turns)
  addPieceRoutes(app, { guard, uploads, bodies, now, path })
  if (remote) addFetchRoute(app, { guard, remote, now, path: path + FETCH_PATH })
  addRestoreRoute(app, { guard, uploads, path: path + RESTORE_PATH })
  addGuardedRoute(app, guard, {
    ...{ path, sends: 'stream', stranger: 'PAGE_EXPIRED' },
    ...{ bodyBytes: LARGEST_BODY, bodyMs: BODY_MS, limitMs: BODY_MS },
    limit: visitorLimit({ now, limit: PER_MINUTE, windowMs: 60_000 }),
    read: streamOf,
    async handle({ request, reply, visitor, body }: Guarded<Readable>) {
      const ticket = uploads.open(propertyOf(request.query, 'ticket'), holderOf(visitor))
      const { headers } = request
      if (headers[UPLOAD_HEADERS.length.toLowerCase()] !== undefined) {
        const [file, ...others] = ticket.files
        if (!file || others.length > 0 || !isLong(request, file))
          throw new AppError('REQUEST_INVALID')
        await uploads.begin(ticket, file)
        return reply.type('text/plain').send(file.id)
      }
      const bytes = ticket.files.reduce((sum, { size }) => sum + size + HEAD_BYTES, HEAD_BYTES)
      if (Number(headers['content-length'] ?? 0) > bytes) throw new AppError('REQUEST_TOO_LARGE')
      const type = headers['content-type']
      const unfit = await bodies.receive(ticket.user, body, (pieces) =>
        receiveAll(uploads, { ticket, type, pieces }),
      )
      if (unfit.size > 0)
        return refuseFiles(reply, ticket, unfit, messagesFor(readerOf(request).language))
      const paths: StoredPaths = { paths: ticket.files.map(({ id }) => id) }
      return reply.send(paths)
    },
  })
}

/** Stores the parts of a body as the files of a ticket, in order. Returns why some are not taken, by number. */
async function receiveAll(
  uploads: Uploads,
  { ticket, type, pieces }: Posted,
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
    await pipeline(pieces, parser)
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
  readonly pieces: AsyncIterable<Uint8Array>
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
