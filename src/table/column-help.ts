/** What people are told of a column at its head and beside its field. */

import { messagesFor } from '../messages/messages.ts'
import type { Reader } from '../server/http/locale.ts'
import type { OpenTable } from './catalog.ts'
import type { ColumnDefinition } from './definition/table-definition.ts'

/** The declared text or the database's comment, else that its reference is a guess. */
export function columnHelp(
  { help, isGuess, relation }: ColumnDefinition,
  { others }: Pick<OpenTable, 'others'>,
  { language }: Pick<Reader, 'language'>,
): string | undefined {
  if (help !== undefined || !isGuess || !relation) return help
  const other = others.find(relation.table)
  return other && messagesFor(language).reasons.guessed(other.definition.label)
}
