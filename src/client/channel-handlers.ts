/** What listens to a channel, and what a presence channel tells of its members. */

import type { Json } from '../protocol/json.ts'

/** One of those who are in a presence channel. */
export type ChannelMember = { readonly id: string; readonly info: Json }

/** Who is in a presence channel. */
export type Presence = {
  readonly members: readonly ChannelMember[]
  /** Id of the reader; `null` until the channel was joined. */
  readonly me: string | null
}

export type ChannelHandlers = {
  /** Called for each event of the channel. */
  readonly event?: (name: string, detail: Json) => void
  /**
   * Called once the channel was joined, at first and after each lost connection: what happened before
   * was not heard, so whatever follows from events is to be read anew.
   */
  readonly missed?: () => void
  /** Called with the members of a presence channel, at first and after each change. */
  readonly members?: (presence: Presence) => void
}

/** Whether events arrive: `off` while nothing listens, `unavailable` where there is no connection. */
export type PushState = 'off' | 'connecting' | 'connected' | 'unavailable'
