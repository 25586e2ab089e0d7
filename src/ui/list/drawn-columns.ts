/** The order that columns are drawn in, and the CSS classes of each. */

import {
  BEFORE_CELLS,
  SAME_AS_KEY,
  type Cell,
  type ColumnLayout,
  type ColumnView,
  type Row,
  type TableView,
} from '../../protocol/table-view.ts'
import type { ClientKind } from '../kinds/client-kind.ts'
import { BUILT_IN, type KindMap } from '../kinds/kinds.ts'

/** A column with its place in the server's order, which is also that of the cells. */
export type DrawnColumn = {
  /** `cardLabel`: label of its values on a card, where they need one. */
  column: ColumnView & { cardLabel?: string }
  place: number
  className: string
  /** The kind that draws its values. */
  kind: ClientKind
}

type Layouts = ReadonlyMap<ColumnView, ColumnLayout>

/** The places on a card besides its title, and the layout that belongs in each. */
const CARD_PLACES: { readonly [place: string]: ColumnLayout['place'] } = {
  'card-lead': 'words',
  'card-sub': 'words',
  'card-figure': 'figure',
  'card-date': 'date',
  'card-status': 'status',
}

/** The layout of a column: the server's, else that of its kind in the browser. */
export const layoutOf = (column: ColumnView, kinds: KindMap): ColumnLayout =>
  column.layout ?? kinds.get(column.kind)?.layout ?? {}

/** The columns as they are drawn; what names the row leads its card. */
export function drawnColumns(
  { columns }: Pick<TableView, 'columns'>,
  kinds: KindMap = BUILT_IN,
): DrawnColumn[] {
  const placed = columns.map((column, place) => ({ column, place }))
  const inOrder = [
    ...columns.filter(({ isLabel }) => isLabel),
    ...columns.filter(({ isLabel }) => !isLabel),
  ]
  const layouts = new Map(inOrder.map((column) => [column, layoutOf(column, kinds)]))
  const cards = cardPlaces(inOrder, layouts)
  const pinned = columns.findLastIndex((column) => column.pinned)
  return placed.map(({ column, place }) => {
    const card = cards.get(column)
    const isNamed = card !== undefined && needsName(column, card, layouts)
    return {
      column: isNamed ? { ...column, cardLabel: labelOf(column) } : column,
      place,
      kind: kinds.get(column.kind) ?? {},
      className: [
        `k-${column.kind}`,
        isFigures(layouts.get(column)) && 'num',
        layouts.get(column)?.width === 'whole' && 'whole',
        card,
        isNamed && 'card-named',
        // The first one stays in sight anyway.
        place > 0 && place <= pinned && `pin pin-${place}`,
      ]
        .filter(Boolean)
        .join(' '),
    }
  })
}

/** Figures and dates end under one another, so that digits stand under digits. */
const isFigures = (layout: ColumnLayout | undefined): boolean =>
  layout?.place === 'figure' || layout?.place === 'date'

/** The cell of a row at a place in the server's order. */
export function cellAt(row: Row, place: number): Cell {
  const cell = row[place + BEFORE_CELLS]
  return cell === SAME_AS_KEY ? row[0] : (cell ?? null)
}

/** All cells of a row, in the server's order. */
export function cellsOf(row: Row): Cell[] {
  const cells: Cell[] = []
  for (const cell of row.slice(BEFORE_CELLS)) cells.push(cell === SAME_AS_KEY ? row[0] : cell)
  return cells
}

/** Assigns up to six columns to the places on a card: by layout, in drawing order. */
function cardPlaces(
  columns: readonly ColumnView[],
  layouts: Layouts,
): ReadonlyMap<ColumnView, string> {
  const isAt = (home: ColumnLayout['place']) => (column: ColumnView) =>
    layouts.get(column)?.place === home
  const [isFigure, isWords] = [isAt('figure'), isAt('words')]
  const places = new Map<ColumnView, string>()
  const taken = new Set<string>()
  // The sort column has to be visible, so it comes before others with the same layout.
  const sorted = columns.find((column) => column.sorted?.place === 1)
  const candidates = sorted ? [sorted, ...columns] : columns
  // Totals are usually the last column of money.
  const total = columns.findLast(({ kind }) => kind === 'money') ?? columns.find(isFigure)
  const figure = sorted && isFigure(sorted) ? sorted : total
  const put = (place: string, fits: (column: ColumnView) => boolean) => {
    const column = candidates.find((candidate) => !places.has(candidate) && fits(candidate))
    if (!column || taken.has(place)) return
    places.set(column, place)
    taken.add(place)
  }
  put('card-title', (column) => column === columns[0])
  put('card-status', isAt('status'))
  put('card-figure', (column) => column === figure)
  put('card-date', isAt('date'))
  put('card-sub', (column) => column === sorted && !isWords(column))
  put('card-lead', isWords)
  put('card-sub', isWords)
  // If there are places for all columns, shows all of them, wherever they fit.
  const rooms = Object.keys(CARD_PLACES)
  if (columns.length <= rooms.length + 1) for (const room of rooms) put(room, () => true)
  return places
}

/** Whether a value on a card needs its label to be understood. */
function needsName(column: ColumnView, card: string, layouts: Layouts): boolean {
  const home = CARD_PLACES[card]
  const { place, speaks } = layouts.get(column) ?? {}
  if (!home || speaks) return false
  // A bare figure could be anything.
  if (place !== home || (place === 'figure' && !column.unit)) return true
  const alike = [...layouts.values()].filter((layout) => layout.place === home)
  return column.sorted !== undefined && alike.length > 1
}

/** The label of a column with its unit. */
export const labelOf = ({ label, unit }: ColumnView) => (unit ? `${label} ${unit}` : label)
