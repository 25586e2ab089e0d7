/** What tells rows apart: of rows without a name a text and a day, of equal names the day alone. */

import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { ColumnDefinition, TableDefinition } from '../definition/table-definition.ts'
import { formatterFor } from '../format.ts'
import { toldText } from '../list/rows.ts'
import { shortened } from '../references.ts'
import type { Value } from '../source/value.ts'

/** The columns that the list shows first, but those that name its rows. */
const listed = ({ defaultColumns, columns, labelColumns, table }: TableDefinition) =>
  defaultColumns
    .filter((name) => !labelColumns.includes(name) && !table.key.includes(name))
    .flatMap((name) => columns.get(name) ?? [])

const isMoment = ({ kind }: ColumnDefinition) => kind === 'date' || kind === 'datetime'

/** The column of the first day or moment that its listing shows, if the actor may read one. */
export const momentColumnOf = ({
  definition,
  access,
}: Pick<OpenTable, 'definition' | 'access'>): ColumnDefinition | undefined =>
  listed(definition).find((column) => isMoment(column) && access.canRead(column.name))

/**
 * The columns that tell rows apart which have no name, as a list would: its first short text, such as the airport of
 * a strike, and its first day or moment. None where rows have a name.
 */
function tellingColumns(definition: TableDefinition): readonly ColumnDefinition[] {
  if (definition.labelColumns.length > 0) return []
  const columns = listed(definition)
  const text = columns.find(({ kind, relation }) => kind === 'text' && !relation)
  return [text, columns.find(isMoment)].filter((column) => column !== undefined)
}

/** The columns to read in order to call rows by what they are, as far as the actor may read them. */
export const namingColumns = ({
  definition,
  access,
}: Pick<OpenTable, 'definition' | 'access'>): string[] =>
  [...definition.labelColumns, ...tellingColumns(definition).map(({ name }) => name)].filter(
    (name) => access.canRead(name),
  )

/** The texts that tell a row without a name from others. `valueOf` tells a value, as far as it may be told. */
export function tellingTexts(
  { definition }: Pick<OpenTable, 'definition'>,
  valueOf: (column: string) => Value | undefined,
  reader: Reader,
): string[] {
  const { cell } = formatterFor(reader)
  return tellingColumns(definition).flatMap((column) => {
    const value = valueOf(column.name) ?? null
    const text = value === null ? '' : shortened(toldText(cell(column, value)))
    return text.trim() === '' ? [] : [text]
  })
}
