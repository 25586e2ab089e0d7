/** The state of a listing, and its address: every listing worth sharing is a URL. */

import * as v from 'valibot'
import { SEARCH_MAX } from '../protocol/constants.ts'
import { AppError } from '../server/app-error.ts'
import type { Access } from './access.ts'
import type { SortColumn } from './row-source.ts'
import type { TableDefinition } from './table-definition.ts'

/** Rows on a page that may be chosen; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const
const SORT_MAX = 5

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
  sort: sortSchema,
  size: v.picklist(PAGE_SIZES),
  /** Chosen columns in order, or `null` for the table's own choice. */
  columns: v.nullable(v.array(v.string())),
  place: placeSchema,
  /** Anchors of the first and last row that are shown, to turn the page from. */
  edges: v.nullable(v.strictObject({ first: v.string(), last: v.string() })),
}

export type ListState = {
  table: string
  search: string
  sort: { column: string; descending: boolean }[]
  size: (typeof PAGE_SIZES)[number]
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
    if (!PARAMETERS.includes(name))
      throw bad(`[${clip(name)}] is not one of ${PARAMETERS.join(', ')}.`)
    if (query.getAll(name).length > 1) throw bad(`[${name}] stands more than once.`)
  }
  const search = query.get('search')?.trim() ?? ''
  if (search.length > SEARCH_MAX) throw bad(`The search is longer than ${SEARCH_MAX} characters.`)
  return {
    table: definition.table.name,
    search,
    sort: parseSort(query.get('sort'), definition, access),
    size: clampSize(query.get('size')),
    columns: parseColumns(query.get('columns'), definition, access),
    place: parsePlace(query),
    edges: null,
  }
}

const bad = (detail: string) => new AppError('TABLE_BAD_PARAMETER', { detail })

const clip = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

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
  if (sort.length > SORT_MAX)
    throw new AppError('TABLE_BAD_SORT', { detail: `More than ${SORT_MAX} columns.` })
  if (new Set(sort.map(({ column }) => column)).size < sort.length)
    throw new AppError('TABLE_BAD_SORT', { detail: 'A column stands twice.' })
  return sort
}

function assertSortable(column: string, definition: TableDefinition, access: Access): void {
  const known = definition.columns.get(column)
  if (!known || !access.canRead(column))
    throw new AppError('TABLE_UNKNOWN_COLUMN', { detail: `[${clip(column)}]` })
  if (!known.sortable)
    throw new AppError('TABLE_BAD_SORT', { detail: `[${clip(column)}] cannot be sorted by.` })
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
    if (!definition.columns.has(name) || !access.canRead(name))
      throw new AppError('TABLE_UNKNOWN_COLUMN', { detail: `[${clip(name)}]` })
  return [...new Set(names)]
}

/** The largest size offered that is not above the wanted one, or the smallest. */
function clampSize(text: string | null): (typeof PAGE_SIZES)[number] {
  const wanted = Number(text ?? PAGE_SIZES[0])
  return PAGE_SIZES.findLast((size) => size <= wanted) ?? PAGE_SIZES[0]
}

function parsePlace(query: URLSearchParams): PlaceState {
  const [page, after, before] = [query.get('page'), query.get('after'), query.get('before')]
  if (after !== null && before !== null) throw bad('[after] and [before] exclude each other.')
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
export function listParams({ search, sort, size, columns }: ListState): [string, string][] {
  const params: [string, string][] = []
  if (search !== '') params.push(['search', search])
  if (sort.length > 0) params.push(['sort', formatSort(sort)])
  if (size !== PAGE_SIZES[0]) params.push(['size', String(size)])
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
  const query = [...listParams(state), ...placeParams(state.place)]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return query === '' ? base : `${base}?${query}`
}
