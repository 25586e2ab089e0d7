/** Makes a record page's view from one row and the rows around it. */

import { messagesFor } from '../../messages/messages.ts'
import type { AroundView, GoneView, RecordView } from '../../protocol/record-view.ts'
import { editQuery, fromQuery, recordHref } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { drawHidden } from '../hidden-view.ts'
import type { ListState } from '../list/concerns.ts'
import { LISTING } from '../list/fold.ts'
import { readOnlyReason } from '../list/read-only.ts'
import { markOf, mayMark } from './marking.ts'
import { nameParts } from './name.ts'
import { displayKey } from './unnamed.ts'
import { drawPlace, type RowPlace } from './place.ts'
import { drawFieldSections, type DrawnRow, keyText } from './fields.ts'
import type { RelatedRows } from './related.ts'
import { drawRelated, type FoundRelated } from './related-page.ts'

/** The keys of the rows before and after, `null` if there is none. */
export type NeighbourKeys = { readonly previous: string | null; readonly next: string | null }

/** What surrounds a row, as it was read. */
export type DrawnAround = {
  readonly open: OpenTable
  readonly related: readonly RelatedRows[]
  readonly found: readonly FoundRelated[]
  /** `null` if they were not found in time. */
  readonly neighbours: NeighbourKeys | null
  /** `undefined` if it was not found in time, `null` where it cannot be. */
  readonly place: RowPlace | null | undefined
  /** The listing that the reader came from. */
  readonly from: ListState
  /** Address of a table's listing. */
  readonly href: (table: string) => string
  readonly reader: Reader
}

export type DrawnRecord = DrawnAround & DrawnRow

/** The whole view of a record. */
export function drawRecord(drawn: DrawnRecord): RecordView {
  const { open, key, found, neighbours, place, from, href, reader } = drawn
  const { table, label } = open.definition
  const isPartial =
    neighbours === null ||
    place === undefined ||
    found.some(({ count, page }) => count === null || page === null)
  const name = nameParts(open, key, (column) => shownName(drawn, column), reader)
  return {
    table: table.name,
    tableLabel: label,
    label: name.label,
    ...(name.tells.length > 0 && { tells: name.tells.join(', ') }),
    key: displayKey(open, key),
    sections: drawFieldSections(drawn),
    ...drawHidden(open, reader),
    listHref: LISTING.href(href(table.name), from),
    ...drawAround({ ...drawn, isPartial }),
    isPartial,
    readOnly: readOnlyReason(open, reader),
    ...editing(drawn),
  }
}

/** What names the row: the label of a row that the column refers to, else its value. */
function shownName({ values, references, masked }: DrawnRow, column: string) {
  const reference = references.find(
    ({ foreignKey: { columns } }) => columns.length === 1 && columns[0] === column,
  )
  return masked.has(column) ? undefined : (reference?.referred?.label ?? values.get(column))
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
  const query = editQuery(LISTING.query(from))
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
  const { open, neighbours, place, from, href, reader } = drawn
  const { name } = open.definition.table
  const query = fromQuery(LISTING.query(from))
  const to = (neighbour: string) => recordHref(href(name), neighbour, query)
  return {
    related: drawRelated({ ...drawn, self: name }),
    ...(place && { place: drawPlace(place, reader) }),
    ...(neighbours?.previous != null && { previous: to(neighbours.previous) }),
    ...(neighbours?.next != null && { next: to(neighbours.next) }),
  }
}

/** The view of a row that no longer exists. */
export function drawGone(
  { definition }: OpenTable,
  {
    list,
    from,
    how,
  }: { readonly list: string; readonly from: ListState; readonly how: string | null },
): GoneView {
  const { table, label } = definition
  const listHref = LISTING.href(list, from)
  return { table: table.name, tableLabel: label, label: null, listHref, how }
}
