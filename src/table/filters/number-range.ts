/** Filters by a range of numbers: both bounds are included, and each keeps all its digits. */

import { messagesFor } from '../../messages/messages.ts'
import type { NumberRange } from '../../protocol/filters.ts'
import { formatterFor } from '../format.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { Value } from '../source/value.ts'
import { badFilter, type Form, isUnset } from './filter.ts'

/** Most characters of a bound; no column holds a number of more digits in practice. */
const DIGITS_MAX = 80

const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/

export type NumberOptions = {
  /** Stands after the numbers of a chip, as after the values of the column. */
  readonly unit?: string | undefined
  /** Digits after the point that a column counts in its smallest unit: 12.50 asks for 1250. Default: none. */
  readonly minorDigits?: number | undefined
}

export const numberRange = (
  key: string,
  column: string,
  { unit, minorDigits = 0 }: NumberOptions = {},
): Form => ({
  parts: ['min', 'max'],
  parse(given) {
    const [min, max] = inOrder(boundOf(key, given['min']), boundOf(key, given['max']))
    if (min === undefined && max === undefined) return undefined
    const value: NumberRange = {
      ...(min !== undefined && { min: min.written }),
      ...(max !== undefined && { max: max.written }),
    }
    const all: Predicate[] = [
      ...(min ? [{ op: 'gte' as const, column, value: stored(min, minorDigits) }] : []),
      ...(max ? [{ op: 'lte' as const, column, value: stored(max, minorDigits) }] : []),
    ]
    return {
      value,
      predicate: () => (all.length === 0 ? everything : { op: 'and', all }),
      words({ reader }) {
        const { chip } = messagesFor(reader.language)
        const digits = { minimumFractionDigits: minorDigits, maximumFractionDigits: 20 }
        const text = (bound: Bound) => formatterFor(reader).number(bound.text, digits)
        const withUnit = (bound: Bound) =>
          unit === undefined ? text(bound) : `${text(bound)} ${unit}`
        if (min && max) return chip.range(text(min), withUnit(max))
        return min ? chip.atLeast(withUnit(min)) : chip.atMost(withUnit(max ?? ZERO))
      },
    }
  },
})

/** A bound as it was written, as its digits, and as a row source compares it. */
type Bound = {
  readonly written: number | string
  readonly text: string
  readonly value: Value
}

/** The value of a bound, with the point so many digits later. */
function stored({ value, text }: Bound, later: number): Value {
  if (later === 0) return value
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const digits = fraction.padEnd(later, '0')
  const moved = `${sign}${whole}${digits.slice(0, later)}.${digits.slice(later)}`
  return fromText(moved)?.value ?? value
}

const ZERO: Bound = { written: 0, text: '0', value: 0 }

/** `undefined` for a side that is open. */
function boundOf(key: string, given: unknown): Bound | undefined {
  if (isUnset(given)) return undefined
  if (typeof given === 'number' && Number.isFinite(given))
    return fromText(PLAIN.format(given)) ?? refuse()
  if (typeof given !== 'string') return refuse()
  return fromText(given.trim()) ?? refuse()

  function refuse(): never {
    throw badFilter(key, ({ filter }) => filter.noNumber)
  }
}

/** Writes a number without an exponent. Made once: that takes longer than all else a request does with it. */
const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 })

/** A number if a double holds all its digits, else a bigint or the text. */
function fromText(given: string): Bound | undefined {
  if (given.length > DIGITS_MAX || !NUMBER.test(given)) return undefined
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*?)(?:\.(\d*?)0*)?$/.exec(given) ?? []
  const digits = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
  const text = /[1-9]/.test(digits) ? sign + digits : '0'
  const number = Number(text)
  if (String(number) === text) return { written: number, text, value: number }
  return { written: text, text, value: fraction === '' ? BigInt(text) : text }
}

/** Swaps the two if the greatest is below the least (spec §5). */
function inOrder(
  min: Bound | undefined,
  max: Bound | undefined,
): readonly [Bound | undefined, Bound | undefined] {
  return min && max && isBelow(max.text, min.text) ? [max, min] : [min, max]
}

/** Compares decimals digit by digit. */
export function isBelow(a: string, b: string): boolean {
  const places = Math.max(placesOf(a), placesOf(b))
  return scaled(a, places) < scaled(b, places)
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0

function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
