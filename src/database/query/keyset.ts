/**
 * Keyset paging: an order cut into blocks, each of which an index can serve by itself.
 *
 * A row's successors are those that equal it in all columns but the last and lie beyond it there,
 * then those that equal it in all but the last two, and so on. The engine reads such blocks one after
 * the other until it has enough rows, at the same cost at any depth, even with many equal values,
 * mixed directions and NULLs, where `a >= x and (…)` walks all equal values. Columns of one direction
 * and without NULLs need no blocks if the engine can seek in an index by all of them at once.
 */

import type { Value } from '../../table/source/value.ts'
import type { Comparison } from '../dialect.ts'
import type { Some } from '../rows-of.ts'
import type { Term } from './order.ts'
import { all, join, sql, type Sql } from './sql.ts'

/** A run of rows that are contiguous in the order. */
export type Block = {
  readonly conditions: readonly Sql[]
  readonly terms: readonly Term[]
  /** Columns that have one value throughout the run. */
  readonly equal: readonly string[]
  /** Columns that an index must seek by for the block to be cheap. */
  readonly seeks: readonly string[]
}

/** The order's columns in SQL, and their comparisons with values read from them. */
export type Places = {
  column(name: string): Sql
  seeks(column: string, comparison: Comparison | '=', value: Value): Sql
  /** The same for several columns at once; `undefined` where no index can seek by all of them. */
  seeksAll(
    columns: readonly string[],
    comparison: '<=' | '>=',
    values: readonly Value[],
  ): Sql | undefined
}

/** The rows of all these runs. */
export const anyRun = (runs: readonly Block[]): Sql =>
  sql`(${join(
    runs.map(({ conditions }) => sql`(${all(conditions)})`),
    ' or ',
  )})`

/** All rows: those with a value in the first column, and those without, are separate blocks. */
export function wholeOrder(terms: readonly Term[], places: Places): Block[] {
  const [term, ...rest] = terms
  if (!term || term.nulls === 'none') return [{ conditions: [], terms, equal: [], seeks: [] }]
  const empty = within(term, sql`${places.column(term.column)} is null`, wholeOrder(rest, places))
  return inOrder(
    term,
    [withValues([term, ...rest], sql`${places.column(term.column)} is not null`)],
    empty,
  )
}

/** The row with these values, if it still exists, and all rows after it in the order. */
export function fromAnchor(
  terms: readonly Term[],
  values: readonly Value[],
  places: Places,
): Block[] {
  const [term, ...rest] = terms
  const [value, ...others] = values
  if (!term || value === undefined) return []
  const all = rangeFrom([term, ...rest], [value, ...others], places)
  if (all) return [withValues([term, ...rest], all), ...withoutValue([term, ...rest], places)]
  const same =
    value === null
      ? sql`${places.column(term.column)} is null`
      : places.seeks(term.column, '=', value)
  const equals = within(term, same, fromAnchor(rest, others, places))
  return [...equals, ...beyond([term, ...rest], value, places)]
}

/** The rows whose first column lies beyond the value. */
function beyond(terms: Some<Term>, value: Value, places: Places): Block[] {
  const [term] = terms
  const name = places.column(term.column)
  if (value === null)
    return term.nulls === 'first' ? [withValues(terms, sql`${name} is not null`)] : []
  const further = withValues(terms, places.seeks(term.column, term.descending ? '<' : '>', value))
  return [further, ...withoutValue(terms, places)]
}

/** One condition for the row and all rows after it, among those with a value. */
function rangeFrom(terms: Some<Term>, values: Some<Value>, places: Places): Sql | undefined {
  const [{ column, descending }, ...rest] = terms
  const comparison = descending ? '<=' : '>='
  if (rest.length === 0) return places.seeks(column, comparison, values[0])
  const goesOneWay = rest.every((term) => term.descending === descending && term.nulls === 'none')
  if (!goesOneWay || values.includes(null)) return undefined
  const columns = terms.map((term) => term.column)
  return places.seeksAll(columns, comparison, values)
}

/** The rows whose first column is NULL, where those come last. */
function withoutValue([term, ...rest]: Some<Term>, places: Places): Block[] {
  if (term.nulls !== 'last') return []
  return within(term, sql`${places.column(term.column)} is null`, wholeOrder(rest, places))
}

const withValues = ([term, ...rest]: Some<Term>, condition: Sql): Block => ({
  conditions: [condition],
  terms: [{ ...term, nulls: 'none' }, ...rest],
  equal: [],
  seeks: [term.column],
})

const within = (term: Term, condition: Sql, blocks: readonly Block[]): Block[] =>
  blocks.map(({ conditions, terms, equal, seeks }) => ({
    conditions: [condition, ...conditions],
    terms,
    equal: [term.column, ...equal],
    seeks: [term.column, ...seeks],
  }))

const inOrder = ({ nulls }: Term, withValue: Block[], without: Block[]): Block[] =>
  nulls === 'last' ? [...withValue, ...without] : [...without, ...withValue]
