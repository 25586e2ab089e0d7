/** What the nodes of one application tell each other, and its shape, which is checked on arrival. */

import * as v from 'valibot'
import type { Json } from '../protocol/json.ts'
import { parseStrictJson } from '../server/http/strict-json.ts'
import { LIMITS } from './limits.ts'

const DEPTH = 24

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.nameLength))
const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.userIdLength))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const member = v.pipe(
  v.strictObject({ id: userId, info: v.optional(v.custom<Json>(() => true)) }),
  v.transform(({ id, info }) => ({ id, info })),
)

const delivery = v.strictObject({
  channel: name,
  name,
  data: v.pipe(v.string(), v.maxLength(LIMITS.dataBytes)),
  except: v.optional(v.string()),
  userId: v.optional(userId),
})

const message = v.variant('kind', [
  v.strictObject({ kind: v.literal('event'), event: delivery }),
  v.strictObject({
    kind: v.literal('change'),
    change: v.strictObject({
      channel: name,
      count,
      joined: v.exactOptional(member),
      left: v.exactOptional(member),
    }),
  }),
  v.strictObject({ kind: v.literal('alive') }),
  // `after`: the number of the last message that was heard before some were missed.
  v.strictObject({ kind: v.literal('ask'), node: v.string(), after: v.exactOptional(count) }),
  v.strictObject({
    kind: v.literal('state'),
    isFirst: v.boolean(),
    isLast: v.boolean(),
    rooms: v.array(v.strictObject({ channel: name, count, members: v.array(member) })),
  }),
  v.strictObject({ kind: v.literal('end') }),
  v.strictObject({
    kind: v.literal('withdraw'),
    withdrawal: v.strictObject({ user: v.optional(v.string()), channel: v.optional(v.string()) }),
  }),
  v.strictObject({ kind: v.literal('terminate'), user: v.string() }),
])

export type BusMessage = v.InferOutput<typeof message>

const envelope = v.strictTuple([v.string(), count, v.number(), message])

/** A message with its sender, its number among the sender's, and when it was sent. */
export type Envelope = {
  readonly node: string
  readonly number: number
  readonly at: number
  readonly message: BusMessage
}

export const writeMessage = ({ node, number, at, message: sent }: Envelope): string =>
  JSON.stringify([node, number, at, sent])

/** `undefined` for anything that no node sends. */
export function readMessage(text: string): Envelope | undefined {
  try {
    const read = v.safeParse(envelope, parseStrictJson(text, DEPTH))
    if (!read.success) return undefined
    const [node, number, at, told] = read.output
    return { node, number, at, message: told }
  } catch {
    return undefined
  }
}
