/** Numbers: every digit they have, grouped as the reader's locale does. */

import type { Cell } from '../../../protocol/table-view.ts'
import { memoize } from '../../../server/memoize.ts'
import { all, type ColumnFacts, type ColumnTest, namesPosition, setOf } from '../column-facts.ts'
import { defineKind, type Formats, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { asWritten } from '../named-scale.ts'

/** Computed by a view, so that the engine declares no type. */
const isComputed: ColumnTest = ({ column, table }) =>
  table.kind !== 'table' && column.declared === ''

const isDecimal = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)

/**
 * Last words of computed columns that can be summed, and words of those that have a mean at most.
 */
const ADDITIVE = setOf('count counts sum total quantity qty number')
const MEANS = setOf('avg average mean median rate ratio share')

/** Counts in views are summed; quantities with a unit have a mean. */
function inferSummary({ unit, column, table, words, last }: ColumnFacts) {
  if (unit) return 'mean'
  if (table.kind === 'table' || namesPosition(words)) return undefined
  if (words.some((word) => MEANS.has(word))) return 'mean'
  return column.declared === '' || ADDITIVE.has(last) ? 'sum' : undefined
}

export const formatNumeric = (
  value: WrittenValue,
  format: Intl.NumberFormat,
  cut: Formats['cut'],
): Cell =>
  // A format keeps every digit of a decimal text (ECMAScript 2023), though its type takes none.
  /^-?\d+(\.\d+)?$/.test(String(value)) ? format.format(value as number) : cut(String(value))

/** Most digits after the point that a format writes (ECMA-402). */
const PLACES_MAX = 100

/** Digits after the point of a decimal string, where even zeros carry meaning. */
const placesOf = (value: WrittenValue): number =>
  typeof value === 'string' ? Math.min(/\.(\d+)$/.exec(value)?.[1]?.length ?? 0, PLACES_MAX) : 0

export const number = defineKind({
  name: 'number',
  filter: 'number',
  infer: [{ types: ['text'], when: [isComputed, all(isDecimal)] }],
  defaultFor: ['integer', 'decimal', 'float'],
  cell({ locale, plain, cut }) {
    const plainWith = memoize(PLACES_MAX + 1, (places: number) =>
      places === 0 ? plain : new Intl.NumberFormat(locale, { minimumFractionDigits: places }),
    )
    const write = memoizeCells((value) => formatNumeric(value, plainWith(placesOf(value)), cut))
    return (value, column) => write(asWritten(column, value), column)
  },
  // The type of a computed column need not be formatNumeric.
  order: 'number',
  summary: { infer: inferSummary },
})
