/**
 * Keyset paging: an order cut into blocks, each of which an index can serve by itself.
 *
 * A row's successors are those that equal it in all columns but the last and go beyond it there,
 * then those that equal it in all but the last two, and so on. Read one after the other until
 * enough rows are found, such blocks cost the same at any depth: with many equal values, with
 * mixed directions and with NULLs, where `a >= x and (…)` walks all equals. Columns that go one way
 * and hold no NULLs need no such cut where the engine can enter an index by all of them at once.
 */

import type { Value } from '../../table/source/value.ts'
import type { Comparison } from '../dialect.ts'
import type { Term } from './order.ts'
import { sql, type Sql } from './sql.ts'

/** A run of rows that lie together in the order. */
export type Block = {
  readonly conditions: readonly Sql[]
  readonly terms: readonly Term[]
  /** Columns that have one value throughout the run. */
  readonly equal: readonly string[]
  /** Columns that an index must seek by for the block to be cheap: these, and the one that begins it. */
  readonly seeks: readonly string[]
}

/** How the order's columns are named, and compared with a value that was read from one of them. */
export type Places = {
  column(name: string): Sql
  seeks(column: string, comparison: Comparison | '=', value: Value): Sql
  /** The same for several columns at once; `undefined` where an index is not entered that way. */
  seeksAll(
    columns: readonly string[],
    comparison: '<=' | '>=',
    values: readonly Value[],
  ): Sql | undefined
}

/** All rows: those with a value and those without are two blocks. */
export function wholeOrder(terms: readonly Term[], places: Places): Block[] {
  const [term, ...rest] = terms
  if (!term || term.nulls === 'none') return [{ conditions: [], terms, equal: [], seeks: [] }]
  const empty = within(term, sql`${places.column(term.column)} is null`, wholeOrder(rest, places))
  return inOrder(term, [filled(terms, sql`${places.column(term.column)} is not null`)], empty)
}

/** The row with these values, if it is still there, and all that follow it in the order. */
export function fromAnchor(
  terms: readonly Term[],
  values: readonly Value[],
  places: Places,
): Block[] {
  const [term, ...rest] = terms
  const value = values[0]
  if (!term || value === undefined) return []
  const all = wayFrom(terms, values, places)
  if (all) return [filled(terms, all), ...withoutValue(terms, places)]
  const same =
    value === null
      ? sql`${places.column(term.column)} is null`
      : places.seeks(term.column, '=', value)
  const equals = within(term, same, fromAnchor(rest, values.slice(1), places))
  return [...equals, ...beyond(terms, value, places)]
}

/** The rows whose first column lies beyond the value. */
function beyond(terms: readonly Term[], value: Value, places: Places): Block[] {
  const [term] = terms as [Term, ...Term[]]
  const name = places.column(term.column)
  if (value === null) return term.nulls === 'first' ? [filled(terms, sql`${name} is not null`)] : []
  const further = filled(terms, places.seeks(term.column, term.descending ? '<' : '>', value))
  return [further, ...withoutValue(terms, places)]
}

/** One condition for the place and all beyond it, among the rows with a value. */
function wayFrom(
  terms: readonly Term[],
  values: readonly Value[],
  places: Places,
): Sql | undefined {
  const [{ column, descending }, ...rest] = terms as [Term, ...Term[]]
  const comparison = descending ? '<=' : '>='
  if (rest.length === 0) return places.seeks(column, comparison, values[0]!)
  const isOneWay = rest.every((term) => term.descending === descending && term.nulls === 'none')
  if (!isOneWay || values.includes(null)) return undefined
  const columns = terms.map((term) => term.column)
  return places.seeksAll(columns, comparison, values)
}

/** The rows whose first column is empty, where they come after those with a value. */
function withoutValue(terms: readonly Term[], places: Places): Block[] {
  const [term, ...rest] = terms as [Term, ...Term[]]
  if (term.nulls !== 'last') return []
  return within(term, sql`${places.column(term.column)} is null`, wholeOrder(rest, places))
}

const filled = (terms: readonly Term[], condition: Sql): Block => {
  const [term, ...rest] = terms as [Term, ...Term[]]
  return {
    conditions: [condition],
    terms: [{ ...term, nulls: 'none' }, ...rest],
    equal: [],
    seeks: [term.column],
  }
}

const within = (term: Term, condition: Sql, blocks: readonly Block[]): Block[] =>
  blocks.map(({ conditions, terms, equal, seeks }) => ({
    conditions: [condition, ...conditions],
    terms,
    equal: [term.column, ...equal],
    seeks: [term.column, ...seeks],
  }))

const inOrder = ({ nulls }: Term, withValue: Block[], without: Block[]): Block[] =>
  nulls === 'last' ? [...withValue, ...without] : [...without, ...withValue]
