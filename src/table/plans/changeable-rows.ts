/** Which rows of a plan the policy lets the actor change: where it lets them see more, the others are refused. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { own } from '../definition/define-table.ts'
import type { Access, ChangeAction } from '../source/access.ts'
import type { PlannedWrite } from './plan-content.ts'

/**
 * What a plan does to its rows. An action of the table's own that says itself whom it allows may do anything, and is
 * given all rows that the actor sees.
 */
function actionOf({ definition }: OpenTable, write: PlannedWrite): ChangeAction | undefined {
  if ('delete' in write) return 'delete'
  const isFree = 'own' in write && own(definition.actions, write.own)?.allows !== undefined
  return isFree ? undefined : 'update'
}

/** The table with only those of its rows. */
export function changeableRows(open: OpenTable, write: PlannedWrite): OpenTable {
  const action = actionOf(open, write)
  return action ? { ...open, access: open.access.changeable(action) } : open
}

/** Access to the others; `undefined` where there are none. */
export function barredRows(open: OpenTable, write: PlannedWrite): Access | undefined {
  const action = actionOf(open, write)
  return action && open.access.unchangeable(action)
}

/** Why these are refused, in a sentence. */
export function barredReason(write: PlannedWrite, { language }: Reader): string {
  const { barred } = messagesFor(language).sealing
  return 'delete' in write ? barred.delete : barred.update
}
