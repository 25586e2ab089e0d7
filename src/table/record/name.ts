/** What a row is called: by the values that name it, else by its table and key, and what tells it from others. */

import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { isNamedByRows, joinedLabel, labelText } from '../references.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { tellingTexts } from './telling.ts'
import { unnamedRow } from './unnamed.ts'

type Named = Pick<OpenTable, 'definition' | 'keys'>

/** Tells the value of a column, as far as it may be told. */
type ValueOf = (column: string) => Value | undefined

/** In one text, such as “Strike 9998, Denver Intl, Jul 24, 2002” where nothing names it. */
export function rowName(open: Named, key: KeyValues, valueOf: ValueOf, reader: Reader): string {
  const { label, tells } = nameParts(open, key, valueOf, reader)
  return [label, ...tells].join(', ')
}

/** The name, and what tells it from others, where it has none. */
export function nameParts(
  open: Named,
  key: KeyValues,
  valueOf: ValueOf,
  reader: Reader,
): { readonly label: string; readonly tells: readonly string[] } {
  const { labelColumns } = open.definition
  const texts = labelColumns.map((column) => labelText(valueOf(column) ?? null))
  const label = joinedLabel(texts, isNamedByRows(open.definition))
  if (label !== null) return { label, tells: [] }
  return {
    label: unnamedRow(open, key, reader.language),
    tells: tellingTexts(open, valueOf, reader),
  }
}
