/** The sums under the lines of a form, as they stand in it. */

import type { FieldInput } from '../../protocol/form-view.ts'
import { addNumbers } from '../../protocol/add-numbers.ts'
import { plainNumber } from '../../protocol/numbers.ts'
import { isBlank, isGone, type StandingLine, textsOf } from './line-edits.ts'

/** The field that a line has for the column. */
type Asked = Pick<FieldInput, 'default' | 'nullable' | 'required'>

type Summed = {
  readonly column: string
  readonly field?: Asked | undefined
  readonly isMoney?: boolean
}

/**
 * The sum of a column with plain signs; `null` where it cannot be known: a line has a text that is no number, a value
 * that is not shown, or one that the database works out only when the line is saved.
 */
export function sumOf(
  lines: readonly StandingLine[],
  { column, field, isMoney }: Summed,
  locale: string,
): string | null {
  const numbers: string[] = []
  for (const line of lines) {
    const { row, edit } = line
    // What is blank is not saved.
    if (edit?.isRemoved || isGone(line) || (edit && isBlank(edit))) continue
    if (row?.fixed?.includes(column) || (edit && !field)) return null
    const text = textsOf(line)[column] ?? (row ? null : field?.default) ?? null
    const isWorkedOut = !row && !field?.nullable && !field?.required
    if (text === null && isWorkedOut) return null
    // Stored texts have plain signs; those that are typed have the reader's.
    const isDrawn = edit?.isCopied || text === row?.texts[column]
    const number = isDrawn ? text : plainNumber(text ?? '', locale)
    if (number === undefined) return null
    if (number !== null) numbers.push(number)
  }
  const sum = addNumbers(numbers)
  return isMoney ? (sum?.replace(/\.\d$/, '$&0') ?? null) : sum
}
