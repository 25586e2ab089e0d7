/** Amounts in forms: where a row holds 1250 cents, its field shows 12.50, and what is typed there is meant so. */

import { messagesFor } from '../../../messages/messages.ts'
import { isAmbiguous, plainNumber } from '../../../protocol/numbers.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { codeOf, currencyDigits } from '../../definition/currency.ts'
import { inMajor, inMinor } from '../../source/minor-units.ts'
import type { Column } from '../../source/schema.ts'
import type { Door } from '../../source/ledger-entry.ts'
import type { Values } from '../../source/write-unit.ts'
import { type ReadText, THOUSANDTHS } from './read-text.ts'

/** The currency of an amount, and its digits after the point. */
export type Currency = { readonly code: string; readonly digits: number }

/** That of a column's amount, in a row unless one is declared; `undefined` where its field shows what is stored. */
export function currencyIn(open: OpenTable, name: string, row: Values): Currency | undefined {
  const { minorUnit, currency = '', fixedCurrency } = open.definition.columns.get(name) ?? {}
  if (minorUnit !== undefined && fixedCurrency) return fixedCurrency
  const code = open.access.canRead(currency) ? codeOf(row[currency]) : undefined
  const digits = code === undefined ? undefined : currencyDigits(code)
  return minorUnit === undefined || code === undefined || digits === undefined
    ? undefined
    : { code, digits }
}

/** The text of a whole number as the field of an amount shows it. */
export function amountText(
  open: OpenTable,
  { name }: Column,
  whole: string,
  row: Values = {},
): string {
  const currency = currencyIn(open, name, row)
  return currency ? inMajor(whole, currency.digits) : whole
}

/** Where an amount was typed. */
export type Beside = {
  /** The row as it was drawn, a new one with its defaults; `undefined` in lines and for many rows, which take smallest units. */
  readonly row: Values | undefined
  /** All texts that were typed, also that of the currency. */
  readonly typed: Values
}

/**
 * The amount that a text means; `undefined` where it is read as any whole number: in the smallest unit, since there is
 * no currency. One that is typed beside the amount counts before that of the row. In lines and for many rows only a
 * fraction is an amount of the currency that is typed.
 */
export function readAmount(
  open: OpenTable,
  column: Column,
  text: string,
  { row, typed, locale }: Beside & { readonly locale: string },
): ReadText | undefined {
  const number = plainNumber(text, locale)
  const isFixed = open.definition.columns.get(column.name)?.fixedCurrency !== undefined
  const takesMajor = row !== undefined || isFixed || number?.includes('.')
  const currency = takesMajor ? currencyIn(open, column.name, { ...row, ...typed }) : undefined
  if (number === null) return undefined
  // Nobody can tell whether 12 without its currency is still 12 of that.
  if (!currency) return row && currencyIn(open, column.name, row) && { problem: 'currency' }
  if (number === undefined) return { problem: 'number' }
  if (currency.digits >= THOUSANDTHS && isAmbiguous(text, locale)) return { problem: 'ambiguous' }
  const minor = inMinor(number, currency.digits)
  if (minor === undefined) return { problem: 'digits' }
  const value = BigInt(minor)
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : value }
}

/**
 * Says of each amount that it must be typed again, where the currency of the row was changed for one with other digits
 * and the amount was not: the stored number would be another amount. It stands at the currency where the amount has no
 * field.
 */
export function amountErrors(
  open: OpenTable,
  row: Values,
  changed: Values,
  { by, reader }: { readonly by: Door; readonly reader: Reader },
): { [column: string]: string[] } {
  const { amountAgain } = messagesFor(reader.language).form
  const told = [...open.definition.columns.values()].flatMap(({ name, label, currency = '' }) => {
    const isLeft = (row[name] ?? null) !== null && !Object.hasOwn(changed, name)
    if (!isLeft || !Object.hasOwn(changed, currency)) return []
    const before = currencyIn(open, name, row)
    const after = currencyIn(open, name, { ...row, ...changed })
    if (!before || !after || before.digits === after.digits) return []
    const place = by === 'form' && open.access.canWrite(name) ? name : currency
    const why: string[] = [amountAgain(label, after.code)]
    return [[place, why] as const]
  })
  return Object.fromEntries(told)
}
