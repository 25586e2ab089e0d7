/** Orders of rows: the requested columns, then the rest of the key, with NULLs always last. */

import { AppError } from '../../server/app-error.ts'
import type { Anchor, SortColumn } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'

/** One column of an order, and where its NULLs come. */
export type Term = {
  readonly column: string
  readonly descending: boolean
  readonly nulls: 'none' | 'first' | 'last'
  /** Compares every byte, because other values may be equal to the column's collation or type. */
  readonly isExact?: true
}

/** What an order needs to know about its table. */
export type Ordered = {
  /** The tie-break: the key, else the engine's row number, else nothing. */
  readonly tie: readonly string[]
  /** What takes its place where there is nothing: columns that together show all of a row. */
  readonly columns?: readonly string[]
  nullable(column: string): boolean
}

/**
 * The whole order. What follows a complete key decides nothing and is left out. Without a key, rows
 * that share a place look alike, so that no page can repeat one and miss the other; but rows that
 * nobody asked to sort are not sorted for that, as a view would be made whole for its first page.
 */
export function orderTerms(ordered: Ordered, sort: readonly SortColumn[]): Term[] {
  const { tie, nullable } = ordered
  const terms: Term[] = []
  const missing = new Set(tie)
  const add = ({ column, descending }: SortColumn): void => {
    const isDecided = tie.length > 0 && missing.size === 0
    if (isDecided || terms.some((term) => term.column === column)) return
    terms.push({ column, descending, nulls: nullable(column) ? 'last' : 'none' })
    missing.delete(column)
  }
  sort.forEach(add)
  const descending = sort.at(-1)?.descending ?? false
  for (const column of tie) add({ column, descending })
  return isTotal(ordered, sort) && tie.length === 0
    ? [...terms, ...exactTerms(ordered, descending)]
    : terms
}

/** Whether the order gives each row a place of its own, or one that it shares with rows that look alike. */
export const isTotal = ({ tie }: Pick<Ordered, 'tie'>, sort: readonly SortColumn[]): boolean =>
  tie.length > 0 || sort.length > 0

const exactTerms = ({ columns = [], nullable }: Ordered, descending: boolean): Term[] =>
  columns.map((column) => ({
    column,
    descending,
    nulls: nullable(column) ? 'last' : 'none',
    isExact: true,
  }))

/** The same order, read from its end. */
export const reverse = (terms: readonly Term[]): Term[] =>
  terms.map(({ descending, nulls, ...term }) => ({
    ...term,
    descending: !descending,
    nulls: nulls === 'none' ? nulls : nulls === 'last' ? 'first' : 'last',
  }))

/** The anchor's value for each term. Throws `TABLE_BAD_PLACE` for an anchor of another order. */
export function anchorValues(
  terms: readonly Term[],
  sort: readonly SortColumn[],
  key: readonly string[],
  anchor: Anchor,
): Value[] {
  if (key.length === 0 || anchor.sort.length !== sort.length || anchor.key.length !== key.length)
    throw new AppError('TABLE_BAD_PLACE')
  return terms.map(({ column }) => {
    const inKey = key.indexOf(column)
    if (inKey >= 0) return anchor.key[inKey] ?? null
    return anchor.sort[sort.findIndex((wanted) => wanted.column === column)] ?? null
  })
}
