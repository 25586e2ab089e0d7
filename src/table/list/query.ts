/** What a listing's state asks of the row source: which rows, in which order, from where on. */

import { decodeAnchor } from './anchor.ts'
import type { OpenTable } from '../catalog.ts'
import { checkFilters, filterPredicates } from './filter.ts'
import { type ListState, sizeOf } from './state.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { Place, SortColumn } from '../source/row-source.ts'
import { searchPredicate } from './search.ts'

/** The rows of a listing: those of all its filters and its search. */
export function listWhere(
  { definition, access, relations }: OpenTable,
  { search, filters }: Pick<ListState, 'search' | 'filters'>,
): Predicate {
  const all = filterPredicates(checkFilters(filters, definition, access))
  if (search !== '') all.push(searchPredicate(search, definition, access, relations))
  return all.length === 0 ? everything : { op: 'and', all }
}

/** The order that was chosen, else the table's own. */
export const sortOf = (
  { definition }: OpenTable,
  { sort }: Pick<ListState, 'sort'>,
): readonly SortColumn[] => (sort.length > 0 ? sort : definition.defaultSort)

/**
 * A place in words of the row source; `total` is how many rows there are, `null` where that is not
 * known. Throws `TABLE_BAD_PLACE` for an anchor that is none of this order.
 */
export function placeOf(state: ListState, open: OpenTable, total: number | null): Place {
  const { at, number, anchor } = state.place
  const size = sizeOf(state, open.definition)
  if (at === 'last') return { at, rows: total === null ? size : total % size || size }
  if (at === 'offset') {
    const skip = ((number ?? 1) - 1) * size
    return total === null
      ? { at, skip }
      : { at, skip: Math.min(skip, lastStart(total, size)), total }
  }
  if (at === 'first' || anchor === null) return { at: 'first' }
  const { key } = open.definition.table
  return { at, anchor: decodeAnchor(anchor, sortOf(open, state).length, key.length) }
}

/** Where the last page starts. */
const lastStart = (total: number, size: number): number =>
  Math.max(0, Math.ceil(total / size) - 1) * size
