/** Which columns of a table stand first, and by which one its rows are sorted at first. */

import type { SortColumn } from '../source/row-source.ts'
import { namesPosition } from './column-facts.ts'
import { wordsOf } from './humanize.ts'
import { kindOf } from './kinds.ts'
import type { Scope } from './scope.ts'
import type { ColumnDefinition } from './table-definition.ts'

/** Columns shown at first; more are one click away. */
const FIRST_COLUMNS = 12
const CREATED = new Set(['created', 'inserted', 'added'])

/** By a column of positions, else newest first by an indexed date, else by key. */
export function inferSort({ table, hidden }: Scope): SortColumn[] {
  const columns = table.columns.filter(({ name }) => !hidden.has(name))
  const position = columns.find(
    ({ name, type }) => type === 'integer' && namesPosition(wordsOf(name)),
  )
  if (position) return [{ column: position.name, descending: false }]
  const dated = columns.filter(
    ({ name, type }) =>
      (type === 'date' || type === 'datetime') &&
      table.indexes.some((index) => !index.partial && index.columns[0]?.name === name),
  )
  const newest = dated.find(({ name }) => CREATED.has(wordsOf(name)[0] ?? '')) ?? dated[0]
  if (newest) return [{ column: newest.name, descending: true }]
  return table.key
    .filter((column) => !hidden.has(column))
    .map((column) => ({ column, descending: false }))
}

/**
 * The label first, then the others in the order of the schema, late kinds last; a key beside a
 * label is left out.
 */
export function inferShown(
  { table, hidden }: Scope,
  columns: ReadonlyMap<string, ColumnDefinition>,
  labelColumn: string | undefined,
): string[] {
  const isSurrogate = (name: string) =>
    labelColumn !== undefined &&
    table.key.length === 1 &&
    table.key[0] === name &&
    columns.get(name)?.kind === 'key'
  const others = table.columns
    .map(({ name }) => name)
    .filter((name) => name !== labelColumn && !isSurrogate(name) && !hidden.has(name))
  const late = (name: string) => {
    const column = columns.get(name)
    return column && kindOf(column).isShownLast ? 1 : 0
  }
  const ordered = others.toSorted((a, b) => late(a) - late(b))
  return [...(labelColumn === undefined ? [] : [labelColumn]), ...ordered].slice(0, FIRST_COLUMNS)
}
