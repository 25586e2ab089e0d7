/** What a person may do with the columns of a list, worked out from its view. */

import {
  COLUMN_PX,
  type ColumnView,
  PINNED_MAX,
  type TableView,
} from '../../protocol/table-view.ts'
import type { ListingActions } from '../list/use-listing.ts'

/** By how much a key changes a width, px. */
export const STEP_PX = 16

export const bounded = (px: number): number =>
  Math.round(Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, px)))

/** `names` with one of them moved by one place; `null` if it is at that end. */
export function moved(names: readonly string[], name: string, by: -1 | 1): string[] | null {
  const from = names.indexOf(name)
  const to = from + by
  if (from < 0 || to < 0 || to >= names.length) return null
  return names.with(from, names[to] ?? name).with(to, name)
}

/** The ways to arrange one column; one that is absent cannot be done. */
export type Arranging = {
  left?: () => unknown
  right?: () => unknown
  /** Keeps it in sight, or no longer. */
  pin?: () => unknown
  hide?: () => unknown
}

/** What names the row stands first and stays in sight; what is pinned moves among its like. */
export function arrangingOf(
  { columns }: Pick<TableView, 'columns'>,
  column: ColumnView,
  actions: Pick<ListingActions, 'setColumns' | 'pinColumns'>,
): Arranging {
  const { name } = column
  const names = columns.map((one) => one.name)
  const pinned = columns.filter((one) => one.pinned).map((one) => one.name)
  const isFixed = (one: ColumnView) => one.isLabel === true || one.pinned === true
  const like = column.pinned
    ? pinned
    : columns.filter((one) => !isFixed(one)).map((one) => one.name)
  const moveBy = (by: -1 | 1) => {
    const others = column.isLabel ? null : moved(like, name, by)
    if (!others) return undefined
    const rest = names.filter((one) => !like.includes(one))
    return () =>
      column.pinned ? actions.pinColumns(others) : actions.setColumns([...rest, ...others])
  }
  const [left, right] = [moveBy(-1), moveBy(1)]
  const mayPin = !column.isLabel && (column.pinned || pinned.length < PINNED_MAX)
  const pins = column.pinned ? pinned.filter((one) => one !== name) : [...pinned, name]
  return {
    ...(left && { left }),
    ...(right && { right }),
    ...(mayPin && { pin: () => actions.pinColumns(pins) }),
    ...(columns.length > 1 && {
      hide: () => actions.setColumns(names.filter((one) => one !== name)),
    }),
  }
}
