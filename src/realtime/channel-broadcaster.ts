/** The table's live events over private channels: the realtime server as a broadcaster. */

import { type Json, parseJson } from '../protocol/json.ts'
import type { Broadcaster, ChannelEvent } from '../table/source/broadcaster.ts'
import { broadcastChannel } from './channels.ts'
import type { Node } from './node.ts'

/** Its events can be heard by whoever was authorized for `broadcastChannel(channel)`. */
export function createBroadcaster(node: Pick<Node, 'trigger' | 'listen'>): Broadcaster {
  const stops = new Set<() => void>()
  return {
    async publish({ channel, name, detail, except }) {
      const trigger = { name, data: JSON.stringify(detail), socket_id: except }
      node.trigger(trigger, [broadcastChannel(channel)])
    },
    subscribe(channel, listener) {
      const stop = node.listen(broadcastChannel(channel), ({ name, data, except }) => {
        const event: ChannelEvent = { channel, name, detail: parsed(data) }
        listener(except === undefined ? event : { ...event, except })
      })
      stops.add(stop)
      return () => {
        stops.delete(stop)
        stop()
      }
    },
    /** Ends what it listens to; the server goes on. */
    async close() {
      for (const stop of stops) stop()
      stops.clear()
    },
  }
}

/** Over the HTTP API, data may be any text; clients take it as it is as well. */
function parsed(data: string): Json {
  try {
    return parseJson(data)
  } catch {
    return data
  }
}
