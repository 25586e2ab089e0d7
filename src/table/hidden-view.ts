/** The columns that are hidden from everybody, and why, in words. */

import { type Messages, messagesFor } from '../messages/messages.ts'
import type { HiddenView } from '../protocol/table-view.ts'
import type { Reader } from '../server/http/locale.ts'
import type { OpenTable } from './catalog.ts'
import type { SecretReason } from './definition/secret-columns.ts'

/** For administrators alone; nothing where nothing is hidden. */
export function drawHidden(
  { hiddenColumns }: Pick<OpenTable, 'hiddenColumns'>,
  { language }: Reader,
): { hidden?: HiddenView } {
  if (!hiddenColumns) return {}
  const { hidden, hiddenBy } = messagesFor(language)
  const columns = hiddenColumns.map(({ name, reason }) => ({ name, why: whyOf(reason, hiddenBy) }))
  return { hidden: { ...hidden, title: hidden.title(String(columns.length)), columns } }
}

function whyOf(reason: SecretReason, words: Messages['hiddenBy']): string {
  switch (reason.by) {
    case 'declared':
      return words.declared
    case 'name':
      return words.name(reason.words)
    case 'table':
      return words.table(reason.words)
    case 'neighbour':
      return words.neighbour(reason.column)
    case 'reference':
      return words.reference(reason.table)
    case 'setting':
      return words.setting(reason.column)
    case 'value':
      return words.value
  }
}
