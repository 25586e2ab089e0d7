/** Schemas for rows of PostgreSQL's system catalogue. */

import * as v from 'valibot'
import type { LinkAction } from '../../table/source/schema.ts'
import { read, rowsOf, type RowOf } from '../rows-of.ts'

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
  /** Whether other tables may have part in its rows. */
  sharesRows: flag,
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
  quoted: text,
})

const ACTIONS: Readonly<Record<string, LinkAction>> = {
  c: 'cascade',
  n: 'setNull',
  d: 'setDefault',
}
const action = read(text, (letter) => ACTIONS[letter] ?? 'restrict')

export const constraintRows = rowsOf({
  table: number,
  domain: number,
  name: text,
  kind: v.picklist(['p', 'u', 'f', 'c']),
  places: json(v.array(v.number())),
  other: number,
  otherPlaces: json(v.array(v.number())),
  isDeferrable: flag,
  onDelete: action,
  onUpdate: action,
  check: maybe,
})

export const viewRows = rowsOf({ table: number, events: number, fixed: json(v.array(v.string())) })

export const triggerRows = rowsOf({
  table: number,
  name: text,
  insert: flag,
  update: flag,
  delete: flag,
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

export type DatabaseRow = RowOf<typeof databaseRows>
export type RelationRow = RowOf<typeof relationRows>
export type ColumnRow = RowOf<typeof columnRows>
export type TypeRow = RowOf<typeof typeRows>
export type CollationRow = RowOf<typeof collationRows>
export type ConstraintRow = RowOf<typeof constraintRows>
export type TriggerRow = RowOf<typeof triggerRows>
export type IndexRow = RowOf<typeof indexRows>
export type OperatorClassRow = RowOf<typeof operatorClassRows>
