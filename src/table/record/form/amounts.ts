/** Amounts in forms: where a row holds 1250 cents, its field shows 12.50, and what is typed there is meant so. */

import { plainNumber } from '../../../protocol/numbers.ts'
import type { OpenTable } from '../../catalog.ts'
import { codeOf, currencyDigits, inMajor, inMinor } from '../../definition/currency.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { textOfField } from './bytes-field.ts'
import type { ReadText } from './read-text.ts'

/** The currency of an amount, and its digits after the point. */
export type Currency = { readonly code: string; readonly digits: number }

/** That of a column's amount in a row; `undefined` where its field shows what is stored. */
export function currencyIn(open: OpenTable, name: string, row: Values): Currency | undefined {
  const { minorUnit, currency = '' } = open.definition.columns.get(name) ?? {}
  const code = open.access.canRead(currency) ? codeOf(row[currency]) : undefined
  const digits = code === undefined ? undefined : currencyDigits(code)
  return minorUnit === undefined || code === undefined || digits === undefined
    ? undefined
    : { code, digits }
}

/** Writes values of a row as its fields show them. */
export const amountWriter =
  (open: OpenTable, row: Values): typeof textOfField =>
  (value: Value, column: Column | undefined) => {
    const text = textOfField(value, column)
    const currency = column && currencyIn(open, column.name, row)
    return text !== null && currency ? inMajor(text, currency.digits) : text
  }

/**
 * The amount that a text means; `undefined` where it is read as any whole number. `row` is the row as it was
 * drawn, `null` for a new one: of that, and where no currency was known, a field shows the smallest unit, so that
 * only a fraction is an amount of the currency that is typed beside it.
 */
export function readAmount(
  open: OpenTable,
  column: Column,
  text: string,
  {
    row,
    typed,
    locale,
  }: { readonly row: Values | null; readonly typed: Values; readonly locale: string },
): ReadText | undefined {
  const drawn = row ? currencyIn(open, column.name, row) : undefined
  const number = plainNumber(text, locale)
  const currency =
    drawn ?? (number?.includes('.') ? currencyIn(open, column.name, typed) : undefined)
  if (!currency || number === null) return undefined
  if (number === undefined) return { problem: 'number' }
  const minor = inMinor(number, currency.digits)
  if (minor === undefined) return { problem: 'digits' }
  const value = BigInt(minor)
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : value }
}
