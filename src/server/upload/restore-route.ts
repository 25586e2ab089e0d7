/** The route that gives a person the files back that they have uploaded and that nobody has kept. */

import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { isFromOwnOrigin } from '../http/csrf.ts'
import type { Guard } from '../http/guarded-routes.ts'
import { propertyOf } from '../property-of.ts'
import { fileHeaders } from './file-headers.ts'
import type { Uploads } from './uploads.ts'

export type RestoreRouteOptions = {
  readonly guard: Guard
  readonly uploads: Uploads
  readonly path: string
}

export function addRestoreRoute(
  app: FastifyInstance,
  { guard: { visitors, origin }, uploads, path }: RestoreRouteOptions,
): void {
  app.get(path, async (request, reply) => {
    const visitor = await visitors.find(request)
    const id = propertyOf(request.query, 'restore')
    // A stranger, and another site, learn no more than about a file that is not there.
    if (!visitor || typeof id !== 'string' || !isFromOwnOrigin(request, origin))
      throw new AppError('NOT_FOUND')
    const { file, bytes } = await uploads.restore(visitor.actor.id, id)
    return reply.headers(fileHeaders(file)).send(Readable.from(bytes, { objectMode: false }))
  })
}
