/** How wide each column is: measured on the first page, kept stable while paging. */

import type { Cell, ColumnKind, ColumnView, TableView } from '../../protocol/table-view.ts'
import { cellAt } from './drawn-columns.ts'

/** Width of each column by name, in half rems (8 px); each has a class in `columns.css`. */
export type ColumnWidths = { readonly [column: string]: number }

const UNIT_PX = 8
const LEAST = 6
const MOST = 48
/** Average advance of table text, of figures, and of the small text of heads and sums, px. */
const ADVANCE = { text: 6.7, figures: 7, small: 5.8 }
const PADDING_PX = 18
const SORT_MARK_PX = 16
const PILL_PX = 26
/** First and last column meet the page edge. */
const EDGE_PX = 12
/** Of the cells of a text column, this share is shown whole where there is room. */
const WHOLE_SHARE = 0.9

/** Kinds that are never cut: they are as wide as their widest cell. */
const WHOLE: ReadonlySet<ColumnKind> = new Set([
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'time',
  'status',
])

/** Widths for the rows of a page. The more columns there are, the sooner text is cut. */
export const measureColumns = (view: TableView): ColumnWidths =>
  widthsOf(view, (column, place) =>
    WHOLE.has(column.kind) ? wholeWidth(view, column, place) : textWidth(view, column, place),
  )

/** `widths` with more room for heads and what is never cut; the same object where all fits. */
export function growColumns(widths: ColumnWidths, view: TableView): ColumnWidths {
  const measured = measureColumns(view)
  const least = widthsOf(view, (column, place) =>
    WHOLE.has(column.kind) ? wholeWidth(view, column, place) : 0,
  )
  const grown = view.columns
    .map(({ name }): [string, number] => [
      name,
      Math.max(widths[name] ?? measured[name] ?? 0, least[name] ?? 0),
    ])
    .filter(([name, width]) => width !== widths[name])
  return grown.length === 0 ? widths : { ...widths, ...Object.fromEntries(grown) }
}

/** Widths of all columns: what `measure` says, but never less than the head. */
function widthsOf(
  { columns }: TableView,
  measure: (column: ColumnView, place: number) => number,
): ColumnWidths {
  const widths = columns.map((column, place): [string, number] => {
    const edges = place === 0 || place === columns.length - 1 ? EDGE_PX : 0
    const px = Math.max(headWidth(column), measure(column, place)) + edges
    return [column.name, Math.min(MOST, Math.max(LEAST, Math.ceil(px / UNIT_PX)))]
  })
  return Object.fromEntries(widths)
}

const headWidth = ({ label, unit, sorted }: ColumnView) =>
  (label.length + (unit ? unit.length + 1 : 0)) * ADVANCE.small +
  PADDING_PX +
  (sorted ? SORT_MARK_PX : 0)

/** Room for the widest cell and the sum. */
function wholeWidth(view: TableView, { kind }: ColumnView, place: number): number {
  const longest = lengths(view, place).at(-1) ?? 0
  const sum = view.sums?.find((candidate) => candidate.place === place)
  const cells = kind === 'status' ? longest * ADVANCE.text + PILL_PX : longest * ADVANCE.figures
  return Math.max(cells, ((sum?.text.length ?? 0) + 2) * ADVANCE.figures) + PADDING_PX
}

/** Room for most cells, as far as the other columns allow. */
function textWidth(view: TableView, column: ColumnView, place: number): number {
  const all = lengths(view, place)
  const usual = all[Math.ceil((all.length - 1) * WHOLE_SHARE)] ?? 0
  const isText = column.kind === 'text' || column.kind === 'longtext'
  const cap = textCap(view.columns.length) + (column.isLabel ? 7 : 0)
  const wanted = usual * (isText ? ADVANCE.text : ADVANCE.figures) + PADDING_PX
  return Math.min(wanted, cap * UNIT_PX)
}

/** Widest text column beside `count - 1` others, in half rems. */
function textCap(count: number): number {
  if (count <= 5) return 40
  return count <= 8 ? 28 : 17
}

/** Lengths of the cells of a column, shortest first. */
const lengths = ({ rows }: TableView, place: number): number[] =>
  rows.map((row) => cellLength(cellAt(row, place))).toSorted((a, b) => a - b)

/** Characters that a cell shows. */
function cellLength(cell: Cell): number {
  if (typeof cell === 'string') return cell.length || 3
  if (Array.isArray(cell)) return cell[0].length
  return cell === 0 ? 5 : 1
}
