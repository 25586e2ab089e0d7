/** A row's key as one text, for attributes and addresses, and back. */

import type { Column, Table, ValueType } from './source/schema.ts'
import type { KeyValues, Value } from './source/value.ts'

/** Longest key that stands in an address, characters as they are written there. */
const ADDRESS_MAX = 1500

/**
 * `17`, `ABC`, or `17,ABC` for a composite key. Within a part, what would mean something in a key
 * or in a path is escaped; an empty text is `%`.
 */
export function encodeKey(key: KeyValues): string {
  const text = key.map(encodeValue).join(',')
  // A path of dots alone leads elsewhere, however it is escaped by the address.
  return /^\.\.?$/.test(text) ? text.replaceAll('.', '%2e') : text
}

/**
 * The values of a key's text, each of its column's type; `null` for what no row of the table can
 * have. Every key has one spelling.
 */
export function decodeKey(text: string, { key, columns }: Table): KeyValues | null {
  const parts = text.split(',')
  if (key.length === 0 || parts.length !== key.length) return null
  const values = parts.map((part, place) => {
    const column = columns.find(({ name }) => name === key[place])
    return column && read(part, column)
  })
  const decoded = values.filter((value) => value !== undefined)
  return decoded.length === key.length && encodeKey(decoded) === text ? decoded : null
}

/**
 * The key as it stands in the address of the row's page; `null` for a row that has none: it would
 * be too long, or holds what is not of its column's type.
 */
export function recordKey(key: KeyValues, table: Table): string | null {
  // Lists are full of these.
  if (isPlainNumber(key, table)) return String(key[0])
  const text = encodeKey(key)
  if (!text.isWellFormed() || encodeURIComponent(text).length > ADDRESS_MAX) return null
  const back = decodeKey(text, table)
  const isBack = back?.every((value, place) => {
    const column = table.columns.find(({ name }) => name === table.key[place])
    return isSame(value, key[place] ?? null, column?.type)
  })
  return isBack ? text : null
}

const isPlainNumber = ([value, ...others]: KeyValues, { key, columns }: Table): boolean =>
  Number.isSafeInteger(value) &&
  others.length === 0 &&
  columns.some(({ name, type }) => name === key[0] && type === 'integer')

/** One value as a part of a key. */
export const encodeValue = (value: Value): string =>
  typeof value === 'number' ? String(value) : escapePart(value)

/** The value that a part stands for in this column; `undefined` where it has no such value. */
export function decodeValue(part: string, column: Column): Value | undefined {
  const value = read(part, column)
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

const read = (part: string, { type, array }: Column): Value | undefined =>
  (array ? asText : READERS[type])(unescapePart(part))

type Reader = (text: string) => Value | undefined

const asText: Reader = (text) => text

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n]

const asInteger: Reader = (text) => {
  if (!/^-?\d{1,20}$/.test(text)) return undefined
  const whole = BigInt(text)
  if (whole < LEAST || whole > MOST) return undefined
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

const asFloat: Reader = (text) => {
  const number = Number(text)
  return String(number) === text && !Number.isNaN(number) ? number : undefined
}

/** As row sources give it: a number where that has every digit, else a bigint or a text. */
const asDecimal: Reader = (text) =>
  asInteger(text) ?? asFloat(text) ?? (/^-?\d+\.\d+$/.test(text) ? text : undefined)

const asBytes: Reader = (text) =>
  /^0x([\da-f]{2})*$/.test(text) ? new Uint8Array(Buffer.from(text.slice(2), 'hex')) : undefined

const READERS: Readonly<Record<ValueType, Reader>> = {
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

/** Whether two values of a column find the same row: numbers do, whatever they are held in. */
function isSame(a: Value, b: Value, type: ValueType | undefined): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  return NUMBERS.has(type) ? b !== null && encodeValue(a) === encodeValue(b) : a === b
}
