/** Messages of clients: read strictly, each checked against the shape of its event. */

import * as v from 'valibot'
import type { Json } from '../protocol/json.ts'
import { parseStrictJson } from '../server/http/strict-json.ts'
import { propertyOf } from '../server/property-of.ts'
import { LIMITS } from './limits.ts'
import { CODES, ProtocolError } from './protocol-error.ts'

/** Levels of nesting that a message may have. */
const DEPTH = 20

const json = v.custom<Json>(() => true)
const text = v.pipe(v.string(), v.maxLength(2 * LIMITS.dataBytes))
/** Protocol versions differ in whether data are sent as an object or as its text. */
const unwrapped = v.transform((data: unknown) => (typeof data === 'string' ? parsed(data) : data))

const protocolMessage = v.variant('event', [
  v.object({ event: v.literal('pusher:ping') }),
  v.object({ event: v.literal('pusher:pong') }),
  v.object({
    event: v.literal('pusher:subscribe'),
    data: v.pipe(
      v.unknown(),
      unwrapped,
      v.object({
        channel: v.string(),
        auth: v.optional(text),
        channel_data: v.optional(text),
      }),
    ),
  }),
  v.object({
    event: v.literal('pusher:unsubscribe'),
    data: v.pipe(v.unknown(), unwrapped, v.object({ channel: v.string() })),
  }),
  v.object({
    event: v.literal('pusher:signin'),
    data: v.pipe(v.unknown(), unwrapped, v.object({ auth: text, user_data: text })),
  }),
])

const clientEvent = v.object({
  event: v.pipe(
    v.string(),
    v.maxLength(LIMITS.nameLength),
    v.transform((event) => `client-${event.slice('client-'.length)}` as const),
  ),
  channel: v.string(),
  data: v.optional(v.unknown()),
})

export type ClientEvent = v.InferOutput<typeof clientEvent>
export type ClientMessage = v.InferOutput<typeof protocolMessage> | ClientEvent
export type Subscribe = Extract<ClientMessage, { event: 'pusher:subscribe' }>['data']

/** Throws `ProtocolError` for whatever is no message that a client may send. */
export function readClientMessage(source: string): ClientMessage {
  const value = parsed(source)
  const event = propertyOf(value, 'event')
  const isOwn = typeof event === 'string' && event.startsWith('client-')
  const result = isOwn ? v.safeParse(clientEvent, value) : v.safeParse(protocolMessage, value)
  if (!result.success) throw new ProtocolError(null, 'The message is not one of the protocol.')
  return result.output
}

/** What is signed by a server, as the signed text: presence members and users. */
export const member = v.object({
  // Some libraries sign numbers.
  user_id: v.pipe(v.union([v.string(), v.pipe(v.number(), v.integer())]), v.transform(String)),
  user_info: v.optional(json),
})

export const user = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  user_info: v.optional(json),
  watchlist: v.optional(v.array(v.string())),
})

/** The value of a JSON text that has the shape; `undefined` for anything else. */
export function readAs<Schema extends v.GenericSchema>(
  schema: Schema,
  source: string,
): v.InferOutput<Schema> | undefined {
  try {
    const result = v.safeParse(schema, parseStrictJson(source, DEPTH))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

function parsed(source: string): Json {
  try {
    return parseStrictJson(source, DEPTH)
  } catch {
    throw new ProtocolError(CODES.refused, 'The message is not JSON.')
  }
}
