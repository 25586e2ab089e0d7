/** Draws up what a listing shows, from one page of rows. */

import { messagesFor } from '../../messages/messages.ts'
import type {
  ColumnKind,
  ColumnView,
  FilterView,
  Pagination,
  TableView,
  Total,
} from '../../protocol/table-view.ts'
import { encodeAnchor } from './anchor.ts'
import type { OpenTable } from '../catalog.ts'
import { type Formatter, formatterFor } from '../format.ts'
import {
  FIRST_PLACE,
  formatSort,
  listHref,
  listParams,
  listQuery,
  type ListState,
  type PlaceState,
  sizeOf,
  SORT_MAX,
} from './state.ts'
import { PAGE_SIZES } from '../definition/page-size.ts'
import type { Reader } from '../../server/http/locale.ts'
import { sortOf } from './query.ts'
import { drawRows, isOpenable } from './rows.ts'
import type { RowPage, SortColumn } from '../source/row-source.ts'
import type { ValueType } from '../source/schema.ts'
import { meanText, sumText } from './sums.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Tally } from './totals.ts'

/** Beyond so many rows, an order or search that no index serves is worth a word. */
const SLOW_ROWS = 50_000

export type Drawn = {
  readonly open: OpenTable
  readonly state: ListState
  readonly columns: readonly ColumnDefinition[]
  readonly page: RowPage
  readonly tally: Tally
  readonly filters: readonly FilterView[]
  /** Address of a table's listing. */
  readonly href: (table: string) => string
  readonly reader: Reader
}

/** The whole view of a listing. */
export function drawList(drawn: Drawn): TableView {
  const { open, state, columns, filters, reader } = drawn
  const { definition } = open
  const base = drawn.href(definition.table.name)
  const formatter = formatterFor(reader)
  const { rows, except } = drawRows(drawn, formatter)
  const total = drawTotal(drawn, formatter)
  const page = drawPagination(drawn, base, total, formatter)
  const sums = drawSums(drawn, formatter)
  const shown = new Set(columns.map(({ name }) => name))
  return {
    name: definition.table.name,
    label: definition.label,
    ...(definition.help !== undefined && { help: definition.help }),
    href: base,
    allColumns: readableColumns(open).map(({ name, label }) => ({
      name,
      label,
      shown: shown.has(name),
    })),
    columns: columns.map((column) => drawColumn(column, drawn)),
    rows,
    ...(definition.table.key.length > 0 && {
      records: { query: recordQuery(state, page.number), ...(except.length > 0 && { except }) },
    }),
    ...(sums.length > 0 && { sums }),
    total,
    page,
    ...(filters.length > 0 && {
      filters: {
        all: [...filters],
        clearHref: listHref(base, { ...state, filters: [], place: FIRST_PLACE }),
      },
    }),
    search: state.search,
    clearHref: listHref(base, { ...state, search: '', place: FIRST_PLACE }),
    params: listParams(state),
    sortText: sortText(effectiveSort(drawn), drawn),
    ...(state.sort.length >= SORT_MAX && { orderFull: true as const }),
    readOnly: readOnlyReason(drawn),
    slow: slowReason(drawn, total),
    advice: drawn.page.advice ?? null,
  }
}

/** All columns that the actor may read, in the table's order. */
export const readableColumns = ({ definition, access }: OpenTable): ColumnDefinition[] =>
  [...definition.columns.values()].filter(({ name }) => access.canRead(name))

const effectiveSort = ({ state, open }: Pick<Drawn, 'state' | 'open'>): readonly SortColumn[] =>
  sortOf(open, state)

function drawColumn(column: ColumnDefinition, drawn: Drawn): ColumnView {
  const { name, label, kind, unit, help, sortable } = column
  const sort = effectiveSort(drawn)
  const place = sort.findIndex(({ column }) => column === name)
  const direction = sort[place]?.descending ? 'descending' : 'ascending'
  const relation = drawn.open.relations.get(name)
  return {
    name,
    label,
    kind,
    ...(unit !== undefined && { unit }),
    ...(help !== undefined && { help }),
    ...(sortable && { sortValue: formatSort(nextSort(drawn.state.sort, name, false)) }),
    ...(place >= 0 && { sorted: { direction, place: place + 1 } as const }),
    ...(name === drawn.open.definition.labelColumn && { isLabel: true as const }),
    ...(relation && isOpenable(relation) && { related: drawn.href(relation.access.table.name) }),
  }
}

