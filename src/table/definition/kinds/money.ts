/** Amounts of money: in one column all have as many digits, two at least or none. */

import { memoize } from '../../../server/memoize.ts'
import type { Value } from '../../source/value.ts'
import { type ColumnFacts, type ColumnTest, setOf } from '../column-facts.ts'
import { MINOR, minorCurrency, minorUnitOf } from '../currency.ts'
import { inMajor } from '../../source/minor-units.ts'
import { defineKind, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { asWritten } from '../named-scale.ts'
import { formatNumeric } from './number.ts'

/** Last words of amounts, also at the end of a word as in `totalcost`. */
const ENDINGS =
  /(?:total|price|cost|amount|fee|charge|due|balance|salary|revenue|budget|expense|income|freight|wage|msrp)s?$|^amt$/
const WORDS = setOf(`
  price cost amount fee balance salary revenue budget expense expenses
`)
/** Words that follow `total` where it is an amount, and not the number of something. */
const OF_TOTAL = setOf('incl excl net gross tax amount amt price cost due paid')
/** Last words of names for counts and positions, whatever comes before. */
const COUNTS = setOf(`
  count number quantity qty rank position days months hours minutes percent percentage rate ratio factor level
  type code id year limit multiplier
`)
const CURRENCIES = new Set(['$', '€', '£'])
const PRICES = setOf('price prices msrp rate')

const isCalledMoney: ColumnTest = ({ words, last }) => {
  if (COUNTS.has(last)) return false
  const isOfTotal = words.includes('total') && words.some((word) => OF_TOTAL.has(word))
  const isCalled = ENDINGS.test(last) || MINOR.has(last) || words.some((word) => WORDS.has(word))
  return isOfTotal || isCalled
}

/** In a view, a whole total is the number of rows as often as an amount. */
const isNotCounted: ColumnTest = ({ column, table, words }) =>
  table.kind === 'table' || column.type !== 'integer' || words.join(' ') !== 'total'

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
    { types: ['integer'], when: [({ column, table }) => minorUnitOf(column, table) !== undefined] },
    { types: NUMBER, when: [({ unit }) => unit !== undefined && CURRENCIES.has(unit)] },
    { types: NUMBER, when: [({ unit }) => unit === undefined, isCalledMoney, isNotCounted] },
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
    // Without its row, nobody knows the currency of an amount, unless one is declared.
    const inMinor = (value: WrittenValue, unit: string) => {
      const amount = formatNumeric(value, plain, cut)
      return typeof amount === 'string' ? `${amount} ${unit}` : amount
    }
    return (value, column) => {
      const minor = minorCurrency(column)
      if (minor && isWhole(value))
        return withDigits(minor.digits)(inMajor(String(value), minor.digits), column)
      if (column.minorUnit !== undefined) return inMinor(value, column.minorUnit)
      const { digits = column.digits } = column.fixedCurrency ?? {}
      const write = digits === undefined ? alone : withDigits(Math.min(digits, DIGITS_MAX))
      return write(asWritten(column, value), column)
    }
  },
  summary: { infer: inferSummary, isMoney: true },
})
