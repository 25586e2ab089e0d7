/** Orders and conditions whose pages cost the same at any depth, and places to read them from. */

import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { SortColumn } from '../../src/table/source/row-source.ts'

const sent: Predicate = { op: 'eq', column: 'status', value: 'sent' }

/** `-` before a column's name means descending. */
const by = (...columns: string[]): SortColumn[] =>
  columns.map((column) => ({
    column: column.replace('-', ''),
    descending: column.startsWith('-'),
  }))

/** For a table with `id`, `status` with three values, `n` with NULLs, and a unique `placed`. */
export const DEPTH_CASES: readonly (readonly [
  what: string,
  sort: readonly SortColumn[],
  where: Predicate,
])[] = [
  ['many ties', by('status'), everything],
  ['many ties, from the end', by('-status'), everything],
  ['NULLs last', by('n'), everything],
  ['NULLs last, from the end', by('-n'), everything],
  ['two columns', by('-placed', '-status'), everything],
  ['two ways, by an index of two ways', by('status', '-placed'), everything],
  ['the key', [], everything],
  ['a condition before the order', by('-placed'), sent],
  ['a condition before the order, from the end', by('placed'), sent],
  ['a condition before the key', by('-id'), sent],
]

/** Fractions of all rows: within a value, next to its bounds, and around where NULLs begin. */
export const DEPTHS: readonly number[] = [0.02, 0.3, 0.5, 0.79, 0.81, 0.97]
