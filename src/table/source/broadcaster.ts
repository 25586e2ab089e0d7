/** Live events: the interface of whatever carries them to browsers and to other nodes. */

import type { Json } from '../../protocol/json.ts'

/**
 * What has happened, as a hint: names and keys, and never what rows hold. Whoever hears it asks for
 * the rows again, under their own policy.
 */
export type ChannelEvent = {
  /** Such as `table.orders` or `job.7`. */
  readonly channel: string
  readonly name: string
  readonly detail: Json
  /** Id of the socket that brought it about, which is not told again. Default: nobody's. */
  readonly except?: string
}

/** Carries events to whoever has subscribed to their channel; at most once, and in no order. */
export interface Broadcaster {
  /** Settles once the event is on its way; whether anybody hears it is not known. */
  publish(event: ChannelEvent): Promise<void>
  /** Hears a channel on the server, events of other nodes included; returns what ends that. */
  subscribe(channel: string, listener: (event: ChannelEvent) => void): () => void
  close(): Promise<void>
}
