/** In which order columns are drawn, and what each is called in the style sheet. */

import {
  SAME_AS_KEY,
  type Cell,
  type ColumnKind,
  type ColumnView,
  type Row,
  type TableView,
} from '../../protocol/table-view.ts'

/** A column with its place in the server's order, which is that of the cells. */
export type DrawnColumn = {
  /** `cardLabel`: what its values are called on a card, where they do not say so themselves. */
  column: ColumnView & { cardLabel?: string }
  place: number
  className: string
}

const FIGURES: ReadonlySet<ColumnKind> = new Set(['number', 'money'])
const DATES: ReadonlySet<ColumnKind> = new Set(['date', 'datetime', 'time'])
const WORDS: ReadonlySet<ColumnKind> = new Set(['text', 'relation', 'longtext', 'email'])
/** Kinds whose values look like nothing else. */
const SPEAKING: ReadonlySet<ColumnKind> = new Set(['status', 'email', 'link', 'image', 'colour'])

/** The places of a card beside its title, and the kinds that are at home there. */
const CARD_PLACES: { readonly [place: string]: ReadonlySet<ColumnKind> } = {
  'card-lead': WORDS,
  'card-sub': WORDS,
  'card-figure': FIGURES,
  'card-date': DATES,
  'card-status': new Set(['status']),
}

/** The columns as they are drawn: the one that names the row first. */
export function drawnColumns({ columns }: Pick<TableView, 'columns'>): DrawnColumn[] {
  const placed = columns.map((column, place) => ({ column, place }))
  const ordered = [
    ...placed.filter(({ column }) => column.isLabel),
    ...placed.filter(({ column }) => !column.isLabel),
  ]
  const inOrder = ordered.map(({ column }) => column)
  const cards = cardPlaces(inOrder)
  return ordered.map(({ column, place }) => {
    const card = cards.get(column)
    const isNamed = card !== undefined && needsName(column, card, inOrder)
    return {
      column: isNamed ? { ...column, cardLabel: labelOf(column) } : column,
      place,
      className: [`k-${column.kind}`, isFigure(column) && 'num', card, isNamed && 'card-named']
        .filter(Boolean)
        .join(' '),
    }
  })
}

/** Whether the values of a column stand digit under digit. */
export const isFigure = ({ kind }: ColumnView) => FIGURES.has(kind)

/** A row's key and name come first. */
const BEFORE_CELLS = 2

/** The cell of a row at a place in the server's order. */
export function cellAt(row: Row, place: number): Cell {
  const cell = row[place + BEFORE_CELLS]
  return cell === SAME_AS_KEY ? row[0] : (cell ?? null)
}

/** Where the six columns of a card stand: by kind, in the order they are drawn. */
function cardPlaces(columns: readonly ColumnView[]): ReadonlyMap<ColumnView, string> {
  const places = new Map<ColumnView, string>()
  const taken = new Set<string>()
  // What the rows are sorted by has to be seen, so it comes before others of its kind.
  const sorted = columns.find((column) => column.sorted?.place === 1)
  const candidates = sorted ? [sorted, ...columns] : columns
  // Totals stand last.
  const total = columns.findLast(({ kind }) => kind === 'money') ?? columns.find(isFigure)
  const figure = sorted && isFigure(sorted) ? sorted : total
  const put = (place: string, fits: (column: ColumnView) => boolean) => {
    const column = candidates.find((candidate) => !places.has(candidate) && fits(candidate))
    if (!column || taken.has(place)) return
    places.set(column, place)
    taken.add(place)
  }
  put('card-title', (column) => column === columns[0])
  put('card-status', ({ kind }) => kind === 'status')
  put('card-figure', (column) => column === figure)
  put('card-date', ({ kind }) => DATES.has(kind))
  put('card-sub', (column) => column === sorted && !WORDS.has(column.kind))
  put('card-lead', ({ kind }) => WORDS.has(kind))
  put('card-sub', ({ kind }) => WORDS.has(kind))
  // So few columns are all shown, at home or not.
  const rooms = Object.keys(CARD_PLACES)
  if (columns.length <= rooms.length + 1) for (const room of rooms) put(room, () => true)
  return places
}

/** Whether a value on a card would not tell what it is of. */
function needsName(column: ColumnView, card: string, columns: readonly ColumnView[]): boolean {
  const kinds = CARD_PLACES[card]
  if (!kinds || SPEAKING.has(column.kind)) return false
  // A bare number could be anything.
  if (!kinds.has(column.kind) || (column.kind === 'number' && !column.unit)) return true
  const alike = columns.filter(({ kind }) => kinds.has(kind))
  return column.sorted !== undefined && alike.length > 1
}

const labelOf = ({ label, unit }: ColumnView) => (unit ? `${label} ${unit}` : label)
