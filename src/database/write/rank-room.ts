/** Finds values of a column for rows in a new order: whole numbers, decimals or floats. */

import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { assignValues, type Bound } from './rank-values.ts'

/** Contiguous rows of an order and the rows next to them, fewer than two at the order's ends. */
export type RankWindow = {
  /** Values of the rows before; two are enough. */
  readonly before: readonly Value[]
  /** Values of the rows themselves, in their new order. */
  readonly rows: readonly Value[]
  readonly after: readonly Value[]
}

/** What else decides which values are free. */
export type RankKind = { readonly column: Column; readonly isDescending: boolean }

/**
 * Values that put the rows into this order and change as few rows as possible; `undefined` if there
 * is no room between their neighbours.
 */
export function valuesFor(kind: RankKind, window: RankWindow): Value[] | undefined {
  const { most, digits } = precisionOf(kind.column)
  const used = mostPlaces(window)
  // Whole numbers without gaps get none, unless the window already holds the whole order.
  const isAll = window.before.length + window.after.length === 0
  for (let scale = used; scale <= Math.max(used, most); scale++)
    for (const isClosed of isAll ? [true, false] : [true]) {
      const values = attempt(kind, window, { scale, digits, isClosed })
      if (values) return values
    }
  return undefined
}

/** The rows' own values, reassigned in the new order; `undefined` if that does not order them. */
export function permuteValues(kind: RankKind, window: RankWindow): Value[] | undefined {
  const { before, rows, after } = ascending(kind, window, mostPlaces(window))
  const own = rows.map((place, i) => ({ place, value: window.rows[i] ?? null }))
  const sorted = own.toSorted((a, b) => compare(a.place ?? 0n, b.place ?? 0n))
  const beyond = after[0] === undefined ? [] : [after[0]]
  const all = [...before.slice(-1), ...sorted.map(({ place }) => place), ...beyond]
  const isRising = all.every((place, i) => {
    const last = all[i - 1]
    return place !== undefined && (last === undefined || last < place)
  })
  return isRising ? sorted.map(({ value }) => value) : undefined
}

/** The greatest numbers of integer types whose names say so; others hold 64 bits. */
const GREATEST: readonly (readonly [declared: RegExp, most: bigint])[] = [
  [/^(tinyint|int1)\b/i, 127n],
  [/^(smallint|int2|smallserial)\b/i, 32_767n],
  [/^mediumint\b/i, 8_388_607n],
  [/^(int|integer|int4|serial)\b/i, 2_147_483_647n],
]
const WIDEST = 2n ** 53n

/** The greatest whole number that the column holds, as far as is known. */
export function greatestOf(column: Column): bigint {
  const declared = GREATEST.find(([type]) => type.test(column.declared))?.[1]
  const digits = column.precision === undefined ? undefined : column.precision - (column.scale ?? 0)
  const most =
    column.type === 'decimal' && digits !== undefined ? 10n ** BigInt(digits) - 1n : declared
  return most ?? WIDEST
}

/** How far apart so many rows can be numbered, at most 1024; `undefined` if there is no room. */
export function spaceIn(column: Column, rows: number): bigint | undefined {
  const space = greatestOf(column) / BigInt(rows + 1)
  return space < 2n ? undefined : space > SPACE ? SPACE : space
}

/** Numbers between two rows once positions are spaced out, if the column is wide enough. */
export const SPACE = 1024n

type Attempt = {
  /** Digits after the point. */
  readonly scale: number
  /** Digits in all that a new value may have. */
  readonly digits: number
  /** Whether whole numbers without gaps stay within their range; otherwise they may continue upwards. */
  readonly isClosed: boolean
}

function attempt(
  kind: RankKind,
  window: RankWindow,
  { scale, digits, isClosed }: Attempt,
): Value[] | undefined {
  const lists = ascending(kind, window, scale)
  const ends = endsOf(kind, lists, { one: 10n ** BigInt(scale), isClosed })
  const low = window.before.length > 0 ? boundAt(lists.before.at(-1)) : ends.low
  const next = window.after.length > 0 ? lists.after[0] : undefined
  // Rows without a value come last, so they set no upper bound.
  const high = boundAt(next) ?? ends.high
  const values = low && assignValues(lists.rows, low, high)
  const written = values?.map((value) => (kind.isDescending ? -value : value))
  const isKept = (value: bigint, i: number): boolean =>
    unitsOf(window.rows[i] ?? null, scale) === value
  const isShort = (value: bigint): boolean => String(value).replace('-', '').length <= digits
  const most = mostIn(kind.column, lists)
  const fits = (value: bigint): boolean => isShort(value) && (value < 0n ? -value : value) <= most
  if (!written?.every((value, i) => isKept(value, i) || fits(value))) return undefined
  return written.map((value, i) =>
    isKept(value, i) ? (window.rows[i] ?? null) : valueOf(kind.column, value, scale),
  )
}

