/** Sets of images as JSON and back: column by column, what all rows share once, and keys without gaps as a range. */

import * as v from 'valibot'
import { byName } from '../../table/source/by-name.ts'
import type { ColumnImages, ImageSet, ImageValue } from '../../table/source/ledger-entry.ts'
import { decodeValue, encodeValue } from '../../table/source/predicate-codec.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { decodeImageValue, encodeImageValue } from './image-codec.ts'

const column = v.union([
  v.array(v.unknown()),
  v.strictObject({ all: v.unknown() }),
  v.strictObject({ from: v.number() }),
])
const columns = byName(column)
const keysOfSet = v.strictObject({ rows: v.number(), keys: v.array(column) })
const set = v.strictObject({ ...keysOfSet.entries, before: columns, after: columns })

type Column = v.InferOutput<typeof column>

export function encodeSet({ keys, before, after }: ImageSet): string {
  const parts = keys[0]?.length ?? 0
  const keyColumns = Array.from({ length: parts }, (_, part) =>
    encodeColumn(
      keys.map((key) => key[part] ?? null),
      encodeValue,
    ),
  )
  return JSON.stringify({
    ...{ rows: keys.length, keys: keyColumns },
    ...{ before: encodeColumns(before), after: encodeColumns(after) },
  })
}

const encodeColumns = (of: ColumnImages): Record<string, Column> =>
  Object.fromEntries(
    Object.entries(of).map(([name, values]) => [name, encodeColumn(values, encodeImageValue)]),
  )

function encodeColumn<T extends ImageValue>(
  values: readonly T[],
  encode: (value: T) => unknown,
): Column {
  const [first] = values
  if (first === undefined) return []
  const isPlain = first === null || typeof first !== 'object'
  if (isPlain && values.every((value) => Object.is(value, first))) return { all: encode(first) }
  const isRange =
    Number.isSafeInteger(first) && values.every((value, at) => Object.is(value, Number(first) + at))
  return isRange ? { from: Number(first) } : values.map(encode)
}

/** Throws for a text that `encodeSet` has not written. */
export function decodeSet(table: string, text: string): ImageSet {
  const { rows, keys, before, after } = v.parse(set, JSON.parse(text))
  const parts = keys.map((one) => decodeColumn(one, rows, decodeValue))
  return {
    table,
    keys: rowsOf(parts, rows),
    before: decodeColumns(before, rows),
    after: decodeColumns(after, rows),
  }
}

const rowsOf = (parts: readonly (readonly Value[])[], rows: number): KeyValues[] =>
  Array.from({ length: rows }, (_, at) => parts.map((values) => values[at] ?? null))

const decodeColumns = (of: Readonly<Record<string, Column>>, rows: number): ColumnImages =>
  Object.fromEntries(
    Object.entries(of).map(([name, one]) => [name, decodeColumn(one, rows, decodeImageValue)]),
  )

function decodeColumn<T extends ImageValue>(
  of: Column,
  rows: number,
  decode: (json: unknown) => T | Value,
): (T | Value)[] {
  if (Array.isArray(of)) return of.map(decode)
  if ('from' in of) return Array.from({ length: rows }, (_, at) => of.from + at)
  return Array<T | Value>(rows).fill(decode(of.all))
}

/** The keys of a set's text alone, without its values. Throws for a text that `encodeSet` has not written. */
export function decodeKeys(text: string): KeyValues[] {
  const { rows, keys } = v.parse(keysOfSet, JSON.parse(`${keysIn(text)}}`))
  const parts = keys.map((one) => decodeColumn(one, rows, decodeValue))
  return rowsOf(parts, rows)
}

/** Whether a set's text may hold one of the keys, found without decoding it. */
export function mayHold(text: string, wanted: readonly KeyValues[]): boolean {
  const keys = keysIn(text)
  return (
    keys.includes('{"from":') ||
    wanted.some((key) => key.every((part) => keys.includes(JSON.stringify(encodeValue(part)))))
  )
}

/** A quotation mark within a text is escaped, so that this is where the keys end. */
function keysIn(text: string): string {
  const end = text.indexOf(BEHIND_KEYS)
  if (end < 0) throw new TypeError('This is no set of images.')
  return text.slice(0, end)
}

const BEHIND_KEYS = ',"before":{'

/**
 * A key as ranges are compared by it: in the same order in JavaScript and by its bytes, whole numbers by their
 * size. Long keys are cut, so that several may have one text.
 */
export const rangeKeyOf = (key: KeyValues): string =>
  key.map(rangeTextOf).join(' ').slice(0, RANGE_MAX)

/** Room in a column of keys, characters. */
const RANGE_MAX = 200

/** Greater than every whole number of 64 bits, so that none is written with a sign. */
const OFFSET = 10n ** 20n

function rangeTextOf(value: Value): string {
  const isWhole =
    typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
  const place = isWhole ? BigInt(value) + OFFSET : -1n
  if (place >= 0n && place < 2n * OFFSET) return String(place).padStart(21, '0')
  return JSON.stringify(encodeValue(value)).replace(NO_ASCII, escaped)
}

const NO_ASCII = /[^\x20-\x7e]/g

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Between which keys a set's rows lie. */
export function keyRangeOf(keys: readonly KeyValues[]): {
  readonly first: string
  readonly last: string
} {
  // Whole numbers are compared by their size, and most keys are such numbers.
  const numbers = keys.map(([number, ...more]) => (more.length === 0 ? number : null))
  const texts = numbers.every(isSafe) ? endsOf(numbers) : keys.map(rangeKeyOf)
  const [start = ''] = texts
  let [first, last] = [start, start]
  for (const text of texts) {
    if (text < first) first = text
    if (text > last) last = text
  }
  return { first, last }
}

const isSafe = (value: Value | undefined): value is number => Number.isSafeInteger(value)

function endsOf(numbers: readonly number[]): string[] {
  let [least, most] = [Infinity, -Infinity]
  for (const number of numbers) {
    if (number < least) least = number
    if (number > most) most = number
  }
  return numbers.length === 0 ? [] : [rangeKeyOf([least]), rangeKeyOf([most])]
}
