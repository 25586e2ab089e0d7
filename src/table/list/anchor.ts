/** Anchors: a row's place in an order, as a text that fits into an address. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import type { Anchor } from '../source/row-source.ts'
import { isSecretValue } from '../source/secret-values.ts'
import type { Value } from '../source/value.ts'

/** Longest anchor there is, characters; addresses have to stay short. */
export const ANCHOR_MAX = 1500

/** JSON has no bigints, infinities, NaN or bytes; each becomes a pair of a tag and a text. */
const encodedSchema = v.union([
  v.null(),
  v.string(),
  v.number(),
  v.boolean(),
  v.strictTuple([v.literal('n'), v.pipe(v.string(), v.regex(/^-?\d{1,40}$/))]),
  v.strictTuple([v.literal('f'), v.picklist(['Infinity', '-Infinity', 'NaN'])]),
  v.strictTuple([v.literal('b'), v.pipe(v.string(), v.regex(/^[\w-]*$/))]),
])

const anchorSchema = v.strictTuple([v.array(encodedSchema), v.array(encodedSchema)])

type Encoded = v.InferOutput<typeof encodedSchema>

/** `null` for a row that has no key, or whose sort values are too long for an address, or look like secrets. */
export function encodeAnchor({ sort, key }: Anchor): string | null {
  if (key.length === 0 || sort.some(isSecretValue)) return null
  const json = JSON.stringify([sort.map(encode), key.map(encode)])
  const text = Buffer.from(json).toString('base64url')
  return text.length > ANCHOR_MAX ? null : text
}

/** Throws `TABLE_BAD_PLACE` unless the text is an anchor with this many sort and key values. */
export function decodeAnchor(text: string, sortLength: number, keyLength: number): Anchor {
  const parsed = text.length <= ANCHOR_MAX ? v.safeParse(anchorSchema, parseJson(text)) : undefined
  if (!parsed?.success) throw new AppError('TABLE_BAD_PLACE')
  const [sort, key] = parsed.output
  if (sort.length !== sortLength || key.length !== keyLength) throw new AppError('TABLE_BAD_PLACE')
  return { sort: sort.map(decode), key: key.map(decode) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

function encode(value: Value): Encoded {
  if (typeof value === 'bigint') return ['n', String(value)]
  if (typeof value === 'number' && !Number.isFinite(value)) return ['f', nameOf(value)]
  if (value instanceof Uint8Array) return ['b', Buffer.from(value).toString('base64url')]
  return value
}

const nameOf = (value: number): 'Infinity' | '-Infinity' | 'NaN' =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'

function decode(encoded: Encoded): Value {
  if (!Array.isArray(encoded)) return encoded
  const [tag, text] = encoded
  if (tag === 'n') return BigInt(text)
  return tag === 'f' ? Number(text) : Buffer.from(text, 'base64url')
}
