/** The facts from which the kind of a column is inferred, and tests on them. */

import type { Column, Table } from '../source/schema.ts'
import { wordsOf } from './humanize.ts'

/** What the schema, the name and a sample say about a column. */
export type ColumnFacts = {
  readonly column: Column
  readonly table: Table
  /** The words of its name in lower case, such as `unit` and `price`. */
  readonly words: readonly string[]
  /** The last of them. */
  readonly last: string
  /** The unit that its name ends in, such as `€` for `worth_eur`, or the declared unit. */
  readonly unit: string | undefined
  /** A sample of its values as texts, without blank ones; may be empty. */
  readonly sample: readonly string[]
}

/** Whether a column passes. */
export type ColumnTest = (facts: ColumnFacts) => boolean

export function factsOf(column: Column, table: Table, unit: string | undefined): ColumnFacts {
  const words = wordsOf(column.name)
  const sample = (column.sample ?? []).map(String).filter((text) => text.trim() !== '')
  return { column, table, words, last: words.at(-1) ?? '', unit, sample }
}

/** The set of the words in a text. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** There is a sample, and all of its values fit. */
export const all =
  (fits: (text: string) => boolean): ColumnTest =>
  ({ sample }) =>
    sample.length > 0 && sample.every(fits)

/**
 * A value of the sample fits, or there is no sample: a name counts unless the values contradict it.
 */
export const any =
  (fits: (text: string) => boolean): ColumnTest =>
  ({ sample }) =>
    sample.length === 0 || sample.some(fits)

const POSITIONS = setOf(`
  position sort sort_order sort_index sort_position rank ordinal
  display_order display_position list_order menu_order order_index`)

/** Whether a column with a name of these words holds the position of its row. */
export const namesPosition = (words: readonly string[]): boolean => POSITIONS.has(words.join('_'))

/** The column without anything that its values have told. */
export function asDeclared(column: Column): Column {
  const {
    sample: _sample,
    sampled: _sampled,
    distinct: _distinct,
    typeByDeclaration,
    type,
    ...declared
  } = column
  return { ...declared, type: typeByDeclaration ?? type }
}
