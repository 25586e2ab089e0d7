/** Finds, in a condition, the list of many rows that it names by the same columns. */

import type { Predicate } from '../../table/source/predicate.ts'
import type { Value } from '../../table/source/value.ts'

/** Rows by their values of two columns or more, none of which is NULL. */
export type ListedRows = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

/** Fewer are named by a condition each, which every engine answers by an index. */
const MANY = 32

/** The rows of a condition that is true for these alone; `undefined` for few of them, or any other condition. */
export function listedRows(predicate: Predicate): ListedRows | undefined {
  const columns = columnsOf(predicate)
  if (!columns) return undefined
  const rows: Value[][] = []
  return collects(predicate, columns, rows) && rows.length >= MANY ? { columns, rows } : undefined
}

/** Those of the first row. */
function columnsOf(predicate: Predicate): readonly string[] | undefined {
  if (predicate.op === 'or') return predicate.all[0] && columnsOf(predicate.all[0])
  if (predicate.op !== 'and' || predicate.all.length < 2) return undefined
  return predicate.all.flatMap((part) => (part.op === 'eq' ? part.column : []))
}

/** Adds the rows of a condition, and says whether it names nothing else. */
function collects(predicate: Predicate, columns: readonly string[], rows: Value[][]): boolean {
  if (predicate.op === 'or') return predicate.all.every((part) => collects(part, columns, rows))
  if (predicate.op !== 'and' || predicate.all.length !== columns.length) return false
  const row: Value[] = []
  for (const [at, part] of predicate.all.entries()) {
    if (part.op !== 'eq' || part.as || part.value === null || part.column !== columns[at])
      return false
    row.push(part.value)
  }
  rows.push(row)
  return true
}
