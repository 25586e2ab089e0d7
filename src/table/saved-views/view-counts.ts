/** How many rows each saved view of a table finds, as far as that is counted quickly. */

import { messagesFor } from '../../messages/messages.ts'
import { ALL_ROWS, type ViewCounts } from '../../protocol/saved-views.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { Clock } from '../filters/filter.ts'
import { formatterFor } from '../format.ts'
import { LISTING } from '../list/fold.ts'
import { COUNT_BOUND } from '../list/totals.ts'
import type { Count, RowSource } from '../source/row-source.ts'
import { readableQuery } from './view-query.ts'
import type { StoredView } from './view-records.ts'

/** Longest time for the count of one view, ms. */
const EACH_MS = 1000
/** Longest time for all of them; views that come after it have no count, ms. */
const ALL_MS = 3000

export type Counting = {
  readonly source: Pick<RowSource, 'count'>
  readonly opened: OpenTable
  readonly clock: Clock
  readonly reader: Reader
  readonly signal: AbortSignal
}

/** By the id of the view, in words; `ALL_ROWS` names what the list shows without one. */
export async function countViews(
  views: readonly StoredView[],
  { source, opened, clock, reader, signal }: Counting,
): Promise<ViewCounts> {
  const counts: ViewCounts = {}
  const ended = AbortSignal.timeout(ALL_MS)
  const options = {
    bound: COUNT_BOUND,
    timeoutMs: EACH_MS,
    signal: AbortSignal.any([signal, ended]),
  }
  for (const { id, query } of [{ id: ALL_ROWS, query: '' }, ...views]) {
    const state = LISTING.parse(new URLSearchParams(readableQuery(query, opened).query), opened)
    const where = LISTING.where({ ...opened, prepared: {} }, state, clock)
    try {
      const text = textOf(await source.count(opened.access, where, options), reader)
      if (text !== undefined) counts[id] = text
    } catch (error) {
      if (ended.aborted) break
      if (!isLate(error)) throw error
    }
  }
  return counts
}

/** Whether a view takes too long to count; its rows can be opened all the same. */
const isLate = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'QUERY_TIMEOUT' || error.code === 'BUSY')

/** `undefined` for an estimate, which says too little. */
function textOf({ kind, count }: Count, reader: Reader): string | undefined {
  if (kind === 'estimate') return undefined
  const text = formatterFor(reader).number(count)
  return kind === 'exact' ? text : messagesFor(reader.language).savedViews.moreThan(text)
}
