/** The table that a column of a form refers to, and whether rows may be created there. */

import { messagesFor } from '../../../messages/messages.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { writesTaken } from '../../source/schema.ts'

/** `undefined` for a column that refers to none that the reader may see. */
export function relatedTable(
  { relations, others }: OpenTable,
  column: string,
): OpenTable | undefined {
  const relation = relations.get(column)
  return relation && others.find(relation.access.table.name)
}

/** What creates a row there, in words; `null` where the reader may not. */
export function creates(other: OpenTable, { language }: Pick<Reader, 'language'>): string | null {
  const { definition, access, takesChanges } = other
  const isTaken = definition.write && writesTaken(access.table).includes('create')
  const may = isTaken && takesChanges && access.may('create')
  return may ? messagesFor(language).form.newTitle(definition.label) : null
}
