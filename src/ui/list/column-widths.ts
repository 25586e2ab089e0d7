/** How wide each column is: measured on the first page, kept stable while paging. */

import type { Cell, ColumnView, TableView } from '../../protocol/table-view.ts'
import { BUILT_IN, type KindMap } from '../kinds/kinds.ts'
import { cellsOf, layoutOf } from './drawn-columns.ts'
import { textWidth } from './text-width.ts'

/** Widths of a column, px. */
export type ColumnWidth = {
  /** The least on a page of each of `PAGES_PX`; a wider one gives its columns more, up to `full`. */
  readonly least: readonly number[]
  /** Enough for its whole content. */
  readonly full: number
}

/** Widths of each column by name. */
export type ColumnWidths = { readonly [column: string]: ColumnWidth }

/** Widths that a person has chosen, px, by name. */
export type ChosenWidths = { readonly [column: string]: number }

/** Widths are multiples of this. */
const STEP_PX = 2
const LEAST_PX = 48
/** A text of a list has at most 160 letters; one of only wide ones is cut at this. */
const MOST_PX = 1280
const STEPS = MOST_PX / STEP_PX
/** The unit of `ColumnLayout.least`. */
const HALF_REM_PX = 8
/**
 * The pages that widths are decided for, widest first, as `table.css` knows them: 1920, 1440 and 1280 px.
 * Each is the width of the table there, without rail and scroll bar.
 */
const PAGES_PX = [1704, 1224, 1064] as const
/** What the ticks of rows take of it (`.pick` in `table.css`). */
const TICKS_PX = 44
/** A column is not narrowed below this; if the table is still too wide, it scrolls … */
const LEAST_CAP_PX = 88
/** … and its columns may then be this wide, since narrowing them gains nothing. */
const SCROLLED_CAP_PX = 128
/** The column that names the row may be wider by this; */
const LABEL_BONUS_PX = 64
/** each of its cells that is cut counts as this many. */
const LABEL_WEIGHT = 3
/** What is wider, such as long text, gives way down to this before any other column does. */
const LONG_PX = 320
const OF_LONG = 1 / 1000
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
type Measured = {
  readonly name: string
  readonly isLabel: boolean
  /** Enough for its head, and for all values that are never cut. */
  readonly need: number
  /** The narrowest that it may become in favour of others. */
  readonly floor: number
  /** Enough for its whole content. */
  readonly wanted: number
  /** How many cells need so many steps, and no less. */
  readonly counts: Uint32Array
  /** How much a cell that is cut counts. */
  readonly weight: number
}

/** Widths for the rows of a page. Those in `chosen` are as they are there. */
export function measureColumns(
  view: TableView,
  kinds: KindMap = BUILT_IN,
  chosen: ChosenWidths = {},
): ColumnWidths {
  const measured = measureAll(view, kinds, chosen)
  const pages = PAGES_PX.map((room) => (view.selection ? room - TICKS_PX : room))
  const least = leastWidths(measured, pages)
  return Object.fromEntries(
    measured.map(({ name, wanted }, at) => [
      name,
      { least: least.map((widths) => widths[at] ?? wanted), full: wanted },
    ]),
  )
}

/**
 * Widths for each of the rooms, widest first. Where columns do not fit, they shrink step by step, each time
 * the one that loses least.
 */
function leastWidths(measured: readonly Measured[], rooms: readonly number[]): number[][] {
  const columns = measured.map((column) => ({ ...column, width: column.wanted, cut: 0 }))
  let total = 0
  let floors = 0
  for (const { width, floor } of columns) {
    total += width
    floors += floor
  }
  return rooms.map((room) => {
    if (floors > room) return measured.map(scrolledWidth)
    for (; total > room; total -= STEP_PX) {
      let cheapest: (typeof columns)[number] | undefined
      let least = Infinity
      for (const column of columns) {
        const { width, floor } = column
        if (width <= floor) continue
        const below = column.cut + (column.counts[width / STEP_PX] ?? 0)
        const loss = below * (width > LONG_PX ? OF_LONG : column.weight)
        // Of those that lose as little, the widest shrinks; of these, the last.
        if (loss > least || (cheapest && loss === least && width < cheapest.width)) continue
        cheapest = column
        least = loss
      }
      if (!cheapest) continue
      cheapest.cut += cheapest.counts[cheapest.width / STEP_PX] ?? 0
      cheapest.width -= STEP_PX
    }
    return columns.map(({ width }) => width)
  })
}

