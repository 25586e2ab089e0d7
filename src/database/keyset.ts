/**
 * Keyset paging: an order cut into blocks, each of which an index can serve by itself.
 *
 * A row's successors are those that equal it in all columns but the last and go beyond it there,
 * then those that equal it in all but the last two, and so on. Read one after the other until
 * enough rows are found, such blocks cost the same at any depth: with many equal values, with
 * mixed directions and with NULLs, where `(a, id) > (x, y)` and `a >= x and (…)` walk all equals.
 */

import type { Value } from '../table/value.ts'
import type { Term } from './order.ts'
import { bind, sql, type Sql } from './sql.ts'

/** A run of rows that lie together in the order. */
export type Block = {
  readonly conditions: readonly Sql[]
  readonly terms: readonly Term[]
  /** Columns that an index must seek by for the block to be cheap. */
  readonly seeks: readonly string[]
}

type ColumnSql = (name: string) => Sql

/** All rows: those with a value and those without are two blocks. */
export function wholeOrder(terms: readonly Term[], column: ColumnSql): Block[] {
  const [term, ...rest] = terms
  if (!term || term.nulls === 'none') return [{ conditions: [], terms, seeks: [] }]
  const empty = within(term, sql`${column(term.column)} is null`, wholeOrder(rest, column))
  return inOrder(term, [filled(terms, sql`${column(term.column)} is not null`)], empty)
}

/** The row with these values, if it is still there, and all that follow it in the order. */
export function fromAnchor(
  terms: readonly Term[],
  values: readonly Value[],
  column: ColumnSql,
): Block[] {
  const [term, ...rest] = terms
  const value = values[0]
  if (!term || value === undefined) return []
  const name = column(term.column)
  if (rest.length === 0) return [filled(terms, sql`${name} ${notBefore(term)} ${bind(value)}`)]
  const same = value === null ? sql`${name} is null` : sql`${name} = ${bind(value)}`
  const equals = within(term, same, fromAnchor(rest, values.slice(1), column))
  return [...equals, ...beyond(terms, value, column)]
}

/** The rows whose first column lies beyond the value. */
function beyond(terms: readonly Term[], value: Value, column: ColumnSql): Block[] {
  const [term, ...rest] = terms as [Term, ...Term[]]
  const name = column(term.column)
  if (value === null) return term.nulls === 'first' ? [filled(terms, sql`${name} is not null`)] : []
  const further = filled(terms, sql`${name} ${after(term)} ${bind(value)}`)
  if (term.nulls !== 'last') return [further]
  return [further, ...within(term, sql`${name} is null`, wholeOrder(rest, column))]
}

const filled = (terms: readonly Term[], condition: Sql): Block => {
  const [term, ...rest] = terms as [Term, ...Term[]]
  return {
    conditions: [condition],
    terms: [{ ...term, nulls: 'none' }, ...rest],
    seeks: [term.column],
  }
}

const within = (term: Term, condition: Sql, blocks: readonly Block[]): Block[] =>
  blocks.map(({ conditions, terms, seeks }) => ({
    conditions: [condition, ...conditions],
    terms,
    seeks: [term.column, ...seeks],
  }))

const inOrder = ({ nulls }: Term, withValue: Block[], without: Block[]): Block[] =>
  nulls === 'last' ? [...withValue, ...without] : [...without, ...withValue]

const after = ({ descending }: Term): Sql => (descending ? sql`<` : sql`>`)
const notBefore = ({ descending }: Term): Sql => (descending ? sql`<=` : sql`>=`)
