/** A row's key as one text, for attributes and addresses, and back. */

import type { Column, Table, ValueType } from './source/schema.ts'
import type { KeyValues, Value } from './source/value.ts'

/** Longest key in an address, in characters after percent-encoding. */
export const ADDRESS_MAX = 1500

/**
 * `17`, `ABC`, or `17,ABC` for a composite key. Characters that separate keys or paths are escaped
 * within a part; an empty text is `%`.
 */
export function encodeKey(key: KeyValues): string {
  const text = key.map(encodeValue).join(',')
  // Browsers resolve a segment of one or two dots, even percent-encoded.
  return /^\.\.?$/.test(text) ? text.replaceAll('.', '%2e') : text
}

/**
 * Parses the text of a key into values of the key columns' types; `null` if no row of the table can
 * have it. Every key has one spelling.
 */
export function decodeKey(text: string, { key, columns }: Table): KeyValues | null {
  const parts = text.split(',')
  if (key.length === 0 || parts.length !== key.length) return null
  const values = parts.map((part, place) => {
    const column = columns.find(({ name }) => name === key[place])
    return column && parse(part, column)
  })
  const decoded = values.filter((value) => value !== undefined)
  return decoded.length === key.length && encodeKey(decoded) === text ? decoded : null
}

/**
 * The key in the address of the row's page; `null` for a row without a page: its key is too long,
 * or holds a value that is not of its column's type.
 */
export function recordKey(key: KeyValues, table: Table): string | null {
  const [value] = key
  // Most keys of a list are plain numbers, which need no check.
  if (Number.isSafeInteger(value) && key.length === 1)
    for (const { name, type } of table.columns)
      if (name === table.key[0] && type === 'integer') return String(value)
  const text = encodeKey(key)
  if (!text.isWellFormed() || encodeURIComponent(text).length > ADDRESS_MAX) return null
  const isReversible = decodeKey(text, table)?.every((value, place) => {
    const column = table.columns.find(({ name }) => name === table.key[place])
    return isSame(value, key[place] ?? null, column?.type)
  })
  return isReversible ? text : null
}

/** One value as a part of a key. */
export const encodeValue = (value: Value): string =>
  typeof value === 'number' ? String(value) : escapePart(value)

/** The value that a part encodes; `undefined` if the column cannot hold it. */
export function decodeValue(part: string, column: Column): Value | undefined {
  const value = parse(part, column)
  return value !== undefined && encodeValue(value) === part ? value : undefined
}

function escapePart(value: Value): string {
  if (value === '') return '%'
  const text =
    value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value)
  return text.replace(/[%,/]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

const unescapePart = (part: string): string =>
  part === '%'
    ? ''
    : part.replace(/%(25|2c|2e|2f)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

const parse = (part: string, { type, array }: Column): Value | undefined =>
  (array ? asText : PARSERS[type])(unescapePart(part))

type Parser = (text: string) => Value | undefined

const asText: Parser = (text) => text

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n]

const asInteger: Parser = (text) => {
  if (!/^-?\d{1,20}$/.test(text)) return undefined
  const whole = BigInt(text)
  if (whole < LEAST || whole > MOST) return undefined
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

/** The text of “not a number” in every engine that has it. */
const NOT_A_NUMBER = 'NaN'

const asFloat: Parser = (text) => {
  if (text === NOT_A_NUMBER) return NaN
  const number = Number(text)
  return String(number) === text && !Number.isNaN(number) ? number : undefined
}

/** As row sources return it: a number if that keeps every digit, else a bigint or a text. */
const asDecimal: Parser = (text) =>
  asInteger(text) ??
  (text === NOT_A_NUMBER ? text : undefined) ??
  asFloat(text) ??
  (/^-?\d+\.\d+$/.test(text) ? text : undefined)

const asBytes: Parser = (text) =>
  /^0x([\da-f]{2})*$/.test(text) ? new Uint8Array(Buffer.from(text.slice(2), 'hex')) : undefined

const PARSERS: Readonly<Record<ValueType, Parser>> = {
  text: asText,
  date: asText,
  datetime: asText,
  time: asText,
  json: asText,
  integer: asInteger,
  decimal: asDecimal,
  float: asFloat,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  binary: asBytes,
}

const NUMBERS: ReadonlySet<ValueType | undefined> = new Set(['integer', 'decimal', 'float'])

/**
 * Whether two values of a column find the same row; equal numbers do, whatever their type in
 * JavaScript.
 */
function isSame(a: Value, b: Value, type: ValueType | undefined): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  return NUMBERS.has(type) ? b !== null && encodeValue(a) === encodeValue(b) : a === b
}
