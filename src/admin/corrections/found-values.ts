/** The values that a column holds, with how many rows hold each: those that can be given names. */

import type { OpenTable } from '../../table/catalog.ts'
import { orOnTimeout } from '../../table/references.ts'
import { everything } from '../../table/source/predicate.ts'
import type { RowSource } from '../../table/source/row-source.ts'

export type FoundValue = { readonly stored: string; readonly count: number }

/** A column with more values is none of states. */
const STATES_MAX = 20
/** Longest time that they are looked for, ms: the page does without them. */
const TIMEOUT_MS = 1500

/** The most frequent first; none where there are too many, or where they were not counted in time. */
export async function foundValues(
  source: RowSource,
  { access, definition }: OpenTable,
  name: string,
  signal: AbortSignal,
): Promise<readonly FoundValue[]> {
  const column = definition.table.columns.find((one) => one.name === name)
  const isNamed = column && !column.array && (column.type === 'text' || column.type === 'integer')
  if (!isNamed || !access.canRead(name)) return []
  const options = { limit: STATES_MAX, timeoutMs: TIMEOUT_MS, signal }
  const asked = source.facets(access, everything, name, options)
  const found = await asked.catch(orOnTimeout(undefined))
  if (!found || found.hasMore) return []
  return found.facets.flatMap(({ value, count, isCut }) =>
    value === null || value === '' || isCut ? [] : { stored: String(value), count },
  )
}
