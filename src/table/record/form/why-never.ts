/** Which columns no row can be changed in, and why. */

import { messagesFor } from '../../../messages/messages.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { Column } from '../../source/schema.ts'
import { isWritten } from './write-text.ts'

/** Why no row can be changed in this column; `undefined` if rows can. */
export function whyNever(
  { access }: Pick<OpenTable, 'access'>,
  column: Column,
  { language }: Pick<Reader, 'language'>,
): string | undefined {
  const { fixed } = messagesFor(language).form
  if (column.generated) return fixed.generated
  if (!isWritten(column)) return fixed.bytes
  return access.canWrite(column.name) ? undefined : fixed.forbidden
}
