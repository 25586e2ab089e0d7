/** Sums and means under a page of rows, exact as long as the values are. */

import { messagesFor } from '../../messages/messages.ts'
import { amountText, codeOf, currencyDigits } from '../definition/currency.ts'
import { inMajor } from '../source/minor-units.ts'
import type { SumView } from '../../protocol/table-view.ts'
import type { ColumnDefinition, FixedCurrency } from '../definition/table-definition.ts'
import { type Formatter, FORMATTED_MAX } from '../format.ts'
import type { Value } from '../source/value.ts'

/** A sum in units of its smallest digit: 12.5 is 125 at a scale of 1. */
type Sum = { readonly total: bigint; readonly scale: number; readonly count: number }

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** The exact sum of the values that are numbers; `null` if there are none. */
function addUp(values: readonly Value[]): Sum | null {
  const numbers: Value[] = []
  let scale = 0
  for (const value of values) {
    if (!isDecimal(value)) continue
    // Such a number is not formatted either.
    if (typeof value === 'string' && value.length > FORMATTED_MAX) return null
    numbers.push(value)
    scale = Math.max(scale, scaleOf(value))
  }
  if (numbers.length === 0) return null
  const total = addDoubles(numbers, scale) ?? addDigits(numbers, scale)
  return { total, scale, count: numbers.length }
}

const isDecimal = (value: Value): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : value !== null && DECIMAL.test(digitsOf(value))

/** Digits after the point. Most doubles have few, which is found without formatting them. */
function scaleOf(value: Value): number {
  if (typeof value === 'number')
    for (const [scale, unit] of [1, 10, 100, 1000].entries())
      if (Math.round(value * unit) / unit === value) return scale
  return fractionOf(digitsOf(value)).length
}

/** The value, written without an exponent. */
function digitsOf(value: Value): string {
  const text = String(value)
  if (typeof value !== 'number' || !Number.isFinite(value) || !text.includes('e')) return text
  return Math.abs(value) >= 1 ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '')
}

const fractionOf = (text: string): string => text.split('.', 2)[1] ?? ''

/** Adds as doubles; `null` if the error could reach half of the smallest digit. */
function addDoubles(numbers: readonly Value[], scale: number): bigint | null {
  let [sum, magnitude] = [0, 0]
  for (const value of numbers) {
    if (typeof value !== 'number') return null
    sum += value
    magnitude += Math.abs(value)
  }
  return magnitude * 10 ** scale * numbers.length < 2 ** 50
    ? BigInt(Math.round(sum * 10 ** scale))
    : null
}

const addDigits = (numbers: readonly Value[], scale: number): bigint =>
  numbers.map(digitsOf).reduce((sum, text) => {
    const fraction = fractionOf(text)
    const whole = fraction === '' ? text : text.slice(0, -fraction.length - 1)
    return sum + BigInt(whole + fraction.padEnd(scale, '0'))
  }, 0n)

/** Money with a fraction has at least two digits after the point, as in its cells. */
const MONEY = {
  minimumFractionDigits: 2,
  maximumFractionDigits: 20,
  signDisplay: 'negative',
} as const

/** With so many digits after the point; what is rounded to zero has no sign. */
const rounded = (number: number, digits: number): string =>
  number.toFixed(digits).replace(/^-(?=[0.]+$)/, '')

/** `Σ` of the values as text; `null` if there is nothing to add. */
export function sumText(
  values: readonly Value[],
  formatter: Formatter,
  isMoney = false,
): string | null {
  const sum = addUp(values)
  if (!sum) return null
  const text = decimalText(sum.total, sum.scale)
  return isMoney && sum.scale > 0 ? formatter.number(text, MONEY) : formatter.number(text)
}

/** `ø` of the values: money to two digits, other large numbers to a whole number. */
export function meanText(
  values: readonly Value[],
  formatter: Formatter,
  isMoney = false,
): string | null {
  const sum = addUp(values)
  if (!sum) return null
  return formatMean(Number(decimalText(sum.total, sum.scale)) / sum.count, formatter, isMoney)
}

function formatMean(mean: number, formatter: Formatter, isMoney: boolean): string {
  if (isMoney) return formatter.number(mean, { ...MONEY, maximumFractionDigits: 2 })
  const most = Math.abs(mean) >= 10 ? 0 : 2
  return formatter.number(mean, { maximumFractionDigits: most, signDisplay: 'negative' })
}

type TotalOptions = {
  readonly isMoney?: boolean | undefined
  /** Digits after the point that all values of the column are written with, where that is known. */
  readonly digits?: number | undefined
  /** Digits after the point that amounts of its currency have at least. Default: two, or none where all are whole. */
  readonly least?: number | undefined
}

/** Digits that a sum of doubles has at most; those after them are noise. */
const DOUBLE_DIGITS = 15

/** `Σ` that a database has added up. A sum of doubles is rounded to the digits that it can tell. */
export function totalText(
  sum: string,
  formatter: Formatter,
  { isMoney = false, digits, least }: TotalOptions = {},
): string {
  const written = DECIMAL.test(sum) ? sum : digitsOf(Number(Number(sum).toPrecision(DOUBLE_DIGITS)))
  const fraction = fractionOf(written).replace(/0+$/, '')
  const most = Math.min(Math.max(fraction.length, 0), digits ?? (isMoney ? 2 : 20))
  if (least !== undefined) {
    const fixed = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, most) }
    return formatter.number(written, { ...MONEY, ...fixed })
  }
  if (!isMoney || most === 0) return formatter.number(written, { maximumFractionDigits: most })
  return formatter.number(written, { ...MONEY, maximumFractionDigits: Math.max(2, most) })
}

