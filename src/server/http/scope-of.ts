/** The scope of one HTTP request, made alike for pages and for updates. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { HEADERS, IS_PATIENT, TAKES_PATCHES } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'
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
  | 'refreshing'
  | 'services'
  | 'uploads'
  | 'views'
  | 'sent'
  | 'dataVersion'
  | 'report'
> &
  Pick<Binding, 'build' | 'process'> & {
    /** Turns on the main thread. Default: nobody waits for one. */
    readonly turns?: Turns
    /** Sends an event; not to the socket that the request names, if it is the person's own. */
    readonly publish?: (broadcast: Broadcast, except?: OwnSocket) => void
    /** Says that the request's actor has written; the socket need not hear of it while the data have that version. */
    readonly wrote?: (actor: Actor, by?: OwnSocket & { readonly shown: string }) => void
  }

/** A socket that a request names, and who makes the request. */
export type OwnSocket = { readonly socketId: string; readonly person: string }

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
  const { build, process, publish, wrote, dataVersion, turns, ...common } = shared
  const own = socketOf(request, actor.id)
  const signal = abortOnClose(reply)
  const { origin } = request.headers
  const issuer = process === undefined ? { build } : { build, process }
  return {
    ...common,
    binding: { ...issuer, user: actor.id, lineage: session.lineage },
    actor,
    // One's own changes do not come back over one's socket (spec §7).
    ...(publish && { publish: (broadcast) => publish(broadcast, own) }),
    ...(wrote && {
      wrote: (shown) => wrote(actor, own && shown !== undefined ? { ...own, shown } : undefined),
    }),
    ...(own && dataVersion && { dataVersion }),
    ...readerOf(request),
    ...(origin !== undefined && { origin }),
    signal,
    ...(turns && { turn: () => turns.goOn(actor.id, signal) }),
    takesPatches: takesPatches(request),
    ...(markerOf(request) === IS_PATIENT && { isPatient: true }),
  }
}

/** A page may take patches once it is open; from then on it says so. */
const takesPatches = (request: FastifyRequest): boolean =>
  request.method === 'GET' || markerOf(request) === TAKES_PATCHES

const markerOf = ({ headers }: FastifyRequest) => headers[HEADERS.marker.toLowerCase()]

function socketOf({ headers }: FastifyRequest, person: string): OwnSocket | undefined {
  const socketId = headers[HEADERS.socketId.toLowerCase()]
  return typeof socketId === 'string' ? { socketId, person } : undefined
}
