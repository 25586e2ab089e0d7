/** Holds back rows that others have added, so that no row moves where the person looks. */

import { sameJson } from '../../protocol/json.ts'
import type { Row, TableView, WaitingRows } from '../../protocol/table-view.ts'

type Page = Pick<TableView, 'rows' | 'page'>

const keyOf = ([key]: Row): string => key
const keysOf = ({ rows }: Page): ReadonlySet<string> => new Set(rows.map(keyOf))

/** A row as it was last read by itself; `null` if it is gone, `undefined` if it was not read so. */
export type PinnedRow = Row | null | undefined

/** Rows that stay in sight, by their keys. */
export type PinnedRows = ReadonlyMap<string, PinnedRow>

/**
 * Where rows have come in among those that are shown, or a pinned row would move or go, shows the rows that
 * were there, in their order and with their newest cells, and names those that wait; `null` where none would
 * push others away.
 */
export function heldRows(
  shown: TableView,
  fresh: TableView,
  pinned: PinnedRows = NONE,
): TableView | null {
  const came = cameAmong(shown, fresh)
  const isPinned = [...pinned.keys()].some((key) => placeIn(shown, key) !== placeIn(fresh, key))
  if ((came.length === 0 && !isPinned) || !isAlike(shown, fresh)) return null
  const newest = new Map(fresh.rows.map((row) => [keyOf(row), row]))
  const rows = shown.rows.flatMap((row): Row[] => {
    const now = newest.get(keyOf(row)) ?? pinned.get(keyOf(row))
    return now === null ? [] : [now ?? row]
  })
  const gone = goneOf(shown, newest, came.length).filter((key) => !pinned.has(key))
  const waiting = { came, gone } satisfies WaitingRows
  return { ...fresh, rows, page: shown.page, sums: sumsOf(shown, rows), waiting }
}

/** The sums of the rows that stay, but for columns whose cells have changed: those of the others count rows that wait. */
function sumsOf({ rows: before, sums = [] }: TableView, rows: readonly Row[]) {
  const isSame = (place: number) =>
    rows.length === before.length &&
    rows.every((row, at) => sameJson(row[place + 2] ?? null, before[at]?.[place + 2] ?? null))
  return sums.filter(({ place }) => isSame(place))
}

const NONE: PinnedRows = new Map()

const placeIn = ({ rows }: Page, key: string): number => rows.findIndex((row) => keyOf(row) === key)

/** Keys of the rows that came in before one that was shown; all of them if none of those is left. */
function cameAmong(shown: Page, fresh: Page): string[] {
  const before = keysOf(shown)
  const last = fresh.rows.findLastIndex((row) => before.has(keyOf(row)))
  const among = last === -1 && before.size > 0 ? fresh.rows : fresh.rows.slice(0, last + 1)
  return among.map(keyOf).filter((key) => !before.has(key))
}

/** Keys of rows that are no longer in the list. What only had to make room is at the end of the page. */
function goneOf(shown: Page, newest: ReadonlyMap<string, unknown>, room: number): string[] {
  const last = shown.rows.findLastIndex((row) => newest.has(keyOf(row)))
  const end = Math.max(last + 1, shown.rows.length - room)
  return shown.rows
    .slice(0, end)
    .map(keyOf)
    .filter((key) => !newest.has(key))
}

/** Whether rows of both can stand in one table. Places of rows without a page would not be the same. */
const isAlike = (shown: TableView, fresh: TableView): boolean =>
  sameJson(shown.columns, fresh.columns) && !shown.records?.except && !fresh.records?.except

/** A cell whose value has changed. */
export type ChangedCell = { readonly key: string; readonly column: string }

/** The cells that have changed of the rows in both. */
export function changedCells(before: TableView, now: TableView): ChangedCell[] {
  if (before.rows === now.rows || !isAlike(before, now)) return []
  const known = new Map(before.rows.map((row) => [keyOf(row), row]))
  return now.rows.flatMap((row) => {
    const old = known.get(keyOf(row))
    if (!old || old === row) return []
    const [, , ...cells] = row
    return now.columns.flatMap(({ name }, at) =>
      sameJson(cells[at] ?? null, old[at + 2] ?? null) ? [] : [{ key: keyOf(row), column: name }],
    )
  })
}

/** Keys of the rows that were added at the end of a page that had room for them. */
export function appended(before: Page, now: Page): string[] {
  if (before.rows.length >= before.page.size) return []
  const known = keysOf(before)
  return now.rows.map(keyOf).filter((key) => !known.has(key))
}
