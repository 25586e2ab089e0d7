/** Numbers: every digit they have, grouped in the reader's way. */

import type { Cell } from '../../../protocol/table-view.ts'
import { remember } from '../../../server/remember.ts'
import { all, type ColumnFacts, type ColumnTest, namesPosition, setOf } from '../column-facts.ts'
import { defineKind, type Formats, type WrittenValue } from '../kind.ts'
import { written } from '../written.ts'

/** Reckoned by a view: engines that know no type for it say nothing. */
const isComputed: ColumnTest = ({ column, table }) =>
  table.kind !== 'table' && column.declared === ''

const isDecimal = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)

/** Last words of what views reckon that add up, and of what has a mean at most. */
const ADDITIVE = setOf('count counts sum total quantity qty number')
const MEANS = setOf('avg average mean median rate ratio share')

/** What views count adds up; other measured quantities have a mean at most. */
function inferSummary({ unit, column, table, words, last }: ColumnFacts) {
  if (unit) return 'mean'
  if (table.kind === 'table' || namesPosition(words)) return undefined
  if (words.some((word) => MEANS.has(word))) return 'mean'
  return column.declared === '' || ADDITIVE.has(last) ? 'sum' : undefined
}

/** `format` takes decimal strings with every digit (ECMAScript 2023), though its type says less. */
export const numeric = (
  value: WrittenValue,
  format: Intl.NumberFormat,
  cut: Formats['cut'],
): Cell =>
  /^-?\d+(\.\d+)?$/.test(String(value)) ? format.format(value as number) : cut(String(value))

/** Most digits after the point that a format writes (ECMA-402). */
const PLACES_MAX = 100

/** Digits after the point of a decimal, which mean something although they are zeros. */
const placesOf = (value: WrittenValue): number =>
  typeof value === 'string' ? Math.min(/\.(\d+)$/.exec(value)?.[1]?.length ?? 0, PLACES_MAX) : 0

export const number = defineKind({
  name: 'number',
  infer: [{ types: ['text'], when: [isComputed, all(isDecimal)] }],
  defaultFor: ['integer', 'decimal', 'float'],
  cell({ locale, plain, cut }) {
    const plainWith = remember(PLACES_MAX + 1, (places: number) =>
      places === 0 ? plain : new Intl.NumberFormat(locale, { minimumFractionDigits: places }),
    )
    return written((value) => numeric(value, plainWith(placesOf(value)), cut))
  },
  // Where a view reckons, the type of the column need not say that it holds numbers.
  order: 'number',
  summary: { infer: inferSummary },
})
