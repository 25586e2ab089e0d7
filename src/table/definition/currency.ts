/** Amounts beside a currency: which column tells it, and how amounts in its smallest unit are written. */

import { memoize } from '../../server/memoize.ts'
import type { Formatter } from '../format.ts'
import { inMajor } from '../source/minor-units.ts'
import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { setOf } from './column-facts.ts'
import { wordsOf } from './humanize.ts'
import type { Scope } from './scope.ts'
import type { ColumnOptions } from './define-table.ts'
import type { ColumnDefinition, FixedCurrency } from './table-definition.ts'

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
export const MINOR = setOf('cent cents penny pennies pence subunits')
/** The same after a word for an amount alone, as in `total_minor`: a version has a minor number, too. */
const OF_AMOUNT = /^(?:amount|price|total|subtotal|fee|cost|balance|tax|due)$/

/**
 * The word that says that whole numbers are amounts in the smallest unit of a currency: of one that is declared, or of
 * those beside them.
 */
export function minorUnitOf(
  { name, type }: Column,
  { columns }: Table,
  isFixed = false,
): string | undefined {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const isMinor = MINOR.has(last) || (last === 'minor' && OF_AMOUNT.test(words.at(-2) ?? ''))
  const isKnown = isFixed || columns.some(isCurrency)
  return type === 'integer' && isMinor && isKnown ? last : undefined
}

/** Whether a unit is such a word, or the one that is declared. */
export const isMinorWord = (unit: string | undefined, minorUnit: string): boolean =>
  unit !== undefined &&
  (MINOR.has(unit.toLowerCase()) || unit.toLowerCase() === minorUnit.toLowerCase())

/** The name without the word, such as `price` of `price_in_cents`. */
export const withoutMinorUnit = (name: string): string =>
  wordsOf(name).slice(0, -1).join('_').replace(/_in$/, '') || name

/** Codes of currencies (ISO 4217, by `Intl`). */
export const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Digits after the point of a currency; `undefined` for what is none. */
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

/** The declared currency of a column; whole amounts, unlike those in its smallest unit, have no digits after the point. */
export function fixedCurrencyOf(
  { type }: Column,
  { currency }: ColumnOptions,
  minorUnit: string | undefined,
): FixedCurrency | undefined {
  if (typeof currency !== 'object') return undefined
  const isWhole = type === 'integer' && minorUnit === undefined
  return { code: currency.code, digits: isWhole ? 0 : (currencyDigits(currency.code) ?? 0) }
}

/** The sign of a currency where no other one has it, as `€` and `CA$`; else its code. */
export const currencySign = memoize(500, (currency: string): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
})

/** The currency in whose smallest unit a column holds all its amounts; its cells and fields show them in major units. */
export const minorCurrency = ({
  minorUnit,
  fixedCurrency,
}: Pick<ColumnDefinition, 'minorUnit' | 'fixedCurrency'>): FixedCurrency | undefined =>
  minorUnit === undefined ? undefined : fixedCurrency

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