/** The greatest new value of an integer column: some engines hold more than the declared type says. */
function mostIn(column: Column, { before, rows, after }: Ascending): bigint {
  if (column.type !== 'integer') return INFINITE
  const declared = greatestOf(column)
  const isBeyond = (value = 0n): boolean => value > declared || value < -declared
  return [...before, ...rows, ...after].some(isBeyond) ? INFINITE : declared
}

const INFINITE = 2n ** 1024n

const boundAt = (value: bigint | undefined): Bound | undefined =>
  value === undefined ? undefined : { at: value }

type Ascending = Readonly<Record<keyof RankWindow, readonly (bigint | undefined)[]>>

/** The values as whole numbers that ascend along the order; `undefined` for a row without one. */
function ascending({ isDescending }: RankKind, window: RankWindow, scale: number): Ascending {
  const list = (values: readonly Value[]) =>
    values.map((value) => {
      const units = unitsOf(value, scale)
      return units !== undefined && isDescending ? -units : units
    })
  return { before: list(window.before), rows: list(window.rows), after: list(window.after) }
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

/**
 * The bounds at the ends of the order: a step beyond the last value, but not below zero unless a value
 * already is, and only one further for whole numbers without gaps.
 */
function endsOf(
  { column, isDescending }: RankKind,
  { before, rows, after }: Ascending,
  { one, isClosed }: { readonly one: bigint; readonly isClosed: boolean },
): { readonly low: Bound; readonly high: Bound } {
  const present = [...before, ...rows, ...after]
    .filter((value) => value !== undefined)
    .toSorted(compare)
  const isWhole = column.type === 'integer' || column.scale === 0
  /** `way` is 1 at the high end. `isLeast`: whether this is the end of the column's least values. */
  const end = (way: 1n | -1n, [outmost, next]: readonly bigint[], isLeast: boolean): Bound => {
    if (outmost === undefined) return isLeast ? { at: 0n } : { step: one }
    const step = next === undefined ? 0n : (outmost - next) * way
    const isDense = isWhole && step <= one && (way < 0n || after.length === 0)
    if (isDense && (isClosed || isLeast)) return { at: outmost + way }
    if (isLeast && outmost * way < 0n) return { at: 0n }
    return { step: step < 1n ? one : step }
  }
  return {
    low: end(-1n, present, !isDescending),
    high: end(1n, present.toReversed(), isDescending),
  }
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/

const mostPlaces = ({ before, rows, after }: RankWindow): number =>
  [...before, ...rows, ...after].reduce((most: number, value) => Math.max(most, placesOf(value)), 0)

/** Digits after the point. */
const placesOf = (value: Value): number => NUMBER.exec(String(value ?? ''))?.[3]?.length ?? 0

/** `undefined` for NULL, and for a value that is no plain number with at most `scale` digits after the point. */
export function unitsOf(value: Value, scale: number): bigint | undefined {
  if (typeof value === 'boolean' || value instanceof Uint8Array) return undefined
  const [, sign, whole, fraction = ''] = NUMBER.exec(String(value ?? '')) ?? []
  if (whole === undefined || fraction.length > scale) return undefined
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`)
}

/** A whole number of units of `scale` digits after the point, as a value of the column. */
export function valueOf({ type }: Column, units: bigint, scale: number): Value {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const fraction = scale > 0 ? `.${digits.slice(-scale)}` : ''
  const text = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`
  if (type === 'decimal') return text
  const number = Number(text)
  return type === 'integer' && !Number.isSafeInteger(number) ? BigInt(text) : number
}

/** Digits after the point of decimals without a declared scale. */
const DECIMAL_PLACES = 20

/** Digits after the point that a column keeps, and digits in all. */
function precisionOf({ type, declared, precision, scale }: Column): {
  readonly most: number
  readonly digits: number
} {
  if (type === 'integer') return { most: 0, digits: Infinity }
  if (type === 'float') {
    // A type that may be single precision counts as single.
    const digits = /^(real|float4?)\b/i.test(declared) ? 6 : 15
    return { most: digits, digits }
  }
  return { most: scale ?? DECIMAL_PLACES, digits: precision ?? Infinity }
}
