/** Paging: how many rows at once, which of them, and how many there are in all. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { PAGE_MAX } from '../../../protocol/table-component.ts'
import type { Pagination, Total } from '../../../protocol/table-view.ts'
import { PAGE_SIZES, type PageSize } from '../../definition/page-size.ts'
import type { TableDefinition } from '../../definition/table-definition.ts'
import { type Formatter, formatterFor } from '../../format.ts'
import { defineConcern, type PartInput } from '../concern.ts'
import {
  FIRST_PLACE,
  LAST_PLACE,
  parsePlace,
  placeAt,
  placeParams,
  placeSchema,
  type PlaceState,
  sourcePlace,
} from '../place.ts'
import {
  exactCount,
  NOTHING_SHOWN,
  pageNumber,
  plausibleEstimate,
  type Shown,
  shownOf,
  shownSchema,
  startOf,
} from '../shown.ts'
import { COUNT_WAIT_MS, type Tally } from '../totals.ts'

type State = { size: PageSize | null; place: PlaceState; shown: Shown }

export const paging = defineConcern({
  name: 'paging',
  state: {
    /** Chosen rows on a page, or `null` for the table's default. */
    size: v.nullable(v.picklist(PAGE_SIZES)),
    place: placeSchema,
    shown: shownSchema,
  },
  initial: { size: null, place: FIRST_PLACE, shown: NOTHING_SHOWN },
  reset: { place: FIRST_PLACE },
  address: {
    names: ['size', 'page', 'after', 'before'],
    owns: (name) => ['size', 'page', 'after', 'before'].includes(name),
    read: (query, { definition }) => ({
      size: parseSize(query.get('size'), definition),
      place: parsePlace(query),
      shown: NOTHING_SHOWN,
    }),
    write: ({ size }) => (size === null ? [] : [['size', String(size)]]),
    place: ({ place }) => placeParams(place),
  },
  query(state, { opened, total, query }) {
    const size = sizeOf(state, opened.definition)
    const sortColumns = query.sort.length
    return { size, place: sourcePlace(opened, { place: state.place, size, sortColumns, total }) }
  },
  // A page near the end is read from there, which takes the count.
  needsCount: ({ place: { at } }) => at === 'last' || at === 'offset',
  clamp: ({ place: { at } }) => ({ place: at === 'before' ? FIRST_PLACE : LAST_PLACE }),
  actions: {
    turnPage: {
      args: v.strictTuple([
        v.union([
          v.picklist(['first', 'previous', 'next', 'last']),
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAGE_MAX)),
        ]),
      ]),
      async run({ state, opened, go, tally, ...reader }, to): Promise<string | null> {
        if (typeof to === 'number') {
          const size = sizeOf(state, opened.definition)
          const pages = pagesIn(await tally(), size)
          go({ place: placeAt(Math.min(to, pages)) })
          const { list } = messagesFor(reader.language)
          return to > pages ? list.lastOf(formatterFor(reader).number(pages)) : null
        }
        const { place, shown } = state
        const number =
          place.number ?? numberOf(shown, sizeOf(state, opened.definition), await tally())
        go({ place: turn({ ...place, number }, shown, to) })
        return null
      },
    },
    setSize: {
      args: v.strictTuple([v.picklist(PAGE_SIZES)]),
      // The first row that was shown is on the page that is shown then.
      run: ({ opened, state: { shown }, go }, size) =>
        go({
          size: chosenSize(size, opened.definition),
          place: placeAt(Math.floor((shown.start ?? 0) / size) + 1),
        }),
    },
    /** How many rows there are by now; waits a little for a better count. */
    total: {
      kind: 'query',
      args: v.strictTuple([]),
      async run(context): Promise<{ total: Total; page: Pagination; counting: boolean }> {
        const tally = await context.tally(COUNT_WAIT_MS)
        const isUnfiltered = context.conditions().length === 0
        const { total, page } = drawPaging({ ...context, tally, isUnfiltered, reader: context })
        return { total, page, counting: !tally.settled }
      },
    },
  },
  /** The number and the edges of a page are known only once it has been read. */
  decide({ place, ...state }, { opened, page, tally }) {
    const size = sizeOf(state, opened.definition)
    const claimed = place.number === null ? null : (place.number - 1) * size
    const shown = shownOf(page, opened.keys, claimed, exactCount(tally))
    return { shown, place: { ...place, number: pageNumber(shown.start, shown, size) } }
  },
  view: (input) => ({
    ...drawPaging(input),
    ...(!input.tally.settled && { counting: true as const }),
  }),
})

