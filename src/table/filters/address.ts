/** Filters in addresses: `filter.<key>` for one value, `filter.<key>.<part>` for the parts of others. */

import { BUILDER, type FilterComponents, NULL_TEXT } from '../../protocol/filters.ts'

export const PREFIX = 'filter.'

/**
 * Longest parameters of all filters, in characters after percent-encoding: Node refuses requests whose
 * headers are longer than 16 kB.
 */
export const FILTERS_LENGTH_MAX = 12_000

/** Keys that paths, JSON or the builder cannot leave to a column. */
const RESERVED = new Set([BUILDER, '__proto__', 'constructor', 'prototype'])

const escaped = (mark: string): string => `%${mark.charCodeAt(0).toString(16).padStart(2, '0')}`

/** The key of a column's filter: its name, with dots escaped. */
export const keyOfColumn = (name: string): string =>
  RESERVED.has(name) ? name.replace(/^./, escaped) : name.replace(/[%.]/g, escaped)

/** The parameter of a filter with one value, such as `filter.species_id`. */
export const filterParam = (key: string): string => PREFIX + key

/** The part that stands for one value, which needs no name in the address. */
const PLAIN = 'in'

/** The parameters of some filters, in their order. */
export const writeFilters = (filters: FilterComponents): [name: string, value: string][] =>
  Object.entries(filters).flatMap(([key, value]) => writeFilter(key, value))

export function writeFilter(
  key: string,
  value: FilterComponents[string],
): [name: string, value: string][] {
  const param = filterParam(key)
  if (key === BUILDER) return [[param, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([part, one]: [string, unknown]): [string, string][] => {
    if (part === PLAIN && Array.isArray(one) && one.length === 1 && one[0] !== null)
      return [[param, String(one[0])]]
    return [[`${param}.${part}`, textOf(one)]]
  })
}

/** Values of lists hold no comma of their own. */
function textOf(part: unknown): string {
  if (Array.isArray(part))
    return part.map((one) => (one === null ? NULL_TEXT : String(one))).join(',')
  return typeof part === 'string' ? part : JSON.stringify(part)
}

/** Takes a parameter's name apart: `filter.price.min` is the part `min` of `price`. */
export function keyAndPart(name: string): readonly [key: string, part: string] {
  const text = name.slice(PREFIX.length)
  const dot = text.indexOf('.')
  // A dot at the end begins a part, which no filter has.
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1) || '.']
}

/** Values of a list: several parameters, and several in one, separated by commas. */
export const listOf = (texts: readonly string[]): string[] =>
  texts.filter((text) => text !== '').flatMap((text) => text.split(','))
