/** How wide each column is: measured on the first page, kept stable while paging. */

import { type Cell, COLUMN_PX, type ColumnView, type TableView } from '../../protocol/table-view.ts'
import { BUILT_IN, type KindMap } from '../kinds/kinds.ts'
import { cellsOf, layoutOf } from './drawn-columns.ts'
import { textWidth } from './text-width.ts'

/** Widths of a column, px: a wider page gives its columns more than the least, up to their whole content. */
export type ColumnWidth = {
  readonly least: number
  readonly full: number
  /** The width that a person has chosen for it. */
  readonly chosen?: number | undefined
}

/** Widths of each column by name. */
export type ColumnWidths = { readonly [column: string]: ColumnWidth }

/** Widths are multiples of this. */
const STEP_PX = 2
const { least: LEAST_PX, most: MOST_PX } = COLUMN_PX
/** The unit of `ColumnLayout.least`. */
const HALF_REM_PX = 8
/** Where the page has no room, one in so many cells of a column may be cut, and none of the one that names the row. */
const ONE_IN = 20
/** No column is narrowed below this for it; */
const LEAST_CAP_PX = 88
/** but what is wider than this, such as long text, is cut here. */
export const LONG_PX = 320
/** A head is on one line, and cut only beyond this. */
const HEAD_MOST_PX = 320
/** Text size of heads and sums, relative to cells. */
const SMALL = 12 / 13
/** How much wider bold text is: that of a sorted head, and of the column that leads to the row. */
const STRONG = 1.025
const PADDING_PX = 17
/** Room for the sort mark beyond the padding, into which it extends. */
const SORT_MARK_PX = 9
/** Room for the button of a head's menu beyond the padding. It covers the sort mark. */
const MENU_PX = 16
/** Room for the number beside the mark when several columns are sorted. */
const SORT_PLACE_PX = 10
const NO_ACCESS_PX = 36
/** How many pictures there are besides, such as `+2`. */
const MORE_PX = 22
/** The mark of a text that the server has cut. */
const CUT_MARK_PX = textWidth('…')
/** Extra padding of the first and last column, at the page edge. */
const EDGE_PX = 12

/** Widths of a column, px. */
type Measured = ColumnWidth & {
  readonly name: string
  /** Enough for its head, and for all values that are never cut. */
  readonly need: number
}

/** Widths for the rows of a page; those that a person has chosen are as they are. */
export function measureColumns(view: TableView, kinds: KindMap = BUILT_IN): ColumnWidths {
  const widths: { [column: string]: ColumnWidth } = {}
  for (const { name, need: _, ...width } of measureAll(view, kinds)) widths[name] = width
  return widths
}

/** `widths`, wider where heads or uncut values need it; the same object if all fits. */
export function growColumns(
  widths: ColumnWidths,
  view: TableView,
  kinds: KindMap = BUILT_IN,
): ColumnWidths {
  const grown: { [column: string]: ColumnWidth } = {}
  for (const { name, need, ...measured } of measureAll(view, kinds)) {
    const width = widths[name]
    // A width that a person has just chosen, or given up, counts at once.
    if (!width || width.chosen !== measured.chosen) grown[name] = measured
    else if (width.least < need)
      grown[name] = { ...width, least: need, full: Math.max(width.full, need) }
  }
  return Object.keys(grown).length === 0 ? widths : { ...widths, ...grown }
}

function measureAll(view: TableView, kinds: KindMap): Measured[] {
  const page = { view, kinds, rows: view.rows.map(cellsOf), isSeveral: isOrderOfSeveral(view) }
  return view.columns.map((column, place) => {
    const measured = measure(page, column, place)
    const { width } = column
    if (width === undefined) return measured
    const isWhole = layoutOf(column, kinds).width === 'whole'
    const own = Math.max(stepped(width), isWhole ? measured.need : 0)
    return { ...measured, need: own, least: own, full: own, chosen: width }
  })
}

type Cells = readonly (readonly Cell[])[]

type Page = {
  readonly view: TableView
  readonly kinds: KindMap
  readonly rows: Cells
  /** Whether several columns are sorted. */
  readonly isSeveral: boolean
}

