/** What a filter's control asks for while it is used: counts of values, related rows, bounds. */

import type { FilterBounds, FilterFacets, FoundChoices } from '../../protocol/filters.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { labelQueries } from '../find/label-query.ts'
import { formatterFor } from '../format.ts'
import { orOnTimeout } from '../references.ts'
import { decodeValue, encodeValue } from '../row-key.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { PageQuery, PageRow, RowSource, Run } from '../source/row-source.ts'
import { drawChoice } from './column-filters.ts'
import { badFilter, type Filter } from './filter.ts'
import { labelsOf } from './labels.ts'

/** Values that are offered at once. */
const FACETS = 50
const FOUND = 20
/** Longest time of one such question, ms. */
const TIMEOUT_MS = 3000

export type Asking = {
  readonly open: OpenTable
  readonly source: RowSource
  readonly reader: Reader
  readonly signal: AbortSignal
}

/** The column of a filter that has one. */
function columnOf({ key, column: name }: Filter, { definition }: OpenTable) {
  const column = definition.table.columns.find((one) => one.name === name)
  const shown = column && definition.columns.get(column.name)
  if (!shown) throw badFilter(key, ({ filter }) => filter.noChoices)
  return { column, shown }
}

/** The most frequent values among the rows that fulfil `where`, NULL among them. */
export async function facetsOf(
  filter: Filter,
  where: Predicate,
  { open, source, reader, signal }: Asking,
): Promise<FilterFacets> {
  const { column, shown } = columnOf(filter, open)
  const run: Run & { limit: number } = { limit: FACETS, signal, timeoutMs: TIMEOUT_MS }
  const { facets, hasMore } = await source.facets(open.access, where, column.name, run)
  // The beginning of a long text finds no row.
  const whole = facets.filter(({ isCut }) => !isCut)
  const values = whole.flatMap(({ value }) => (value === null ? [] : [value]))
  const labels = await labelsOf(source, open.relations.get(column.name), values, signal)
  const formatter = formatterFor(reader)
  const { cell } = messagesFor(reader.language)
  const choices = whole.map(({ value, count }) => {
    const choice = drawChoice(value, shown, formatter)
    const label = value === null ? cell.null : (labels.get(encodeValue(value)) ?? choice.label)
    return { ...choice, label, count, text: formatter.number(count) }
  })
  return { choices, hasMore: hasMore || whole.length < facets.length }
}

/**
 * Related rows whose key is this text, and those whose label holds it; the first ones without a text.
 * Throws `QUERY_TIMEOUT` or `BUSY` if it found none before: nobody knows then that there are none.
 */
export async function findChoices(
  filter: Filter,
  typed: string,
  { open, source, signal }: Asking,
): Promise<FoundChoices> {
  const { column } = columnOf(filter, open)
  const relation = open.relations.get(column.name)
  const other = relation && open.others.find(relation.access.table.name)
  if (!relation || !other) throw badFilter(filter.key, ({ filter }) => filter.noChoices)
  const { access, references, label } = relation
  const columns = new Map(other.definition.table.columns.map((one) => [one.name, one]))
  const [keyColumn, labelColumn] = [columns.get(references), columns.get(label)]
  const text = typed.trim()
  const late: unknown[] = []
  const read = async (where: Predicate, sort: PageQuery['sort']): Promise<readonly PageRow[]> => {
    const query = { columns: [references, label], where, sort, size: FOUND + 1, place: FIRST }
    const page = source.page(access, query, { signal, timeoutMs: TIMEOUT_MS })
    const answer = await page.catch((error: unknown) => {
      late.push(error)
      return orOnTimeout(undefined)(error)
    })
    return answer?.rows ?? []
  }
  const found = new Map<string, string>()
  const add = (rows: readonly PageRow[], fits: (label: string) => boolean) => {
    for (const { values } of rows) {
      const [key = null, name = null] = values
      if (key === null || (name !== null && !fits(String(name)))) continue
      found.set(encodeValue(key), name === null ? String(key) : String(name))
    }
  }
  if (text === '') add(await read(everything, [{ column: label, descending: false }]), () => true)
  else {
    const key = keyColumn && decodeValue(text, keyColumn)
    if (key !== undefined)
      add(await read({ op: 'eq', column: references, value: key }, []), () => true)
    for (const { where, sort, isWalk } of (labelColumn &&
      labelQueries(text, other.definition, labelColumn)) ??
      []) {
      if (found.size > FOUND) break
      const begins = (name: string) => name.toLowerCase().startsWith(text.toLowerCase())
      add(await read(where, sort), isWalk ? begins : () => true)
    }
  }
  if (found.size === 0 && late.length > 0) throw late[0]
  const choices = [...found].map(([value, name]) => ({ value, label: name }))
  const hasMore = choices.length > FOUND || late.length > 0
  return { choices: choices.slice(0, FOUND), hasMore }
}

const FIRST = { at: 'first' } as const

/**
 * The least and the greatest value of all rows that the actor may see. Throws `QUERY_TIMEOUT` or `BUSY`:
 * `null` would say that there are none.
 */
export async function boundsOf(
  filter: Filter,
  { open, source, signal }: Asking,
): Promise<FilterBounds> {
  const { column, shown } = columnOf(filter, open)
  const end = async (descending: boolean): Promise<string | null> => {
    const query: PageQuery = {
      columns: [column.name],
      // NULLs come last both ways.
      where: everything,
      sort: [{ column: column.name, descending }],
      size: 1,
      place: FIRST,
    }
    const { rows } = await source.page(open.access, query, { signal, timeoutMs: TIMEOUT_MS })
    const value = rows[0]?.values[0] ?? null
    return value === null ? null : encodeValue(value)
  }
  if (!shown.sortable) return { min: null, max: null }
  const [min, max] = await Promise.all([end(false), end(true)])
  return { min, max }
}
