/**
 * Which rows of a listing are shown: where they start, whether others surround them, and how many
 * there are.
 */

import * as v from 'valibot'
import type { OpenTable } from '../catalog.ts'
import type { RowKeys } from '../row-keys.ts'
import type { RowPage } from '../source/row-source.ts'
import type { Tally } from './totals.ts'

/** What is known of the rows on a page, without the rows themselves. */
export const shownSchema = v.strictObject({
  /** Rows before these in the order, `null` if that is not known. */
  start: v.nullable(v.number()),
  rows: v.number(),
  before: v.boolean(),
  after: v.boolean(),
  /** Anchors of the first and last row, from which to turn the page; `null` if there is none. */
  first: v.nullable(v.string()),
  last: v.nullable(v.string()),
})

export type Shown = v.InferOutput<typeof shownSchema>

export const NOTHING_SHOWN: Shown = {
  start: 0,
  rows: 0,
  before: false,
  after: false,
  first: null,
  last: null,
}

/** `claimed` is the start of the page according to the address. */
export function shownOf(
  page: RowPage,
  keys: RowKeys,
  claimed: number | null,
  count: number | null,
): Shown {
  const { rows, before, after } = page
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row ? keys.anchor(row) : null))
  const around = { rows: rows.length, before, after }
  return {
    start: startOf(claimed, around, count),
    ...around,
    first: first ?? null,
    last: last ?? null,
  }
}

/** How many rows the listing has, if that is exact. */
export const exactCount = ({ count }: Tally): number | null =>
  count?.kind === 'exact' ? count.count : null

/**
 * How many rows come before these, `null` if that is not known. Exact at either end of the table;
 * in between it is `claimed`, unless the count contradicts it.
 */
export function startOf(
  claimed: number | null,
  { rows, before, after }: Pick<Shown, 'rows' | 'before' | 'after'>,
  count: number | null,
): number | null {
  if (!before) return 0
  const start = !after && count !== null ? count - rows : claimed
  if (start === null || start <= 0) return null
  const end = start + rows
  return count === null || (after ? end < count : end === count) ? start : null
}

/** The page's number, if its rows are exactly those of a page with that number. */
export function pageNumber(
  start: number | null,
  { rows, after }: Pick<Shown, 'rows' | 'after'>,
  size: number,
): number | null {
  const isFull = rows === size || !after
  return start !== null && start % size === 0 && isFull ? start / size + 1 : null
}

/** The database's estimate, unless a known fact contradicts it. */
export function plausibleEstimate(
  { definition }: Pick<OpenTable, 'definition'>,
  { start, rows, after }: Shown,
  { count }: Tally,
): number | null {
  const { estimate } = definition.table
  // There are at least the rows up to here, and one more if any follow.
  const seen = (start ?? 0) + rows + (after ? 1 : 0)
  return estimate !== null && estimate > (count?.count ?? 0) && estimate >= seen ? estimate : null
}