/** How many pages there are, as far as that is known. */
function pagesIn(tally: Tally, size: PageSize): number {
  const count = exactCount(tally)
  return count === null ? Infinity : Math.max(1, Math.ceil(count / size))
}

/** The number of a page, which a later count may have settled. */
const numberOf = (shown: Shown, size: PageSize, tally: Tally): number | null =>
  pageNumber(startOf(shown.start, shown, exactCount(tally)), shown, size)

function parseSize(text: string | null, definition: TableDefinition): PageSize | null {
  return text === null ? null : chosenSize(clampSize(Number(text)), definition)
}

/** The largest offered size up to `wanted`, else the smallest. */
const clampSize = (wanted: number): PageSize =>
  PAGE_SIZES.findLast((size) => size <= wanted) ?? PAGE_SIZES[0]

/** A size as state: `null` for the table's default. */
const chosenSize = (size: PageSize, { pageSize }: TableDefinition): PageSize | null =>
  size === pageSize ? null : size

/** Rows on a page. */
export const sizeOf = (
  { size }: Pick<State, 'size'>,
  { pageSize }: Pick<TableDefinition, 'pageSize'>,
): PageSize => size ?? pageSize

function turn(
  place: PlaceState,
  { first, last }: Shown,
  to: 'first' | 'previous' | 'next' | 'last',
): PlaceState {
  if (to === 'first') return FIRST_PLACE
  if (to === 'last') return LAST_PLACE
  const step = to === 'next' ? 1 : -1
  const number = place.number === null ? null : Math.max(1, place.number + step)
  if (number === 1) return FIRST_PLACE
  const anchor = to === 'next' ? last : first
  if (anchor === null) return number === null ? place : { at: 'offset', number, anchor: null }
  return { at: to === 'next' ? 'after' : 'before', number, anchor }
}

type Drawn = Pick<
  PartInput<State>,
  'state' | 'opened' | 'tally' | 'reader' | 'href' | 'isUnfiltered'
>

function drawPaging(input: Drawn): { total: Total; page: Pagination } {
  const formatter = formatterFor(input.reader)
  const total = drawTotal(input, formatter)
  return { total, page: drawPagination(input, total, formatter) }
}

function drawTotal({ opened, state, tally, isUnfiltered }: Drawn, formatter: Formatter): Total {
  const { count, settled } = tally
  if (count?.kind === 'exact')
    return { kind: 'exact', count: count.count, text: formatter.number(count.count) }
  const estimate = isUnfiltered ? plausibleEstimate(opened, state.shown, tally) : null
  if (estimate !== null)
    return { kind: 'estimate', count: estimate, text: formatter.number(estimate) }
  if (!count) return { kind: settled ? 'unknown' : 'counting' }
  return { kind: count.kind, count: count.count, text: formatter.number(count.count) }
}

function drawPagination(
  { state, opened, tally, reader, href }: Drawn,
  total: Total,
  formatter: Formatter,
): Pagination {
  const { shown } = state
  const size = sizeOf(state, opened.definition)
  const { list } = messagesFor(reader.language)
  const isKnown = total.kind === 'exact' || total.kind === 'estimate'
  const start = startOf(shown.start, shown, exactCount(tally))
  const number = pageNumber(start, shown, size)
  const to = (place: PlaceState) => href({ place })
  const link = (name: 'previous' | 'next', at: 'before' | 'after') => {
    const next = neighbour(shown, at, number)
    return next && { [name]: to(next) }
  }
  const range: Pagination['range'] =
    start === null || shown.rows === 0
      ? null
      : [formatter.number(start + 1), formatter.number(start + shown.rows)]
  return {
    number,
    pages: isKnown
      ? list.total[total.kind](formatter.number(Math.max(1, Math.ceil(total.count / size))))
      : null,
    size,
    range,
    ...(shown.before && { first: to(FIRST_PLACE), ...link('previous', 'before') }),
    ...(shown.after && { ...link('next', 'after'), last: to(LAST_PLACE) }),
    sizes: [...PAGE_SIZES],
  }
}

/** The place after or before the rows shown; `null` if neither anchor nor number is known. */
function neighbour(
  { first, last }: Shown,
  at: 'after' | 'before',
  number: number | null,
): PlaceState | null {
  const next = number === null ? null : at === 'after' ? number + 1 : Math.max(1, number - 1)
  if (at === 'before' && next === 1) return FIRST_PLACE
  const anchor = at === 'after' ? last : first
  if (anchor !== null) return { at, number: next, anchor }
  return next === null ? null : { at: 'offset', number: next, anchor: null }
}
