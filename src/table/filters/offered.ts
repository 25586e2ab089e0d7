/** All filters of a table, as far as one actor may use them. */

import { BUILDER } from '../../protocol/filters.ts'
import { AppError } from '../../server/app-error.ts'
import type { Access } from '../source/access.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import { keyOfColumn } from './address.ts'
import { type Conditions, group } from './builder.ts'
import { columnFilters } from './column-filters.ts'
import type { Filter } from './filter.ts'
import { parseValue } from './parse-value.ts'
import { keyOfReferring, referringTo, relatedFilter } from './related.ts'

export type Filters = ReadonlyMap<string, Filter>

/** An access belongs to one request. */
const cached = { columns: new WeakMap<Access, Filters>(), all: new WeakMap<Access, Filters>() }

/** Those of the table's own columns, by key: what related rows can be asked for. */
export const columnFiltersOf = (open: OpenTable): Filters =>
  once(cached.columns, open.access, () => byKey(columnFilters(open)))

/** All filters that the list offers, by key: of columns, of related rows, and the builder. */
export const filtersOf = (open: OpenTable): Filters =>
  once(cached.all, open.access, () => {
    const columns = columnFiltersOf(open)
    const offered = byKey([
      ...columns.values(),
      ...relatedFilters(open).filter(({ key }) => !columns.has(key)),
    ])
    const builder: Filter = {
      key: BUILDER,
      label: '',
      forms: [group(BUILDER, conditionsIn(offered, open))],
      control: () => ({ type: 'text' }),
    }
    return new Map([...offered, [BUILDER, builder]])
  })

/** One filter for each foreign key that points here. */
function relatedFilters(open: OpenTable): Filter[] {
  const referring = referringTo(open)
  return referring.map((one) => {
    const isOnlyOne = referring.filter(({ other }) => other === one.other).length === 1
    // Made when it is used: a table may refer to itself.
    const conditions: Conditions = (key, value) =>
      conditionsIn(columnFiltersOf(one.other), one.other)(key, value)
    return relatedFilter(one, isOnlyOne, conditions)
  })
}

/** What the conditions of a filter are about: filters, and the table that has them. */
export type Scope = { readonly filters: Filters; readonly open: OpenTable }

/** What conditions are about in the builder, or on the rows of another table; `undefined` for other filters. */
export function scopeOf(key: string, open: OpenTable): Scope | undefined {
  if (key === BUILDER) return { filters: filtersOf(open), open }
  const other = relatedTable(key, open)
  return other && { filters: columnFiltersOf(other), open: other }
}

/** The table whose rows a filter is about; `undefined` for all other filters. */
export const relatedTable = (key: string, open: OpenTable): OpenTable | undefined =>
  referringTo(open).find((one) => keyOfReferring(one) === key)?.other

export const conditionsIn =
  (filters: Filters, open: OpenTable): Conditions =>
  (key, value) => {
    const filter = filterIn(filters, key, open)
    const condition = parseValue(filter, value)
    if (!condition) return { filter, condition }
    const { value: found } = condition
    // A group belongs to the builder, which is not among these filters.
    if ('join' in found) throw unknownFilter(key)
    return { filter, condition: { ...condition, value: found } }
  }

/** A filter by its key. What is hidden and what does not exist are refused alike. */
export function filterIn(filters: Filters, key: string, open: OpenTable): Filter {
  const filter = filters.get(key)
  if (filter) return filter
  const column = open.definition.table.columns.find(({ name }) => keyOfColumn(name) === key)
  if (column && open.access.canRead(column.name))
    throw badParameter(({ address }) => address.noFilter(clip(column.name)))
  throw unknownFilter(key)
}

/** A filter that does not exist, or that the actor may not use; the error must not reveal which. */
export const unknownFilter = (key: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: ({ filter }) => filter.unknown(clip(key)) })

const byKey = (filters: readonly Filter[]): Filters =>
  new Map(filters.map((filter) => [filter.key, filter]))

function once(known: WeakMap<Access, Filters>, access: Access, make: () => Filters): Filters {
  const before = known.get(access)
  if (before) return before
  const made = make()
  known.set(access, made)
  return made
}
