/** SQL that several engines share. */

import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect } from '../dialect.ts'
import type { Term } from './order.ts'
import { bind, sql, whole, type Sql } from './sql.ts'

export const COMPARISONS = { '=': sql`=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }

/** SQL that every engine so far understands. */
export const standard = {
  isNotTrue: (condition) => sql`(${condition}) is not true`,
  beginning: (value, length) => sql`substr(${value}, 1, ${whole(length)})`,
  bytes: (value) => sql`octet_length(${value})`,
  limit: (rows, skip) => limitOf(bind(rows), skip),
  fromUnion: valueOfText,
} as const satisfies Partial<Dialect>

export const limitOf = (rows: Sql, skip?: number): Sql =>
  skip === undefined ? sql`limit ${rows}` : sql`limit ${rows} offset ${bind(skip)}`

/** A column in a term's direction, for engines that have `nulls first` and `nulls last`. */
export function withDirection(column: Sql, { descending, nulls }: Term): Sql {
  const way = descending ? 'desc' : 'asc'
  return sql`${column}${DIRECTION[nulls === 'none' ? way : (`${way} ${nulls}` as const)]}`
}

const DIRECTION = {
  asc: sql``,
  desc: sql` desc`,
  'asc first': sql` asc nulls first`,
  'asc last': sql` asc nulls last`,
  'desc first': sql` desc nulls first`,
  'desc last': sql` desc nulls last`,
}

/** Reads a value back from the text that `String` made of it, or from hexadecimal digits. */
function valueOfText(text: Value, { type, array }: Column): Value {
  if (typeof text !== 'string' || array) return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'binary') return new Uint8Array(Buffer.from(text, 'hex'))
  if (type === 'float') return Number(text)
  if (type !== 'integer' || !/^-?\d+$/.test(text)) return text
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

const DECIMAL_POINT = /^([+-]?)(\d*)\.(\d*)$/

/**
 * The bound with which a comparison of whole numbers says the same: a fraction is rounded to the nearer whole
 * number on the side that counts, without losing a digit.
 */
export function wholeBound(value: Value, comparison: Comparison): Value {
  const isCeiled = comparison === '<' || comparison === '>='
  if (typeof value === 'number') return isCeiled ? Math.ceil(value) : Math.floor(value)
  const parts = typeof value === 'string' ? DECIMAL_POINT.exec(value) : null
  if (!parts) return value
  const [, sign, digits = '', fraction = ''] = parts
  const isNegative = sign === '-'
  const whole = BigInt(digits) * (isNegative ? -1n : 1n)
  // Cutting the fraction off rounds towards zero.
  const isCut = /[1-9]/.test(fraction) && isNegative !== isCeiled
  return isCut ? whole + (isCeiled ? 1n : -1n) : whole
}

/** A boolean of an engine that has only 0 and 1. */
export const booleanOf = (value: Value): Value => (value === 1 ? true : value === 0 ? false : value)

/** Pads a list to a power of two, to keep the number of different statements small. */
export function filledUp(values: readonly Value[]): Value[] {
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return Array.from({ length: size }, (_, i) => values[i] ?? values[0] ?? null)
}
