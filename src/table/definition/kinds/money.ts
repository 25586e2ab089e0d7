/** Amounts of money: two digits after the point, or none if they are whole. */

import { type ColumnFacts, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
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

const NUMBER = ['integer', 'decimal', 'float'] as const

export const money = defineKind({
  name: 'money',
  infer: [
    { types: NUMBER, when: [({ column }) => /money|currency/i.test(column.declared)] },
    { types: NUMBER, when: [({ unit }) => unit !== undefined && CURRENCIES.has(unit)] },
    { types: NUMBER, when: [({ unit }) => unit === undefined, isCalledMoney] },
  ],
  cell({ locale, plain, cut }) {
    const cents = new Intl.NumberFormat(locale, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 20,
    })
    return memoizeCells((value) => formatNumeric(value, isWhole(value) ? plain : cents, cut))
  },
  summary: { infer: inferSummary, isMoney: true },
})
