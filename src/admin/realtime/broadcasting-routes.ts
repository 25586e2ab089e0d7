/** The routes by which sockets join channels and say who they are (spec §6, §7). */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { HEADERS } from '../../protocol/wire.ts'
import { authorizeChannel, authorizeUser } from '../../realtime/authorize-channel.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'
import { AppError } from '../../server/app-error.ts'
import { isCsrfToken, isSameOrigin } from '../../server/http/csrf.ts'
import { NOT_EMBEDDED } from '../../server/http/embedding.ts'
import type { KeyRing } from '../../server/keys.ts'
import { visitorLimit } from '../../server/rate-limit.ts'
import { originOf } from '../../server/update/update-route.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import type { Visitors } from '../sign-in/visitors.ts'
import type { ChannelRules } from './channel-rules.ts'
import type { Join } from './event-host.ts'

export type BroadcastingParts = {
  readonly app: RealtimeApp
  readonly rules: ChannelRules
  readonly addresses: Addresses
  readonly visitors: Pick<Visitors, 'find'>
  readonly keys: KeyRing
  /** Origin where browsers reach the admin, if configured. */
  readonly origin: string | undefined
  readonly now: () => number
  /** Whether the socket is the person's. */
  mayUse(socketId: string, person: string): boolean
  /** Called when somebody may join a channel, before they do. */
  joining(join: Join): void
}

/** Channels that a person may ask to join in a minute: a reconnect asks for all of its page's. */
const JOINS_PER_MINUTE = 600

const joinSchema = v.object({ socket_id: v.string(), channel_name: v.string() })
const userSchema = v.object({ socket_id: v.string() })

/** Only `POST`: what a link or a picture could ask for is signed for nobody. */
export function addBroadcastingRoutes(server: FastifyInstance, parts: BroadcastingParts): void {
  const { app, rules, addresses, now } = parts
  const limit = visitorLimit({ now, limit: JOINS_PER_MINUTE, windowMs: 60_000 })

  async function visitorOf(request: FastifyRequest): Promise<Visitor> {
    const visitor = await parts.visitors.find(request)
    limit.take({ ip: request.ip, person: visitor?.actor.id })
    if (!visitor || !isSameOrigin(originOf(request, parts.origin))) throw new AppError('FORBIDDEN')
    const token = request.headers[HEADERS.csrf.toLowerCase()]
    if (token !== undefined && !isCsrfToken(parts.keys, visitor.session.lineage, token))
      throw new AppError('PAGE_EXPIRED')
    return visitor
  }

  /** A signature would let whoever has the socket join in the name of whoever asks. */
  function assertOwn(socketId: string, { id }: Visitor['actor']): void {
    if (!parts.mayUse(socketId, id)) throw new AppError('FORBIDDEN')
  }

  server.post(addresses.channelAuth, NOT_EMBEDDED, async (request, reply) => {
    const { actor, session } = await visitorOf(request)
    const form = v.safeParse(joinSchema, request.body)
    if (!form.success) throw new AppError('REQUEST_INVALID')
    const { socket_id: socketId, channel_name: channel } = form.output
    const member = await rules.member(channel, actor)
    if (!member) throw new AppError('FORBIDDEN')
    const isPresence = channel.startsWith('presence-')
    const answer = authorizeChannel({ app, socketId, channel, ...(isPresence && { user: member }) })
    assertOwn(socketId, actor)
    parts.joining({ channel, person: actor.id, lineage: session.lineage, request })
    return reply.send(answer)
  })

  server.post(addresses.userAuth, NOT_EMBEDDED, async (request, reply) => {
    const { actor } = await visitorOf(request)
    const form = v.safeParse(userSchema, request.body)
    if (!form.success) throw new AppError('REQUEST_INVALID')
    const { socket_id: socketId } = form.output
    // Another server may read this, so it is not told the name.
    const answer = authorizeUser({ app, socketId, user: { id: actor.id } })
    assertOwn(socketId, actor)
    return reply.send(answer)
  })
}
