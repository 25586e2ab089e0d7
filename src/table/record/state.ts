/** The state of a record page: which row it shows, and which listing one came from. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import { type ListState, listStateOf, pageQuery, parseListUrl } from '../list/concerns.ts'

/** What a page gives the record: the row's table, and its key as text (see row-key.ts). */
export const recordParams = v.object({ table: v.string(), key: v.string() })

/** Declared state of the record component, property by property. */
export const recordState = {
  /** The query of the listing that one came from, as the address has it. */
  from: v.nullable(v.string()),
  /** Whether what takes long is waited for; it is not while a page is drawn. */
  isPatient: v.boolean(),
}

export type RecordState = { from: string | null; isPatient: boolean }

/**
 * Reads an address. A parameter that is not known is refused with `TABLE_BAD_PARAMETER`; a `from`
 * that is no listing's leads to no error, since it changes nothing of the row.
 */
export function parseRecordUrl(query: URLSearchParams): RecordState {
  for (const name of query.keys())
    if (name !== 'from') throw badParameter(({ address }) => address.unknown(clip(name), 'from'))
  return { from: query.get('from'), isPatient: false }
}

/** The listing that one came from; the table as it is opened, where that is not known or is none. */
export function cameFrom({ from }: Pick<RecordState, 'from'>, open: OpenTable): ListState {
  if (from === null) return listStateOf()
  try {
    const state = parseListUrl(new URLSearchParams(from), open)
    // What the place says is looked at only now, and has to be an address as well.
    pageQuery(open, state, null)
    return state
  } catch (error) {
    if (error instanceof AppError) return listStateOf()
    throw error
  }
}
