/** What a filter's control asks for while it is used: counts of values, related rows, bounds. */

import type {
  FilterBounds,
  FilterChoice,
  FilterFacets,
  FoundChoices,
} from '../../protocol/filters.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { minorCurrency } from '../definition/currency.ts'
import { inMajor } from '../source/minor-units.ts'
import { counted } from '../definition/kinds/datetime.ts'
import { labelQueries } from '../find/label-query.ts'
import { formatterFor } from '../format.ts'
import { orOnTimeout, toldApart } from '../references.ts'
import { decodeValue, encodeValue } from '../row-key.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { PageQuery, PageRow, RowSource } from '../source/row-source.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { drawChoice, referredBy } from './column-filters.ts'
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
  asking: Asking,
): Promise<FilterFacets> {
  const { open, source, signal } = asking
  const { column } = columnOf(filter, open)
  const as = referredBy(column.name, open)
  const run = { limit: FACETS, signal, timeoutMs: TIMEOUT_MS, ...(as && { as }) }
  const { facets, hasMore } = await source.facets(open.access, where, column.name, run)
  // The beginning of a long text finds no row.
  const whole = facets.filter(({ isCut }) => !isCut)
  const named = await namesOf(
    whole.map(({ value }) => value),
    filter,
    asking,
  )
  const formatter = formatterFor(asking.reader)
  const choices = named.map((choice, at) => {
    const count = whole[at]?.count ?? 0
    return { ...choice, count, text: formatter.number(count) }
  })
  return { choices, hasMore: hasMore || whole.length < facets.length }
}

/** Values that hold a text, the most frequent first; any without a text. */
export async function findValues(
  filter: Filter,
  typed: string,
  asking: Asking,
): Promise<FoundChoices> {
  const where = holding(columnOf(filter, asking.open).column, typed.trim())
  if (!where) return { choices: [], hasMore: false }
  const { choices, hasMore } = await facetsOf(filter, where, asking)
  return { choices: choices.map(({ value, label }) => ({ value, label })), hasMore }
}

function holding(column: Column, text: string): Predicate | undefined {
  if (text === '') return everything
  if (column.type === 'text') return { op: 'contains', column: column.name, text }
  const value = decodeValue(text, column)
  return value === undefined ? undefined : { op: 'eq', column: column.name, value }
}

/** Values of addresses as people read them. */
export function nameValues(
  texts: readonly (string | null)[],
  filter: Filter,
  asking: Asking,
): Promise<FilterChoice[]> {
  const { column } = columnOf(filter, asking.open)
  const values = texts.map((text) => (text === null ? null : (decodeValue(text, column) ?? null)))
  return namesOf(values, filter, asking)
}

/** Values as their column shows them; of relations, the labels of the rows. */
async function namesOf(
  values: readonly Value[],
  filter: Filter,
  { open, source, reader, signal }: Asking,
): Promise<FilterChoice[]> {
  const { column, shown } = columnOf(filter, open)
  const known = values.filter((value) => value !== null)
  const labels = await labelsOf(source, open.relations.get(column.name), known, signal)
  const formatter = formatterFor(reader)
  const { cell } = messagesFor(reader.language)
  return values.map((value) => {
    const choice = drawChoice(value, shown, formatter)
    const label = value === null ? cell.null : (labels.get(encodeValue(value)) ?? choice.label)
    return { ...choice, label }
  })
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
      const rows = await read(where, sort)
      // That a masked label holds the text would tell of the label.
      const named = rows.filter(({ masked }) => !masked)
      add(named, isWalk ? begins : () => true)
    }
  }
  if (found.size === 0 && late.length > 0) throw late[0]
  const named = [...found].map(([value, name]) => ({ value, label: name }))
  const choices = toldApart(named, ({ value }) => value)
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
  const isInexact = column.type === 'float' || column.type === 'decimal'
  const end = async (descending: boolean): Promise<string | null> => {
    const query: PageQuery = {
      columns: [column.name],
      // NULLs come last both ways. NaN is no bound, though a server may sort it last.
      where: isInexact ? { op: 'lte', column: column.name, value: Infinity } : everything,
      sort: [{ column: column.name, descending }],
      size: 1,
      place: FIRST,
    }
    const { rows } = await source.page(open.access, query, { signal, timeoutMs: TIMEOUT_MS })
    const value = rows[0]?.values[0] ?? null
    if (value === null) return null
    const isCount = shown.kind === 'datetime' && column.type === 'integer'
    const minor = minorCurrency(shown)
    if (minor) return inMajor(encodeValue(value), minor.digits)
    return (isCount ? counted(String(value)) : undefined) ?? encodeValue(value)
  }
  if (!shown.sortable) return { min: null, max: null }
  const [min, max] = await Promise.all([end(false), end(true)])
  return { min, max }
}
