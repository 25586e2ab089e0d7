/** Values of a column that can be offered without asking the database: those with names, and those of its sample. */

import type { OpenTable } from './catalog.ts'
import type { ColumnDefinition } from './definition/table-definition.ts'
import { writeText } from './record/form/write-text.ts'

/** A text of a sample that is as long may be only the beginning of what is stored. */
const CUT = 200

/**
 * What the sample of a column holds, as texts of its field, each once. The reader's own definition has no sample
 * where the policy hides rows or the column.
 */
export function sampledTexts({ access, definition }: OpenTable, name: string): readonly string[] {
  const column = definition.table.columns.find((one) => one.name === name)
  const shown = (column?.sample ?? []).filter((value) => access.showsValue(name, value))
  const texts = shown.flatMap((value) => writeText(value, column) ?? [])
  return [...new Set(texts)].filter((text) => text.trim() !== '' && text.length < CUT)
}

/** What has a name, in the order of the names, then what is stored besides. */
export const namedTexts = (
  open: OpenTable,
  { name, values = new Map() }: Pick<ColumnDefinition, 'name' | 'values'>,
): readonly string[] => [...new Set([...values.keys(), ...sampledTexts(open, name)])]
