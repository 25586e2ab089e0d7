/** Numbers as people type them for a column: a point that has two meanings there is not guessed. */

import { type NumberBound, readList } from './filters.ts'
import { hasCommas, isAmbiguous, readNumber, showNumber } from './numbers.ts'

/** How the numbers of a column are typed. */
export type NumberSigns = {
  /** Of the reader. */
  readonly locale: string
  /** Whether they may have three digits after the point. Default: they have not. */
  readonly thousandths?: boolean | undefined
}

/** Whether a text such as `7.777` may be one of two numbers of the column. */
export const isTwoNumbers = (text: string, { locale, thousandths }: NumberSigns): boolean =>
  thousandths === true && isAmbiguous(text, locale)

/** As `readNumber`; `undefined` also for a text that may be one of two numbers. */
export const readTyped = (text: string, signs: NumberSigns): NumberBound | null | undefined =>
  isTwoNumbers(text, signs) ? undefined : readNumber(text, signs.locale)

/** As `showNumber`, but without signs where they would make two numbers of it. */
export function writeTyped(bound: NumberBound, signs: NumberSigns): string {
  const text = showNumber(bound, signs.locale)
  return isTwoNumbers(text, signs) ? String(bound) : text
}

/** The texts of a list that was typed or pasted. Where commas stand before decimals, they separate no numbers. */
export const readNumberList = (text: string, { locale }: NumberSigns): string[] =>
  readList(text, hasCommas(locale) ? /;/ : undefined)
