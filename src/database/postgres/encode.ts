/** Values that are to be written, as the texts that their columns' types take. */

import { AppError } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import { COERCIONS, coerceText } from './coerce.ts'
import type { PostgresColumn } from './tables.ts'

/** Bounds of the integers that have fewer than 64 bits. */
const BOUNDS: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n }

/**
 * What is bound for a value; `undefined` for one that its column's type cannot hold. What only the
 * server can tell, as of a date, it is left to tell. Throws `UPDATE_INVALID` for numbers of no size.
 */
export function encode(column: PostgresColumn, value: Value): Value | undefined {
  const { name, kind } = column.pg
  if (value === null) return null
  if (name === 'bytea') return value instanceof Uint8Array ? value : undefined
  if (value instanceof Uint8Array) return undefined
  if (column.type === 'integer') return wholeText(column, value)
  if (name.startsWith('float') && Number.isNaN(value)) return 'NaN'
  const isKnown = kind === 'base' && KNOWN.has(name)
  return (isKnown ? COERCIONS[name]!(value) : coerceText(String(value))) ?? undefined
}

/** Types whose texts are known as well here as there. */
const KNOWN = new Set(['numeric', 'float4', 'float8', 'bool', 'uuid'])

function wholeText({ name, pg }: PostgresColumn, value: Value): string | undefined {
  const text = COERCIONS['int8']!(value)
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
