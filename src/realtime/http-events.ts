/** Events as the HTTP API takes them: their shape and limits. */

import * as v from 'valibot'
import { isSocketId, readChannel } from './channels.ts'
import { ApiError } from './http-signature.ts'
import type { Delivery } from './hub.ts'
import { LIMITS } from './limits.ts'

const shared = {
  name: v.string(),
  data: v.string(),
  socket_id: v.nullish(v.string()),
  info: v.optional(v.string()),
}

export const eventSchema = v.object({
  ...shared,
  channel: v.optional(v.string()),
  channels: v.optional(v.array(v.string())),
})

export const batchSchema = v.object({
  batch: v.array(v.object({ ...shared, channel: v.string() })),
})

export type Trigger = {
  readonly name: string
  readonly data: string
  readonly socket_id?: string | null | undefined
}

/** One delivery for each channel. Throws `ApiError` for what is too much or malformed. */
export function deliveriesOf(trigger: Trigger, channels: readonly string[]): Delivery[] {
  const { name, data } = trigger
  const except = trigger.socket_id ?? undefined
  if (channels.length === 0 || channels.length > LIMITS.channelsPerEvent)
    throw new ApiError(400, 'An event has one to a hundred channels.')
  if (except !== undefined && !isSocketId(except))
    throw new ApiError(400, 'The socket id is malformed.')
  checkEvent(name, data)
  for (const channel of channels) {
    const found = readChannel(channel)
    if (!found) throw new ApiError(400, 'The name of the channel is not allowed.')
    // Each encrypted channel has a key of its own.
    if (found.isEncrypted && channels.length > 1)
      throw new ApiError(400, 'An event of an encrypted channel has one channel only.')
  }
  return [...new Set(channels)].map((channel) => ({ channel, name, data, except }))
}

export function checkEvent(name: string, data: string): void {
  if (name === '' || name.length > LIMITS.nameLength || !name.isWellFormed())
    throw new ApiError(400, 'The name of the event is too long.')
  // A name of the protocol would make clients believe something that is not so.
  if (/^pusher(?:_internal)?:/.test(name))
    throw new ApiError(400, 'The name of the event is the protocol’s own.')
  if (Buffer.byteLength(data) > LIMITS.dataBytes)
    throw new ApiError(413, 'The data of the event are too large.')
}
