/** The route that gives a person the files back that they have uploaded and that nobody has kept. */

import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { isFromOwnOrigin } from '../http/csrf.ts'
import type { Guard } from '../http/guarded-routes.ts'
import { propertyOf } from '../property-of.ts'
import type { Uploads } from './uploads.ts'

/** Pictures that browsers show by themselves, and in which nothing runs. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
])

/** Whatever a file holds, nothing of it runs. */
const HARMLESS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
} as const

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
    return reply
      .headers({
        ...HARMLESS,
        'content-type': SHOWN.has(file.type) ? file.type : 'application/octet-stream',
        'content-length': file.size,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, escape)}`,
      })
      .send(Readable.from(bytes, { objectMode: false }))
  })
}
