/** Turns the engine's rows into a page's rows, and masks secrets in them. */

import { isMasked } from '../../table/definition/masked-values.ts'
import { isSecretValue } from '../../table/source/secret-values.ts'
import type { Anchor, PageRow } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { PageShape } from './page-sql.ts'

const NO_LABELS: readonly never[] = []

export function pageRows(shape: PageShape, rows: Value[][]): PageRow[] {
  const { keyPlaces, sortPlaces, cut } = shape
  const count = shape.query.columns.length
  return rows.map((row) => {
    const sort = sortPlaces.map((place) => row[place] ?? null)
    const masked = maskedIn(shape, row)
    return {
      key: keyPlaces.map((place) => row[place] ?? null),
      values: row.length === count ? row : row.slice(0, count),
      sort,
      labels: NO_LABELS,
      ...(cut.size > 0 && lengthsOf(shape, row)),
      ...masked,
    }
  })
}

/** Empties the values that must not be shown, before anything else sees them. */
function maskedIn(
  { masks, judged, columns, cut }: PageShape,
  row: Value[],
): Pick<PageRow, 'masked'> {
  const named = masks.filter(({ at, by }) => isMasked(row[by] ?? null, row[at] ?? null))
  const places = [
    ...named.map(({ at }) => at),
    ...judged.filter((at) => isSecretValue(row[at] ?? null)),
  ]
  for (const at of places) {
    row[at] = null
    const length = [...cut.keys()].findIndex((name) => name === columns[at])
    if (length >= 0) row[columns.length + length] = null
  }
  return places.length > 0 ? { masked: new Set(places) } : {}
}

/** The full lengths of the values that were cut. */
function lengthsOf({ cut, columns, query }: PageShape, row: Value[]): Pick<PageRow, 'lengths'> {
  const lengths = [...cut].flatMap(([column, most], i): [number, number][] => {
    const length = row[columns.length + i] ?? null
    return length !== null && Number(length) > most
      ? [[query.columns.indexOf(column), Number(length)]]
      : []
  })
  return lengths.length > 0 ? { lengths: new Map(lengths) } : {}
}

/** Whether this is the anchor's row, still at the anchor's place. */
export const isAtAnchor = (
  { keyPlaces, sortPlaces }: PageShape,
  row: readonly Value[],
  { sort, key }: Anchor,
): boolean =>
  keyPlaces.every((place, i) => sameValue(row[place], key[i])) &&
  sortPlaces.every((place, i) => sameValue(row[place], sort[i]))

/** Whether two values are the same. */
function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  // A number and a bigint of the same value are equal; nothing else is equal across types. NaN equals
  // NaN, because it has a place in an order, too.
  return a === b || Object.is(a, b) || (isNumber(a) && isNumber(b) && a == b)
}

const isNumber = (value: Value | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'
