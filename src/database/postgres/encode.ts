/** Encodes values for writing as texts of their columns' types. */

import { AppError } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import { COERCIONS, coerceText } from './coerce.ts'
import type { PostgresColumn } from './tables.ts'

/** Bounds of integers with fewer than 64 bits. */
const BOUNDS: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n }

/**
 * The value to bind; `undefined` if the column's type cannot hold it. Leaves types such as dates to the
 * server's own validation. Throws `UPDATE_INVALID` for integers that no column can hold.
 */
export function encode(column: PostgresColumn, value: Value): Value | undefined {
  const { name, kind } = column.pg
  if (value === null) return null
  if (name === 'bytea') return value instanceof Uint8Array ? value : undefined
  if (value instanceof Uint8Array) return undefined
  if (column.type === 'integer') return wholeText(column, value)
  if (name.startsWith('float') && Number.isNaN(value)) return 'NaN'
  if (isCut(column, String(value))) return undefined
  const coerce = kind === 'base' && VALIDATED.has(name) ? COERCIONS[name] : undefined
  return (coerce ? coerce(value) : coerceText(String(value))) ?? undefined
}

/** Most bytes of a `name`. */
const NAME_BYTES = 63

/** Whether the server would round the text, cut it off, or leave out an offset from UTC, and not say so. */
function isCut({ pg: { name }, declared }: PostgresColumn, text: string): boolean {
  switch (name) {
    case 'money':
      return placesIn(text) > 2
    case 'timestamp':
    case 'time':
      return placesIn(text) > placesOf(declared) || OFFSET.test(text)
    case 'timestamptz':
    case 'timetz':
    case 'interval':
      return placesIn(text) > placesOf(declared)
    case 'name':
      return Buffer.byteLength(text) > NAME_BYTES
    case 'char':
      return Buffer.byteLength(text) > 1
    default:
      return false
  }
}

/** After a time of day. */
const OFFSET = /:\d\d.*(?:Z|[+-]\d)/i

/** Digits after the point that count. */
const placesIn = (text: string): number => /\.(\d*?)0*(?!\d)/.exec(text)?.[1]?.length ?? 0

/** Digits of a second that the type keeps. */
const placesOf = (declared: string): number => Number(/\((\d)\)/.exec(declared)?.[1] ?? 6)

/** Types whose texts are validated here exactly as on the server. */
const VALIDATED = new Set(['numeric', 'money', 'float4', 'float8', 'bool', 'uuid'])

function wholeText({ name, pg }: PostgresColumn, value: Value): string | undefined {
  const text = COERCIONS.int8(value)
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && !(value % 1))
  if (text === null && (isNumber || Number.isNaN(value)))
    throw new AppError('UPDATE_INVALID', {
      detail: ({ rows }) => rows.noInt64(name, String(value)),
    })
  const bound = BOUNDS[pg.name]
  const isWithin = text !== null && (bound === undefined || isBelow(BigInt(text), bound))
  return isWithin ? text : undefined
}

const isBelow = (number: bigint, bound: bigint): boolean => number < bound && number >= -bound
