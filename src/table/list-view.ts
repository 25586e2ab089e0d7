/** Draws up what a listing shows, from one page of rows. */

import { messagesFor } from '../messages/messages.ts'
import type { Cell, ColumnView, Pagination, Row, TableView, Total } from '../protocol/table-view.ts'
import type { Access } from './access.ts'
import { encodeAnchor } from './anchor.ts'
import type { OpenTable } from './catalog.ts'
import { type Formatter, formatterFor } from './format.ts'
import {
  FIRST_PLACE,
  formatSort,
  listHref,
  listParams,
  type ListState,
  PAGE_SIZES,
  type PlaceState,
} from './list-state.ts'
import { encodeKey } from './row-key.ts'
import type { PageRow, RowPage, SortColumn } from './row-source.ts'
import type { ValueType } from './schema.ts'
import { meanText, sumText } from './sums.ts'
import type { ColumnDefinition } from './table-definition.ts'
import type { Tally } from './totals.ts'

/** Beyond so many rows, an order or search that no index serves is worth a word. */
const SLOW_ROWS = 50_000

export type Drawn = {
  readonly open: OpenTable
  readonly state: ListState
  readonly columns: readonly ColumnDefinition[]
  readonly page: RowPage
  readonly tally: Tally
  readonly base: string
  readonly locale: string
}

/** The whole view of a listing. */
export function drawList(drawn: Drawn): TableView {
  const { open, state, columns, base, locale } = drawn
  const { definition } = open
  const formatter = formatterFor(locale)
  const total = drawTotal(drawn, formatter)
  const sums = drawSums(drawn, formatter)
  const shown = new Set(columns.map(({ name }) => name))
  return {
    name: definition.table.name,
    label: definition.label,
    href: base,
    allColumns: readableColumns(open).map(({ name, label }) => ({
      name,
      label,
      shown: shown.has(name),
    })),
    columns: columns.map((column) => drawColumn(column, drawn)),
    rows: drawRows(drawn, formatter),
    ...(sums.length > 0 && { sums }),
    total,
    page: drawPagination(drawn, total, formatter),
    search: state.search,
    clearHref: listHref(base, { ...state, search: '', place: FIRST_PLACE }),
    params: listParams(state),
    sortText: sortText(effectiveSort(drawn), drawn),
    readOnly: readOnlyReason(drawn),
    slow: slowReason(drawn, total),
  }
}

/** All columns that the actor may read, in the table's order. */
export const readableColumns = ({ definition, access }: OpenTable): ColumnDefinition[] =>
  [...definition.columns.values()].filter(({ name }) => access.canRead(name))

const effectiveSort = ({ state, open }: Pick<Drawn, 'state' | 'open'>): readonly SortColumn[] =>
  state.sort.length > 0 ? state.sort : open.definition.defaultSort

