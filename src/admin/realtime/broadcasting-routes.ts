/** The routes by which sockets join channels and say who they are (spec §6, §7). */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { authorizeChannel, authorizeUser } from '../../realtime/authorize-channel.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'
import { AppError } from '../../server/app-error.ts'
import { addGuardedRoute, type Guard, parseForm } from '../../server/http/guarded-routes.ts'
import { visitorLimit } from '../../server/rate-limit.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import type { ChannelRules } from './channel-rules.ts'
import type { Join } from './event-host.ts'

export type BroadcastingParts = {
  readonly app: RealtimeApp
  readonly rules: ChannelRules
  readonly addresses: Addresses
  readonly guard: Guard
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

/** Only `POST`: nothing is signed for a request that a link or a picture can make. */
export function addBroadcastingRoutes(server: FastifyInstance, parts: BroadcastingParts): void {
  const { app, rules, addresses, guard, now } = parts
  const limit = visitorLimit({ now, limit: JOINS_PER_MINUTE, windowMs: 60_000 })

  /** A signature would let whoever has the socket join in the name of whoever asks. */
  function assertOwn(socketId: string, { id }: Visitor['actor']): void {
    if (!parts.mayUse(socketId, id)) throw new AppError('FORBIDDEN')
  }

  const form = { sends: 'form', token: 'header, if sent', limit, stranger: 'FORBIDDEN' } as const
  const rest = { ...form, whileLooking: true } as const

  addGuardedRoute(server, guard, {
    ...{ ...rest, path: addresses.channelAuth },
    read: (body) => parseForm(joinSchema, body),
    async handle({ request, reply, visitor: { actor, session }, body }) {
      const { socket_id: socketId, channel_name: channel } = body
      const member = await rules.member(channel, actor)
      if (!member) throw new AppError('FORBIDDEN')
      const isPresence = channel.startsWith('presence-')
      const answer = authorizeChannel({
        app,
        socketId,
        channel,
        ...(isPresence && { user: member }),
      })
      assertOwn(socketId, actor)
      parts.joining({ channel, person: actor.id, lineage: session.lineage, request })
      return reply.send(answer)
    },
  })

  addGuardedRoute(server, guard, {
    ...{ ...rest, path: addresses.userAuth },
    read: (body) => parseForm(userSchema, body),
    async handle({ reply, visitor: { actor }, body: { socket_id: socketId } }) {
      // Another server may read this, so it is not told the name.
      const answer = authorizeUser({ app, socketId, user: { id: actor.id } })
      assertOwn(socketId, actor)
      return reply.send(answer)
    },
  })
}
