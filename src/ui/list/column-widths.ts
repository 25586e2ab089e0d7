/** How wide each column is: measured on the first page, kept stable while paging. */

import type { Cell, ColumnView, TableView } from '../../protocol/table-view.ts'
import { BUILT_IN, type KindMap } from '../kinds/kinds.ts'
import { cellsOf, layoutOf } from './drawn-columns.ts'
import { textWidth } from './text-width.ts'

/** Width of each column by name, in half rems (8 px); each has a class in `columns.css`. */
export type ColumnWidths = { readonly [column: string]: number }

const UNIT_PX = 8
const LEAST = 6
const MOST = 48
/** Width of the table on a page of 1440 px, without rail and scroll bar, in half rems. */
const ROOM = 153
/** What the ticks of rows take of it (`.pick` in `table.css`). */
const TICKS = 6
/** A column is not narrowed below this; if the table is still too wide, it scrolls … */
const LEAST_CAP = 12
/** … and its columns may then be this wide, since narrowing them gains nothing. */
const SCROLLED_CAP = 16
/** The column that names the row may be wider by this; */
const LABEL_BONUS = 8
/** each of its cells that is cut counts as this many. */
const LABEL_WEIGHT = 3
/** A head on two lines reads a little worse: it counts as this many cut cells. */
const BROKEN_HEAD = 2
/** Text size of heads and sums, relative to cells. */
const SMALL = 12 / 13
/** How much wider the bold text of a sorted head is. */
const STRONG = 1.02
const PADDING_PX = 18
/** Room for the sort mark beyond the padding, into which it extends. */
const SORT_MARK_PX = 9
/** Room for the button of a head's menu beyond the padding. It covers the sort mark. */
const MENU_PX = 16
/** Room for the number beside the mark when several columns are sorted. */
const SORT_PLACE_PX = 10
const NO_ACCESS_PX = 36
/** Extra padding of the first and last column, at the page edge. */
const EDGE_PX = 12

/** Widths of a column, in half rems. */
type Measured = {
  readonly name: string
  readonly isLabel: boolean
  /** Enough for its head on two lines, and for all values that are never cut. */
  readonly need: number
  /** The narrowest that it may become in favour of others. */
  readonly floor: number
  /** Enough for its whole content. */
  readonly wanted: number
  /** What each width costs in legibility: cells that are cut, a head on two lines. */
  readonly losses: readonly number[]
}

/**
 * Widths for the rows of a page. If they do not fit, columns shrink in steps of half a rem, each
 * time the one that loses least.
 */
export function measureColumns(view: TableView, kinds: KindMap = BUILT_IN): ColumnWidths {
  const measured = measureAll(view, kinds)
  const room = view.selection ? ROOM - TICKS : ROOM
  if (sum(measured.map(({ floor }) => floor)) > room) return scrolledWidths(measured)
  const columns = measured.map((column) => ({ ...column, width: column.wanted }))
  for (let over = sum(columns.map(({ width }) => width)) - room; over > 0; over--) {
    let [cheapest, least] = [columns[0], Infinity]
    for (const column of columns) {
      const { width, floor, losses } = column
      const loss = width > floor ? (losses[width - 1] ?? 0) : Infinity
      // Of those that lose as little, the widest shrinks; of these, the last.
      if (loss > least || (loss === least && cheapest && width < cheapest.width)) continue
      cheapest = column
      least = loss
    }
    if (cheapest) cheapest.width--
  }
  return Object.fromEntries(columns.map(({ name, width }) => [name, width]))
}

/** Widths for a table that scrolls anyway. */
const scrolledWidths = (columns: readonly Measured[]): ColumnWidths =>
  Object.fromEntries(
    columns.map(({ name, isLabel, need, wanted }) => {
      const cap = SCROLLED_CAP + (isLabel ? LABEL_BONUS : 0)
      return [name, Math.max(need, Math.min(wanted, cap))]
    }),
  )

/** `widths`, wider where heads or uncut values need it; the same object if all fits. */
export function growColumns(
  widths: ColumnWidths,
  view: TableView,
  kinds: KindMap = BUILT_IN,
): ColumnWidths {
  const isNew = view.columns.some(({ name }) => widths[name] === undefined)
  const measured = isNew ? measureColumns(view, kinds) : {}
  const grown = measureAll(view, kinds)
    .map(({ name, need }): [string, number] => [
      name,
      Math.max(widths[name] ?? measured[name] ?? 0, need),
    ])
    .filter(([name, width]) => width !== widths[name])
  return grown.length === 0 ? widths : { ...widths, ...Object.fromEntries(grown) }
}