function drawColumn(column: ColumnDefinition, drawn: Drawn): ColumnView {
  const { name, label, kind, unit, sortable } = column
  const sort = effectiveSort(drawn)
  const place = sort.findIndex(({ column }) => column === name)
  const direction = sort[place]?.descending ? 'descending' : 'ascending'
  return {
    name,
    label,
    kind,
    ...(unit !== undefined && { unit }),
    ...(sortable && { sortValue: formatSort(nextSort(drawn.state.sort, name, false)) }),
    ...(place >= 0 && { sorted: { direction, place: place + 1 } as const }),
    ...(name === drawn.open.definition.labelColumn && { isLabel: true as const }),
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

function drawRows({ page, open, columns }: Drawn, formatter: Formatter): Row[] {
  const labelColumn = open.definition.labelColumn
  const labelAt = columns.findIndex(({ name }) => name === labelColumn)
  const labelled = relationPlaces(columns, open)
  const relations = columns.map(({ name }, place) => ({
    at: labelled.indexOf(place),
    access: open.relations.get(name)?.access,
  }))
  return page.rows.map((row) => {
    const drawn: Row = [encodeKey(row.key), '']
    for (const [place, column] of columns.entries()) {
      const value = row.values[place] ?? null
      const { at, access } = relations[place]!
      const label = value === null || !access ? null : relationLabel(row.labels[at], access)
      drawn.push(label ?? formatter.cell(column, value))
    }
    drawn[1] = (labelAt >= 0 && textOf(drawn[labelAt + 2]!)) || drawn[0]
    return drawn
  })
}

/**
 * What stands for a related row; `null` for a row without a name, which shows as its key. So does
 * a row that is not there, to those who see all rows: others are not told it from a hidden one.
 */
function relationLabel(label: PageRow['labels'][number], access: Access): string | 0 | null {
  if (label === undefined) return access.seesAllRows ? null : 0
  return label === '' ? null : label
}

const textOf = (cell: Cell): string =>
  Array.isArray(cell) ? cell[0] : cell === 0 ? '' : (cell ?? '')

/** Which of the columns are shown by the label of the row that they refer to. */
export const relationPlaces = (
  columns: readonly ColumnDefinition[],
  { relations }: OpenTable,
): number[] => columns.flatMap(({ name }, place) => (relations.has(name) ? [place] : []))

function drawSums({ page, columns }: Drawn, formatter: Formatter) {
  return columns.flatMap(({ summary }, place) => {
    const values = page.rows.map(({ values }) => values[place] ?? null)
    const text =
      summary === 'sum'
        ? sumText(values, formatter)
        : summary === 'mean'
          ? meanText(values, formatter)
          : null
    return summary && text !== null ? [{ place, kind: summary, text }] : []
  })
}

function drawTotal({ tally, open, state, page }: Drawn, formatter: Formatter): Total {
  const { count } = tally
  const estimate = state.search === '' ? open.definition.table.estimate : null
  const isPlausible =
    estimate !== null && estimate > (count?.count ?? 0) && estimate >= rowsSeen(state, page)
  if (count?.kind === 'exact')
    return { kind: 'exact', count: count.count, text: formatter.number(count.count) }
  if (isPlausible) return { kind: 'estimate', count: estimate, text: formatter.number(estimate) }
  if (!count) return { kind: tally.settled ? 'unknown' : 'counting' }
  return { kind: count.kind, count: count.count, text: formatter.number(count.count) }
}

/** At least so many rows there are: those up to here, and one if any follow. */
function rowsSeen({ place, size }: ListState, { rows, before, after }: RowPage): number {
  const start = before && place.number !== null ? (place.number - 1) * size : 0
  return start + rows.length + (after ? 1 : 0)
}

function drawPagination(
  { state, page, base }: Drawn,
  total: Total,
  formatter: Formatter,
): Pagination {
  const { size, place } = state
  const pages =
    total.kind === 'exact' || total.kind === 'estimate'
      ? Math.max(1, Math.ceil(total.count / size))
      : null
  const start = startOf(place, page, size, total)
  const number = pageNumber(start, page, size)
  const to = (place: PlaceState) => listHref(base, { ...state, place })
  const link = (name: 'previous' | 'next', at: 'before' | 'after') => {
    const next = neighbour(page, at, number)
    return next && { [name]: to(next) }
  }
  const range =
    start === null || page.rows.length === 0
      ? null
      : `${formatter.number(start + 1)}–${formatter.number(start + page.rows.length)}`
  return {
    number,
    pages:
      pages === null ? null : `${total.kind === 'estimate' ? '≈ ' : ''}${formatter.number(pages)}`,
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

function sortText(sort: readonly SortColumn[], { open, locale }: Drawn): string {
  const { order } = messagesFor(locale)
  const { columns, table } = open.definition
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const words = sort.map(({ column, descending }) => {
    const known = columns.get(column)
    const label = known?.label ?? column
    const kind = known?.sortable ? ORDERS[types.get(column) ?? 'json'] : null
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

function readOnlyReason({ open, locale }: Drawn): string | null {
  const { reasons } = messagesFor(locale)
  const { table } = open.definition
  if (table.kind === 'view') return reasons.readOnlyView
  if (table.key.length === 0) return reasons.readOnlyNoKey
  if (!open.access.may('update')) return reasons.readOnlyGrant
  return reasons.readOnlyDatabase
}

function slowReason({ page, state, open, locale }: Drawn, total: Total): string | null {
  const { reasons } = messagesFor(locale)
  const { estimate } = open.definition.table
  const rows = estimate ?? ('count' in total ? total.count : 0)
  if (page.indexed || rows < SLOW_ROWS) return null
  if (state.search !== '') return reasons.slowSearch
  const column = state.sort[0]?.column
  return column === undefined
    ? null
    : reasons.slowSort(open.definition.columns.get(column)?.label ?? column)
}
