/** Sets of images as JSON and back: column by column, what all rows share once, and keys without gaps as a range. */

import * as v from 'valibot'
import { byName } from '../../table/source/by-name.ts'
import type { ColumnImages, ImageSet, ImageValue } from '../../table/source/ledger-entry.ts'
import { decodeValue, encodeValue } from '../../table/source/predicate-codec.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { decodeImageValue, digestOf, encodeImageValue, rowKeyOf } from './image-codec.ts'

const column = v.union([
  v.array(v.unknown()),
  v.strictObject({ all: v.unknown() }),
  v.strictObject({ from: v.number() }),
])
const columns = byName(column)
const set = v.strictObject({
  ...{ rows: v.number(), keys: v.array(column), before: columns, after: columns },
})

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
    keys: Array.from({ length: rows }, (_, at) => parts.map((values) => values[at] ?? null)),
    before: decodeColumns(before, rows),
    after: decodeColumns(after, rows),
  }
}

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

/** The rows of a set that are kept. */
export function someOf(of: ImageSet, isKept: (at: number) => boolean): ImageSet {
  const some = (columns: ColumnImages): ColumnImages =>
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, values.filter((_, at) => isKept(at))]),
    )
  const keys = of.keys.filter((_, at) => isKept(at))
  return { table: of.table, keys, before: some(of.before), after: some(of.after) }
}

/**
 * A key as ranges are compared by it: in the same order in JavaScript and by its bytes, so that it may hold nothing
 * but ASCII.
 */
export function rangeKeyOf(key: KeyValues): string {
  const text = rowKeyOf(key)
  return ASCII.test(text) ? text : digestOf(text)
}

const ASCII = /^[\x20-\x7e]*$/

export function keyRangeOf({ keys }: ImageSet): { readonly first: string; readonly last: string } {
  let [first, last] = [rangeKeyOf(keys[0] ?? []), rangeKeyOf(keys.at(-1) ?? [])]
  for (const key of keys) {
    const text = rangeKeyOf(key)
    if (text < first) first = text
    if (text > last) last = text
  }
  return { first, last }
}