function measureAll(view: TableView, kinds: KindMap): Measured[] {
  const page = { view, kinds, rows: view.rows.map(cellsOf), isSeveral: isOrderOfSeveral(view) }
  return view.columns.map((column, place) => measure(page, column, place))
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
  const head = halfRems(headWidth(column, isSeveral, textWidth) + edges)
  const broken = halfRems(headWidth(column, isSeveral, brokenWidth) + edges)
  const { widest, widestNumber, counts } = measureCells(rows, column, place, kinds, edges)
  const content = Math.max(widest, halfRems(sumWidth(view, place) + edges))
  // A number that is cut would read as another number, so no column cuts one, not even foreign keys.
  const uncut = layout.width === 'whole' ? content : widestNumber
  const need = Math.max(broken, uncut, layout.least ?? 0)
  const withMenu = halfRems(headWidth(column, isSeveral, textWidth, MENU_PX) + edges)
  const wanted = Math.max(withMenu, content, need)
  const cap = LEAST_CAP + (column.isLabel ? LABEL_BONUS : 0)
  return {
    name: column.name,
    isLabel: column.isLabel === true,
    need,
    floor: Math.max(need, Math.min(content, cap)),
    wanted,
    losses: lossesOf(counts, column.isLabel ? LABEL_WEIGHT : 1, head),
  }
}

/** The loss at each width, by how many cells need each width: all that need more are cut. */
function lossesOf(counts: readonly number[], weight: number, head: number): number[] {
  const losses = Array<number>(MOST + 1).fill(0)
  let cut = 0
  for (let width = MOST; width >= 0; width--) {
    losses[width] = weight * cut + (width < head ? BROKEN_HEAD : 0)
    cut += counts[width] ?? 0
  }
  return losses
}

/**
 * How many cells need each width, and the most that one of them needs. Every draw of a list comes here for
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
  const counts = Array<number>(MOST + 1).fill(0)
  let [widest, widestNumber] = [0, 0]
  for (const cells of rows) {
    const cell = cells[place] ?? null
    const [text, more] = Array.isArray(cell) ? cell : [cell]
    let px = beside
    if (text === 0) px += NO_ACCESS_PX
    else if (fixed !== undefined && text && typeof more !== 'number')
      px = (fits?.(text) ?? true) ? fixed : px + textWidth(text)
    else if (text) px += textWidth(text)
    if (each && more) px += each * `${more}`.split(' ').length
    const width = Math.min(MOST, Math.ceil((px + PADDING_PX + edges) / UNIT_PX))
    counts[width] = (counts[width] ?? 0) + 1
    if (width > widest) widest = width
    if (width > widestNumber && typeof cell === 'string' && NUMBER.test(cell)) widestNumber = width
  }
  return { widest, widestNumber, counts }
}

const NUMBER = /^[-\d.,]+$/

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const halfRems = (px: number) => Math.min(MOST, Math.max(LEAST, Math.ceil(px / UNIT_PX)))

/**
 * Reserves room for the sort mark on every sortable column, so that sorting moves no column; `least`: at
 * least so much.
 */
function headWidth(
  { label, unit, sortValue, sorted }: ColumnView,
  isSeveral: boolean,
  widthOf: (text: string) => number,
  least = 0,
): number {
  const text = widthOf(unit ? `${label} ${unit}` : label) * SMALL
  const isSortable = sortValue !== undefined || sorted !== undefined
  const mark = Math.max(least, isSortable ? SORT_MARK_PX : 0)
  const place = sorted && isSeveral ? SORT_PLACE_PX : 0
  return text * (isSortable ? STRONG : 1) + PADDING_PX + mark + place
}

/** Width of a text on two lines, broken at the best place. */
function brokenWidth(text: string): number {
  const words = text.split(' ')
  const lines = (place: number) => [words.slice(0, place).join(' '), words.slice(place).join(' ')]
  return Math.min(...words.map((_, place) => Math.max(...lines(place + 1).map(textWidth))))
}

const isOrderOfSeveral = ({ columns }: TableView) =>
  columns.some(({ sorted }) => sorted && sorted.place > 1)

/** Measured once, since it is no Latin letter. */
const SUM_SIGN_PX = textWidth('Σ ')

function sumWidth(view: TableView, place: number): number {
  const sum = view.sums?.find((candidate) => candidate.place === place)
  return sum ? (SUM_SIGN_PX + textWidth(sum.text)) * SMALL + PADDING_PX : 0
}
