/** Keeps which channels this node has let people join at another server, so that their rights are checked again. */

import { concurrently } from '../../realtime/concurrency.ts'
import type { Join } from './event-host.ts'
import { type Earlier, newRound, type RoundParts } from './round.ts'

type Grant = Earlier & {
  /** When each channel was granted last. */
  readonly channels: Map<string, number>
}

export type GrantReview = RoundParts & {
  /** Ends a person's connections; returns whether that was done. */
  terminate(person: string): Promise<boolean>
}

/** Sessions remembered; past them, the one that has not asked for longest is forgotten. */
const SESSIONS = 20_000

export class Grants {
  readonly #sessions = new Map<string, Grant>()

  add({ channel, person, lineage, request }: Join, at: number): void {
    const channels = this.#sessions.get(lineage)?.channels ?? new Map<string, number>()
    this.#sessions.delete(lineage)
    this.#sessions.set(lineage, { person, lineage, request, channels: channels.set(channel, at) })
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

  /** Ends the connections of those who are signed out, and of those whose rule no longer allows a channel. */
  async review({ terminate, ...parts }: GrantReview): Promise<void> {
    const round = newRound(parts)
    const ended = new Set<string>()
    await concurrently([...this.#sessions.values()], async (grant) => {
      const answers = [...grant.channels.keys()].map((channel) => round.mayStay(grant, channel))
      if (!(await Promise.all(answers)).every(Boolean)) ended.add(grant.person)
    })
    for (const person of ended) {
      const taken = this.#take(person)
      // Where nobody answers, the next review asks again.
      if (!(await terminate(person))) this.#giveBack(taken)
    }
  }

  /** Takes the grants out while they are ended, so that those that are given meanwhile stay. */
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
