/** What this node has let people join at another server, so that it can be asked about again. */

import type { FastifyRequest } from 'fastify'
import { sideBySide } from '../../realtime/side-by-side.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { SignIn } from '../sign-in/visitors.ts'
import { askOnce, UNKNOWN } from './ask-once.ts'
import type { ChannelRules } from './channel-rules.ts'
import type { Join } from './event-host.ts'

type Grant = {
  readonly person: string
  request: FastifyRequest
  /** When each channel was granted last. */
  readonly channels: Map<string, number>
}

export type GrantReview = {
  readonly rules: Pick<ChannelRules, 'allows'>
  /** Asks anew who makes a request. */
  readonly authenticate: SignIn['authenticate']
  /** Ends a person's connections; returns whether that was done. */
  terminate(person: string): Promise<boolean>
  readonly report: (error: unknown) => void
}

/** Sessions remembered; past them, the one that has not asked for longest is forgotten. */
const SESSIONS = 20_000

export class Grants {
  readonly #sessions = new Map<string, Grant>()

  add({ channel, person, lineage, request }: Join, at: number): void {
    const channels = this.#sessions.get(lineage)?.channels ?? new Map<string, number>()
    this.#sessions.delete(lineage)
    this.#sessions.set(lineage, { person, request, channels: channels.set(channel, at) })
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
  }

  /** Whether a channel that does not begin so was granted. */
  hasOthersThan(beginning: string): boolean {
    for (const { channels } of this.#sessions.values())
      for (const name of channels.keys()) if (!name.startsWith(beginning)) return true
    return false
  }

  /** Forgets channels that nobody is on, except those that were granted since. */
  forgetEmpty(occupied: ReadonlySet<string>, since: number): void {
    for (const [lineage, { channels }] of this.#sessions) {
      for (const [name, at] of channels)
        if (at < since && !occupied.has(name)) channels.delete(name)
      if (channels.size === 0) this.#sessions.delete(lineage)
    }
  }

  /**
   * Ends the connections of those who are signed out, and of those whose rule no longer allows a channel.
   * Asks once for each session who it is, and once for each person and channel whether they may. Where
   * there is no answer for now, they stay until the next round.
   */
  async review({ rules, authenticate, terminate, report }: GrantReview): Promise<void> {
    const who = askOnce<Grant, Visitor | undefined>(report)
    const may = askOnce<string, boolean>(report)
    const ended = new Set<string>()

    async function mayStay(grant: Grant): Promise<boolean> {
      const visitor = await who(grant, () => authenticate(grant.request))
      if (visitor === UNKNOWN) return true
      const actor = visitor?.actor
      if (actor?.id !== grant.person) return false
      const answers = [...grant.channels.keys()].map((channel) =>
        may(JSON.stringify([actor.id, channel]), () => rules.allows(channel, actor)),
      )
      return (await Promise.all(answers)).every(Boolean)
    }

    await sideBySide([...this.#sessions.values()], async (grant) => {
      if (!(await mayStay(grant))) ended.add(grant.person)
    })
    for (const person of ended) {
      const taken = this.#take(person)
      // Where nobody answers, the next review asks again.
      if (!(await terminate(person))) this.#giveBack(taken)
    }
  }

  /** What comes meanwhile is another matter. */
  #take(person: string): (readonly [string, Grant])[] {
    const taken = [...this.#sessions].filter(([, grant]) => grant.person === person)
    for (const [lineage] of taken) this.#sessions.delete(lineage)
    return taken
  }

  #giveBack(taken: readonly (readonly [string, Grant])[]): void {
    for (const [lineage, grant] of taken) {
      const { channels } = this.#sessions.get(lineage) ?? { channels: new Map<string, number>() }
      for (const [name, at] of channels) grant.channels.set(name, at)
      this.#sessions.set(lineage, grant)
    }
  }
}