/**
 * The order after a click on a head: ascending, descending, then the table's own. With `add` the
 * column joins those that are there; without it, it stands alone.
 */
export function nextSort(sort: readonly SortColumn[], column: string, add: boolean): SortColumn[] {
  const at = sort.findIndex((one) => one.column === column)
  const current = sort[at]
  const next = !current
    ? [{ column, descending: false }]
    : current.descending
      ? []
      : [{ column, descending: true }]
  if (!add) return current && sort.length > 1 ? [{ column, descending: false }] : next
  return current ? sort.toSpliced(at, 1, ...next) : [...sort, ...next]
}

/** Longest `from` of a record's address, characters as they are written there. */
const FROM_MAX = 4000

/** Where one comes from, for the pages of rows: the listing as it is, as far as an address has room. */
function recordQuery(state: ListState, number: number | null): string {
  const whole = listQuery({ ...state, place: { ...state.place, number } })
  const queries = [whole, listQuery({ ...state, place: FIRST_PLACE })].map(encodeURIComponent)
  const query = queries.find(({ length }) => length <= FROM_MAX) ?? ''
  return query === '' ? '' : `?from=${query}`
}

function drawSums({ page, columns }: Drawn, formatter: Formatter) {
  return columns.flatMap(({ summary, kind }, place) => {
    const values = page.rows.map(({ values }) => values[place] ?? null)
    const text =
      summary === 'sum'
        ? sumText(values, formatter, kind === 'money')
        : summary === 'mean'
          ? meanText(values, formatter, kind === 'money')
          : null
    return summary && text !== null ? [{ place, kind: summary, text }] : []
  })
}

function drawTotal(drawn: Drawn, formatter: Formatter): Total {
  const { tally, open, state } = drawn
  const { count } = tally
  const isWhole = state.search === '' && state.filters.length === 0
  const estimate = isWhole ? open.definition.table.estimate : null
  const isPlausible =
    estimate !== null && estimate > (count?.count ?? 0) && estimate >= rowsSeen(drawn)
  if (count?.kind === 'exact')
    return { kind: 'exact', count: count.count, text: formatter.number(count.count) }
  if (isPlausible) return { kind: 'estimate', count: estimate, text: formatter.number(estimate) }
  if (!count) return { kind: tally.settled ? 'unknown' : 'counting' }
  return { kind: count.kind, count: count.count, text: formatter.number(count.count) }
}

/** At least so many rows there are: those up to here, and one if any follow. */
function rowsSeen({ state, open, page }: Drawn): number {
  const { rows, before, after } = page
  const { number } = state.place
  const start = before && number !== null ? (number - 1) * sizeOf(state, open.definition) : 0
  return start + rows.length + (after ? 1 : 0)
}

function drawPagination(
  { state, open, page, reader }: Drawn,
  base: string,
  total: Total,
  formatter: Formatter,
): Pagination {
  const { place } = state
  const size = sizeOf(state, open.definition)
  const { list } = messagesFor(reader.language)
  const isKnown = total.kind === 'exact' || total.kind === 'estimate'
  const start = startOf(place, page, size, total)
  const number = pageNumber(start, page, size)
  const to = (place: PlaceState) => listHref(base, { ...state, place })
  const link = (name: 'previous' | 'next', at: 'before' | 'after') => {
    const next = neighbour(page, at, number)
    return next && { [name]: to(next) }
  }
  const range: Pagination['range'] =
    start === null || page.rows.length === 0
      ? null
      : [formatter.number(start + 1), formatter.number(start + page.rows.length)]
  return {
    number,
    pages: isKnown
      ? list.total[total.kind](formatter.number(Math.max(1, Math.ceil(total.count / size))))
      : null,
    size,
    range,
    ...(page.before && { first: to(FIRST_PLACE), ...link('previous', 'before') }),
    ...(page.after && { ...link('next', 'after'), last: to(LAST_PLACE) }),
    sizes: [...PAGE_SIZES],
  }
}

