/**
 * Converts values to texts that the server can cast to a type, since it fails for other texts, and a
 * condition must never fail.
 */

import type { Value } from '../../table/source/value.ts'

/** The text of a value that the type can hold, else `null`. */
export type Coerce = (value: Value) => string | null

const MAX_INT8 = 2n ** 63n - 1n
const MAX_OID = 2n ** 32n - 1n
const MAX_FLOAT4 = 3.4028234663852886e38

const WHOLE = /^[+-]?\d{1,30}$/
/** Without longer numbers or greater exponents, which no column holds in practice. */
const DECIMAL = /^[+-]?(\d{1,1000}(\.\d{0,1000})?|\.\d{1,1000})(e[+-]?\d{1,3})?$/i

const wholeWithin =
  (least: bigint, greatest: bigint): Coerce =>
  (value) => {
    const number = wholeOf(value)
    return number !== null && number >= least && number <= greatest ? String(number) : null
  }

function wholeOf(value: Value): bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null
  return typeof value === 'string' && WHOLE.test(value) ? BigInt(value) : null
}

function decimal(value: Value): string | null {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  return typeof value === 'string' && DECIMAL.test(value) ? value : null
}

function float(value: Value): string | null {
  if (Number.isNaN(value)) return 'NaN'
  const text = decimal(value)
  if (text === null) return value === Infinity || value === -Infinity ? String(value) : null
  const number = Object.is(value, -0) ? -0 : Number(text)
  if (!Number.isFinite(number)) return null
  // Several integers beyond 2^53 may round to the same double; only the exact one is equal to it.
  const whole = wholeOf(value)
  const isExact = whole === null || BigInt(number) === whole
  return isExact ? (Object.is(number, -0) ? '-0' : String(number)) : null
}

function float4(value: Value): string | null {
  const text = float(value)
  if (text === null || text === 'NaN' || text.endsWith('Infinity')) return text
  const rounded = Math.fround(Number(text))
  const isLost = Math.abs(rounded) > MAX_FLOAT4 || (rounded === 0 && Number(text) !== 0)
  return isLost ? null : text
}

function boolean(value: Value): string | null {
  if (value === true || value === 1 || value === 'true') return 'true'
  return value === false || value === 0 || value === 'false' ? 'false' : null
}

/** Texts that the server can store. */
export const coerceText: Coerce = (value) =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : null

const matching =
  (isOne: (text: string) => boolean): Coerce =>
  (value) =>
    typeof value === 'string' && isOne(value) ? value : null

const UUID = /^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i
const DAY = String.raw`(\d{4,7})-(\d\d)-(\d\d)`
const CLOCK = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,6})?)?`
const OFFSET = String.raw`(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d(?::[0-5]\d)?)?)`
const DATE = new RegExp(`^${DAY}( BC)?$`)
const MOMENT = new RegExp(`^${DAY}(?:[ T]${CLOCK}${OFFSET}?)?( BC)?$`)
const TIME = new RegExp(`^${CLOCK}(${OFFSET})?$`)

/** The last years of dates and of moments on the server. */
const LAST_YEARS = { date: 5_874_897, moment: 294_276 }
const FIRST_YEAR = -4712

function isDate(text: string): boolean {
  const parts = DATE.exec(text)
  return isEndless(text) || (parts !== null && isDay(parts, parts[4], LAST_YEARS.date))
}

function isMoment(text: string): boolean {
  const parts = MOMENT.exec(text)
  if (isEndless(text)) return true
  return (
    parts !== null &&
    isDay(parts, parts[7], LAST_YEARS.moment) &&
    isClock(parts[4], parts[5], parts[6])
  )
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text)
  return parts !== null && isClock(parts[1], parts[2], parts[3])
}

const isEndless = (text: string): boolean => text === 'infinity' || text === '-infinity'

function isDay(
  [, year, month, day]: RegExpExecArray,
  era: string | undefined,
  last: number,
): boolean {
  // The year before 1 is 1 BC.
  const number = era === undefined ? Number(year) : 1 - Number(year)
  if (Number(year) === 0 || number > last || number < FIRST_YEAR) return false
  const days = new Date(
    Date.UTC(2000 + (((number % 400) + 400) % 400), Number(month), 0),
  ).getUTCDate()
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days
}

/** Also accepts 24:00:00, the end of the day. */
function isClock(hour = '00', minute = '00', second = '00'): boolean {
  const isEnd = hour === '24' && Number(minute) + Number(second) === 0
  return (Number(hour) < 24 || isEnd) && Number(minute) < 60 && Number(second) < 60
}

const coercions = {
  // Compared as 64 bits whatever the column's size, so that no number is too large.
  int2: wholeWithin(-MAX_INT8 - 1n, MAX_INT8),
  int4: wholeWithin(-MAX_INT8 - 1n, MAX_INT8),
  int8: wholeWithin(-MAX_INT8 - 1n, MAX_INT8),
  oid: wholeWithin(0n, MAX_OID),
  numeric: (value) => decimal(value) ?? (value === 'NaN' || Number.isNaN(value) ? 'NaN' : null),
  money: decimal,
  float8: float,
  float4,
  bool: boolean,
  date: matching(isDate),
  timestamp: matching(isMoment),
  timestamptz: matching(isMoment),
  time: matching(isTime),
  timetz: matching(isTime),
  uuid: matching((text) => UUID.test(text)),
  text: coerceText,
  varchar: coerceText,
  bpchar: coerceText,
  citext: coerceText,
} satisfies Record<string, Coerce>

/** By type; only the server can validate texts of the types that are not among these. */
export const COERCIONS: typeof coercions & { readonly [type: string]: Coerce | undefined } =
  coercions
