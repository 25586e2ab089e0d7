/** The fields of a record: each with its value as its column shows it, in their sections. */

import { messagesFor } from '../../messages/messages.ts'
import type { FieldsView, FieldValue, FieldView } from '../../protocol/record-view.ts'
import { recordHref } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { columnHelp } from '../column-help.ts'
import type { DrawnValue } from '../definition/kind.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { formatterFor } from '../format.ts'
import { readableColumns } from '../list/concerns/columns.ts'
import { textOf } from '../list/rows.ts'
import type { Reference, Referred, Unseen } from '../references.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { FIGURES, fieldSections } from './field-sections.ts'
import { type FileSizes, fileValue, withDownload } from './file-value.ts'
import { amountText } from '../definition/currency.ts'
import { drawValue } from './value.ts'

export type DrawnRow = {
  readonly open: OpenTable
  readonly key: KeyValues
  readonly values: ReadonlyMap<string, Value>
  /** The columns whose values are masked in this row. */
  readonly masked: ReadonlySet<string>
  /** Full lengths of the values of which only the beginning was read. */
  readonly lengths: ReadonlyMap<string, number>
  readonly references: readonly Reference[]
  readonly sizes: FileSizes
  /** Address of a table's listing. */
  readonly href: (table: string) => string
  readonly reader: Reader
}

type DrawnField = {
  readonly field: FieldView
  readonly isZoneless?: true | undefined
  /** The column in whose place it stands, or after which, where it is no column. */
  readonly column: string
}

export function drawFieldSections(drawn: DrawnRow): FieldsView[] {
  const { open, reader } = drawn
  const all = drawFields(drawn)
  const sections = fieldSections(open, reader)
  const found =
    sections.length === 0
      ? [{ title: null, fields: all }]
      : sections.map((section) => ({
          ...section,
          fields: section.fields.flatMap((name) => all.filter(({ column }) => column === name)),
        }))
  const noted = found.find(({ fields }) => fields.some(({ isZoneless }) => isZoneless))
  return found
    .filter(({ fields }) => fields.length > 0)
    .map((section) => ({
      ...section,
      ...(section === noted && { note: noteOn(all, reader) }),
      fields: section.fields.map(({ field }) => field),
    }))
}

/** Times with a zone name it themselves. */
function noteOn(fields: readonly DrawnField[], { language }: Reader): string {
  const { naive, naiveUnlessNamed } = messagesFor(language).row
  return fields.some(({ field }) => field.value.is === 'moment') ? naiveUnlessNamed : naive
}

/** A field for each column, and one for each foreign key of several columns. */
function drawFields({
  open,
  key,
  values,
  masked,
  lengths,
  references,
  sizes,
  href,
  reader,
}: DrawnRow) {
  const place = { list: href(open.access.table.name), key: open.keys.name(key), reader }
  const fields = readableColumns(open).map((column): DrawnField => {
    const { name, label, unit, kind } = column
    const value = values.get(name) ?? null
    const reference = references.find(
      ({ foreignKey: { columns } }) => columns.length === 1 && columns[0] === name,
    )
    const guessed = reference?.isGuess && reference.referred?.open.definition.label
    const help =
      columnHelp(column, open, reader) ??
      (guessed ? messagesFor(reader.language).reasons.guessedByType(guessed) : undefined)
    const drawn: DrawnValue = masked.has(name)
      ? { value: { is: 'no-access' } }
      : value !== null && reference?.referred
        ? { value: drawReferred(reference.referred, keyText(column, value, reader), href) }
        : (amountValue(column, value, values, reader) ??
          fileValue(column, value, { ...place, sizes, length: lengths.get(name) }) ??
          withDownload(drawValue(column, value, reader, lengths.get(name)), {
            ...place,
            column: name,
            value,
            length: lengths.get(name),
          }))
    const { isZoneless, ...shown } = drawn
    const field = {
      name,
      label,
      ...(help !== undefined && { help }),
      ...(unit !== undefined && { unit }),
      ...(FIGURES.has(kind) && { isFigure: true as const }),
      ...shown,
    }
    return { field, isZoneless, column: name }
  })
  const composite = references.filter(({ foreignKey }) => foreignKey.columns.length > 1)
  for (const { foreignKey, referred } of composite) {
    if (!referred) continue
    const after = fields.findLastIndex(({ column }) => foreignKey.columns.includes(column))
    const column = fields[after]?.column
    if (column === undefined) continue
    const name = foreignKey.columns.join(',')
    const { label } = referred.open.definition
    const value = drawReferred(referred, foreignKey.columns.map(rawText).join(', '), href)
    fields.splice(after + 1, 0, { field: { name, label, value }, column })
  }
  return fields

  function rawText(column: string): string {
    const definition = open.definition.columns.get(column)
    const value = values.get(column) ?? null
    return definition ? keyText(definition, value, reader) : String(value)
  }
}

/** An amount in the smallest unit of its currency, with what is stored. */
function amountValue(
  column: ColumnDefinition,
  value: Value,
  values: ReadonlyMap<string, Value>,
  reader: Reader,
): DrawnValue | undefined {
  if (column.minorUnit === undefined) return undefined
  const { fixedCurrency, ...unnamed } = column
  // One that the head names stands beside the figure.
  const text = fixedCurrency
    ? value === null
      ? undefined
      : keyText(column, value, reader)
    : amountText(column, value, values.get(column.currency ?? ''), formatterFor(reader))
  if (text === undefined) return undefined
  const { row } = messagesFor(reader.language)
  return { value: { is: 'text', text }, note: row.storedAs(keyText(unnamed, value, reader)) }
}

export const keyText = (column: ColumnDefinition, value: Value, reader: Reader): string =>
  textOf(formatterFor(reader).cell(column, value))

/** The referred row, by its label or else by the values that refer to it. */
function drawReferred(
  referred: Referred | Unseen,
  text: string,
  href: (table: string) => string,
): FieldValue {
  const { open, label } = referred
  if (label === undefined)
    return open.access.seesAllRows ? { is: 'text', text } : { is: 'no-access' }
  const { key } = referred
  const shown = label ?? text
  if (key === null) return { is: 'text', text: shown }
  return {
    is: 'record',
    text: shown,
    href: recordHref(href(open.definition.table.name), key, ''),
  }
}
