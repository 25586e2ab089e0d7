/** Makes a page's rows of what SQLite gave. */

import type { Anchor, PageRow } from '../../table/row-source.ts'
import type { KeyValues } from '../../table/value.ts'
import type { PageShape } from './page-sql.ts'
import { sameCell, toCell, toValues, type Cell } from './values.ts'

const NO_LABELS: readonly never[] = []

export function pageRows(shape: PageShape, rows: Cell[][]): PageRow[] {
  const { keyPlaces, sortPlaces, isBoolean } = shape
  const asked = shape.query.columns.length
  return toValues(rows, isBoolean).map((row) => ({
    key: keyPlaces.map((place) => row[place]!),
    values: row.length === asked ? row : row.slice(0, asked),
    sort: sortPlaces.map((place) => row[place]!),
    labels: NO_LABELS,
  }))
}

/** The keys of rows that were read for nothing else. */
export const pageKeys = ({ isBoolean }: PageShape, rows: Cell[][]): KeyValues[] =>
  toValues(rows, isBoolean)

/** Whether a row is the one that an anchor was made at, and has not moved since. */
export const isAtAnchor = (
  { keyPlaces, sortPlaces }: PageShape,
  row: readonly Cell[],
  { sort, key }: Anchor,
): boolean =>
  keyPlaces.every((place, i) => sameCell(row[place]!, toCell(key[i]!))) &&
  sortPlaces.every((place, i) => sameCell(row[place]!, toCell(sort[i]!)))