function measure(
  { view, kinds, rows, isSeveral }: Page,
  column: ColumnView,
  place: number,
): Measured {
  const layout = layoutOf(column, kinds)
  const isAtEdge = place === view.columns.length - 1 || (place === 0 && !view.selection)
  const edges = isAtEdge ? EDGE_PX : 0
  const head = Math.min(HEAD_MOST_PX, stepped(headWidth(column, isSeveral) + edges))
  const { widest, most, widestNumber } = measureCells(rows, column, place, kinds, edges)
  const content = Math.max(widest, stepped(sumWidth(view, place) + edges))
  // A number that is cut would read as another number, so no column cuts one, not even foreign keys.
  const uncut = layout.width === 'whole' ? content : widestNumber
  const need = Math.max(head, uncut, (layout.least ?? 0) * HALF_REM_PX)
  const withMenu = Math.min(HEAD_MOST_PX, stepped(headWidth(column, isSeveral, MENU_PX) + edges))
  const legible = column.isLabel ? content : Math.max(most, Math.min(content, LEAST_CAP_PX))
  return {
    name: column.name,
    need,
    least: Math.max(need, Math.min(legible, LONG_PX)),
    full: Math.max(withMenu, content, need),
  }
}

/**
 * The px that the widest cell needs, that all but one in `ONE_IN` need at most, and that the widest number
 * needs. Every draw of a list comes here for each of its cells, so that the loop calls little.
 */
function measureCells(
  rows: Cells,
  column: ColumnView,
  place: number,
  kinds: KindMap,
  edges: number,
) {
  const { fixed, beside = 0, each } = layoutOf(column, kinds)
  const { fits } = kinds.get(column.kind) ?? {}
  const strong = place === 0 ? STRONG : 1
  const widths = new Float64Array(rows.length)
  /** Widths of texts that stood in other rows. */
  const known = new Map<string, number>()
  let widestNumber = 0
  for (const [at, cells] of rows.entries()) {
    const cell = cells[place] ?? null
    const [text, more] = Array.isArray(cell) ? cell : [cell]
    let px = beside
    if (text === 0) px += NO_ACCESS_PX
    else if (fixed !== undefined && text && typeof more !== 'number' && (fits?.(text) ?? true))
      px = fixed
    else if (text) {
      let width = known.get(text)
      if (width === undefined) known.set(text, (width = textWidth(text) * strong))
      px += width
    }
    if (typeof more === 'number') px += CUT_MARK_PX
    if (each && more)
      for (const part of `${more}`.split(' ')) px += part.startsWith('+') ? MORE_PX : each
    widths[at] = px
    if (px > widestNumber && typeof cell === 'string' && NUMBER.test(cell)) widestNumber = px
  }
  widths.sort()
  const wide = (px = 0) => stepped(px + PADDING_PX + edges)
  return {
    widest: wide(widths.at(-1)),
    most: wide(widths.at(-1 - Math.floor(rows.length / ONE_IN))),
    widestNumber: wide(widestNumber),
  }
}

const NUMBER = /^[-\d.,]+$/

const stepped = (px: number) =>
  Math.min(MOST_PX, Math.max(LEAST_PX, Math.ceil(px / STEP_PX) * STEP_PX))

/**
 * Reserves room for the sort mark on every sortable column, so that sorting moves no column; `least`: at
 * least so much.
 */
function headWidth(
  { label, unit, zone = unit, sortValue, sorted }: ColumnView,
  isSeveral: boolean,
  least = 0,
): number {
  const text = textWidth(zone ? `${label} ${zone}` : label) * SMALL
  const isSortable = sortValue !== undefined || sorted !== undefined
  const mark = Math.max(least, isSortable ? SORT_MARK_PX : 0)
  const place = sorted && isSeveral ? SORT_PLACE_PX : 0
  return text * STRONG + PADDING_PX + mark + place
}

const isOrderOfSeveral = ({ columns }: TableView) =>
  columns.some(({ sorted }) => sorted && sorted.place > 1)

/** Measured once, since it is no Latin letter. */
const SUM_SIGN_PX = textWidth('Σ ')

function sumWidth(view: TableView, place: number): number {
  const sum = view.sums?.find((candidate) => candidate.place === place)
  return sum ? (SUM_SIGN_PX + textWidth(sum.text)) * SMALL * STRONG + PADDING_PX : 0
}
