/** The columns of which a plan tells what they hold, so that it writes no row in which they hold something else. */

import { readableColumns } from '../list/concerns/columns.ts'
import type { OpenTable } from '../catalog.ts'
import { isComputed, type NewValues } from '../source/computed.ts'
import { namingColumns } from '../record/telling.ts'
import type { PlannedWrite } from './plan-content.ts'

/** Columns that are shown of a row that goes, beside its name. */
const OF_DELETED = 2

/**
 * Those that are set and copied; of a row that goes, or that an action of the table's own is given, its name and what
 * is shown of it. Masked values are shown in some rows only, and of bytes that go, their number.
 */
export function comparedColumns(open: OpenTable, write: PlannedWrite): readonly string[] {
  const { access } = open
  const isSet = 'set' in write
  const others = isSet ? copiedIn(write.set) : namingColumns(open)
  const told = new Set([...shownColumns(open, write), ...others])
  return access.table.columns
    .filter(({ name, type }) => told.has(name) && (isSet || type !== 'binary'))
    .map(({ name }) => name)
    .filter((name) => access.canRead(name) && !access.maskOf(name))
}

/** The columns whose values are shown of each row. */
export function shownColumns(open: OpenTable, write: PlannedWrite): readonly string[] {
  if ('set' in write) return Object.keys(write.set)
  return 'own' in write ? [] : ofDeleted(open)
}

/** The columns whose values are copied. */
export const copiedIn = (set: NewValues): string[] =>
  Object.values(set).flatMap((value) =>
    isComputed(value) && 'column' in value ? [value.column] : [],
  )

function ofDeleted(open: OpenTable): string[] {
  const names = [...namingColumns(open), ...open.access.table.key]
  return readableColumns(open)
    .map(({ name }) => name)
    .filter((name) => !names.includes(name))
    .slice(0, OF_DELETED)
}
