/** Who may join which channel: finds the rule of a name, and asks it on a person's behalf. */

import { channelReader } from '../../protocol/channels.ts'
import type { ChannelUser } from '../../realtime/authorize-channel.ts'
import type { Actor } from '../../server/actor.ts'
import type { AnyChannel, ChannelSubject } from '../../server/channel/channel.ts'
import type { Services } from '../../server/component/services.ts'

/**
 * Both take an actor object of one request, or of one round of questions: what is granted is cached by
 * that object, and may be another by the next time.
 */
export type ChannelRules = {
  /** Whom the other members see when a person joins; `undefined` for whoever may not. */
  member(name: string, actor: Actor): Promise<ChannelUser | undefined>
  /** Whether a person may be on a channel. */
  allows(name: string, actor: Actor): Promise<boolean>
}

/** What does not match any rule is refused. */
export function createChannelRules(
  channels: readonly AnyChannel[],
  services: (actor: Actor) => Services,
): ChannelRules {
  const rules = channels.map((channel) => ({ channel, read: channelReader(channel.pattern) }))

  async function granted(
    name: string,
    actor: Actor,
  ): Promise<{ channel: AnyChannel; subject: ChannelSubject } | undefined> {
    for (const { channel, read } of rules) {
      const params = read(name)
      if (!params) continue
      const { signal } = new AbortController()
      const subject = { ...services(actor), actor, params, signal }
      return (await channel.authorize(subject)) ? { channel, subject } : undefined
    }
    return undefined
  }

  return {
    allows: async (name, actor) => (await granted(name, actor)) !== undefined,
    async member(name, actor) {
      const found = await granted(name, actor)
      if (!found) return undefined
      const { channel, subject } = found
      return { id: channel.memberId?.(subject) ?? actor.id, info: await channel.member(subject) }
    },
  }
}