/** `ø` of a sum that a database has added up. */
export const meanOfSum = (
  sum: string,
  count: number,
  formatter: Formatter,
  isMoney = false,
): string => formatMean(Number(sum) / count, formatter, isMoney)

function decimalText(total: bigint, scale: number): string {
  if (scale === 0) return String(total)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Most currencies that have a sum each. */
export const CURRENCIES_MAX = 3

/** What stands under a column: a sum or a mean, or why there is none. */
export type Summary = Pick<SumView, 'text' | 'isReason'>

type NoSum = 'manyCurrencies' | 'noNumbers' | 'unknownCurrency'

export const noSum = (why: NoSum, { language }: Formatter): Summary => ({
  text: messagesFor(language).reasons[why],
  isReason: true,
})

/** The text, or that there was nothing to add up. */
export const summaryOf = (text: string | null, formatter: Formatter): Summary =>
  text === null ? noSum('noNumbers', formatter) : { text }

/** Amounts with the same name of a currency are added up: its code, however it is spelled, else what is stored. */
export const currencyName = (stored: Value | undefined): string =>
  codeOf(stored) ?? String(stored ?? '')

type Fixed = Pick<ColumnDefinition, 'summary' | 'minorUnit' | 'digits'> & {
  readonly fixedCurrency: FixedCurrency
}

/** Whether all amounts of a column are in one currency, which its head names: their sums are bare figures as they are. */
export const isFixed = <Column extends Pick<ColumnDefinition, 'fixedCurrency'>>(
  column: Column,
): column is Column & { readonly fixedCurrency: FixedCurrency } =>
  column.fixedCurrency !== undefined

/** `Σ` or `ø` of amounts of one currency. */
export function summaryOfFixed(
  column: Fixed,
  values: readonly Value[],
  formatter: Formatter,
): Summary {
  const sum = addUp(values)
  if (!sum) return noSum('noNumbers', formatter)
  const total = { sum: decimalText(sum.total, sum.scale), count: sum.count }
  return { text: fixedText(column, total, formatter) }
}

/**
 * The same of a sum that may be one of doubles, as a database has added it up: it has digits as cells have them, as far as
 * such a sum can tell them; a mean ends with the last digit of the currency.
 */
export function fixedText(
  { summary, minorUnit, fixedCurrency, digits: scale }: Fixed,
  { sum, count }: { readonly sum: string; readonly count: number },
  formatter: Formatter,
): string {
  const { digits } = fixedCurrency
  const isMinor = minorUnit !== undefined
  const amount = summary === 'mean' ? rounded(Number(sum) / count, isMinor ? 0 : digits) : sum
  const isWhole = /^-?\d+$/.test(amount)
  if (isMinor && !isWhole) return `${totalText(amount, formatter)} ${minorUnit}`
  const text = isMinor ? inMajor(amount, digits) : amount
  const whole = text.replace(/^-?0*|\..*/g, '').length
  const most = Math.max(digits, scale ?? DOUBLE_DIGITS - whole)
  return totalText(text, formatter, { isMoney: true, least: digits, digits: most })
}

/** Sums or means of one currency each, in one text. */
export const summaryOfTexts = (
  texts: readonly (string | null)[],
  formatter: Formatter,
): Summary => {
  const known = texts.filter((text) => text !== null)
  if (known.length > CURRENCIES_MAX) return noSum('manyCurrencies', formatter)
  return summaryOf(known.length === 0 ? null : known.join(' · '), formatter)
}

/**
 * `Σ` or `ø` of amounts within each currency: amounts of different currencies are never added up. Those whose
 * currency nobody knows are added up by themselves.
 */
export function summaryByCurrency(
  column: Pick<ColumnDefinition, 'summary' | 'minorUnit'>,
  values: readonly Value[],
  currencies: readonly Value[],
  formatter: Formatter,
): Summary {
  const groups = Map.groupBy(values.keys(), (at) => currencyName(currencies[at]))
  const texts = [...groups].map(([currency, places]) => {
    const sum = addUp(places.map((at) => values[at] ?? null))
    return (
      sum &&
      currencyText(
        column,
        { sum: decimalText(sum.total, sum.scale), count: sum.count, currency },
        formatter,
      )
    )
  })
  return summaryOfTexts(texts, formatter)
}

/** The sum, or the mean to the last digit of the currency. */
export function currencyText(
  column: Pick<ColumnDefinition, 'summary' | 'minorUnit'>,
  { sum, count, currency }: { sum: string; count: number; currency: Value | undefined },
  formatter: Formatter,
): string {
  const isMean = column.summary === 'mean'
  const code = codeOf(currency)
  const digits = code === undefined ? 2 : (currencyDigits(code) ?? 2)
  const places = column.minorUnit === undefined ? digits : 0
  const amount = isMean ? rounded(Number(sum) / count, places) : sum
  const text = amountText(column, amount, code, formatter)
  if (text !== undefined) return text
  const plain = isMean
    ? formatMean(Number(sum) / count, formatter, true)
    : totalText(sum, formatter, { isMoney: column.minorUnit === undefined })
  return column.minorUnit === undefined ? plain : `${plain} ${column.minorUnit}`
}
