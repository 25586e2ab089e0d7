/** The scope of one HTTP request, made alike for pages and for updates. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { HEADERS, TAKES_PATCHES } from '../../protocol/wire.ts'
import type { Broadcast } from '../channel/channel.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import type { Binding } from '../lifecycle/snapshot.ts'
import type { Turns } from '../turns.ts'
import type { Visitor } from '../visitor.ts'
import { abortOnClose } from './end-of-request.ts'
import { readerOf } from './locale.ts'

/** What all requests of an application have in common. */
export type SharedScope = Pick<
  RequestScope,
  | 'keys'
  | 'components'
  | 'writes'
  | 'running'
  | 'later'
  | 'services'
  | 'views'
  | 'sent'
  | 'wrote'
  | 'report'
> &
  Pick<Binding, 'build' | 'process'> & {
    /** Turns on the main thread. Default: nobody waits for one. */
    readonly turns?: Turns
    /** Sends an event; not to the socket that the request names, if it is the person's own. */
    readonly publish?: (
      broadcast: Broadcast,
      except?: { readonly socketId: string; readonly person: string },
    ) => void
  }

/**
 * Its signal aborts when nobody waits for the response any more. The visitor is of this request alone,
 * because what is granted is cached by the actor object.
 */
export function scopeOf(
  shared: SharedScope,
  { actor, session }: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestScope {
  const { build, process, publish, turns } = shared
  const signal = abortOnClose(reply)
  const issuer = process === undefined ? { build } : { build, process }
  return {
    ...shared,
    binding: { ...issuer, user: actor.id, lineage: session.lineage },
    actor,
    ...(publish && { publish: publisherOf(publish, request, actor.id) }),
    ...readerOf(request),
    signal,
    ...(turns && { turn: () => turns.goOn(actor.id, signal) }),
    takesPatches: takesPatches(request),
  }
}

/** A page may take patches once it is open; from then on it says so. */
const takesPatches = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' || headers[HEADERS.marker.toLowerCase()] === TAKES_PATCHES

/** One's own changes do not come back over one's socket (spec §7). */
function publisherOf(
  publish: NonNullable<SharedScope['publish']>,
  { headers }: FastifyRequest,
  person: string,
): (broadcast: Broadcast) => void {
  const socketId = headers[HEADERS.socketId.toLowerCase()]
  return (broadcast) =>
    publish(broadcast, typeof socketId === 'string' ? { socketId, person } : undefined)
}
