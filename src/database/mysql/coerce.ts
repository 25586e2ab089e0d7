/**
 * Converts values for comparison with a column's type, because MySQL itself would convert any text to a
 * number, truncate fractions and read `5` as the year 2005, and so treat different values as equal.
 */

import { isIPv4, isIPv6 } from 'node:net'
import { shortestSingle } from '../../table/source/single.ts'
import type { Value } from '../../table/source/value.ts'
import type { Comparison } from '../dialect.ts'
import { wholeBound } from '../query/standard.ts'
import type { Kind } from './kinds.ts'
import { dateOf, momentOf, timeOf } from './moments.ts'

/** The purpose of a comparison; `seek` is for a value that was read from the column. */
export type Use = Comparison | '=' | 'seek'

/** The value to bind, or `null` if no value of the column can be equal, less or greater. */
export function coerce(kind: Kind, value: Value, use: Use): Value {
  switch (kind.is) {
    case 'whole':
    case 'bits':
      return coerceWhole(value, use)
    case 'year':
      return coerceYear(value, use)
    case 'decimal':
      return coerceDecimal(kind, value, use)
    case 'single':
      return coerceSingle(value, use)
    case 'double':
      return coerceDouble(value, use)
    case 'date':
      return coerceText(value, dateOf)
    case 'datetime':
      return coerceText(value, (text) => momentOf(text, kind, use === '='))
    case 'time':
      return coerceText(value, (text) => timeOf(text, kind.digits, use === '='))
    case 'uuid':
      return coerceText(value, (text) => (UUID.test(text) ? text.toLowerCase() : null))
    case 'inet4':
      return coerceText(value, (text) => (isIPv4(text) ? text : null))
    case 'inet6':
      return coerceText(value, (text) => (isIPv6(text) && !text.includes('%') ? text : null))
    case 'bytes':
      return value instanceof Uint8Array ? value : null
    default:
      return textOf(value)
  }
}

const UUID = /^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i

const coerceText = (value: Value, read: (text: string) => string | null): Value =>
  typeof value === 'string' ? read(value) : null

/** Numbers match texts by their digits; booleans and bytes match no text. */
function textOf(value: Value): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

/** An exact number: a bigint if whole, a text if it has a point, a number if it has an exponent. */
type Amount = number | bigint | string

const WHOLE = /^[+-]?\d{1,1000}$/
const POINT = /^[+-]?(\d{1,1000}\.\d{0,1000}|\.\d{1,1000})$/
const EXPONENT = /^[+-]?(\d{1,1000}(\.\d{0,1000})?|\.\d{1,1000})e[+-]?\d{1,4}$/i

/** Most digits of a decimal. */
const DECIMAL_DIGITS = 65

function amountOf(value: Value): Amount | null {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'bigint') return narrow(value)
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return null
    return Number.isInteger(value) ? narrow(BigInt(value)) : value
  }
  if (typeof value !== 'string') return null
  if (WHOLE.test(value)) return narrow(BigInt(value.replace('+', '')))
  if (POINT.test(value)) return value.replace('+', '')
  return EXPONENT.test(value) ? amountOf(Number(value)) : null
}

/** A number with more digits than any column can hold may lose precision. */
const narrow = (whole: bigint): Amount =>
  String(whole).length > DECIMAL_DIGITS ? Number(whole) : whole

function coerceWhole(value: Value, use: Use): Value {
  const amount = amountOf(value)
  if (amount === null || typeof amount === 'bigint') return amount
  // As a double, a bound could lose digits.
  if (typeof amount === 'string' && use !== '=' && use !== 'seek') return wholeBound(amount, use)
  const number = Number(amount)
  return use === '=' && !isWholeText(amount) ? null : number
}

/** Whether a text such as `5.0` is a whole number. */
const isWholeText = (amount: Amount): boolean =>
  typeof amount === 'string' && Number.isInteger(Number(amount)) && !/\.\d*[1-9]/.test(amount)

const FIRST_YEAR = 1901
const LAST_YEAR = 2155

/** MySQL would read 1 to 99 as years around 2000: compares with 0 or the first year instead. */
function coerceYear(value: Value, use: Use): Value {
  const amount = amountOf(value)
  if (amount === null) return null
  const year = Number(amount)
  const isYear = year === 0 || (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR)
  if (use === '=' || use === 'seek') return isYear ? year : null
  if (year > 0 && year < FIRST_YEAR) return use === '<' || use === '>=' ? FIRST_YEAR : 0
  return Math.abs(year) > MOST_YEARS ? Math.sign(year) * MOST_YEARS : year
}

const MOST_YEARS = 9999

function coerceDecimal(
  { precision, scale }: { readonly precision: number; readonly scale: number },
  value: Value,
  use: Use,
): Value {
  const amount = amountOf(value)
  if (amount === null) return null
  const text = typeof amount === 'number' ? plainText(amount) : String(amount)
  if (use !== '=') return text
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const isWithin =
    whole.replace(/^0+/, '').length <= precision - scale &&
    fraction.replace(/0+$/, '').length <= scale
  return isWithin ? text : null
}

/** A double without an exponent; one that no decimal can hold becomes the greatest number of digits. */
function plainText(number: number): string {
  if (Math.abs(number) >= 1e65) return `${number < 0 ? '-' : ''}${'9'.repeat(DECIMAL_DIGITS)}`
  const [digits = '', exponent = '0'] = String(number).split('e')
  const places = Number(exponent)
  if (places === 0) return digits
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const sign = number < 0 ? '-' : ''
  return places < 0
    ? `${sign}0.${'0'.repeat(-places - whole.length)}${whole}${fraction}`
    : `${sign}${(whole + fraction).padEnd(whole.length + places, '0')}`
}

function coerceDouble(value: Value, use: Use): Value {
  const amount = amountOf(value)
  if (amount === null) return null
  const number = Number(amount)
  // Several whole numbers may round to the same double; only the exact one is equal to it.
  const isOther = use === '=' && typeof amount === 'bigint' && BigInt(number) !== amount
  return isOther ? null : number
}

/**
 * Single-precision numbers are shown in few digits, whose double differs a little from the stored
 * number. Comparisons use the shown digits.
 */
function coerceSingle(value: Value, use: Use): Value {
  const number = coerceDouble(value, use)
  if (typeof number !== 'number') return number
  const single = Math.fround(number)
  if (!Number.isFinite(single)) return use === '=' ? null : number
  if (use === 'seek') return single
  const shown = shortestSingle(single)
  if (use === '=') return shown === number || single === number ? single : null
  if (use === '<' || use === '>=') return shown >= number ? single : neighbour(single, 1)
  return shown <= number ? single : neighbour(single, -1)
}

/** The next single-precision number up or down. */
function neighbour(single: number, way: 1 | -1): number {
  if (single === 0) return way * 2 ** -149
  const bits = new DataView(new ArrayBuffer(4))
  bits.setFloat32(0, single)
  bits.setInt32(0, bits.getInt32(0) + (single > 0 ? way : -way))
  return bits.getFloat32(0)
}
