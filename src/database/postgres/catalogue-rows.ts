/** Schemas for rows of PostgreSQL's system catalogue. */

import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'

const text = v.string()
const number = v.number()
const maybe = v.nullable(v.string())
const flag = v.boolean()

/** A vector, such as the text `1 2`. */
const numbers = v.pipe(
  v.string(),
  v.transform((text) => (text === '' ? [] : text.split(' ').map(Number))),
)
const json = <T extends v.GenericSchema>(of: T) => v.nullable(v.pipe(v.string(), v.parseJson(), of))

/** Makes a parser for rows with these columns, in this order. */
function rowsOf<T extends v.ObjectEntries>(entries: T) {
  const names = Object.keys(entries)
  const schema = v.object(entries)
  return (rows: readonly Value[][]): v.InferOutput<typeof schema>[] =>
    rows.map((row) =>
      v.parse(schema, Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]))),
    )
}

export const databaseRows = rowsOf({
  name: text,
  version: text,
  schema: maybe,
  ctype: text,
  provider: text,
  hasIcu: flag,
})

export const relationRows = rowsOf({
  oid: number,
  schema: text,
  name: text,
  kind: v.picklist(['r', 'p', 'f', 'v', 'm']),
  rows: number,
  pages: number,
  parent: v.nullable(number),
  isPartition: flag,
  hasChildren: flag,
  isReadable: flag,
  comment: maybe,
})

export const columnRows = rowsOf({
  table: number,
  place: number,
  name: text,
  declared: text,
  type: number,
  modifier: number,
  notNull: flag,
  identity: text,
  generated: text,
  collation: number,
  default: maybe,
  comment: maybe,
})

export const typeRows = rowsOf({
  oid: number,
  name: text,
  cast: text,
  kind: text,
  category: text,
  /** The base type of a domain, or the element type of an array; else 0. */
  of: number,
  modifier: number,
  notNull: flag,
  hasDefault: flag,
  isOrdered: flag,
  words: json(v.array(v.string())),
})

export const collationRows = rowsOf({
  oid: number,
  provider: text,
  isDeterministic: flag,
  locale: text,
})

export const constraintRows = rowsOf({
  table: number,
  domain: number,
  name: text,
  kind: v.picklist(['p', 'u', 'f', 'c']),
  places: json(v.array(v.number())),
  other: number,
  otherPlaces: json(v.array(v.number())),
  isDeferrable: flag,
  check: maybe,
})

export const indexRows = rowsOf({
  table: number,
  name: text,
  method: text,
  places: numbers,
  options: numbers,
  classes: numbers,
  collations: numbers,
  keys: number,
  isUnique: flag,
  isImmediate: flag,
  isPartial: flag,
})

export const operatorClassRows = rowsOf({ oid: number, name: text, isUsual: flag })

export const statisticRows = rowsOf({
  table: number,
  column: text,
  distinct: number,
  inherited: flag,
})

export type DatabaseRow = ReturnType<typeof databaseRows>[number]
export type RelationRow = ReturnType<typeof relationRows>[number]
export type ColumnRow = ReturnType<typeof columnRows>[number]
export type TypeRow = ReturnType<typeof typeRows>[number]
export type CollationRow = ReturnType<typeof collationRows>[number]
export type ConstraintRow = ReturnType<typeof constraintRows>[number]
export type IndexRow = ReturnType<typeof indexRows>[number]
export type OperatorClassRow = ReturnType<typeof operatorClassRows>[number]
