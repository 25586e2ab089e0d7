/** Makes a page's rows of what the engine gave. */

import type { Anchor, PageRow } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { PageShape } from './page-sql.ts'

const NO_LABELS: readonly never[] = []

export function pageRows(shape: PageShape, rows: Value[][]): PageRow[] {
  const { keyPlaces, sortPlaces, cut } = shape
  const asked = shape.query.columns.length
  return rows.map((row) => ({
    key: keyPlaces.map((place) => row[place]!),
    values: row.length === asked ? row : row.slice(0, asked),
    sort: sortPlaces.map((place) => row[place]!),
    labels: NO_LABELS,
    ...(cut.length > 0 && lengthsOf(shape, row)),
  }))
}

/** The whole lengths of those values that are really longer than what was read of them. */
function lengthsOf({ cut, columns, query }: PageShape, row: Value[]): Pick<PageRow, 'lengths'> {
  const lengths = cut.flatMap((column, i): [number, number][] => {
    const length = row[columns.length + i] ?? null
    return length !== null && Number(length) > query.cut!.length
      ? [[query.columns.indexOf(column), Number(length)]]
      : []
  })
  return lengths.length > 0 ? { lengths: new Map(lengths) } : {}
}

/** Whether a row is the one that an anchor was made at, and has not moved since. */
export const isAtAnchor = (
  { keyPlaces, sortPlaces }: PageShape,
  row: readonly Value[],
  { sort, key }: Anchor,
): boolean =>
  keyPlaces.every((place, i) => sameValue(row[place]!, key[i]!)) &&
  sortPlaces.every((place, i) => sameValue(row[place]!, sort[i]!))

/** Whether two values are the same. */
function sameValue(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  // A number and a bigint of the same value are equal; nothing else is equal across types. What is no
  // number has a place in an order too.
  return a === b || Object.is(a, b) || (isNumber(a) && isNumber(b) && a == b)
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'
