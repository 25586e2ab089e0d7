/** The body of a request that the host has already read: its exact bytes, or a clear refusal. */

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { propertyOf } from '../property-of.ts'

/**
 * A host that parses bodies first leaves none to read. If it kept the bytes, the server parses those;
 * the host's parsed body is not enough, since it hides duplicate keys. Otherwise throws
 * `BODY_CONSUMED`.
 */
export function readEarlyBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { readableDidRead, readableEnded } = request.raw
    if (request.method !== 'POST' || !(readableDidRead || readableEnded)) return done(null, payload)
    // A stream that ended without a read was empty.
    const bytes = readableDidRead ? keptBytes(request.raw) : Buffer.alloc(0)
    if (bytes) done(null, Readable.from([bytes], { objectMode: false }))
    else done(new AppError('BODY_CONSUMED'))
  })
}

/** Many hosts keep the bytes in `rawBody`; `express.raw()` puts them in `body`. */
function keptBytes(request: IncomingMessage): Buffer | undefined {
  return ['rawBody', 'body']
    .map((name) => propertyOf(request, name))
    .find((kept) => Buffer.isBuffer(kept))
}
