/** How the labels of a table are searched: by an index, by reading the table, or not at all. */

import type { TableDefinition } from '../definition/table-definition.ts'
import type { Predicate } from '../source/predicate.ts'
import type { SortColumn } from '../source/row-source.ts'
import { type Column, isUniqueColumn, type Table } from '../source/schema.ts'
import { numbersOf } from '../search/predicate.ts'
import { numbersIn } from '../search/shown-values.ts'

/** A table with more rows is searched by an index on its label alone. */
export const SCANNED_ROWS_MAX = 1_000_000

export type LabelQuery = {
  readonly where: Predicate
  readonly sort: readonly SortColumn[]
  /** Whether the rows start at the text, so that those whose label does not begin with it follow. */
  readonly isWalk: boolean
}

/** The queries to run in order until there are enough rows; `null` if the table is too large. */
export function labelQueries(
  text: string,
  { table }: Pick<TableDefinition, 'table'>,
  label: Column,
): readonly LabelQuery[] | null {
  const isLarge = (table.estimate ?? 0) > SCANNED_ROWS_MAX
  const isIndexed = startsIndex(table, label.name)
  if (label.type !== 'text') return numberQueries(text, label, isLarge && !isIndexed)
  if (isLarge && !isIndexed) return null
  return [...(isIndexed ? walks(text, label.name) : []), ...(isLarge ? [] : [holds(text, label)])]
}

function numberQueries(text: string, label: Column, isSlow: boolean): readonly LabelQuery[] | null {
  const [value] = numbersOf({ numbers: numbersIn(text, 'en') }, label)
  if (value === undefined) return []
  return isSlow
    ? null
    : [{ where: { op: 'eq', column: label.name, value }, sort: [], isWalk: false }]
}

const holds = (text: string, { name }: Column): LabelQuery => ({
  where: { op: 'contains', column: name, text },
  sort: [],
  isWalk: false,
})

/**
 * Reads the first rows from the text on. That needs no upper end, which no collation agrees on; where
 * case counts, each usual spelling is a place of its own.
 */
const walks = (text: string, column: string): LabelQuery[] =>
  spellings(text).map((value) => ({
    where: { op: 'gte', column, value },
    sort: [{ column, descending: false }],
    isWalk: true,
  }))

/** The text as it is usually written, where case counts. */
const spellings = (text: string): readonly string[] => [
  ...new Set([text, text.toLowerCase(), capitalized(text), text.toUpperCase()]),
]

const capitalized = (text: string): string => {
  const [first = '', ...others] = text
  return first.toUpperCase() + others.join('').toLowerCase()
}

/** Most codes of a table that are tried. */
const CODES_MAX = 3

/**
 * The columns whose every text is that of one row, such as the code of an airport, and which an index serves; not
 * the label, which is searched as such.
 */
export const codeColumns = (
  { table, columns }: Pick<TableDefinition, 'table' | 'columns'>,
  mayRead: (name: string) => boolean,
): readonly string[] =>
  table.columns
    .filter(({ name, type }) => type === 'text' && isUniqueColumn(name, table))
    .map(({ name }) => name)
    .filter((name) => columns.get(name)?.searchable && mayRead(name))
    .slice(0, CODES_MAX)

/** Finds the rows of a code by its index alone, which also orders them. */
export const codeQuery = (text: string, column: string): LabelQuery => ({
  where: { op: 'in', column, values: spellings(text) },
  sort: [{ column, descending: false }],
  isWalk: false,
})

/** A table with more rows is not searched for parts of addresses and numbers, which no index serves. */
const CONTACTS_ROWS_MAX = 100_000
/** Fewest characters of such a part, and most columns of a table that are searched for it. */
const CONTACT_MIN = 4
const CONTACTS_MAX = 3

const PHONE = /(?:^|_)(?:phone|telephone|mobile)(?:_number|_no)?$/i

/** The columns by which people are reached, to be searched for this part of one: an email or a phone number. */
export const contactColumns = (
  text: string,
  { table, columns }: Pick<TableDefinition, 'table' | 'columns'>,
  mayRead: (name: string) => boolean,
): readonly string[] =>
  text.length < CONTACT_MIN || (table.estimate ?? 0) > CONTACTS_ROWS_MAX
    ? []
    : table.columns
        .filter(({ type }) => type === 'text')
        .map(({ name }) => name)
        .filter((name) => columns.get(name)?.kind === 'email' || PHONE.test(name))
        .filter((name) => columns.get(name)?.searchable && mayRead(name))
        .slice(0, CONTACTS_MAX)

export const contactQuery = (text: string, column: string): LabelQuery => ({
  where: { op: 'contains', column, text },
  sort: [],
  isWalk: false,
})

const startsIndex = ({ indexes, uniques = [], key }: Table, column: string): boolean =>
  key[0] === column ||
  uniques.some(([first]) => first === column) ||
  indexes.some(({ columns: [first], partial }) => !partial && first?.name === column)
