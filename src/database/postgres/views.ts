/** What PostgreSQL writes through its views, as it tells itself. */

import type { Column, RowWrite } from '../../table/source/schema.ts'
import type { RowOf } from '../rows-of.ts'
import type { viewRows } from './catalogue-rows.ts'

export type ViewRow = RowOf<typeof viewRows>

/** The bits that stand for an event in what `pg_relation_is_updatable` answers. */
const EVENTS: readonly (readonly [RowWrite, number])[] = [
  ['update', 4],
  ['create', 8],
  ['delete', 16],
]

export const takenBy = ({ events }: ViewRow): RowWrite[] =>
  EVENTS.flatMap(([write, bit]) => ((events & bit) > 0 ? [write] : []))

/** A column that cannot be written counts as written by the server. */
export function asTaken(column: Column, view: ViewRow | undefined): Column {
  if (!view) return column
  const taken = takenBy(view)
  // Of a view that takes not both, the server calls no column one that can be written.
  const isTold = taken.includes('update') && taken.includes('delete')
  return isTold && view.fixed?.includes(column.name) ? { ...column, generated: true } : column
}
