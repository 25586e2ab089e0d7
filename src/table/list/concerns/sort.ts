/** Sorting: the columns that the rows are ordered by. */

import * as v from 'valibot'
import { type Messages, messagesFor } from '../../../messages/messages.ts'
import { AppError, type Detail } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { clip, unknownColumn } from '../../address-error.ts'
import type { OpenTable } from '../../catalog.ts'
import { isSortableType } from '../../definition/infer.ts'
import { orderWords } from '../../definition/order-words.ts'
import type { ColumnDefinition, TableDefinition } from '../../definition/table-definition.ts'
import type { SortColumn, SortTerm } from '../../source/row-source.ts'
import { defineConcern } from '../concern.ts'
import { decodeName, encodeName } from '../names.ts'

/** Columns that a listing may be ordered by at once. */
export const SORT_MAX = 5

const sortColumn = v.strictObject({ column: v.string(), descending: v.boolean() })

type State = { readonly sort: readonly SortColumn[] }

export const sorting = defineConcern({
  name: 'sort',
  state: { sort: v.array(sortColumn) },
  initial: { sort: [] },
  address: {
    names: ['sort'],
    owns: (name) => name === 'sort',
    read: (query, open) => ({ sort: parseSort(query.get('sort'), open) }),
    write: ({ sort }) => (sort.length > 0 ? [['sort', formatSort(sort)]] : []),
  },
  presented(_state, { order, standardSort }) {
    if (order) return { sort: [{ column: order.column, descending: order.descending }] }
    return standardSort ? { sort: [] } : {}
  },
  query: (state, { opened }) => ({ sort: sortTerms(opened, state) }),
  actions: {
    /** Returns whether the order had room for the column; without room, nothing changes. */
    sortBy: {
      args: v.strictTuple([v.string(), v.boolean()]),
      run({ state, opened, go }, column, add) {
        const wanted = nextSort(state.sort, column, add)
        const sort = checkSort(wanted.slice(-SORT_MAX), opened)
        if (sort.length < wanted.length) return false
        go({ sort })
        return true
      },
    },
  },
  head(column, { state, opened, reader }) {
    const { name, sortable, showsLabels } = column
    const sort = sortTerms(opened, state)
    const place = sort.findIndex(({ column }) => column === name)
    const term = sort[place]
    const direction = term?.descending ? 'descending' : 'ascending'
    const { reasons } = messagesFor(reader.language)
    const { by } = term ?? termOf(opened, { column: name, descending: false })
    return {
      ...(sortable
        ? {
            sortValue: formatSort(nextSort(state.sort, name, false)),
            ...(showsLabels && { sortNote: by ? reasons.sortsByName : reasons.sortsByKey }),
          }
        : { unsortable: unsortableReason(column, opened, reader) }),
      ...(place >= 0 && { sorted: { direction, place: place + 1 } as const }),
    }
  },
  slow({ state, opened, reader }) {
    const column = state.sort[0]?.column
    if (column === undefined) return null
    const label = opened.definition.columns.get(column)?.label ?? column
    return messagesFor(reader.language).reasons.slowSort(label)
  },
  view: ({ state, opened, reader }) => ({
    sortText: sortText(sortTerms(opened, state), opened, reader),
    ...(state.sort.length >= SORT_MAX && { orderFull: true as const }),
  }),
})

function unsortableReason(
  { name, maskedBy }: ColumnDefinition,
  { definition: { table } }: OpenTable,
  { language }: Reader,
): string {
  const { unsortable } = messagesFor(language).reasons
  if (maskedBy !== undefined) return unsortable.masked
  const column = table.columns.find((one) => one.name === name)
  return column && !isSortableType(column) ? unsortable.type : unsortable.declared
}

/** The chosen order, else the table's default, which is one of stored values. */
export const sortTerms = (open: Ordering, { sort }: State): readonly SortTerm[] =>
  sort.length > 0 ? sort.map((one) => termOf(open, one)) : open.definition.defaultSort

type Ordering = Pick<OpenTable, 'definition' | 'relations'>

/** A column that shows the names of other rows is sorted by them, where that can be afforded. */
function termOf({ relations }: Ordering, sort: SortColumn): SortTerm {
  const relation = relations.get(sort.column)
  return relation?.isOrder ? { ...sort, by: relation } : sort
}

const badSort = (detail: Detail) => new AppError('TABLE_BAD_SORT', { detail })

type Checked = Pick<OpenTable, 'definition' | 'access'>

/** Parses an order from the address: `-incident_date,phase`. Empty means the table's default. */
export function parseSort(text: string | null, open: Checked): SortColumn[] {
  if (!text) return []
  const sort = text.split(',').map((part) => ({
    column: decodeName(part.replace(/^-/, '')),
    descending: part.startsWith('-'),
  }))
  return checkSort(sort, open)
}

/** Throws unless the actor may use this order, so that every state has a valid address. */
function checkSort(sort: SortColumn[], open: Checked): SortColumn[] {
  for (const { column } of sort) assertSortable(column, open)
  if (sort.length > SORT_MAX) throw badSort(({ sort }, number) => sort.tooMany(number(SORT_MAX)))
  if (new Set(sort.map(({ column }) => column)).size < sort.length)
    throw badSort(({ sort }) => sort.twice)
  return sort
}

function assertSortable(column: string, { definition, access }: Checked): void {
  const known = definition.columns.get(column)
  if (!known || !access.canShow(column)) throw unknownColumn(column)
  if (!known.sortable) throw badSort(({ sort }) => sort.unsortable(clip(column)))
}

export const formatSort = (sort: readonly SortColumn[]): string =>
  sort.map(({ column, descending }) => (descending ? '-' : '') + encodeName(column)).join(',')

/**
 * The order after a click on a head: ascending, descending, then the table's default. With `add`
 * the column joins the others; otherwise it replaces them.
 */
export function nextSort(sort: readonly SortColumn[], column: string, add: boolean): SortColumn[] {
  const at = sort.findIndex((one) => one.column === column)
  const current = sort[at]
  const next = !current
    ? [{ column, descending: false }]
    : current.descending
      ? []
      : [{ column, descending: true }]
  if (!add) return current && sort.length > 1 ? [{ column, descending: false }] : next
  return current ? sort.toSpliced(at, 1, ...next) : [...sort, ...next]
}

function sortText(
  sort: readonly SortTerm[],
  { definition, others }: Pick<OpenTable, 'definition' | 'others'>,
  { language }: Reader,
): string {
  const { order } = messagesFor(language)
  const words = sort.map(({ column, descending, by }) => {
    const known = definition.columns.get(column)
    const shown = known?.label ?? column
    const named = by ? order.byName(shown) : order.byKey(shown)
    const label = known?.showsLabels ? named : shown
    const sorted = by ? others.find(by.access.table.name)?.definition : definition
    const words = sorted && wordsFor(sorted, by?.label ?? column, descending, order)
    return words === undefined ? label : order.text(label, words)
  })
  return words.length === 0 ? '' : words.reduce((first, second) => order.then(first, second))
}

function wordsFor(
  { columns, table }: TableDefinition,
  column: string,
  descending: boolean,
  order: Messages['order'],
): string | undefined {
  const known = columns.get(column)
  const stored = table.columns.find(({ name }) => name === column)
  return (
    known && stored && orderWords(known, stored, descending ? 'descending' : 'ascending', order)
  )
}
