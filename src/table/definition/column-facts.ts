/** What is known of a column when its kind is inferred, and the tests that kinds make of it. */

import type { Column, Table } from '../source/schema.ts'
import { wordsOf } from './humanize.ts'

/** What the schema, the name and a sample tell of a column. */
export type ColumnFacts = {
  readonly column: Column
  readonly table: Table
  /** The words of its name in lower case, such as `unit` and `price`. */
  readonly words: readonly string[]
  /** The last of them. */
  readonly last: string
  /** The unit that its name ends in, such as `€` for `worth_eur`; or the one that was declared. */
  readonly unit: string | undefined
  /** A sample of its values as texts, without empty ones; empty where none was taken. */
  readonly sample: readonly string[]
}

/** Whether something is so of a column. */
export type ColumnTest = (facts: ColumnFacts) => boolean

export function factsOf(column: Column, table: Table, unit: string | undefined): ColumnFacts {
  const words = wordsOf(column.name)
  const sample = (column.sample ?? []).map(String).filter((text) => text.trim() !== '')
  return { column, table, words, last: words.at(-1) ?? '', unit, sample }
}

/** Words as a set, from a text with blanks between them. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** There is a sample, and all of it fits. */
export const all =
  (fits: (text: string) => boolean): ColumnTest =>
  ({ sample }) =>
    sample.length > 0 && sample.every(fits)

/** Some of the sample fits, or there is none: a name is believed unless the values deny it. */
export const any =
  (fits: (text: string) => boolean): ColumnTest =>
  ({ sample }) =>
    sample.length === 0 || sample.some(fits)

const POSITIONS = setOf('position sort sort_order sort_index rank ordinal')

/** Whether a name of these words says where a row stands among the others. */
export const namesPosition = (words: readonly string[]): boolean => POSITIONS.has(words.join('_'))
