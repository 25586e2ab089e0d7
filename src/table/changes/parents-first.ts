/** The order in which rows of several tables are written, so that no reference points to nothing. */

import type { Schema } from '../source/schema.ts'
import { encodeValue } from '../source/predicate-codec.ts'
import type { RowChange, Values } from '../source/write-unit.ts'
import type { TableChange } from './change.ts'

/** Inserted rows: a table after those that it refers to, a row after the one that it refers to. */
export const parentsFirst = (
  schema: Schema,
  changes: readonly TableChange[],
): readonly TableChange[] =>
  byReference(schema, changes).map((change) => ({ ...change, rows: rowsInOrder(schema, change) }))

/** Deleted rows: a table before those that it refers to. */
export const childrenFirst = (
  schema: Schema,
  changes: readonly TableChange[],
): readonly TableChange[] => byReference(schema, changes).toReversed()

/** Tables that refer to each other stay in the order in which they came. */
function byReference({ tables }: Schema, changes: readonly TableChange[]): readonly TableChange[] {
  const wanted = new Map(changes.map((change) => [change.table, change]))
  const ordered = new Map<string, TableChange>()
  const visited = new Set<string>()
  const visit = (name: string): void => {
    if (visited.has(name)) return
    visited.add(name)
    for (const { table } of tables.find((one) => one.name === name)?.foreignKeys ?? []) visit(table)
    const change = wanted.get(name)
    if (change) ordered.set(name, change)
  }
  for (const { table } of changes) visit(table)
  return [...ordered.values()]
}

/** A table may refer to itself, as a tree does. */
function rowsInOrder({ tables }: Schema, { table, rows = [] }: TableChange): readonly RowChange[] {
  const own = tables.find((one) => one.name === table)?.foreignKeys ?? []
  const links = own.filter((link) => link.table === table)
  if (links.length === 0) return rows
  const values = rows.map((row) => ('insert' in row ? row.insert : {}))
  const ordered = new Set<number>()
  const visiting = new Set<number>()
  const visit = (at: number): void => {
    if (ordered.has(at) || visiting.has(at)) return
    visiting.add(at)
    for (const { columns, references } of links) {
      const parent = indexes.get(references.join())?.get(nameOf(values[at] ?? {}, columns))
      if (parent !== undefined) visit(parent)
    }
    ordered.add(at)
  }
  const indexes = new Map(
    links.map(({ references }) => [
      references.join(),
      new Map(values.map((one, at) => [nameOf(one, references), at])),
    ]),
  )
  rows.forEach((_, at) => visit(at))
  return [...ordered].flatMap((at) => rows[at] ?? [])
}

const nameOf = (values: Values, columns: readonly string[]): string =>
  JSON.stringify(columns.map((name) => encodeValue(values[name] ?? null)))
