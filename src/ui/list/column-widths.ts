/** How wide each column is: measured on the first page, kept stable while paging. */

import type { Cell, ColumnKind, ColumnView, TableView } from '../../protocol/table-view.ts'
import { cellAt } from './drawn-columns.ts'
import { textWidth } from './text-width.ts'

/** Width of each column by name, in half rems (8 px); each has a class in `columns.css`. */
export type ColumnWidths = { readonly [column: string]: number }

const UNIT_PX = 8
const LEAST = 6
const MOST = 48
/** What a page of 1440 px has beside the rail, in half rems. */
const ROOM = 154
/** Text is not cut further than this: there the table scrolls instead. */
const LEAST_CAP = 16
/** The column that names the row may be wider by this. */
const LABEL_BONUS = 8
/** Size of the text of heads and sums beside that of cells. */
const SMALL = 12 / 13
/** How much wider the strong text of a sorted head is. */
const STRONG = 1.02
const PADDING_PX = 18
/** What the mark of the order needs beside the padding, into which it reaches. */
const SORT_MARK_PX = 9
/** The number beside the mark, where rows are sorted by several columns. */
const SORT_PLACE_PX = 10
const PILL_PX = 26
const NO_ACCESS_PX = 36
/** First and last column meet the page edge. */
const EDGE_PX = 12

/** Kinds that are never cut: they are as wide as their widest cell. */
const WHOLE: ReadonlySet<ColumnKind> = new Set([
  'key',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'time',
  'status',
])

/** Widths for the rows of a page: text is cut only as far as the page has no room for it. */
export function measureColumns(view: TableView): ColumnWidths {
  const columns = view.columns.map((column, place) => measure(view, column, place))
  const widthsAt = (cap: number) =>
    columns.map(({ name, least, wanted, bonus }): [string, number] => [
      name,
      Math.max(least, Math.min(wanted, cap + bonus)),
    ])
  const total = (cap: number) => widthsAt(cap).reduce((sum, [, width]) => sum + width, 0)
  let cap = MOST
  while (cap > LEAST_CAP && total(cap) > ROOM) cap--
  return Object.fromEntries(widthsAt(cap))
}

/** `widths` with more room for heads and what is never cut; the same object where all fits. */
export function growColumns(widths: ColumnWidths, view: TableView): ColumnWidths {
  const isNew = view.columns.some(({ name }) => widths[name] === undefined)
  const measured = isNew ? measureColumns(view) : {}
  const grown = view.columns
    .map((column, place) => measure(view, column, place))
    .map(({ name, least }): [string, number] => [
      name,
      Math.max(widths[name] ?? measured[name] ?? 0, least),
    ])
    .filter(([name, width]) => width !== widths[name])
  return grown.length === 0 ? widths : { ...widths, ...Object.fromEntries(grown) }
}

/** What a column would like to have, and what it needs at least: its head, or all of it. */
function measure(view: TableView, column: ColumnView, place: number) {
  const edges = place === 0 || place === view.columns.length - 1 ? EDGE_PX : 0
  const head = headWidth(column, isOrderOfSeveral(view)) + edges
  const wanted = Math.max(head, contentWidth(view, column, place) + edges)
  // Half a number would be another number, so no column cuts one: not even keys of other tables.
  const least = WHOLE.has(column.kind)
    ? wanted
    : Math.max(head, widest(view, place, isNumber) + PADDING_PX + edges)
  // What names the row is cut last.
  const bonus = column.isLabel ? LABEL_BONUS : 0
  return { name: column.name, least: halfRems(least), wanted: halfRems(wanted), bonus }
}

const halfRems = (px: number) => Math.min(MOST, Math.max(LEAST, Math.ceil(px / UNIT_PX)))

/** The mark of the order has its room before there is one, so that a click moves no column. */
function headWidth({ label, unit, sortValue, sorted }: ColumnView, isSeveral: boolean): number {
  const text = textWidth(unit ? `${label} ${unit}` : label) * SMALL
  const isSortable = sortValue !== undefined || sorted !== undefined
  const mark = isSortable ? SORT_MARK_PX : 0
  const place = sorted && isSeveral ? SORT_PLACE_PX : 0
  return text * (isSortable ? STRONG : 1) + PADDING_PX + mark + place
}

const isOrderOfSeveral = ({ columns }: TableView) =>
  columns.some(({ sorted }) => sorted && sorted.place > 1)

/** Room for the widest cell and the sum. */
function contentWidth(view: TableView, { kind }: ColumnView, place: number): number {
  const sum = view.sums?.find((candidate) => candidate.place === place)
  const cells = widest(view, place) + (kind === 'status' ? PILL_PX : 0)
  return Math.max(cells, sum ? textWidth(`Σ ${sum.text}`) * SMALL : 0) + PADDING_PX
}

/** Width of the widest cell of a column, or of those that `counts`. */
function widest({ rows }: TableView, place: number, counts?: (cell: Cell) => boolean): number {
  const cells = rows.map((row) => cellAt(row, place))
  return Math.max(0, ...(counts ? cells.filter(counts) : cells).map(cellWidth))
}

const isNumber = (cell: Cell) => typeof cell === 'string' && /^[-\d.,]+$/.test(cell)

function cellWidth(cell: Cell): number {
  if (cell === 0) return NO_ACCESS_PX
  if (cell === null) return 0
  return textWidth(typeof cell === 'string' ? cell : cell[0])
}
