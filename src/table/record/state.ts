/** The state of a record page: which row it shows, and which listing the reader came from. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import type { Ready } from '../list/concern.ts'
import type { ListState } from '../list/concerns.ts'
import { LISTING } from '../list/fold.ts'
import type { PlanStore } from '../plans/plan-store.ts'

/** What a page gives the record: the row's table, and its key as text (see row-key.ts). */
export const recordParams = v.object({
  table: v.string(),
  key: v.string(),
  /** Whether the page asks to delete the row. */
  isDeleting: v.optional(v.boolean()),
  /** Whether long values are shown whole at once. */
  isWhole: v.optional(v.boolean()),
})

/** Declared state of the record component, property by property. */
export const recordState = {
  /** The query of the listing that the reader came from, as in the address. */
  from: v.nullable(v.string()),
}

export type RecordState = { from: string | null }

/**
 * Reads an address. Throws `TABLE_BAD_PARAMETER` for an unknown parameter, but accepts an invalid
 * `from`, since it changes nothing about the row.
 */
export function parseRecordUrl(query: URLSearchParams): RecordState {
  for (const name of query.keys())
    if (!['from', 'edit', 'delete', 'whole'].includes(name))
      throw badParameter(({ address }) => address.unknown(clip(name), 'from'))
  return { from: query.get('from') }
}

/** The listing that the reader came from, and the table with what its conditions need. */
export type From = { readonly state: ListState; readonly open: Ready }

/** The listing that the reader came from; a newly opened one if `from` is missing or invalid. */
export async function parseFrom(
  { from }: RecordState,
  open: OpenTable,
  plans: PlanStore | undefined,
): Promise<From> {
  const read = async (query: string): Promise<From> => {
    const state = LISTING.parse(new URLSearchParams(query), open)
    return { state, open: await LISTING.prepare(open, state, plans) }
  }
  if (from === null) return read('')
  try {
    const found = await read(from)
    // `parse` does not decode the place, which has to be valid as well.
    const where = LISTING.where(found.open, found.state, { locale: 'en', now: 0 })
    LISTING.pageQuery(open, found.state, null, where)
    return found
  } catch (error) {
    if (error instanceof AppError) return read('')
    throw error
  }
}
