/** Reads a listing: its count, one page of its rows, and what its concerns show besides. */

import { digestOf } from '../../server/component/digest.ts'
import type { LoadContext, Loaded } from '../../server/component/component.ts'
import type { Clock } from '../filters/filter.ts'
import { encodePredicate } from '../source/predicate-codec.ts'
import type { PageQuery, RowPage } from '../source/row-source.ts'
import type { ListParams, OpenList } from './concern.ts'
import type { ListState } from './concerns.ts'
import type { ListFold } from './fold.ts'
import { askedFor } from './long-questions.ts'
import { exactCount } from './shown.ts'
import { COUNT_WAIT_MS, type FindOptions, type Tally } from './totals.ts'

export type ListLoad = LoadContext<ListState, ListParams, OpenList>

/** What a listing's view is made of, besides its state. */
export type ListRead = {
  readonly page: RowPage
  readonly tally: Tally
  /** What each concern has read, in their order. */
  readonly loaded: readonly unknown[]
  /** Whether no condition leaves out rows. */
  readonly isUnfiltered: boolean
}

/** `version` is the data version that was read for `dependsOn`. Default: it is read when it is needed. */
export async function loadList(
  fold: ListFold,
  given: ListLoad,
  version?: string,
): Promise<Loaded<ListRead, ListState>> {
  const { opened } = given
  const state = fold.presented(opened, given.state)
  const context = { ...given, state }
  const isWorthWaiting = fold.concerns.some((one) => one.needsCount?.(state))
  const maxWaitMs = isWorthWaiting ? COUNT_WAIT_MS : undefined
  const tally = await tallyOf(fold, context, { maxWaitMs, version })
  const [{ page, clamped }, loaded] = await Promise.all([
    readPage(fold, context, exactCount(tally)),
    Promise.all(fold.concerns.map(async (one) => one.load?.(context))),
  ])
  const read = { ...state, ...clamped }
  const isUnfiltered = fold.conditions(opened, state, clockOf(context)).length === 0
  const input = { opened, isUnfiltered, page, tally }
  const decided = fold.concerns.map((one) => one.decide?.(read, input))
  return {
    data: { page, tally, loaded, isUnfiltered },
    state: Object.assign({}, clamped, ...decided),
  }
}

/** When and where a listing is asked for. */
export const clockOf = ({ opened, timeZone }: Pick<ListLoad, 'opened' | 'timeZone'>): Clock => ({
  timeZone,
  now: (opened.services.now ?? Date.now)(),
})

/** How many rows the listing has; counts are cached by actor and conditions. */
export function tallyOf(
  fold: ListFold,
  context: Pick<ListLoad, 'actor' | 'opened' | 'state' | 'params' | 'timeZone'>,
  options: FindOptions,
): Promise<Tally> {
  const { actor, opened, state, params } = context
  const { services, access } = opened
  const { version } = services.catalog().policy
  // The condition itself: the same days mean other moments in another zone, and tomorrow.
  const where = fold.where(opened, state, clockOf(context))
  const condition = digestOf(JSON.stringify(encodePredicate(where)))
  const key = JSON.stringify([version, actor.role, actor.id, params.table, condition])
  return services.totals.find(access, where, key, options)
}

/** Reads the page, and if it lies beyond an end, the one that was meant. */
async function readPage(fold: ListFold, context: ListLoad, total: number | null) {
  const { actor, opened, state, signal, isPatient } = context
  const clock = clockOf(context)
  const { source } = opened.services
  const read = (query: PageQuery) =>
    isPatient
      ? askedFor(source, actor.id, (run) => source.page(opened.access, query, { ...run, signal }))
      : source.page(opened.access, query, { signal })
  const query = fold.pageQuery(opened, state, total, clock)
  const page = await read(query)
  const clamped: Partial<ListState> = {}
  if (page.rows.length > 0 || query.place.at === 'first') return { page, clamped }
  Object.assign(clamped, ...fold.concerns.map((one) => one.clamp?.(state)))
  return {
    page: await read(fold.pageQuery(opened, { ...state, ...clamped }, total, clock)),
    clamped,
  }
}
