/** Amounts of money: in one column all have as many digits, two at least or none. */

import { memoize } from '../../../server/memoize.ts'
import type { Value } from '../../source/value.ts'
import { type ColumnFacts, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { asWritten } from '../named-scale.ts'
import { formatNumeric } from './number.ts'

const NAMES = setOf('total subtotal')
const WORDS = setOf('price cost amount fee balance salary revenue budget')
/** Last words of names for counts and positions, whatever comes before. */
const COUNTS = setOf('count number quantity qty rank position days months')
const CURRENCIES = new Set(['$', '€', '£'])
const PRICES = setOf('price prices msrp rate')

const isCalledMoney: ColumnTest = ({ words, last }) =>
  NAMES.has(last) || (words.some((word) => WORDS.has(word)) && !COUNTS.has(last))

/** Prices of single pieces have a mean, but no meaningful sum. */
const inferSummary = ({ words }: ColumnFacts) =>
  words.some((word) => PRICES.has(word)) ? 'mean' : 'sum'

const isWhole = (value: WrittenValue) => /^-?\d+$/.test(String(value))

/** Digits after the point that amounts have, and most that a format writes (ECMA-402). */
const CENTS = 2
const DIGITS_MAX = 100

const NUMBER = ['integer', 'decimal', 'float'] as const

/** As many digits as the values together need: none where all are whole, else cents at least. */
export function commonDigits(values: readonly Value[]): number {
  const places = values.map((value) => /^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0)
  const most = Math.max(0, ...places)
  return most === 0 ? 0 : Math.max(CENTS, most)
}

export const money = defineKind({
  name: 'money',
  filter: 'number',
  infer: [
    { types: NUMBER, when: [({ column }) => /money|currency/i.test(column.declared)] },
    { types: NUMBER, when: [({ unit }) => unit !== undefined && CURRENCIES.has(unit)] },
    { types: NUMBER, when: [({ unit }) => unit === undefined, isCalledMoney] },
  ],
  cell({ locale, plain, cut }) {
    const formatOf = (digits: number) =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: Math.max(digits, 20),
      })
    const cents = formatOf(CENTS)
    const alone = memoizeCells((value) => formatNumeric(value, isWhole(value) ? plain : cents, cut))
    const withDigits = memoize(DIGITS_MAX + 1, (digits: number) => {
      const format = formatOf(digits)
      return memoizeCells((value) => formatNumeric(value, format, cut))
    })
    return (value, column) =>
      (column.digits === undefined ? alone : withDigits(Math.min(column.digits, DIGITS_MAX)))(
        asWritten(column, value),
        column,
      )
  },
  summary: { infer: inferSummary, isMoney: true },
})
