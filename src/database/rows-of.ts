/** Parses rows of a system catalogue by the names and schemas of their columns. */

import * as v from 'valibot'
import type { Value } from '../table/source/value.ts'

/** Makes a parser for rows with these columns, in this order. */
export function rowsOf<T extends v.ObjectEntries>(entries: T) {
  const names = Object.keys(entries)
  const schema = v.object(entries)
  return (rows: readonly Value[][]): v.InferOutput<typeof schema>[] =>
    rows.map((row) =>
      v.parse(schema, Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]))),
    )
}

/** The rows of such a parser. */
export type RowOf<Parser extends (rows: readonly Value[][]) => readonly unknown[]> =
  ReturnType<Parser>[number]

/** A column of which only one thing matters. */
export const read = <T extends v.GenericSchema, Out>(of: T, as: (value: v.InferOutput<T>) => Out) =>
  v.pipe(of, v.transform(as))

/** A list that is known to hold something. */
export type Some<T> = [T, ...T[]]

/** The rows of each key, in the order of the keys' first rows. */
export function groupsOf<T, Key>(rows: readonly T[], keyOf: (row: T) => Key): [Key, Some<T>][] {
  const groups = new Map<Key, Some<T>>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups]
}
