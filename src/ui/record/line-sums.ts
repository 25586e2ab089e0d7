/** The sums under the lines of a form, as they stand in it. */

import { addNumbers, plainNumber } from '../../protocol/numbers.ts'
import { isGone, type StandingLine, textsOf } from './line-edits.ts'

/**
 * The sum of a column with plain signs; `null` where it cannot be known: a line has a text that is no number, a value
 * that is not shown, or one that the database works out only when the line is saved.
 */
export function sumOf(
  lines: readonly StandingLine[],
  { column, isAsked }: { readonly column: string; readonly isAsked: boolean },
  locale: string,
): string | null {
  const numbers: string[] = []
  for (const line of lines) {
    const { row, edit } = line
    if (edit?.isRemoved || isGone(line)) continue
    if (row?.fixed?.includes(column) || (edit && !isAsked)) return null
    const text = textsOf(line)[column] ?? null
    // Stored texts have plain signs; those that are typed have the reader's.
    const number = text === row?.texts[column] ? text : plainNumber(text ?? '', locale)
    if (number === undefined) return null
    if (number !== null) numbers.push(number)
  }
  return addNumbers(numbers)
}
