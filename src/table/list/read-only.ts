/** Whether the rows of a table can be changed by somebody, and else why not. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { type RowWrite, writesTaken } from '../source/schema.ts'

/** Why this cannot be done to rows of the table, in words; `null` if it can. */
export function readOnlyReason(
  { definition: { table, write }, access, takesChanges }: OpenTable,
  { language }: Reader,
  action: RowWrite = 'update',
): string | null {
  const { reasons } = messagesFor(language)
  if (table.key.length === 0)
    return table.kind === 'table' ? reasons.readOnlyNoKey : reasons.readOnlyView
  if (!writesTaken(table).includes(action)) return reasons.readOnlyByView
  if (!write) return reasons.readOnlyTable
  if (!access.may(action)) return reasons.readOnlyGrant
  return takesChanges ? null : reasons.readOnlyDatabase
}
