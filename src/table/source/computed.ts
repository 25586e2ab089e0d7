/** New values that are worked out of the row itself, instead of being given. */

import type { Column } from './schema.ts'
import type { Value } from './value.ts'

/** A number of any size: texts keep the digits that a double would lose. */
export type Amount = number | bigint | string

/**
 * What a column is set to, by what its row holds. What is added to NULL, multiplies it, or is appended to
 * it or replaced in it leaves NULL.
 */
export type Computed<Name extends string = string> =
  /** Of numbers. Whole numbers take whole ones; decimals are exact, rounded to the column's digits. */
  | { readonly add: Amount }
  | { readonly multiply: Amount }
  /** Of texts. All occurrences are replaced, letter for letter. */
  | { readonly append: string }
  | { readonly replace: string; readonly with: string }
  /** What another column of the same type holds before the change. */
  | { readonly column: Name }
  /** The present moment, day or time of day, in UTC. */
  | { readonly now: true }

/** A value that is given, or how to work it out. */
export type NewValue = Value | Computed

export type NewValues = Readonly<Record<string, NewValue>>

export const isComputed = (value: NewValue): value is Computed =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

/** Only the values that are given. */
export const givenIn = (values: NewValues): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(values).filter((one): one is [string, Value] => !isComputed(one[1])),
  )

/** Only what is to be worked out. */
export const computedIn = (values: NewValues): readonly (readonly [string, Computed])[] =>
  Object.entries(values).filter((one): one is [string, Computed] => isComputed(one[1]))

const WHOLE = /^[+-]?\d{1,19}$/
const DECIMAL = /^[+-]?(\d{1,40}(\.\d{0,30})?|\.\d{1,30})$/

/** Whether this can be worked out for the column; `other` is the column that it names. */
export function suits(computed: Computed, column: Column, other: Column | undefined): boolean {
  const { type, array = false, allowed } = column
  if (array) return false
  if ('append' in computed) return type === 'text' && !allowed && computed.append.isWellFormed()
  if ('replace' in computed) {
    const areTexts = computed.replace.isWellFormed() && computed.with.isWellFormed()
    return type === 'text' && !allowed && areTexts && computed.replace !== ''
  }
  if ('column' in computed) return other?.type === type && !other.array
  if ('now' in computed) return type === 'date' || type === 'datetime' || type === 'time'
  const amount = 'add' in computed ? computed.add : computed.multiply
  if (type === 'integer') return WHOLE.test(String(amount))
  if (type === 'decimal') return DECIMAL.test(String(amount))
  return type === 'float' && String(amount) !== '' && Number.isFinite(Number(amount))
}
