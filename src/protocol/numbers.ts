/** Numbers as people type them, which keep every digit. */

import type { NumberBound } from './filters.ts'

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/** The signs that the reader's language puts between thousands and before decimals. */
function signsOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234567.8)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { group: of('group'), decimal: of('decimal') }
}

/**
 * The number in the text: as a number if that holds it exactly, else as a text with all its digits;
 * `null` for an empty text, `undefined` for one that is no number. Takes the signs of the reader's
 * language and plain decimals.
 */
export function readNumber(text: string, locale: string): NumberBound | null | undefined {
  const plain = plainNumber(text, locale)
  if (!plain) return plain
  const number = Number(plain)
  const isExact = DECIMAL.test(String(number)) && compareNumbers(String(number), plain) === 0
  return isExact ? number + 0 : plain.replace(/^\+/, '')
}

/** The number in the text with plain signs, and all digits that were typed. */
export function plainNumber(text: string, locale: string): string | null | undefined {
  const bare = text.replace(/\s/g, '').replace('−', '-')
  if (bare === '') return null
  return [inLocale(bare, locale), bare].find((candidate) => DECIMAL.test(candidate))
}

/** The text with plain signs, if it is written as the language does; else unreadable. */
function inLocale(text: string, locale: string): string {
  const { group, decimal } = signsOf(locale)
  const [whole = '', ...fractions] = text.split(decimal)
  const groups = whole.split(group.trim() || ' ')
  const [first = '', ...others] = groups
  const isGrouped =
    others.length === 0 ||
    (/^[+-]?[1-9]\d{0,2}$/.test(first) && others.every((digits) => /^\d{3}$/.test(digits)))
  return isGrouped ? [groups.join(''), ...fractions].join('.') : ''
}

/** Whether the point in a text such as `7.777` may stand before decimals as well as after thousands. */
export function isAmbiguous(text: string, locale: string): boolean {
  const bare = text.replace(/\s/g, '').replace('−', '-')
  return signsOf(locale).group === '.' && /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(bare)
}

/** Whether the reader's language puts a comma before decimals. */
export const hasCommas = (locale: string): boolean => signsOf(locale).decimal === ','

/** Sign of `one - other`, exactly. Both are decimals as `readNumber` returns them. */
export function compareNumbers(one: NumberBound, other: NumberBound): number {
  const [first, second] = [scaled(one), scaled(other)]
  if (first === null || second === null) return Math.sign(Number(one) - Number(other))
  const places = Math.max(first.places, second.places)
  const left = first.digits * 10n ** BigInt(places - first.places)
  const right = second.digits * 10n ** BigInt(places - second.places)
  return left < right ? -1 : left > right ? 1 : 0
}

/** The decimal as an integer and its number of places; `null` for one with an exponent. */
export function scaled(bound: NumberBound): { digits: bigint; places: number } | null {
  const text = String(bound)
  if (!DECIMAL.test(text)) return null
  const [whole = '', fraction = ''] = text.replace('+', '').split('.')
  return {
    digits: BigInt(`${whole === '-' ? '-0' : whole || '0'}${fraction}`),
    places: fraction.length,
  }
}

/** Groups the digits of a number as the reader's language does. */
export function showNumber(bound: NumberBound, locale: string): string {
  const text = String(bound)
  const { group, decimal } = signsOf(locale)
  const found = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!found) return text
  const [, sign = '', whole = '', fraction] = found
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  return `${sign}${grouped}${fraction === undefined ? '' : decimal + fraction}`
}
