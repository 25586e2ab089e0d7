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
import { FIRST_PLACE, LAST_PLACE } from './place.ts'
import { exactCount } from './shown.ts'
import { COUNT_PATIENCE_MS, type Tally } from './totals.ts'

export type ListLoad = LoadContext<ListState, ListParams, OpenList>

/** What a listing's view is made of, besides its state. */
export type ListRead = {
  readonly page: RowPage
  readonly tally: Tally
  readonly loaded: ListData
  /** Whether no condition leaves rows out. */
  readonly isWhole: boolean
}

export async function loadList(context: ListLoad): Promise<Loaded<ListRead, ListState>> {
  const { opened, state } = context
  // Pages at or near the end are counted from there, so they are worth a moment's wait.
  const isDeep = state.place.at === 'last' || state.place.at === 'offset'
  const tally = await tallyOf(context, isDeep ? COUNT_PATIENCE_MS : undefined)
  const [{ page, place }, loaded] = await Promise.all([
    readPage(context, exactCount(tally)),
    loadConcerns(context),
  ])
  const read = { ...state, place }
  const decided = CONCERNS.map((one) => one.decide?.(read, { opened, page, tally }))
  const isWhole = listConditions(opened, state).length === 0
  return { data: { page, tally, loaded, isWhole }, state: Object.assign({ place }, ...decided) }
}

/** How many rows the listing has; counts are kept by what the actor may see and what is asked. */
export function tallyOf(
  { actor, opened, state, params }: Pick<ListLoad, 'actor' | 'opened' | 'state' | 'params'>,
  patienceMs?: number,
): Promise<Tally> {
  const { services, access } = opened
  const { version } = services.catalog().policy
  const conditions = CONCERNS.flatMap(({ where, address }) => (where ? address.write(state) : []))
  const key = JSON.stringify([version, actor.role, actor.id, params.table, conditions])
  return services.totals.find(access, listWhere(opened, state), key, patienceMs)
}

/** Past an end, the page at that end is what was meant (a page out of range is clamped). */
async function readPage({ opened, state, signal }: ListLoad, total: number | null) {
  const { source } = opened.services
  const read = (query: PageQuery) => source.page(opened.access, query, { signal })
  const query = pageQuery(opened, state, total)
  const page = await read(query)
  if (page.rows.length > 0 || query.place.at === 'first') return { page, place: state.place }
  const place = query.place.at === 'before' ? FIRST_PLACE : LAST_PLACE
  return { page: await read(pageQuery(opened, { ...state, place }, total)), place }
}

async function loadConcerns(context: ListLoad): Promise<ListData> {
  const loaded = await Promise.all(CONCERNS.map(async (one) => one.load?.(context)))
  // Each concern is given back what it has read itself, under its own name.
  return Object.fromEntries(CONCERNS.map(({ name }, at) => [name, loaded[at]])) as ListData
}
