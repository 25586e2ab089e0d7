/** One round of reviews: who is still signed in, and what they may still be on. */

import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../server/actor.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { SignIn } from '../sign-in/visitors.ts'
import { askOnce, UNKNOWN } from './ask-once.ts'
import type { ChannelRules } from './channel-rules.ts'

/** What a round asks. */
export type RoundParts = {
  readonly rules: Pick<ChannelRules, 'allows'>
  readonly stillSignedIn: SignIn['stillSignedIn']
  /** A copy of the actor for one round. */
  readonly inPassing: (actor: Actor) => Actor
  readonly report: (error: unknown) => void
}

/** A request of somebody who was signed in. */
export type Earlier = {
  readonly person: string
  /** Session that the request belongs to. */
  readonly lineage: string
  readonly request: FastifyRequest
}

export type Round = {
  /** Whether the person is still signed in and may be on the channel; also while that cannot be found out. */
  mayStay(earlier: Earlier, channel: string): Promise<boolean>
}

/**
 * Asks once for each session who it is, and once for each person and channel whether they may. Where there
 * is no answer for now, they stay until the next round.
 */
export function newRound({ rules, stillSignedIn, inPassing, report }: RoundParts): Round {
  const who = askOnce<FastifyRequest, Visitor | undefined>(report)
  const ofSession = askOnce<string, Visitor | typeof UNKNOWN | undefined>(report)
  const may = askOnce<string, boolean>(report)
  const actors = new Map<string, Actor>()

  /** One object for each person, for whom the policy is asked once. */
  function actorOf(given: Actor): Actor {
    const key = JSON.stringify(given)
    const actor = actors.get(key) ?? inPassing(given)
    actors.set(key, actor)
    return actor
  }

  return {
    async mayStay({ person, lineage, request }, channel) {
      const ask = () => who(request, () => stillSignedIn(request))
      // The token in another request of the session may have been replaced since.
      const visitor = (await ofSession(lineage, ask)) ?? (await ask())
      if (visitor === UNKNOWN) return true
      if (visitor?.actor.id !== person) return false
      const actor = actorOf(visitor.actor)
      const key = JSON.stringify([actor, channel])
      return Boolean(await may(key, () => rules.allows(channel, actor)))
    },
  }
}
