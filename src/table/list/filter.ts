/** Filters of a listing: a column that refers to other rows holds this very value. */

import * as v from 'valibot'
import type { Access } from '../source/access.ts'
import { badParameter, clip, unknownColumn } from '../address-error.ts'
import type { Predicate } from '../source/predicate.ts'
import { decodeValue, encodeValue } from '../row-key.ts'
import type { Column } from '../source/schema.ts'
import { foreignKeysOf, type TableDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/** `value` is one value as it stands in the address: a part of a key (see row-key.ts). */
export const filterSchema = v.strictObject({ column: v.string(), value: v.string() })

export type FilterState = v.InferOutput<typeof filterSchema>

/** A filter whose column is known and readable, with its value in the column's type. */
export type Filter = { readonly column: Column; readonly value: Value }

const PREFIX = 'filter.'

/** The parameter of a column's filter: `filter.species_id`. Dots within a name are escaped. */
export const filterParam = (column: string): string =>
  PREFIX + column.replace(/[%.]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

export const isFilterParam = (name: string): boolean => name.startsWith(PREFIX)

const columnOf = (param: string): string =>
  param
    .slice(PREFIX.length)
    .replace(/%(25|2e)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

/** The filters of an address, in the order they stand in. */
export const parseFilters = (query: URLSearchParams): FilterState[] =>
  [...query]
    .filter(([name]) => isFilterParam(name))
    .map(([name, value]) => ({ column: columnOf(name), value }))

/** What an address says of them. */
export const filterParams = (filters: readonly FilterState[]): [string, string][] =>
  filters.map(({ column, value }) => [filterParam(column), value])

/** The filter of rows whose column holds the value. */
export const filterBy = (column: string, value: Value): FilterState => ({
  column,
  value: encodeValue(value),
})

/**
 * The filters with their values. Throws `TABLE_UNKNOWN_COLUMN` for a column that is not there or is
 * hidden, alike, and `TABLE_BAD_PARAMETER` for what else is no filter of this table.
 */
export const checkFilters = (
  filters: readonly FilterState[],
  definition: TableDefinition,
  access: Access,
): Filter[] => filters.map((filter) => checkFilter(filter, definition, access))

function checkFilter(
  { column: name, value: text }: FilterState,
  definition: TableDefinition,
  access: Access,
): Filter {
  const column = definition.table.columns.find((candidate) => candidate.name === name)
  if (!column || !access.canRead(name)) throw unknownColumn(name)
  if (!foreignKeysOf(definition).some(({ columns }) => columns.includes(name)))
    throw badParameter(({ address }) => address.noFilter(clip(name)))
  const value = decodeValue(text, column)
  if (value === undefined)
    throw badParameter(({ address }) => address.noValue(clip(name), clip(text)))
  return { column, value }
}

/** One condition for each filter. */
export const filterPredicates = (filters: readonly Filter[]): Predicate[] =>
  filters.map(({ column, value }) => ({ op: 'eq', column: column.name, value }))
