/** Predicates as JSON and back, so that one can be sealed, stored and queued without losing a digit. */

import * as v from 'valibot'
import type { Predicate, Referred } from './predicate.ts'
import type { Value } from './value.ts'

/** A value as JSON; a value that JSON cannot express is tagged. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  /** A 64-bit integer in decimal digits. */
  | { readonly $bigint: string }
  /** Bytes in base64. */
  | { readonly $bytes: string }
  /** A number that JSON cannot write: not finite, or a negative zero. */
  | { readonly $number: 'NaN' | 'Infinity' | '-Infinity' | '-0' }

/** A predicate in which every value is a `JsonValue`. */
export type JsonPredicate =
  | { readonly op: 'and' | 'or'; readonly all: readonly JsonPredicate[] }
  | { readonly op: 'not'; readonly of: JsonPredicate }
  | { readonly op: 'null'; readonly column: string }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly column: string; readonly value: JsonValue }
  | {
      readonly op: 'eq'
      readonly column: string
      readonly value: JsonValue
      readonly as?: Referred
    }
  | {
      readonly op: 'in'
      readonly column: string
      readonly values: readonly JsonValue[]
      readonly as?: Referred
    }
  | { readonly op: 'contains' | 'starts'; readonly column: string; readonly text: string }
  | {
      readonly op: 'related'
      readonly column: string
      readonly table: string
      readonly references: string
      readonly where: JsonPredicate
    }
  | {
      readonly op: 'referred'
      readonly table: string
      readonly columns: readonly string[]
      readonly references: readonly string[]
      readonly where: JsonPredicate
    }

/** Deepest nesting of conditions; anything deeper is refused before it is parsed. */
const DEPTH_MAX = 64

/** The predicate as plain JSON. */
export function encodePredicate(predicate: Predicate): JsonPredicate {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return { op: predicate.op, all: predicate.all.map(encodePredicate) }
    case 'not':
      return { op: 'not', of: encodePredicate(predicate.of) }
    case 'related':
    case 'referred':
      return { ...predicate, where: encodePredicate(predicate.where) }
    case 'in':
      return { ...predicate, values: predicate.values.map(encodeValue) }
    case 'null':
    case 'contains':
    case 'starts':
      return predicate
    default:
      return { ...predicate, value: encodeValue(predicate.value) }
  }
}

/** The predicate of `encodePredicate`. Throws a `TypeError` for anything else. */
export function decodePredicate(json: unknown): Predicate {
  const found = isTooDeep(json) ? undefined : v.safeParse(predicateSchema, json)
  if (!found?.success) throw new TypeError('This is no predicate.')
  return found.output
}

/** A value as JSON that keeps every digit. */
export function encodeValue(value: Value): JsonValue {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value === 'number') return encodeNumber(value)
  return value instanceof Uint8Array ? { $bytes: toBase64(value) } : value
}

function encodeNumber(value: number): JsonValue {
  if (Number.isNaN(value)) return { $number: 'NaN' }
  if (Object.is(value, -0)) return { $number: '-0' }
  if (Number.isFinite(value)) return value
  return { $number: value > 0 ? 'Infinity' : '-Infinity' }
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

const valueSchema: v.GenericSchema<unknown, Value> = v.union([
  v.null(),
  v.string(),
  v.boolean(),
  v.pipe(v.number(), v.finite()),
  v.pipe(
    v.strictObject({ $bigint: v.pipe(v.string(), v.regex(/^-?(0|[1-9]\d{0,99})$/)) }),
    v.transform(({ $bigint }) => BigInt($bigint)),
  ),
  v.pipe(
    v.strictObject({ $bytes: v.union([v.literal(''), v.pipe(v.string(), v.base64())]) }),
    v.transform(({ $bytes }) => fromBase64($bytes)),
  ),
  v.pipe(
    v.strictObject({ $number: v.picklist(['NaN', 'Infinity', '-Infinity', '-0']) }),
    v.transform(({ $number }) => Number($number)),
  ),
])

/** The value of `encodeValue`. Throws for anything else. */
export const decodeValue = (json: unknown): Value => v.parse(valueSchema, json)

const column = v.string()
const as = v.exactOptional(v.strictObject({ table: v.string(), column }))
const nested: v.GenericSchema<unknown, Predicate> = v.lazy(() => predicateSchema)

const predicateSchema: v.GenericSchema<unknown, Predicate> = v.variant('op', [
  v.strictObject({ op: v.picklist(['and', 'or']), all: v.array(nested) }),
  v.strictObject({ op: v.literal('not'), of: nested }),
  v.strictObject({ op: v.literal('null'), column }),
  v.strictObject({
    op: v.picklist(['lt', 'lte', 'gt', 'gte']),
    column,
    value: valueSchema,
  }),
  v.strictObject({ op: v.literal('eq'), column, value: valueSchema, as }),
  v.strictObject({ op: v.literal('in'), column, values: v.array(valueSchema), as }),
  v.strictObject({ op: v.picklist(['contains', 'starts']), column, text: v.string() }),
  v.strictObject({
    op: v.literal('related'),
    column,
    table: v.string(),
    references: v.string(),
    where: nested,
  }),
  v.pipe(
    v.strictObject({
      op: v.literal('referred'),
      table: v.string(),
      columns: v.pipe(v.array(v.string()), v.minLength(1)),
      references: v.array(v.string()),
      where: nested,
    }),
    v.check(({ columns, references }) => columns.length === references.length),
  ),
])

/** Checked level by level: recursion into endless nesting would overflow the stack. */
function isTooDeep(json: unknown): boolean {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true
    level = level.flatMap(childrenOf)
  }
  return false
}

function childrenOf(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return []
  const all: readonly unknown[] = 'all' in json && Array.isArray(json.all) ? json.all : []
  return [...all, ...('of' in json ? [json.of] : []), ...('where' in json ? [json.where] : [])]
}
