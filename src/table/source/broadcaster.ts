/** Live events: the interface that delivers them to browsers and to other nodes. */

import type { Json } from '../../protocol/json.ts'

/**
 * A hint that something happened: names and keys, never the values of rows. A listener reads the
 * rows again, under its own policy.
 */
export type ChannelEvent = {
  /** Such as `table.orders` or `job.7`. */
  readonly channel: string
  readonly name: string
  readonly detail: Json
  /** Id of the socket that caused it and does not receive it. Default: every socket receives it. */
  readonly except?: string
}

/** Delivers events to the subscribers of their channel, at most once and in no particular order. */
export interface Broadcaster {
  /** Settles once the event is sent, whether or not anybody receives it. */
  publish(event: ChannelEvent): Promise<void>
  /**
   * Listens on the server, to events of other nodes as well; returns the function that
   * unsubscribes.
   */
  subscribe(channel: string, listener: (event: ChannelEvent) => void): () => void
  close(): Promise<void>
}
