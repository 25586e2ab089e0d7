/** Asks again, while sockets are on channels, whether their people may still be. */

import type { FastifyRequest } from 'fastify'
import type { RealtimeServer } from '../../realtime/realtime-server.ts'
import type { Actor } from '../../server/actor.ts'
import type { Requester } from '../../server/rate-limit.ts'
import type { SignIn } from '../sign-in/visitors.ts'
import { askOnce, UNKNOWN } from './ask-once.ts'
import type { ChannelRules } from './channel-rules.ts'

export type ReviewParts = {
  readonly sockets: Pick<RealtimeServer, 'review'>
  readonly rules: Pick<ChannelRules, 'allows'>
  /** The request that opened the socket. */
  requestOf(requester: Requester): FastifyRequest | undefined
  /** Asks anew who makes a request. */
  readonly authenticate: SignIn['authenticate']
  readonly report: (error: unknown) => void
}

/**
 * Ends the subscriptions of those who are signed out, and those that their rule no longer allows. One
 * round asks once for each socket who it is, and once for each person and channel whether they may. Where
 * there is no answer for now, the subscription stays until the next round.
 */
export async function review({
  sockets,
  rules,
  requestOf,
  authenticate,
  report,
}: ReviewParts): Promise<void> {
  const who = askOnce<Requester, Actor | undefined>(report)
  const may = askOnce<string, boolean>(report)

  async function actorOf(requester: Requester): Promise<Actor | undefined> {
    const request = requestOf(requester)
    const actor = request && (await authenticate(request))?.actor
    return actor?.id === requester.person ? actor : undefined
  }

  await sockets.review(async ({ channel, requester }) => {
    const actor = await who(requester, () => actorOf(requester))
    if (!actor || actor === UNKNOWN) return actor === UNKNOWN
    const key = JSON.stringify([actor.id, channel])
    return Boolean(await may(key, () => rules.allows(channel, actor)))
  })
}
