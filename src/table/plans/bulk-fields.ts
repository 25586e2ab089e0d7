/** Which fields of many rows can be changed at once, and how; and what may be done with a selection at all. */

import type { BulkField, BulkOffer, EditHow } from '../../protocol/plan-view.ts'
import { DEFAULT_READER, type Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { countsTime, countUnit } from '../definition/counted-time.ts'
import { readOnlyReason } from '../list/read-only.ts'
import { mayMark } from '../record/marking.ts'
import { drawFields } from '../record/form/field.ts'
import { relatedTable } from '../record/form/related-table.ts'
import { whyNever } from '../record/form/why-never.ts'
import { hasSelection } from '../selection.ts'
import { type Computed, suits } from '../source/computed.ts'
import type { Column } from '../source/schema.ts'
import { ownOffers } from './own-action.ts'

/** `undefined` where nothing can be done with selected rows but reading them. */
export function bulkOffer(open: OpenTable): BulkOffer | undefined {
  if (!hasSelection(open)) return undefined
  const may = (action: 'update' | 'delete') => readOnlyReason(open, DEFAULT_READER, action) === null
  const mayEdit = may('update')
  const own = ownOffers(open)
  const offer: BulkOffer = {
    ...(mayEdit && open.access.table.columns.some((column) => isEditable(open, column)) && EDIT),
    ...(may('delete') && { delete: true as const }),
    ...(mayEdit && mayMark(open) && { mark: true as const, restore: true as const }),
    ...(own.length > 0 && { own }),
  }
  return Object.keys(offer).length > 0 ? offer : undefined
}

const EDIT = { edit: true } as const

/** A key names one row, and files belong to one: neither is the same in many rows. */
export function isEditable(open: OpenTable, column: Column): boolean {
  const { access, definition } = open
  return (
    access.canRead(column.name) &&
    !access.table.key.includes(column.name) &&
    definition.columns.get(column.name)?.file === undefined &&
    whyNever(open, column, DEFAULT_READER) === undefined
  )
}

export function bulkFields(open: OpenTable, reader: Reader): BulkField[] {
  const { columns } = open.access.table
  const values = Object.fromEntries(columns.map(({ name }) => [name, null]))
  const editable = columns.filter((column) => isEditable(open, column))
  return drawFields(open, { values, isNew: false, labels: new Map(), isRelated: true }, reader)
    .flatMap((drawn) => ('input' in drawn ? [drawn.input] : []))
    .flatMap((input) => {
      const column = editable.find(({ name }) => name === input.name)
      if (!column) return []
      const from = sources(open, column)
      return [{ ...input, hows: howsOf(open, column, from.length > 0), from }]
    })
}

/** What each way works out, for a value that any column of a fitting type takes. */
const WAYS: readonly (readonly [EditHow, Computed])[] = [
  ['add', { add: '1' }],
  ['multiply', { multiply: '1' }],
  ['append', { append: '' }],
  ['replace', { replace: '.', with: '' }],
  ['now', { now: true }],
]

/** A reference is another row: nothing is added to it. What is shown as a moment is changed as one. */
function howsOf(open: OpenTable, column: Column, canCopy: boolean): EditHow[] {
  const isReference = relatedTable(open, column.name) !== undefined
  const isCounted = countsTime(open.definition, column)
  const shownAs: Column = isCounted ? { ...column, type: 'datetime' } : column
  const worked = WAYS.flatMap(([how, computed]) =>
    !isReference && suits(computed, shownAs, undefined) ? [how] : [],
  )
  return ['set', ...worked, ...(canCopy ? (['copy'] as const) : [])]
}

/** Columns of the same type that the reader may see; for a count of time, those that count it in the same unit. */
const sources = (open: OpenTable, column: Column): BulkField['from'] =>
  open.access.table.columns
    .filter(({ name }) => name !== column.name && open.access.canRead(name))
    .filter((other) => isSource(open, column, other))
    .map(({ name }) => ({ name, label: open.definition.columns.get(name)?.label ?? name }))

/** Whether another column holds what this one may hold as well. */
export function isSource({ definition }: OpenTable, column: Column, other: Column): boolean {
  if (!suits({ column: other.name }, column, other)) return false
  if (!countsTime(definition, column)) return true
  return (
    countsTime(definition, other) && countUnit(definition, other) === countUnit(definition, column)
  )
}
