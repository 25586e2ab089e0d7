/** The body of a request that somebody before us has read: its very bytes, or a clear refusal. */

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'

/**
 * A host that parses bodies before it hands a request on leaves nothing to wait for. Where it has
 * kept the bytes, they are read as if they had just come; what it made of them will not do, since
 * a parsed body no longer shows which keys stood twice. Otherwise throws `BODY_CONSUMED`.
 */
export function readEarlyBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { readableDidRead, readableEnded } = request.raw
    if (request.method !== 'POST' || !(readableDidRead || readableEnded)) return done(null, payload)
    // What has ended without a byte was empty.
    const bytes = readableDidRead ? keptBytes(request.raw) : Buffer.alloc(0)
    if (bytes) done(null, Readable.from([bytes], { objectMode: false }))
    else done(new AppError('BODY_CONSUMED'))
  })
}

/** `rawBody` is where many keep them; `body` holds them after `express.raw()`. */
function keptBytes(request: IncomingMessage): Buffer | undefined {
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown }
  return [rawBody, body].find((kept) => Buffer.isBuffer(kept))
}
