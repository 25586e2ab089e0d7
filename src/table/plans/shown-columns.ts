/** Of which columns a plan tells what they hold, so that it writes no row that holds something else by then. */

import type { OpenTable } from '../catalog.ts'
import { isComputed, type NewValues } from '../source/computed.ts'
import type { PlannedWrite } from './plan-content.ts'

export function shownColumns({ access }: OpenTable, write: PlannedWrite): readonly string[] {
  if (!('set' in write)) return []
  const named = new Set([...Object.keys(write.set), ...copiedIn(write.set)])
  // Of others, values are told in no row, or in some.
  return access.table.columns
    .filter(({ type, array }) => type !== 'binary' && type !== 'json' && !array)
    .map(({ name }) => name)
    .filter((name) => named.has(name) && access.canRead(name))
    .filter((name) => !access.maskOf(name))
}

/** The columns whose values are copied. */
export const copiedIn = (set: NewValues): string[] =>
  Object.values(set).flatMap((value) =>
    isComputed(value) && 'column' in value ? [value.column] : [],
  )
