/** Reads the values of filters, from an address and from the state, and rejects anything that is not a filter. */

import { BUILDER, type FilterComponents } from '../../protocol/filters.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import {
  FILTERS_LENGTH_MAX,
  filterParam,
  keyAndPart,
  listOf,
  PREFIX,
  writeFilters,
} from './address.ts'
import { badFilter, type Condition } from './filter.ts'
import { filterIn, filtersOf, unknownFilter } from './offered.ts'
import { parseValue } from './parse-value.ts'

/** Most filters that are set at once. */
export const FILTERS_MAX = 50

/** The conditions of some values, by key. Throws for a filter that is unknown, forbidden or misformed. */
export function conditionsOf(
  values: { readonly [key: string]: unknown },
  open: OpenTable,
): Map<string, Condition> {
  const conditions = new Map<string, Condition>()
  for (const [key, value] of Object.entries(values)) {
    const condition = parseValue(filterIn(filtersOf(open), key, open), value)
    if (condition) conditions.set(key, condition)
  }
  if (conditions.size > FILTERS_MAX)
    throw badParameter(({ filter }, number) => filter.manyFilters(number(FILTERS_MAX)))
  return conditions
}

/** The values of conditions in their one spelling, as the state holds them. */
export const valuesOf = (conditions: ReadonlyMap<string, Condition>): FilterComponents =>
  Object.fromEntries([...conditions].map(([key, { value }]) => [key, value]))

/**
 * The values of a state in their one spelling. Throws for a filter that is unknown, forbidden or
 * misformed, and for values that are too long for an address.
 */
export function checkedValues(
  values: { readonly [key: string]: unknown },
  open: OpenTable,
): FilterComponents {
  const checked = valuesOf(conditionsOf(values, open))
  const length = writeFilters(checked).reduce(
    (sum, parameter) => sum + parameter.map(encodeURIComponent).join('=').length + 1,
    0,
  )
  if (length > FILTERS_LENGTH_MAX) throw badParameter(({ filter }) => filter.tooLong)
  return checked
}

/** Parts that hold several values, and may stand more than once in an address. */
const LISTS: ReadonlySet<string> = new Set(['in', 'notIn'])

/** Whether a parameter may stand more than once: a list, also that of a condition in a form. */
export const isRepeatable = (name: string): boolean =>
  LISTS.has(keyAndPart(name)[1].replace(/^.*\./s, ''))

/** The conditions of an address, in their order there. */
export function readAddress(query: URLSearchParams, open: OpenTable): Map<string, Condition> {
  const given = new Map<string, { [part: string]: unknown }>()
  for (const name of new Set(query.keys())) {
    if (!name.startsWith(PREFIX)) continue
    const [key, part] = nameIn(name, open)
    const before = given.get(key)
    if (before && (part === '' || '' in before))
      throw badParameter(({ address }) => address.twice(clip(filterParam(key))))
    given.set(key, { ...before, [part]: valueIn(query, name, key, part) })
  }
  const values = [...given].map(([key, parts]) => [key, wholeOf(key, parts)] as const)
  return conditionsOf(Object.fromEntries(values), open)
}

/** Key and part of a parameter; a part that its filter does not have belongs to an unknown name. */
function nameIn(name: string, open: OpenTable): readonly [key: string, part: string] {
  const [key, part] = keyAndPart(name)
  const { forms } = filterIn(filtersOf(open), key, open)
  const isPlain =
    part === '' && (key === BUILDER || forms.some(({ parts }) => parts.includes('in')))
  const isPart = key !== BUILDER && forms.some(({ parts }) => parts.includes(part))
  if (isPlain || isPart) return [key, part]
  throw unknownFilter(name.slice(PREFIX.length))
}

function valueIn(query: URLSearchParams, name: string, key: string, part: string): unknown {
  if (LISTS.has(part)) return listOf(query.getAll(name))
  const text = query.get(name) ?? ''
  return part === 'where' || key === BUILDER ? fromJson(key, text) : text
}

/** The value that the parts make; without a part it is one value, or all that was built. */
function wholeOf(key: string, parts: { readonly [part: string]: unknown }): unknown {
  if (!('' in parts)) return parts
  const { '': whole } = parts
  if (key === BUILDER) return whole
  // An empty field of a form has a part, so this is no value.
  if (whole === '') throw badFilter(key, ({ filter }) => filter.badForm)
  return { in: [whole] }
}

function fromJson(key: string, text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw badFilter(key, ({ filter }) => filter.badForm)
  }
}
