/** Writes doubles with the number of digits that the type of their column names, as people wrote them. */

import type { Value } from '../source/value.ts'
import type { ColumnDefinition } from './table-definition.ts'

/** How far a double may be from the number that it stands for, as a part of its size. */
const ERROR = 4 * Number.EPSILON

/** Numbers of more units than this could differ in digits that the type names. */
const UNITS_MAX = 2 ** 46

/**
 * The number with as many digits as the column's type names; any other number as it is, with all its
 * digits. A double holds 1.1 only nearly, and sums of doubles are further off.
 */
export function asWritten<T extends Value>(
  { namedScale }: Pick<ColumnDefinition, 'namedScale'>,
  value: T,
): T | string {
  if (namedScale === undefined || typeof value !== 'number') return value
  const size = Math.abs(value)
  if (!(size * 10 ** namedScale < UNITS_MAX)) return value
  const text = value.toFixed(namedScale)
  return Math.abs(Number(text) - value) <= ERROR * size ? text : value
}

/** What rows hold at a place, as `asWritten` writes each value. */
export function valuesAsWritten(
  column: Pick<ColumnDefinition, 'namedScale'>,
  rows: readonly { readonly values: readonly Value[] }[],
  place: number,
): Value[] {
  const written: Value[] = []
  for (const { values } of rows) {
    const value = values[place] ?? null
    written.push(column.namedScale === undefined ? value : asWritten(column, value))
  }
  return written
}
