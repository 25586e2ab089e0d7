/** Filtering by related rows: a column of a foreign key holds a given value. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import type { FilterView, TableView } from '../../../protocol/table-view.ts'
import type { LoadContext } from '../../../server/component/component.ts'
import { badParameter, clip, unknownColumn } from '../../address-error.ts'
import type { OpenTable } from '../../catalog.ts'
import { foreignKeysOf } from '../../definition/table-definition.ts'
import { formatterFor } from '../../format.ts'
import { findReferred } from '../../references.ts'
import { decodeValue, encodeValue } from '../../row-key.ts'
import type { Predicate } from '../../source/predicate.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import { defineConcern, type ListParams, type OpenList } from '../concern.ts'
import { textOf } from '../rows.ts'

/** `value` is one value as in the address: a part of a key (see row-key.ts). */
const filterSchema = v.strictObject({ column: v.string(), value: v.string() })

export type FilterState = v.InferOutput<typeof filterSchema>

type State = { filters: FilterState[] }

export const filtering = defineConcern({
  name: 'filters',
  state: { filters: v.array(filterSchema) },
  initial: { filters: [] },
  address: {
    names: [],
    owns: (name) => name.startsWith(PREFIX),
    read(query, open) {
      const filters = parseFilters(query)
      checkFilters(filters, open)
      return { filters }
    },
    write: ({ filters }) => filters.map(({ column, value }) => [filterParam(column), value]),
  },
  where: ({ filters }, open) => filterPredicates(checkFilters(filters, open)),
  actions: {
    /** `null` removes all filters. */
    removeFilter: {
      args: v.strictTuple([v.nullable(v.string())]),
      run({ state, go }, column) {
        const remaining = state.filters.filter(
          (filter) => column !== null && filter.column !== column,
        )
        go({ filters: remaining })
      },
    },
  },
  load: (context) =>
    Promise.all(
      checkFilters(context.state.filters, context.opened).map((filter) => inWords(filter, context)),
    ),
  slow: ({ state, reader }) =>
    state.filters.length === 0 ? null : messagesFor(reader.language).reasons.slowFilter,
  view: ({ data, href }): Pick<TableView, 'filters'> =>
    data.length === 0 ? {} : { filters: { all: data, clearHref: href({ filters: [] }) } },
})

/** A filter in words, with the label of the row that its value refers to. */
async function inWords(
  { column: { name }, value }: Filter,
  { actor, opened, locale, language, timeZone, signal }: LoadContext<State, ListParams, OpenList>,
): Promise<FilterView> {
  const { definition, services } = opened
  const column = definition.columns.get(name)
  const { relation, label = name } = column ?? {}
  const other = relation && services.catalog().find(actor, relation.table)
  const referred =
    relation && (await findReferred(services.source, other, relation, [value], signal))
  const formatter = formatterFor({ locale, language, timeZone })
  const text = column ? textOf(formatter.cell(column, value)) : String(value)
  return { column: name, param: filterParam(name), label, value: referred?.label ?? text }
}

/** A filter whose column is known and readable, with its value in the column's type. */
type Filter = { readonly column: Column; readonly value: Value }

const PREFIX = 'filter.'

/** The parameter of a column's filter: `filter.species_id`. Dots within a name are escaped. */
export const filterParam = (column: string): string =>
  PREFIX + column.replace(/[%.]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

const columnOf = (param: string): string =>
  param
    .slice(PREFIX.length)
    .replace(/%(25|2e)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

/** The filters of an address, in their order there. */
const parseFilters = (query: URLSearchParams): FilterState[] =>
  [...query]
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]) => ({ column: columnOf(name), value }))

/** The filter of rows whose column holds the value. */
export const filterBy = (column: string, value: Value): FilterState => ({
  column,
  value: encodeValue(value),
})

/**
 * The filters with their values. Throws `TABLE_UNKNOWN_COLUMN` for a missing or hidden column, and
 * `TABLE_BAD_PARAMETER` for anything else that is no filter of this table.
 */
export const checkFilters = (
  filters: readonly FilterState[],
  open: Pick<OpenTable, 'definition' | 'access'>,
): Filter[] => filters.map((filter) => checkFilter(filter, open))

function checkFilter(
  { column: name, value: text }: FilterState,
  { definition, access }: Pick<OpenTable, 'definition' | 'access'>,
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
