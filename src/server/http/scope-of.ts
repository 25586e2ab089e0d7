/** The scope of one HTTP request, made alike for pages and for updates. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import type { Binding } from '../lifecycle/snapshot.ts'
import type { Visitor } from '../visitor.ts'
import { readerOf } from './locale.ts'
import { propertyOf } from '../property-of.ts'

/** What all requests of an application have in common. */
export type SharedScope = Pick<
  RequestScope,
  'keys' | 'components' | 'writes' | 'running' | 'later' | 'services' | 'report'
> &
  Pick<Binding, 'build' | 'process'>

/** Its signal aborts when nobody waits for the response any more. */
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

/** Fastify's code for a request that took longer than its route may. */
export const TIME_LIMIT_CODE = 'FST_ERR_HANDLER_TIMEOUT'

/**
 * A signal that fires when the client disconnects before the response is complete, or when the
 * request has reached the time limit of its route; at once if that has happened already.
 */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { raw } = reply
  const onClose = () => {
    if (!raw.writableFinished) controller.abort()
  }
  const { signal } = reply.request
  const onLimit = () => {
    const code = propertyOf(signal.reason, 'code')
    // Fastify's signal also fires after a complete response, when parts of it may still go on.
    if (code === TIME_LIMIT_CODE) controller.abort(signal.reason)
  }
  // Neither event comes a second time.
  if (signal.aborted) onLimit()
  else signal.addEventListener('abort', onLimit)
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return controller.signal
}
