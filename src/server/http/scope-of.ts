/** The scope of one HTTP request, made alike for pages and for updates. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import type { Binding } from '../lifecycle/snapshot.ts'
import type { Visitor } from '../visitor.ts'
import { readerOf } from './locale.ts'

/** What all requests of an application have in common. */
export type SharedScope = Pick<
  RequestScope,
  'keys' | 'components' | 'writes' | 'running' | 'services' | 'report'
> &
  Pick<Binding, 'build' | 'process'>

/** Its signal aborts when the client disconnects before the response is complete. */
export function scopeOf(
  { build, process, ...shared }: SharedScope,
  { actor, session }: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestScope {
  const issuer = process === undefined ? { build } : { build, process }
  return {
    ...shared,
    binding: { ...issuer, user: actor.id, lineage: session.lineage },
    // A copy, so that nothing cached for this actor outlives the request.
    actor: { ...actor },
    ...readerOf(request),
    signal: abortOnClose(reply),
  }
}

/** A signal that fires when the client disconnects before the response is complete. */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
