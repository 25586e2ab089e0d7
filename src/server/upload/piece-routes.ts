/** The routes of files that are sent in pieces: `PATCH` adds one, `HEAD` tells how far it is, `DELETE` takes it back. */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messagesFor } from '../../messages/messages.ts'
import { type StoredPaths, UPLOAD_HEADERS } from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import { addGuardedRoute, type Guard, type Guarded } from '../http/guarded-routes.ts'
import { readerOf } from '../http/locale.ts'
import { propertyOf } from '../property-of.ts'
import { visitorLimit } from '../rate-limit.ts'
import type { Visitor } from '../visitor.ts'
import type { Bodies } from './bodies.ts'
import { refuseFiles } from './refuse-files.ts'
import type { Ticket } from './ticket.ts'
import type { TicketFile, Uploads } from './uploads.ts'

/** Requests of a person in a minute: a gigabyte takes 200 pieces. */
const PER_MINUTE = 600
/** Most bytes of a piece. */
const LARGEST_PIECE = 64 * 1024 ** 2
/** How long a piece may take to arrive, ms. */
const PIECE_MS = 30 * 60_000

export type PieceRouteOptions = {
  readonly guard: Guard
  readonly uploads: Uploads
  readonly bodies: Bodies
  readonly now: () => number
  readonly path: string
}

export function addPieceRoutes(app: FastifyInstance, options: PieceRouteOptions): void {
  const { guard, uploads, bodies, now, path } = options
  const door = {
    path,
    sends: 'stream',
    stranger: 'PAGE_EXPIRED',
    limit: visitorLimit({ now, limit: PER_MINUTE, windowMs: 60_000 }),
  } as const
  /** The file of a request, whose ticket is not used up. */
  function begun(request: FastifyRequest, visitor: Visitor) {
    const ticket = uploads.reopen(propertyOf(request.query, 'ticket'), holderOf(visitor))
    return { ticket, file: fileOf(ticket, propertyOf(request.query, 'patch')) }
  }
  addGuardedRoute(app, guard, {
    ...door,
    method: 'PATCH',
    ...{ bodyBytes: LARGEST_PIECE, bodyMs: PIECE_MS, limitMs: PIECE_MS },
    read: streamOf,
    async handle({ request, reply, visitor, body }: Guarded<Readable>) {
      const { ticket, file } = begun(request, visitor)
      const offset = wholeIn(request, UPLOAD_HEADERS.offset)
      if (offset === undefined || !isLong(request, file)) throw new AppError('REQUEST_INVALID')
      if (offset + Number(request.headers['content-length'] ?? 0) > file.size)
        throw new AppError('REQUEST_TOO_LARGE')
      const { arrived, unfit } = await bodies.receive(ticket.user, body, (pieces) =>
        uploads.append(ticket, file, offset, pieces),
      )
      void reply.header(UPLOAD_HEADERS.offset, arrived)
      if (unfit) {
        const { language } = readerOf(request)
        const at = ticket.files.indexOf(file)
        return refuseFiles(reply, ticket, new Map([[at, unfit]]), messagesFor(language))
      }
      const paths: StoredPaths = { paths: [file.id] }
      return arrived < file.size ? reply.code(204).send() : reply.send(paths)
    },
  })
  addGuardedRoute(app, guard, {
    ...door,
    method: 'HEAD',
    read: () => null,
    async handle({ request, reply, visitor }: Guarded<null>) {
      const { ticket, file } = begun(request, visitor)
      const arrived = await uploads.arrived(ticket, file)
      return reply
        .headers({ [UPLOAD_HEADERS.offset]: arrived, [UPLOAD_HEADERS.length]: file.size })
        .header('cache-control', 'no-store')
        .send()
    },
  })
  addGuardedRoute(app, guard, {
    ...door,
    method: 'DELETE',
    bodyBytes: 256,
    read: streamOf,
    async handle({ request, reply, visitor, body }: Guarded<Readable>) {
      const named = (await textOf(body)) || propertyOf(request.query, 'patch')
      const ticket = uploads.reopen(propertyOf(request.query, 'ticket'), holderOf(visitor))
      const file = fileOf(ticket, named)
      // One that has been finished is taken back by the component alone, whose state holds it.
      await uploads.arrived(ticket, file)
      await uploads.remove(ticket, file.id)
      return reply.code(204).send()
    },
  })
}

export const holderOf = ({ actor, session }: Visitor) => ({
  user: actor.id,
  lineage: session.lineage,
})

/** The body of a request, which may have none. */
export const streamOf = (body: unknown): Readable =>
  body instanceof Readable ? body : Readable.from([])

/** The file of that id; without one, the only file of the ticket. Throws `NOT_FOUND`. */
function fileOf({ files }: Ticket, id: unknown): TicketFile {
  const named =
    id === undefined && files.length === 1 ? files[0] : files.find((one) => one.id === id)
  if (!named) throw new AppError('NOT_FOUND')
  return named
}

/** The length that a request states, if any, is that of its file. */
export const isLong = (request: FastifyRequest, { size }: TicketFile): boolean =>
  request.headers[UPLOAD_HEADERS.length.toLowerCase()] === undefined ||
  wholeIn(request, UPLOAD_HEADERS.length) === size

/** The whole number in a header; `undefined` if there is none. */
function wholeIn({ headers }: FastifyRequest, name: string): number | undefined {
  const text = headers[name.toLowerCase()]
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
