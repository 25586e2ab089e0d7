/** Reads a listing: its count, one page of its rows, and what its concerns show besides. */

import { AppError } from '../../server/app-error.ts'
import type { LoadContext, Loaded } from '../../server/component/component.ts'
import type { Predicate } from '../source/predicate.ts'
import type { PageQuery, RowPage } from '../source/row-source.ts'
import { clockOf, type ListParams, type OpenList, type Ready } from './concern.ts'
import { shownColumns } from './concerns/columns.ts'
import type { ListState } from './concerns.ts'
import { allOf, type ListFold } from './fold.ts'
import { askedFor } from './long-questions.ts'
import { hasPairs, loadPairs } from './pairs.ts'
import type { PairCells } from './rows.ts'
import { exactCount } from './shown.ts'
import { COUNT_WAIT_MS, countKey, type FindOptions, type Tally } from './totals.ts'

export type ListLoad = LoadContext<ListState, ListParams, OpenList>

/** What a listing's view is made of, besides its state. */
export type ListRead = {
  readonly page: RowPage
  readonly tally: Tally
  /** What each concern has read, in their order. */
  readonly loaded: readonly unknown[]
  /** What types and ids beside one another name. Default: nothing. */
  readonly pairs?: PairCells | undefined
  /** The conditions on the rows; without any, none is left out. */
  readonly conditions: readonly Predicate[]
}

/**
 * `version` is the data version that was read for `dependsOn`. Default: it is read when it is needed. Where rows
 * could not be found in time by a condition that can be left out, it reads without it; whoever wants to wait
 * longer is given the rows that they asked for.
 */
export async function loadList(
  fold: ListFold,
  given: ListLoad,
  version?: string,
): Promise<Loaded<ListRead, ListState>> {
  const { opened } = given
  const state = fold.presented(opened, given.state)
  const ready = await fold.prepare(opened, state, opened.services.plans?.store)
  const context = { ...given, state, opened: ready }
  const conditions = fold.conditions(ready, state, clockOf(context))
  let isLate = false
  const late = () => void (isLate = true)
  try {
    return await readList(fold, context, conditions, { version, late })
  } catch (error) {
    const mayLeaveOut = isLate && !given.isPatient && conditions.length === 1
    const instead = mayLeaveOut ? fold.instead(ready, state) : undefined
    if (!instead) throw error
    const other = { ...given, state: { ...given.state, ...instead } }
    const { data, state: decided } = await loadList(fold, other, version)
    return { data, state: { ...instead, ...decided } }
  }
}

/** Reads the rows that fulfil these conditions; `late` is called where those of the page are not found in time. */
async function readList(
  fold: ListFold,
  context: ListLoad & { readonly opened: Ready<OpenList> },
  conditions: readonly Predicate[],
  { version, late }: { readonly version: string | undefined; late(): void },
): Promise<Loaded<ListRead, ListState>> {
  const { opened, state } = context
  const isWorthWaiting = fold.concerns.some((one) => one.needsCount?.(state))
  const maxWaitMs = isWorthWaiting ? COUNT_WAIT_MS : undefined
  const where = allOf(conditions)
  const tally = await tallyOf(where, context, { maxWaitMs, version })
  const reading = readPage(fold, context, where, exactCount(tally)).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'QUERY_TIMEOUT') late()
    throw error
  })
  const loading = Promise.all(fold.concerns.map(async (one) => one.load?.(context)))
  // The rows first: what is read beside them may be late with them.
  loading.catch(() => undefined)
  const { page, clamped } = await reading
  const loaded = await loading
  const columns = () => shownColumns(opened, state)
  for (const [at, one] of fold.concerns.entries())
    if (one.loadPage) loaded[at] = await one.loadPage({ ...context, page, columns })
  const pairs = hasPairs(opened) ? await loadPairs(context, columns(), page) : undefined
  const read = { ...state, ...clamped }
  const input = { opened, isUnfiltered: conditions.length === 0, page, tally }
  const decided = fold.concerns.map((one) => one.decide?.(read, input))
  return {
    data: { page, tally, loaded, pairs, conditions },
    state: Object.assign({}, clamped, ...decided),
  }
}

/** How many rows fulfil the condition; counts are cached by actor and condition. */
export function tallyOf(
  where: Predicate,
  context: Pick<ListLoad, 'opened'>,
  options: FindOptions,
): Promise<Tally> {
  const { services, access } = context.opened
  const { version } = services.catalog().policy
  return services.totals.find(access, where, countKey(access, version, where), options)
}

/** Reads the page, and if it lies beyond an end, the one that was meant. */
async function readPage(
  fold: ListFold,
  { actor, opened, state, signal, isPatient }: ListLoad,
  where: Predicate,
  total: number | null,
) {
  const { source } = opened.services
  const read = (query: PageQuery) =>
    isPatient
      ? askedFor(source, actor.id, (run) => source.page(opened.access, query, { ...run, signal }))
      : source.page(opened.access, query, { signal })
  const query = fold.pageQuery(opened, state, total, where)
  const page = await read(query)
  const clamped: Partial<ListState> = {}
  if (page.rows.length > 0 || query.place.at === 'first') return { page, clamped }
  Object.assign(clamped, ...fold.concerns.map((one) => one.clamp?.(state)))
  return {
    page: await read(fold.pageQuery(opened, { ...state, ...clamped }, total, where)),
    clamped,
  }
}
