/** What a row is called: by the values that name it, else by its table and key. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { isNamedByRows, joinedLabel, labelText, shortened } from '../references.ts'
import type { KeyValues, Value } from '../source/value.ts'

type Named = Pick<OpenTable, 'definition' | 'keys'>

/** `valueOf` tells the value of a column, as far as it may be told. */
export function rowName(
  open: Named,
  key: KeyValues,
  valueOf: (column: string) => Value | undefined,
  { language }: Reader,
): string {
  const { labelColumns } = open.definition
  const texts = labelColumns.map((column) => labelText(valueOf(column) ?? null))
  const name = joinedLabel(texts, isNamedByRows(open.definition))
  return name ?? unnamedRow(open, key, language)
}

/** What a row is called that has no name: “Order 10248”. */
export const unnamedRow = (open: Named, key: KeyValues, language: string): string =>
  messagesFor(language).record.unnamed(open.definition.label, displayKey(open, key))

/** The key as people write it, without the escapes of addresses. */
export const displayKey = ({ keys }: Pick<Named, 'keys'>, key: KeyValues): string =>
  keys.shown(key).map(shortened).join(', ')
