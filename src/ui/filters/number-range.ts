/** The number range of spec §5: two bounds, swapped if they cross, sent once when an update is flagged. */

import type { NumberBound, NumberRange } from '../../protocol/filters.ts'
import type { PageMessages } from '../../messages/messages.ts'
import { compareNumbers, showNumber } from '../../protocol/numbers.ts'
import { isTwoNumbers, type NumberSigns, readTyped } from '../../protocol/typed-numbers.ts'

/** The two fields as they are shown. */
export type RangeText = { readonly min: string; readonly max: string }

/** The range that the fields say, as they stand; `null` while one of them is no number, or one of two. */
export function readRange({ min, max }: RangeText, signs: NumberSigns): NumberRange | null {
  const low = readTyped(min, signs)
  const high = readTyped(max, signs)
  return low === undefined || high === undefined ? null : { min: low, max: high }
}

/** If max is below min, the two are swapped (spec §5). */
export function inOrder({ min, max }: NumberRange): Required<NumberRange> {
  const isCrossed = isBound(min) && isBound(max) && compareNumbers(max, min) < 0
  return isCrossed ? { min: max, max: min } : { min: min ?? null, max: max ?? null }
}

/** Whether both are the same range, so that the second is no update. */
export const sameRange = (one: NumberRange, other: NumberRange): boolean =>
  sameBound(one.min, other.min) && sameBound(one.max, other.max)

function sameBound(one: NumberRange['min'], other: NumberRange['min']): boolean {
  if (!isBound(one) || !isBound(other)) return isBound(one) === isBound(other)
  return compareNumbers(one, other) === 0
}

const isBound = (bound: NumberRange['min']): bound is NumberBound =>
  bound !== null && bound !== undefined

/** The range of a value of `filterComponents`, which may be absent. */
export const rangeOf = (value: unknown): NumberRange =>
  typeof value === 'object' && value !== null ? value : {}

/** Shows both signs of the reader's language. */
const EXAMPLE = 1234.5

/** Why one of these texts is no number. */
export const wrongNumber = (
  texts: readonly string[],
  signs: NumberSigns,
  words: PageMessages['filters'],
): string =>
  texts.some((text) => isTwoNumbers(text, signs))
    ? words.twoNumbers
    : words.wrongNumber(showNumber(EXAMPLE, signs.locale))
