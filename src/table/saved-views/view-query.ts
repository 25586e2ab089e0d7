/** The query of a saved view: as the list writes it, and as far as a reader may know of its columns. */

import { savedQuery } from '../../protocol/saved-views.ts'
import { AppError } from '../../server/app-error.ts'
import { badParameter } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import { FILTERS_LENGTH_MAX, keyAndPart, PREFIX } from '../filters/address.ts'
import { LISTING, paramsOf } from '../list/fold.ts'

/** Longest query, characters: filters, and a little for everything else. */
export const QUERY_MAX = FILTERS_LENGTH_MAX + 1500

/** Throws an `AppError` (422) for what the list refuses in its address. */
export function checkedQuery(text: string, open: OpenTable): string {
  const written = LISTING.written(LISTING.parse(new URLSearchParams(text), open))
  const query = savedQuery(paramsOf(written))
  if (query.length > QUERY_MAX) throw badParameter(({ address }) => address.tooLong)
  return query
}

export type ReadableQuery = { readonly query: string; readonly isNarrowed: boolean }

/** Leaves out what the reader may not read, or what is no longer there. */
export function readableQuery(text: string, open: OpenTable): ReadableQuery {
  const whole = accepted(text, open)
  if (whole !== undefined) return { query: whole, isNarrowed: false }
  const kept = parts(text).flatMap((part) => readablePart(part, open))
  // What only fits alone, such as filters that are too long together, is left out as well.
  return { query: accepted(textOf(kept), open) ?? checkedQuery('', open), isNarrowed: true }
}

function accepted(text: string, open: OpenTable): string | undefined {
  try {
    return checkedQuery(text, open)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

type Params = [name: string, value: string][]

const textOf = (params: Params): string => new URLSearchParams(params).toString()

/** The parameters that say one thing together, such as the least and the greatest of a range. */
function parts(text: string): Params[] {
  const all = new Map<string, Params>()
  for (const [name, value] of new URLSearchParams(text)) {
    const thing = name.startsWith(PREFIX) ? PREFIX + keyAndPart(name)[0] : name
    all.set(thing, [...(all.get(thing) ?? []), [name, value]])
  }
  return [...all.values()]
}

/** Of a list, such as that of columns, what may be read stays. */
function readablePart(part: Params, open: OpenTable): Params {
  const isReadable = (params: Params) => accepted(textOf(params), open) !== undefined
  if (isReadable(part)) return part
  const [[name, value] = ['', ''], ...others] = part
  if (others.length > 0 || name.startsWith(PREFIX)) return []
  const items = value.split(',').filter((item) => isReadable([[name, item]]))
  return items.length > 0 ? [[name, items.join(',')]] : []
}
