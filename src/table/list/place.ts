/** The place of a page in a listing: as state, in the address and for the row source. */

import * as v from 'valibot'
import { badParameter } from '../address-error.ts'
import { PAGE_MAX } from '../../protocol/table-component.ts'
import type { OpenTable } from '../catalog.ts'
import type { Place } from '../source/row-source.ts'

/** Where in the order the page is; `anchor` is an encoded row (see anchor.ts). */
export const placeSchema = v.strictObject({
  at: v.picklist(['first', 'last', 'after', 'before', 'offset']),
  /** 1-based page number, `null` if it is not known. */
  number: v.nullable(v.number()),
  anchor: v.nullable(v.string()),
})

export type PlaceState = v.InferOutput<typeof placeSchema>

export const FIRST_PLACE: PlaceState = { at: 'first', number: 1, anchor: null }
export const LAST_PLACE: PlaceState = { at: 'last', number: null, anchor: null }

export function parsePlace(query: URLSearchParams): PlaceState {
  const [page, after, before] = [query.get('page'), query.get('after'), query.get('before')]
  if (after !== null && before !== null) throw badParameter(({ address }) => address.twoPlaces)
  const number = clampPage(page)
  if (after !== null) return { at: 'after', number: page === null ? null : number, anchor: after }
  if (before !== null)
    return { at: 'before', number: page === null ? null : number, anchor: before }
  if (page === 'last') return LAST_PLACE
  return placeAt(number)
}

/** The page of this number, from 1; beyond the last one, that is shown. */
export const placeAt = (number: number): PlaceState =>
  number <= 1 ? FIRST_PLACE : { at: 'offset', number, anchor: null }

function clampPage(text: string | null): number {
  const page = Math.floor(Number(text ?? 1))
  return Number.isFinite(page) ? Math.min(Math.max(page, 1), PAGE_MAX) : page > 0 ? PAGE_MAX : 1
}

export function placeParams({ at, number, anchor }: PlaceState): [name: string, value: string][] {
  if (at === 'first') return []
  if (at === 'last') return [['page', 'last']]
  const page: [string, string][] = number === null ? [] : [['page', String(number)]]
  return at === 'offset' || anchor === null ? page : [...page, [at, anchor]]
}

type Ordered = {
  readonly place: PlaceState
  readonly size: number
  /** How many columns the rows are ordered by, without those of the key. */
  readonly sortColumns: number
  /** How many rows there are, `null` if that is not known. */
  readonly total: number | null
}

/**
 * The place as the row source takes it. Throws `TABLE_BAD_PLACE` for an anchor that does not fit
 * the order.
 */
export function sourcePlace(
  { keys }: Pick<OpenTable, 'keys'>,
  { place: { at, number, anchor }, size, sortColumns, total }: Ordered,
): Place {
  if (at === 'last') return { at, rows: total === null ? size : total % size || size }
  if (at === 'offset') {
    const skip = ((number ?? 1) - 1) * size
    return total === null
      ? { at, skip }
      : { at, skip: Math.min(skip, lastStart(total, size)), total }
  }
  if (at === 'first' || anchor === null) return { at: 'first' }
  return { at, anchor: keys.readAnchor(anchor, sortColumns) }
}

/** Where the last page starts. */
const lastStart = (total: number, size: number): number =>
  Math.max(0, Math.ceil(total / size) - 1) * size
