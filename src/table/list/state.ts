/** The state of a listing, and its address: every listing worth sharing is a URL. */

import * as v from 'valibot'
import { SEARCH_MAX } from '../../protocol/constants.ts'
import { AppError, type Detail } from '../../server/app-error.ts'
import type { Access } from '../source/access.ts'
import { badParameter, clip, unknownColumn } from '../address-error.ts'
import {
  checkFilters,
  filterParams,
  filterSchema,
  type FilterState,
  isFilterParam,
  parseFilters,
} from './filter.ts'
import { PAGE_SIZES, type PageSize } from '../definition/page-size.ts'
import type { SortColumn } from '../source/row-source.ts'
import type { TableDefinition } from '../definition/table-definition.ts'

/** Columns that a listing may be ordered by at once. */
export const SORT_MAX = 5

const sortSchema = v.array(v.strictObject({ column: v.string(), descending: v.boolean() }))

/** Where in the order the page stands; `anchor` is an encoded row (see anchor.ts). */
const placeSchema = v.strictObject({
  at: v.picklist(['first', 'last', 'after', 'before', 'offset']),
  /** 1-based page number, `null` where it is not known. */
  number: v.nullable(v.number()),
  anchor: v.nullable(v.string()),
})

export type PlaceState = v.InferOutput<typeof placeSchema>

export const FIRST_PLACE: PlaceState = { at: 'first', number: 1, anchor: null }

/** Declared state of the list component, property by property. */
export const listState = {
  table: v.string(),
  search: v.pipe(v.string(), v.maxLength(SEARCH_MAX)),
  filters: v.array(filterSchema),
  sort: sortSchema,
  /** Chosen rows on a page, or `null` for the table's own choice. */
  size: v.nullable(v.picklist(PAGE_SIZES)),
  /** Chosen columns in order, or `null` for the table's own choice. */
  columns: v.nullable(v.array(v.string())),
  place: placeSchema,
  /** Anchors of the first and last row that are shown, to turn the page from. */
  edges: v.nullable(v.strictObject({ first: v.string(), last: v.string() })),
}

export type ListState = {
  table: string
  search: string
  filters: FilterState[]
  sort: { column: string; descending: boolean }[]
  size: PageSize | null
  columns: string[] | null
  place: PlaceState
  edges: { first: string; last: string } | null
}

const PARAMETERS = ['search', 'sort', 'size', 'columns', 'page', 'after', 'before']

/**
 * Reads an address. Pages and sizes out of range are clamped; unknown parameters, columns and
 * orders throw, each with its own code (422), because dropping one would show other rows than asked.
 */
export function parseListUrl(
  query: URLSearchParams,
  definition: TableDefinition,
  access: Access,
): ListState {
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.includes(name) && !isFilterParam(name))
      throw badParameter(({ address }) => address.unknown(clip(name), PARAMETERS.join(', ')))
    if (query.getAll(name).length > 1)
      throw badParameter(({ address }) => address.twice(clip(name)))
  }
  const search = query.get('search')?.trim() ?? ''
  if (search.length > SEARCH_MAX)
    throw badParameter(({ address }, number) => address.longSearch(number(SEARCH_MAX)))
  const filters = parseFilters(query)
  checkFilters(filters, definition, access)
  return {
    table: definition.table.name,
    search,
    filters,
    sort: parseSort(query.get('sort'), definition, access),
    size: parseSize(query.get('size'), definition),
    columns: parseColumns(query.get('columns'), definition, access),
    place: parsePlace(query),
    edges: null,
  }
}

const badSort = (detail: Detail) => new AppError('TABLE_BAD_SORT', { detail })

/** An order as it stands in the address: `-incident_date,phase`. Empty means the table's own. */
export function parseSort(
  text: string | null,
  definition: TableDefinition,
  access: Access,
): SortColumn[] {
  if (!text) return []
  const sort = text.split(',').map((part) => ({
    column: decodeName(part.replace(/^-/, '')),
    descending: part.startsWith('-'),
  }))
  return checkSort(sort, definition, access)
}

/** The order, if the listing may be ordered so by this actor: what is no address is no state. */
export function checkSort(
  sort: SortColumn[],
  definition: TableDefinition,
  access: Access,
): SortColumn[] {
  for (const { column } of sort) assertSortable(column, definition, access)
  if (sort.length > SORT_MAX) throw badSort(({ sort }, number) => sort.tooMany(number(SORT_MAX)))
  if (new Set(sort.map(({ column }) => column)).size < sort.length)
    throw badSort(({ sort }) => sort.twice)
  return sort
}

