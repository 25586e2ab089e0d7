/** Amounts beside a currency: which column tells it, and how amounts in its smallest unit are written. */

import { memoize } from '../../server/memoize.ts'
import type { Formatter } from '../format.ts'
import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { setOf } from './column-facts.ts'
import { wordsOf } from './humanize.ts'
import type { Scope } from './scope.ts'
import type { ColumnDefinition } from './table-definition.ts'

const isCurrency = ({ name, type }: Column): boolean =>
  type === 'text' && /(^|_)currency(_(code|iso|iso_code))?$/.test(wordsOf(name).join('_'))

/** The column that says in which currency an amount is: one that begins as the amount does, else any. */
export function currencyOf(
  { table, hidden }: Pick<Scope, 'table' | 'hidden'>,
  amount: string | undefined,
): string | undefined {
  if (amount === undefined) return undefined
  const found = table.columns.filter((column) => isCurrency(column) && !hidden.has(column.name))
  const [first = ''] = wordsOf(amount)
  return (found.find(({ name }) => wordsOf(name)[0] === first) ?? found[0])?.name
}

/** Last words of names for amounts in the smallest unit of their currency. */
const MINOR = setOf('cent cents penny pennies pence subunits')
/** The same after a word for an amount alone, as in `total_minor`: a version has a minor number, too. */
const OF_AMOUNT = /^(?:amount|price|total|subtotal|fee|cost|balance|tax|due)$/

/** The word that says that whole numbers are amounts in the smallest unit of a currency beside them. */
export function minorUnitOf({ name, type }: Column, { columns }: Table): string | undefined {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const isMinor = MINOR.has(last) || (last === 'minor' && OF_AMOUNT.test(words.at(-2) ?? ''))
  return type === 'integer' && isMinor && columns.some(isCurrency) ? last : undefined
}

/** The name without the word, such as `price` of `price_in_cents`. */
export const withoutMinorUnit = (name: string): string =>
  wordsOf(name).slice(0, -1).join('_').replace(/_in$/, '') || name

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Digits after the point of a currency (ISO 4217, by `Intl`); `undefined` for what is none. */
export const currencyDigits = memoize(500, (currency: string): number | undefined =>
  CODES.has(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits
    : undefined,
)

/** The code of a stored currency, such as `EUR`; `undefined` if it names none. */
export function codeOf(value: Value | undefined): string | undefined {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return CODES.has(code) ? code : undefined
}

/** A whole number of smallest units with a point before the last digits: 1250 is `12.50` at 2 digits. */
export function inMajor(whole: string, digits: number): string {
  const [, sign = '', number] = /^(-?)(\d+)$/.exec(whole) ?? []
  if (number === undefined || digits === 0) return whole
  const padded = number.padStart(digits + 1, '0')
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** The other way round; `undefined` for a number with more digits than its currency has. */
export function inMinor(number: string, digits: number): string | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(number)) return undefined
  const [whole = '', given = ''] = number.replace(/^[+-]/, '').split('.')
  const fraction = given.replace(/0+$/, '')
  if (fraction.length > digits) return undefined
  const all = `${whole}${fraction.padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '')
  return number.startsWith('-') ? `-${all}` : all
}

/** Whether the amounts of a column are of several currencies. */
export const hasCurrency = (
  column: ColumnDefinition,
): column is ColumnDefinition & { readonly currency: string } => column.currency !== undefined

/** An amount with its row's currency; `undefined` where that is not known. */
export function amountText(
  { minorUnit }: Pick<ColumnDefinition, 'minorUnit'>,
  value: Value,
  currency: Value | undefined,
  formatter: Formatter,
): string | undefined {
  const code = codeOf(currency)
  const digits = code === undefined ? undefined : currencyDigits(code)
  if (value === null || code === undefined || digits === undefined) return undefined
  const text = minorUnit === undefined ? String(value) : inMajor(String(value), digits)
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const style = { style: 'currency', currency: code, maximumFractionDigits: 20 } as const
  return formatter.number(text, { ...style, minimumFractionDigits: digits })
}
