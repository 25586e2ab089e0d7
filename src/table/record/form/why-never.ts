/** Which columns no row can be written in, and why. */

import { messagesFor } from '../../../messages/messages.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { Column } from '../../source/schema.ts'
import { isWritten } from './write-text.ts'

/** Why this column cannot be written, in rows that there are or in new ones; `undefined` if it can. */
export function whyNever(
  { access }: Pick<OpenTable, 'access'>,
  column: Column,
  { language }: Pick<Reader, 'language'>,
  action: 'create' | 'update' = 'update',
): string | undefined {
  const { fixed } = messagesFor(language).form
  if (column.generated) return fixed.generated
  if (!isWritten(column)) return fixed.bytes
  return access.canWrite(column.name, action) ? undefined : fixed.forbidden
}
