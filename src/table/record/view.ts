/** Makes a record page's view from one row and the rows around it. */

import { messagesFor } from '../../messages/messages.ts'
import type {
  AroundView,
  FieldValue,
  FieldView,
  GoneView,
  RecordView,
} from '../../protocol/record-view.ts'
import { fromQuery, recordHref } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { formatterFor } from '../format.ts'
import { drawHidden } from '../hidden-view.ts'
import { textOf } from '../list/rows.ts'
import { readableColumns } from '../list/concerns/columns.ts'
import type { ListState } from '../list/concerns.ts'
import { LISTING } from '../list/fold.ts'
import { readOnlyReason } from '../list/read-only.ts'
import { markOf, mayMark } from './marking.ts'
import { drawValue } from './value.ts'
import { labelText, type Reference, type Referred, shortened, type Unseen } from '../references.ts'
import type { RelatedRows } from './related.ts'
import { drawRelated, type FoundRelated } from './related-page.ts'
import type { DrawnValue } from '../definition/kind.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { KeyValues, Value } from '../source/value.ts'

/** The keys of the rows before and after, `null` if there is none. */
export type NeighbourKeys = { readonly previous: string | null; readonly next: string | null }

/** What surrounds a row, as it was read. */
export type DrawnAround = {
  readonly open: OpenTable
  readonly related: readonly RelatedRows[]
  readonly found: readonly FoundRelated[]
  /** `null` if they were not found in time. */
  readonly neighbours: NeighbourKeys | null
  /** The listing that the reader came from. */
  readonly from: ListState
  /** Address of a table's listing. */
  readonly href: (table: string) => string
  readonly reader: Reader
}

export type DrawnRecord = DrawnAround & {
  readonly key: KeyValues
  readonly values: ReadonlyMap<string, Value>
  /** The columns whose values are masked in this row. */
  readonly masked: ReadonlySet<string>
  /** Full lengths of the values of which only the beginning was read. */
  readonly lengths: ReadonlyMap<string, number>
  readonly references: readonly Reference[]
}

/** The whole view of a record. */
export function drawRecord(drawn: DrawnRecord): RecordView {
  const { open, found, neighbours, from, href, reader } = drawn
  const { table, label } = open.definition
  const isPartial =
    neighbours === null || found.some(({ count, page }) => count === null || page === null)
  return {
    table: table.name,
    tableLabel: label,
    label: nameOf(drawn),
    key: displayKey(drawn),
    fields: drawFields(drawn),
    ...drawHidden(open, reader),
    listHref: LISTING.href(href(table.name), from),
    ...drawAround({ ...drawn, isPartial }),
    isPartial,
    readOnly: readOnlyReason(open, reader),
    ...editing(drawn),
  }
}

/** What the person may do with the row. */
function editing({ open, key, href, from, values, masked, reader }: DrawnRecord) {
  const { access, keys, takesChanges } = open
  const record = keys.record(key)
  const list = href(access.table.name)
  const isChangeable = takesChanges && open.definition.write && record !== null
  const mark = markOf(open) ?? ''
  const column = masked.has(mark) ? undefined : open.definition.columns.get(mark)
  const since = values.get(mark) ?? null
  const isMarked = since !== null
  const listed = LISTING.query(from)
  const query = `?edit=on${listed === '' ? '' : `&from=${encodeURIComponent(listed)}`}`
  return {
    ...(isChangeable && access.may('update') && { editHref: recordHref(list, record, query) }),
    ...(isChangeable &&
      access.may('create') && { copyHref: `${list}/new?copy=${encodeURIComponent(record)}` }),
    mayDelete: isChangeable && access.may('delete'),
    mayMark: isChangeable && mayMark(open) && !isMarked,
    ...(column &&
      isMarked && {
        marked: {
          text: messagesFor(reader.language).form.marking.isMarked(keyText(column, since, reader)),
          mayRestore: isChangeable && mayMark(open),
        },
      }),
  }
}

/** What surrounds a row. `isPartial`: whether what is missing may still come. */
export function drawAround(drawn: DrawnAround & { readonly isPartial: boolean }): AroundView {
  const { open, neighbours, from, href } = drawn
  const { name } = open.definition.table
  const query = fromQuery(LISTING.query(from))
  const to = (neighbour: string) => recordHref(href(name), neighbour, query)
  return {
    related: drawRelated({ ...drawn, self: name }),
    ...(neighbours?.previous != null && { previous: to(neighbours.previous) }),
    ...(neighbours?.next != null && { next: to(neighbours.next) }),
  }
}

/** The view of a row that no longer exists. */
export function drawGone({ definition }: OpenTable, list: string, from: ListState): GoneView {
  const { table, label } = definition
  return { table: table.name, tableLabel: label, label: null, listHref: LISTING.href(list, from) }
}

/** The key as people write it, without the escapes of addresses. */
const displayKey = ({ open, key }: Pick<DrawnRecord, 'open' | 'key'>): string =>
  open.keys.shown(key).map(shortened).join(', ')

function nameOf(drawn: DrawnRecord): string {
  const { open, values, reader } = drawn
  const { labelColumn, label } = open.definition
  const name = labelColumn === undefined ? null : labelText(values.get(labelColumn) ?? null)
  return name ?? messagesFor(reader.language).record.unnamed(label, displayKey(drawn))
}

/** A field for each column, and one for each foreign key of several columns. */
function drawFields(drawnRecord: DrawnRecord): FieldView[] {
  const { open, values, masked, lengths, references, href, reader } = drawnRecord
  const fields = readableColumns(open).map((column): FieldView => {
    const { name, label, help, unit } = column
    const value = values.get(name) ?? null
    const reference = references.find(
      ({ foreignKey: { columns } }) => columns.length === 1 && columns[0] === name,
    )
    const drawn: DrawnValue = masked.has(name)
      ? { value: { is: 'no-access' } }
      : value !== null && reference?.referred
        ? { value: drawReferred(reference.referred, keyText(column, value, reader), href) }
        : drawValue(column, value, reader, lengths.get(name))
    return {
      name,
      label,
      ...(help !== undefined && { help }),
      ...(unit !== undefined && { unit }),
      ...drawn,
    }
  })
  const composite = references.filter(({ foreignKey }) => foreignKey.columns.length > 1)
  for (const { foreignKey, referred } of composite) {
    if (!referred) continue
    const after = fields.findLastIndex(({ name }) => foreignKey.columns.includes(name))
    const name = foreignKey.columns.join(',')
    const { label } = referred.open.definition
    const value = drawReferred(referred, foreignKey.columns.map(rawText).join(', '), href)
    fields.splice(after + 1, 0, { name, label, value })
  }
  return fields

  function rawText(column: string): string {
    const definition = open.definition.columns.get(column)
    const value = values.get(column) ?? null
    return definition ? keyText(definition, value, reader) : String(value)
  }
}

const keyText = (column: ColumnDefinition, value: Value, reader: Reader): string =>
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
