/** Deleting a row by marking it: the column, and what the actor may do with it. */

import { messagesFor } from '../../messages/messages.ts'
import type { HangingView } from '../../protocol/form-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { unitOf } from '../definition/kinds/datetime.ts'
import { countsIn } from '../definition/soft-delete.ts'
import type { NewValues } from '../source/computed.ts'
import type { KeyValues } from '../source/value.ts'

/** The column that says whether a row is marked as deleted, if the actor may read it. */
export function markOf({ definition, access }: OpenTable): string | undefined {
  const { softDelete } = definition
  return softDelete !== undefined && access.canRead(softDelete) ? softDelete : undefined
}

/** Marking is an update of that column, and restoring too. */
export function mayMark(open: OpenTable): boolean {
  const column = markOf(open)
  return column !== undefined && open.access.may('update') && open.access.canWrite(column)
}

/** Whether a line may be taken out of a form: where its table marks rows, by a mark alone. */
export const mayTakeOut = (open: OpenTable): boolean =>
  open.definition.softDelete === undefined ? open.access.may('delete') : mayMark(open)

/** What the column holds of a row that is marked now: the moment, or its count from 1970. */
export function markNow({ definition }: OpenTable, name: string): NewValues[string] {
  const column = definition.table.columns.find((one) => one.name === name)
  const counts = column ? countsIn(column, definition.table) : []
  return counts.length > 0 ? Math.floor(Date.now() / unitOf(counts)) : { now: true }
}

/** A row that somebody else has marked meanwhile is a conflict. */
export function marking(open: OpenTable, column: string, key: KeyValues, isDeleted: boolean) {
  const set: NewValues = { [column]: isDeleted ? markNow(open, column) : null }
  return { update: key, set, ...(isDeleted && { expect: { [column]: null } }) }
}

/** What the dialog says of it. */
export function drawMarking(open: OpenTable, { language }: Reader): Pick<HangingView, 'mark'> {
  const column = markOf(open)
  if (column === undefined || !mayMark(open)) return {}
  const { does, otherwise, button, deleteButton } = messagesFor(language).form.marking
  const label = open.definition.columns.get(column)?.label ?? column
  return { mark: { does: does(label), otherwise, button, deleteButton } }
}
