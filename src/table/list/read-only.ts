/** Whether the rows of a table can be changed by somebody, and else why not. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'

/** Why rows of the table cannot be changed, in words; `null` if they can. */
export function readOnlyReason(
  { definition: { table, write }, access, takesChanges }: OpenTable,
  { language }: Reader,
): string | null {
  const { reasons } = messagesFor(language)
  if (table.kind !== 'table') return reasons.readOnlyView
  if (table.key.length === 0) return reasons.readOnlyNoKey
  if (!write) return reasons.readOnlyTable
  if (!access.may('update')) return reasons.readOnlyGrant
  return takesChanges ? null : reasons.readOnlyDatabase
}