/** The width of a column where the table scrolls anyway. */
function scrolledWidth({ isLabel, need, wanted }: Measured): number {
  const cap = SCROLLED_CAP_PX + (isLabel ? LABEL_BONUS_PX : 0)
  return Math.max(need, Math.min(wanted, cap))
}

/** `widths`, wider where heads or uncut values need it; the same object if all fits. */
export function growColumns(
  widths: ColumnWidths,
  view: TableView,
  kinds: KindMap = BUILT_IN,
  chosen: ChosenWidths = {},
): ColumnWidths {
  const isNew = view.columns.some(({ name }) => widths[name] === undefined)
  const measured = isNew ? measureColumns(view, kinds, chosen) : {}
  const grown = measureAll(view, kinds, chosen).flatMap(({ name, need }) => {
    const width = widths[name] ?? measured[name]
    const isEnough = width && width === widths[name] && width.least.every((least) => least >= need)
    if (!width || isEnough) return []
    const least = width.least.map((one) => Math.max(one, need))
    return [[name, { least, full: Math.max(width.full, need) }] as const]
  })
  return grown.length === 0 ? widths : { ...widths, ...Object.fromEntries(grown) }
}

function measureAll(view: TableView, kinds: KindMap, chosen: ChosenWidths): Measured[] {
  const page = { view, kinds, rows: view.rows.map(cellsOf), isSeveral: isOrderOfSeveral(view) }
  return view.columns.map((column, place) => {
    const measured = measure(page, column, place)
    const width = chosen[column.name]
    if (width === undefined) return measured
    const isWhole = layoutOf(column, kinds).width === 'whole'
    const own = Math.max(stepped(width), isWhole ? measured.need : 0)
    return { ...measured, need: own, floor: own, wanted: own }
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
  const { widest, widestNumber, counts } = measureCells(rows, column, place, kinds, edges)
  const content = Math.max(widest, stepped(sumWidth(view, place) + edges))
  // A number that is cut would read as another number, so no column cuts one, not even foreign keys.
  const uncut = layout.width === 'whole' ? content : widestNumber
  const need = Math.max(head, uncut, (layout.least ?? 0) * HALF_REM_PX)
  const withMenu = Math.min(HEAD_MOST_PX, stepped(headWidth(column, isSeveral, MENU_PX) + edges))
  const cap = LEAST_CAP_PX + (column.isLabel ? LABEL_BONUS_PX : 0)
  return {
    name: column.name,
    isLabel: column.isLabel === true,
    need,
    floor: Math.max(need, Math.min(content, cap)),
    wanted: Math.max(withMenu, content, need),
    counts,
    weight: column.isLabel ? LABEL_WEIGHT : 1,
  }
}

/**
 * How many cells need each step, and the most px that one of them needs. Every draw of a list comes here for
 * each of its cells, so that the loop calls little.
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
  const counts = new Uint32Array(STEPS + 1)
  /** Widths of texts that stood in other rows. */
  const known = new Map<string, number>()
  let [widest, widestNumber] = [0, 0]
  for (const cells of rows) {
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
    const step = Math.min(STEPS, Math.ceil((px + PADDING_PX + edges) / STEP_PX))
    counts[step] = (counts[step] ?? 0) + 1
    if (step > widest) widest = step
    if (step > widestNumber && typeof cell === 'string' && NUMBER.test(cell)) widestNumber = step
  }
  return { widest: widest * STEP_PX, widestNumber: widestNumber * STEP_PX, counts }
}

const NUMBER = /^[-\d.,]+$/

const stepped = (px: number) =>
  Math.min(MOST_PX, Math.max(LEAST_PX, Math.ceil(px / STEP_PX) * STEP_PX))

/**
 * Reserves room for the sort mark on every sortable column, so that sorting moves no column; `least`: at
 * least so much.
 */
function headWidth(
  { label, unit, sortValue, sorted }: ColumnView,
  isSeveral: boolean,
  least = 0,
): number {
  const text = textWidth(unit ? `${label} ${unit}` : label) * SMALL
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
