/** Reads a listing: its count, one page of its rows, and what its concerns show besides. */

import type { LoadContext, Loaded } from '../../server/component/component.ts'
import type { PageQuery, RowPage } from '../source/row-source.ts'
import type { ListParams, OpenList } from './concern.ts'
import {
  CONCERNS,
  type ListData,
  listConditions,
  type ListState,
  listWhere,
  pageQuery,
} from './concerns.ts'
import { exactCount } from './shown.ts'
import { COUNT_WAIT_MS, type Tally } from './totals.ts'

export type ListLoad = LoadContext<ListState, ListParams, OpenList>

/** What a listing's view is made of, besides its state. */
export type ListRead = {
  readonly page: RowPage
  readonly tally: Tally
  readonly loaded: ListData
  /** Whether no condition leaves out rows. */
  readonly isUnfiltered: boolean
}

export async function loadList(context: ListLoad): Promise<Loaded<ListRead, ListState>> {
  const { opened, state } = context
  const isWorthWaiting = CONCERNS.some((one) => one.needsCount?.(state))
  const tally = await tallyOf(context, isWorthWaiting ? COUNT_WAIT_MS : undefined)
  const [{ page, clamped }, loaded] = await Promise.all([
    readPage(context, exactCount(tally)),
    loadConcerns(context),
  ])
  const read = { ...state, ...clamped }
  const decided = CONCERNS.map((one) => one.decide?.(read, { opened, page, tally }))
  const isUnfiltered = listConditions(opened, state).length === 0
  return {
    data: { page, tally, loaded, isUnfiltered },
    state: Object.assign({}, clamped, ...decided),
  }
}

/** How many rows the listing has; counts are cached by actor and conditions. */
export function tallyOf(
  { actor, opened, state, params }: Pick<ListLoad, 'actor' | 'opened' | 'state' | 'params'>,
  maxWaitMs?: number,
): Promise<Tally> {
  const { services, access } = opened
  const { version } = services.catalog().policy
  const conditions = CONCERNS.flatMap(({ where, address }) => (where ? address.write(state) : []))
  const key = JSON.stringify([version, actor.role, actor.id, params.table, conditions])
  return services.totals.find(access, listWhere(opened, state), key, maxWaitMs)
}

/** Reads the page, and if it lies beyond an end, the one that was meant. */
async function readPage({ opened, state, signal }: ListLoad, total: number | null) {
  const { source } = opened.services
  const read = (query: PageQuery) => source.page(opened.access, query, { signal })
  const query = pageQuery(opened, state, total)
  const page = await read(query)
  const clamped: Partial<ListState> = {}
  if (page.rows.length > 0 || query.place.at === 'first') return { page, clamped }
  Object.assign(clamped, ...CONCERNS.map((one) => one.clamp?.(state)))
  return { page: await read(pageQuery(opened, { ...state, ...clamped }, total)), clamped }
}

async function loadConcerns(context: ListLoad): Promise<ListData> {
  const loaded = await Promise.all(CONCERNS.map(async (one) => one.load?.(context)))
  // Each concern finds under its name what its own `load` has read.
  return Object.fromEntries(CONCERNS.map(({ name }, at) => [name, loaded[at]])) as ListData
}
