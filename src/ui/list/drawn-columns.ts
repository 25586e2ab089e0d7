/** In which order columns are drawn, and what each is called in the style sheet. */

import type { Cell, ColumnKind, ColumnView, Row, TableView } from '../../protocol/table-view.ts'

/** A column with its place in the server's order, which is that of the cells. */
export type DrawnColumn = { column: ColumnView; place: number; className: string }

const FIGURES: ReadonlySet<ColumnKind> = new Set(['number', 'money'])
const DATES: ReadonlySet<ColumnKind> = new Set(['date', 'datetime', 'time'])
const WORDS: ReadonlySet<ColumnKind> = new Set(['text', 'relation', 'longtext', 'email'])

/** The columns as they are drawn: the one that names the row first. */
export function drawnColumns({ columns }: Pick<TableView, 'columns'>): DrawnColumn[] {
  const placed = columns.map((column, place) => ({ column, place }))
  const ordered = [
    ...placed.filter(({ column }) => column.isLabel),
    ...placed.filter(({ column }) => !column.isLabel),
  ]
  const cards = cardPlaces(ordered.map(({ column }) => column))
  return ordered.map(({ column, place }) => ({
    column,
    place,
    className: [`k-${column.kind}`, isFigure(column) && 'num', cards.get(column)]
      .filter(Boolean)
      .join(' '),
  }))
}

/** Whether the values of a column stand digit under digit. */
export const isFigure = ({ kind }: ColumnView) => FIGURES.has(kind)

/** The cell of a row at a place in the server's order. */
export const cellAt = ([, , ...cells]: Row, place: number): Cell => cells[place] ?? null

/** Where the six columns of a card stand: by kind, in the order they are drawn. */
function cardPlaces(columns: readonly ColumnView[]): ReadonlyMap<ColumnView, string> {
  const places = new Map<ColumnView, string>()
  // Totals stand last.
  const figure = columns.findLast(({ kind }) => kind === 'money') ?? columns.find(isFigure)
  const put = (className: string, fits: (column: ColumnView) => boolean) => {
    const column = columns.find((candidate) => !places.has(candidate) && fits(candidate))
    if (column) places.set(column, className)
  }
  put('card-title', () => true)
  put('card-status', ({ kind }) => kind === 'status')
  put('card-figure', (column) => column === figure)
  put('card-date', ({ kind }) => DATES.has(kind))
  put('card-lead', ({ kind }) => WORDS.has(kind))
  put('card-sub', ({ kind }) => WORDS.has(kind))
  return places
}
