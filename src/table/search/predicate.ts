/** Turns what a person types into a condition on rows. */

import type { OpenTable, Relation } from '../catalog.ts'
import { minorCurrency } from '../definition/currency.ts'
import { inMinor } from '../source/minor-units.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { momentCondition } from '../filters/date-range.ts'
import type { Clock } from '../filters/filter.ts'
import { nothing, type Predicate } from '../source/predicate.ts'
import type { Column, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { partsOf, type Term, termsOf } from './terms.ts'

/** The table that is searched, and those that it refers to, as one actor may see them. */
export type Searched = Pick<OpenTable, 'definition' | 'access' | 'relations' | 'others'>

/**
 * Rows that hold every term, each in any readable column: texts anywhere, numbers if they are equal, days
 * and moments as they are shown, and related rows in any text that a search of their own table looks into.
 */
export function searchPredicate(text: string, open: Searched, clock: Clock): Predicate {
  const columns = searchedColumns(open)
  const terms = termsOf(text, clock.locale)
  return terms.length === 0 ? nothing : all(terms.map((term) => holds(term, columns, open, clock)))
}

/** A column that a search looks into, and how it is shown. */
export type SearchedColumn = { readonly column: Column; readonly definition: ColumnDefinition }

/** The columns that a search of the table looks into, as far as the actor may read them. */
export const searchedColumns = ({
  definition: { table, columns },
  access,
}: Pick<Searched, 'definition' | 'access'>): SearchedColumn[] =>
  table.columns.flatMap((column) => {
    const definition = columns.get(column.name)
    return definition?.searchable && access.canRead(column.name) ? [{ column, definition }] : []
  })

function holds(
  term: Term,
  columns: readonly SearchedColumn[],
  open: Searched,
  clock: Clock,
): Predicate {
  const one = columns.flatMap((column) => columnConditions(term, column, open, clock))
  const parts = partsOf(term, clock.locale)
  if (parts.length === 0) return any(one)
  // The words of `12 Nov 2026` may as well stand apart from each other.
  return any([all(parts.map((part) => holds(part, columns, open, clock))), ...one])
}

function columnConditions(
  term: Term,
  { column, definition }: SearchedColumn,
  open: Searched,
  clock: Clock,
): Predicate[] {
  const { name, type } = column
  const { text, moment } = term
  const relation = open.relations.get(name)
  if (relation) return relatedCondition(term, name, relation, open)
  if (moment && isCalendar(column, definition)) return momentCondition(column, moment, clock)
  const named = definition.values ? namedValues(text, definition.values, column) : []
  if (NUMERIC.has(type)) {
    const isShown = (value: Value) => !definition.values?.has(String(value))
    const numbers = numbersOf(term, column, definition).filter(isShown)
    return [...named, ...numbers.map((value) => ({ op: 'eq' as const, column: name, value }))]
  }
  return term.words.length > 1 ? named : [...named, { op: 'contains', column: name, text }]
}

/** Those whose names hold the text. */
function namedValues(
  text: string,
  names: ReadonlyMap<string, string>,
  { name: column, type }: Column,
): Predicate[] {
  const sought = text.toLowerCase()
  const values = [...names].flatMap(([stored, name]) =>
    name.toLowerCase().includes(sought) ? [type === 'integer' ? wholeOf(stored) : stored] : [],
  )
  return values.length === 0 ? [] : [{ op: 'in', column, values }]
}

const wholeOf = (digits: string): Value => {
  const whole = BigInt(digits)
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

function relatedCondition(
  { text, words }: Term,
  column: string,
  relation: Relation,
  open: Searched,
): Predicate[] {
  if (words.length > 1) return []
  const { access, references } = relation
  const names = relatedColumns(relation, open)
  if (names.length === 0) return []
  const where = any(names.map((name) => ({ op: 'contains', column: name, text })))
  return [{ op: 'related', column, table: access.table.name, references, where }]
}

/** The columns of a related row that are searched with the row: what names it, and its texts. */
export function relatedColumns(
  { access, label, more = [] }: Relation,
  { others }: Pick<Searched, 'others'>,
): string[] {
  const other = others.find(access.table.name)
  const texts = other ? searchedColumns(other).filter(({ column }) => column.type === 'text') : []
  const known = (name: string) => other?.definition.columns.get(name)
  const names = texts.flatMap(({ column: { name } }) => (known(name)?.relation ? [] : [name]))
  const naming = [label, ...more].filter((name) => known(name)?.searchable ?? true)
  return [...new Set([...naming, ...names])]
}

export const isCalendar = ({ type }: Column, { kind }: ColumnDefinition): boolean =>
  type === 'date' || type === 'datetime' || (type === 'integer' && kind === 'datetime')

export const NUMERIC: ReadonlySet<ValueType> = new Set(['integer', 'decimal', 'float'])

/** The numbers that a term may mean, as values of a column; amounts of its one currency as they are shown. */
export function numbersOf(
  { numbers }: Pick<Term, 'numbers'>,
  column: Column,
  definition: Pick<ColumnDefinition, 'minorUnit' | 'fixedCurrency'> = {},
): Value[] {
  const minor = minorCurrency(definition)
  const stored = minor ? numbers.flatMap((number) => inMinor(number, minor.digits) ?? []) : numbers
  return stored.flatMap((digits) => valueOf(digits, column) ?? [])
}

function valueOf(digits: string, { type }: Column): Value | undefined {
  if (type === 'integer' && /^-?\d{1,19}$/.test(digits)) {
    const whole = BigInt(digits)
    if (whole !== BigInt.asIntN(64, whole)) return undefined
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
  }
  const isNumeric = type === 'decimal' || type === 'float'
  return isNumeric && /^-?\d{1,15}(\.\d{1,12})?$/.test(digits) ? Number(digits) : undefined
}

/** All of these conditions, or any of them: one alone stands for itself. */
const all = (parts: readonly Predicate[]): Predicate =>
  parts.length === 1 && parts[0] ? parts[0] : { op: 'and', all: parts }

const any = (parts: readonly Predicate[]): Predicate =>
  parts.length === 0 ? nothing : { op: 'or', all: parts }