function assertSortable(column: string, definition: TableDefinition, access: Access): void {
  const known = definition.columns.get(column)
  if (!known || !access.canRead(column)) throw unknownColumn(column)
  if (!known.sortable) throw badSort(({ sort }) => sort.unsortable(clip(column)))
}

/** Commas separate names, so those within one are escaped once more. */
export const encodeName = (name: string): string => name.replace(/[%,-]/g, encodeMark)
const encodeMark = (char: string) => `%${char.charCodeAt(0).toString(16)}`
const decodeName = (text: string) =>
  text.replace(/%(25|2c|2d)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

export const formatSort = (sort: readonly SortColumn[]): string =>
  sort.map(({ column, descending }) => (descending ? '-' : '') + encodeName(column)).join(',')

function parseColumns(
  text: string | null,
  definition: TableDefinition,
  access: Access,
): string[] | null {
  if (text === null) return null
  if (text === '') return []
  return checkColumns(text.split(',').map(decodeName), definition, access)
}

/** The names, each known and readable, none twice. */
export function checkColumns(
  names: readonly string[],
  definition: TableDefinition,
  access: Access,
): string[] {
  for (const name of names)
    if (!definition.columns.has(name) || !access.canRead(name)) throw unknownColumn(name)
  return [...new Set(names)]
}

function parseSize(text: string | null, definition: TableDefinition): PageSize | null {
  return text === null ? null : chosenSize(clampSize(Number(text)), definition)
}

/** The largest size offered that is not above the wanted one, or the smallest. */
const clampSize = (wanted: number): PageSize =>
  PAGE_SIZES.findLast((size) => size <= wanted) ?? PAGE_SIZES[0]

/** A size as state: the table's own is no choice. */
export const chosenSize = (size: PageSize, { pageSize }: TableDefinition): PageSize | null =>
  size === pageSize ? null : size

/** Rows on a page. */
export const sizeOf = ({ size }: ListState, { pageSize }: TableDefinition): PageSize =>
  size ?? pageSize

function parsePlace(query: URLSearchParams): PlaceState {
  const [page, after, before] = [query.get('page'), query.get('after'), query.get('before')]
  if (after !== null && before !== null) throw badParameter(({ address }) => address.twoPlaces)
  const number = clampPage(page)
  if (after !== null) return { at: 'after', number: page === null ? null : number, anchor: after }
  if (before !== null)
    return { at: 'before', number: page === null ? null : number, anchor: before }
  if (page === 'last') return { at: 'last', number: null, anchor: null }
  return number <= 1 ? FIRST_PLACE : { at: 'offset', number, anchor: null }
}

/** Far beyond any table, and still exact when multiplied by a page's size. */
const PAGE_MAX = 1_000_000_000

function clampPage(text: string | null): number {
  const page = Math.floor(Number(text ?? 1))
  return Number.isFinite(page) ? Math.min(Math.max(page, 1), PAGE_MAX) : page > 0 ? PAGE_MAX : 1
}

/** The parameters of a listing without those of its place, in their fixed order. */
export function listParams(state: ListState): [string, string][] {
  const { search, filters, sort, size, columns } = state
  const params: [string, string][] = []
  if (search !== '') params.push(['search', search])
  params.push(...filterParams(filters))
  if (sort.length > 0) params.push(['sort', formatSort(sort)])
  if (size !== null) params.push(['size', String(size)])
  if (columns) params.push(['columns', columns.map(encodeName).join(',')])
  return params
}

function placeParams({ at, number, anchor }: PlaceState): [string, string][] {
  if (at === 'first') return []
  if (at === 'last') return [['page', 'last']]
  const page: [string, string][] = number === null ? [] : [['page', String(number)]]
  return at === 'offset' || anchor === null ? page : [...page, [at, anchor]]
}

/** The address of a listing in this state. */
export function listHref(base: string, state: ListState): string {
  const query = listQuery(state)
  return query === '' ? base : `${base}?${query}`
}

/** The query of that address, empty for a table as it is opened. */
export const listQuery = (state: ListState): string =>
  [...listParams(state), ...placeParams(state.place)]
    .map((param) => param.map(encodeURIComponent).join('='))
    .join('&')

/** A table as it is opened, but for what `over` says. */
export const listStateOf = (table: string, over: Partial<ListState> = {}): ListState => ({
  table,
  search: '',
  filters: [],
  sort: [],
  size: null,
  columns: null,
  place: FIRST_PLACE,
  edges: null,
  ...over,
})
