/** The state of a record page: which row it shows, and which listing one came from. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import { placeOf } from '../list/query.ts'
import { type ListState, listStateOf, parseListUrl } from '../list/state.ts'

/** Declared state of the record component, property by property. */
export const recordState = {
  table: v.string(),
  /** The row's key as text (see row-key.ts). */
  key: v.string(),
  /** The query of the listing that one came from, as the address has it. */
  from: v.nullable(v.string()),
  /** Whether what takes long is waited for; it is not while a page is drawn. */
  isPatient: v.boolean(),
}

export type RecordState = {
  table: string
  key: string
  from: string | null
  isPatient: boolean
}

/**
 * Reads an address. A parameter that is not known is refused with `TABLE_BAD_PARAMETER`; a `from`
 * that is no listing's leads to no error, since it changes nothing of the row.
 */
export function parseRecordUrl(table: string, key: string, query: URLSearchParams): RecordState {
  for (const name of query.keys())
    if (name !== 'from') throw badParameter(({ address }) => address.unknown(clip(name), 'from'))
  return { table, key, from: query.get('from'), isPatient: false }
}

/** The listing that one came from; the table as it is opened, where that is not known or is none. */
export function cameFrom({ from, table }: RecordState, open: OpenTable): ListState {
  if (from === null) return listStateOf(table)
  try {
    const state = parseListUrl(new URLSearchParams(from), open.definition, open.access)
    // What the place says is looked at only now, and has to be an address as well.
    placeOf(state, open, null)
    return state
  } catch (error) {
    if (error instanceof AppError) return listStateOf(table)
    throw error
  }
}
