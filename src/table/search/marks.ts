/** Which parts of a text a search marks: those by which its row was found. */

import { escaped } from '../../protocol/shown-days.ts'
import type { FoundAway, Marks } from '../../protocol/table-view.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { isCalendar, NUMERIC, numbersOf } from './predicate.ts'
import { momentIn } from './shown-values.ts'
import { partsOf, type Term, termsOf } from './terms.ts'

/** A term with the pattern of its text, and its words, which may stand apart. */
export type Sought = {
  readonly term: Term
  readonly pattern: RegExp
  readonly parts: readonly Sought[]
}

/** A value as it is shown and as it is stored; `column` is `null` for a text of a related row. */
export type Looked = {
  readonly text: string
  readonly value: Value
  readonly column: Column | null
  readonly definition: ColumnDefinition
}

export const soughtIn = (search: string, locale: string): Sought[] =>
  termsOf(search, locale).map((term) => ({
    ...soughtOf(term),
    parts: partsOf(term, locale).map(soughtOf),
  }))

/** Engines ignore letter case and tell accents apart, and so does this. */
const soughtOf = (term: Term): Sought => ({
  term,
  pattern: new RegExp(escaped(term.text), 'giu'),
  parts: [],
})

/** What to mark of a text; adds the terms that it holds to `held`. */
export function marksIn(
  sought: readonly Sought[],
  looked: Looked,
  locale: string,
  held: Set<Sought>,
): Marks {
  const ranges = sought.flatMap((one) => {
    const whole = rangesOf(one, looked, locale)
    if (whole.length > 0) held.add(one)
    return whole.length > 0
      ? whole
      : one.parts.flatMap((part) => {
          const ranges = rangesOf(part, looked, locale)
          if (ranges.length > 0) held.add(part)
          return ranges
        })
  })
  return joined(ranges)
}

type Range = readonly [start: number, end: number]

/** Mirrors the condition that `searchPredicate` makes for the column. */
function rangesOf({ term, pattern }: Sought, looked: Looked, locale: string): Range[] {
  const { text, value, column, definition } = looked
  if (value === null || text === '') return []
  const whole = (isHeld: boolean): Range[] => (isHeld ? [[0, text.length]] : [])
  const within = () =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }): Range => [index, index + length])
  if (column === null) return term.words.length > 1 ? [] : within()
  if (term.moment && isCalendar(column, definition)) return whole(isMoment(term, text, locale))
  const isNamed = definition.values?.has(String(value)) ?? false
  if (NUMERIC.has(column.type) && !isNamed) {
    const numbers = numbersOf(term, column, definition)
    const isEqual = (number: Value) => String(number) === String(value)
    const isAlike = (number: Value) => Number(number) === Number(value)
    return whole(numbers.some(column.type === 'integer' ? isEqual : isAlike))
  }
  if (term.words.length > 1 && !isNamed) return []
  const ranges = within()
  if (ranges.length > 0 || term.words.length > 1) return ranges
  // It may be stored in other letters than it is shown in, as days are.
  return whole(String(value).search(pattern) >= 0 && !NUMERIC.has(column.type))
}

function isMoment({ moment }: Term, text: string, locale: string): boolean {
  const shown = momentIn(text, locale)
  if (!shown || shown.day !== moment?.day) return false
  const [asked, has] = [moment.time ?? '', shown.time ?? '']
  return has.startsWith(asked) || asked.startsWith(has)
}

/** Ranges in order, those that meet as one. */
function joined(ranges: readonly Range[]): Marks {
  const marks: Marks = []
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = marks.at(-1)
    if (last !== undefined && start <= last) marks[marks.length - 1] = Math.max(last, end)
    else marks.push(start, end)
  }
  return marks
}

/** Characters of an excerpt before the first mark, and in all. */
const BEFORE = 40
const EXCERPT = 160

/** The text around the first mark, with the marks in it. */
export function excerptOf(text: string, marks: Marks): Pick<FoundAway, 'text' | 'marks'> {
  const start = startBefore(text, marks[0] ?? 0)
  const end = edge(text, start + EXCERPT)
  const [before, after] = [start > 0 ? '… ' : '', end < text.length ? ' …' : '']
  const moved = marks.map((at) => Math.min(at, end) - start + before.length)
  const kept = moved.filter((_, at) => (moved[at - (at % 2)] ?? 0) < end - start + before.length)
  return { text: before + text.slice(start, end) + after, marks: kept }
}

/** Where the excerpt begins: at a word, if one begins before the mark. */
function startBefore(text: string, mark: number): number {
  if (mark <= BEFORE) return 0
  const word = text.indexOf(' ', mark - BEFORE) + 1
  return word > 0 && word <= mark ? word : edge(text, mark - BEFORE)
}

/** The place, or the next one that is not within a character of two units. */
const edge = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at
