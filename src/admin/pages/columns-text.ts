/** Says in a few words which columns a role reads and writes: a table may have hundreds. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../../table/format.ts'

/** Columns that are named before the others are counted. */
const NAMED = 8

/** The first of them, and how many more there are. */
export function namedColumns(labels: readonly string[], reader: Reader): string {
  const named = labels.length > NAMED + 1 ? labels.slice(0, NAMED) : labels
  const more = labels.length - named.length
  const { rolesPage } = messagesFor(reader.language)
  return rolesPage.named(named, more === 0 ? null : formatterFor(reader).number(more))
}

/** Those that are read, or those that are not, whichever are fewer; `null` where all are. */
export function readColumns(
  columns: readonly { readonly label: string; readonly isShown: boolean }[],
  reader: Reader,
): string | null {
  const labels = (isShown: boolean) =>
    columns.flatMap((column) => (column.isShown === isShown ? column.label : []))
  const [read, hidden] = [labels(true), labels(false)]
  const { rolesPage } = messagesFor(reader.language)
  if (hidden.length === 0) return null
  return read.length < hidden.length
    ? rolesPage.only(namedColumns(read, reader))
    : rolesPage.without(namedColumns(hidden, reader))
}
