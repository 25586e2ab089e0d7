/** How wide each column is: measured on the first page, kept stable while paging. */

import type { Cell, ColumnKind, ColumnView, TableView } from '../../protocol/table-view.ts'

/** Width of each column by name, in half rems (8 px); each has a class in `columns.css`. */
export type ColumnWidths = { readonly [column: string]: number }

const UNIT_PX = 8
const LEAST = 6
const MOST = 48
/** Average advance of table text, of figures and capitals, and of the column head, px. */
const ADVANCE = { text: 6.7, figures: 7.5, head: 6 }
const PADDING_PX = 18
const SORT_MARK_PX = 15
const PILL_PX = 26
/** First and last column meet the page edge. */
const EDGE_PX = 12
/** Of the cells of a text column, this share is shown whole where there is room. */
const WHOLE_SHARE = 0.85

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
export function measureColumns({ columns, rows }: TableView): ColumnWidths {
  const widths = columns.map((column, place): [string, number] => {
    const cells = rows.map((row) => row[place + 2] ?? null)
    const edges = place === 0 || place === columns.length - 1 ? EDGE_PX : 0
    const wanted = Math.max(headWidth(column), cellsWidth(column, cells, columns.length))
    return [column.name, halfRems(wanted + edges)]
  })
  return Object.fromEntries(widths)
}

/** `widths`, with more room for what is never cut; the same object where all fits. */
export function growColumns(widths: ColumnWidths, view: TableView): ColumnWidths {
  const measured = measureColumns(view)
  const grown = view.columns.filter(({ name, kind }) => {
    const before = widths[name]
    return before === undefined || (WHOLE.has(kind) && (measured[name] ?? 0) > before)
  })
  if (grown.length === 0) return widths
  return { ...widths, ...Object.fromEntries(grown.map(({ name }) => [name, measured[name] ?? 0])) }
}

const headWidth = ({ label, unit, sortValue }: ColumnView) =>
  (label.length + (unit ? unit.length + 1 : 0)) * ADVANCE.head +
  PADDING_PX +
  (sortValue === undefined ? 0 : SORT_MARK_PX)

function cellsWidth(column: ColumnView, cells: readonly Cell[], count: number): number {
  const { kind } = column
  const advance = kind === 'text' || kind === 'longtext' ? ADVANCE.text : ADVANCE.figures
  const lengths = cells.map(cellLength).toSorted((a, b) => a - b)
  if (WHOLE.has(kind)) {
    const text = (lengths.at(-1) ?? 0) * (kind === 'status' ? ADVANCE.text : advance)
    return text + PADDING_PX + (kind === 'status' ? PILL_PX : 0)
  }
  const usual = lengths[Math.floor((lengths.length - 1) * WHOLE_SHARE)] ?? 0
  const cap = textCap(count) + (column.isLabel ? 5 : 0)
  return Math.min(usual * advance + PADDING_PX, cap * UNIT_PX)
}

/** Widest text column beside `count - 1` others, in half rems. */
function textCap(count: number): number {
  if (count <= 5) return 44
  return count <= 8 ? 30 : 18
}

/** Characters that a cell shows. */
function cellLength(cell: Cell): number {
  if (typeof cell === 'string') return cell.length || 3
  if (Array.isArray(cell)) return cell[0].length
  return cell === 0 ? 5 : 1
}

const halfRems = (px: number) => Math.min(MOST, Math.max(LEAST, Math.ceil(px / UNIT_PX)))