export const LAST_PLACE: PlaceState = { at: 'last', number: null, anchor: null }

/**
 * How many rows come before these, `null` where that is not known. Either end of the table tells
 * it; in between it is what the address says, unless the total makes that impossible.
 */
function startOf(
  { number }: PlaceState,
  { rows, before, after }: RowPage,
  size: number,
  total: Total,
): number | null {
  if (!before) return 0
  const count = total.kind === 'exact' ? total.count : null
  const start =
    !after && count !== null ? count - rows.length : number === null ? null : (number - 1) * size
  if (start === null || start <= 0) return null
  const end = start + rows.length
  return count === null || (after ? end < count : end === count) ? start : null
}

/** The page's number, where its rows are just those that a page of this number has. */
function pageNumber(start: number | null, { rows, after }: RowPage, size: number): number | null {
  const isWhole = rows.length === size || !after
  return start !== null && start % size === 0 && isWhole ? start / size + 1 : null
}

/** The place that follows or goes before the rows shown; `null` where nothing tells where that is. */
function neighbour(
  page: RowPage,
  at: 'after' | 'before',
  number: number | null,
): PlaceState | null {
  const row = at === 'after' ? page.rows.at(-1) : page.rows[0]
  const next = number === null ? null : at === 'after' ? number + 1 : Math.max(1, number - 1)
  if (at === 'before' && next === 1) return FIRST_PLACE
  const anchor = row ? encodeAnchor(row) : null
  if (anchor !== null) return { at, number: next, anchor }
  return next === null ? null : { at: 'offset', number: next, anchor }
}

function sortText(sort: readonly SortColumn[], { open, reader }: Drawn): string {
  const { order } = messagesFor(reader.language)
  const { columns, table } = open.definition
  const all = new Map(table.columns.map((column) => [column.name, column]))
  const words = sort.map(({ column, descending }) => {
    const known = columns.get(column)
    const label = known?.label ?? column
    const { type: value = 'json', isListed = false } = all.get(column) ?? {}
    const type = isListed ? 'listed' : ORDERS[value]
    const kind = known?.sortable ? type && (ORDERS_BY_KIND[known.kind] ?? type) : null
    return kind ? order.text(label, order[descending ? 'descending' : 'ascending'][kind]) : label
  })
  return words.length === 0 ? '' : words.reduce((first, second) => order.then(first, second))
}

/** Which words say the order of what a column holds; what has no order to see has no words. */
const ORDERS: Readonly<Record<ValueType, 'date' | 'time' | 'number' | 'boolean' | 'text' | null>> =
  {
    text: 'text',
    integer: 'number',
    decimal: 'number',
    float: 'number',
    boolean: 'boolean',
    date: 'date',
    datetime: 'date',
    time: 'time',
    json: null,
    binary: null,
  }

/** Kinds that say more of an order than their type does, where a view reckons or 0 stands for no. */
const ORDERS_BY_KIND: { readonly [kind in ColumnKind]?: 'number' | 'boolean' } = {
  number: 'number',
  boolean: 'boolean',
}

/** Why rows of the table cannot be changed, in words; `null` where they can. */
export function readOnlyReason({ open, reader }: Pick<Drawn, 'open' | 'reader'>): string | null {
  const { reasons } = messagesFor(reader.language)
  const { table } = open.definition
  if (table.kind !== 'table') return reasons.readOnlyView
  if (table.key.length === 0) return reasons.readOnlyNoKey
  if (!open.access.may('update')) return reasons.readOnlyGrant
  return reasons.readOnlyDatabase
}

function slowReason({ page, state, open, reader }: Drawn, total: Total): string | null {
  const { reasons } = messagesFor(reader.language)
  const { estimate } = open.definition.table
  const rows = estimate ?? ('count' in total ? total.count : 0)
  if (page.indexed || rows < SLOW_ROWS) return null
  if (state.search !== '') return reasons.slowSearch
  if (state.filters.length > 0) return reasons.slowFilter
  const column = state.sort[0]?.column
  return column === undefined
    ? null
    : reasons.slowSort(open.definition.columns.get(column)?.label ?? column)
}
