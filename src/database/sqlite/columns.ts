/** A SQLite table's columns and key, from their declarations and a sample of rows. */

import * as v from 'valibot'
import { type Column, countSampled } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql } from '../query/sql.ts'
import { allowedValues, switchColumns } from './check-list.ts'
import type { Connection } from './connection.ts'
import { read, rowsOf, type RowOf } from '../rows-of.ts'
import { sampleColumns } from './probe.ts'
import { declaredType, namedScale, refineType } from './value-type.ts'
import type { Cell } from './values.ts'

/** SQLite has no booleans. */
export const flag = read(v.number(), (number) => number === 1)

const rawColumns = rowsOf({
  name: v.string(),
  declared: v.string(),
  notNull: flag,
  /** The default as it is declared; `null` for none. */
  default: v.nullable(v.string()),
  /** Place in the primary key, from 1; 0 outside it. */
  keyPlace: v.number(),
  generated: read(v.number(), (hidden) => hidden > 1),
})

/** A column as `pragma table_xinfo` lists it. */
export type RawColumn = RowOf<typeof rawColumns>

/** The readable columns, without the hidden ones of virtual tables. */
export const readColumns = (connection: Connection, table: string): RawColumn[] =>
  rawColumns(
    connection.read(
      sql`select name, type, "notnull", dflt_value, pk, hidden
        from pragma_table_xinfo(${bind(table)}, 'main') where hidden <> 1`,
    ),
  )

/** The declared primary key, in its own order. */
export const keyColumns = (raw: readonly RawColumn[]): string[] =>
  raw
    .filter(({ keyPlace }) => keyPlace > 0)
    .toSorted((a, b) => a.keyPlace - b.keyPlace)
    .map(({ name }) => name)

/**
 * The key that is the row number itself: only `INTEGER PRIMARY KEY`, in exactly these words. By a quirk that SQLite
 * keeps, `INTEGER PRIMARY KEY DESC` is a column like others, which an index tells.
 */
export function integerKeyOf(
  connection: Connection,
  table: string,
  raw: readonly RawColumn[],
): string | null {
  const [key, ...others] = raw.filter(({ keyPlace }) => keyPlace > 0)
  if (key?.declared.toUpperCase() !== 'INTEGER' || others.length > 0) return null
  const indexes = connection.read(
    sql`select 1 from pragma_index_list(${bind(table)}, 'main') where origin = 'pk'`,
  )
  return indexes.length === 0 ? key.name : null
}

/** Key columns that may hold NULL, which SQLite still allows for compatibility. */
export const looseKeyColumns = (raw: readonly RawColumn[], integerKey: string | null): string[] =>
  integerKey === null
    ? raw.filter(({ keyPlace, notNull }) => keyPlace > 0 && !notNull).map(({ name }) => name)
    : []

export type ColumnSource = {
  readonly table: string
  /** The `create` text, which holds the check constraints. */
  readonly text: string
  readonly raw: readonly RawColumn[]
  /** False for views, because reading their first rows may take any time. */
  readonly isSampled: boolean
  /** The column that is the row number itself. */
  readonly integerKey: string | null
  /** The columns of tables that a view shows, by their names in it. */
  readonly origins: ReadonlyMap<string, Column>
}

export function describeColumns(connection: Connection, source: ColumnSource): Column[] {
  const { table, text, raw, isSampled, integerKey, origins } = source
  const allowed = allowedValues(text)
  const switches = switchColumns(text)
  const typed = raw.map((column) => {
    const type = declaredType(column.declared)
    const isSwitch = type === 'integer' && switches.has(column.name.toLowerCase())
    return { ...column, type: isSwitch ? ('boolean' as const) : type }
  })
  const samples = isSampled ? sampleOrNothing(connection, table, typed) : []
  return typed.map((column, i) => {
    const origin = origins.get(column.name)
    if (origin) return { ...origin, ...ofView(column.name) }
    const list = allowed.get(column.name.toLowerCase())
    const type = refineType(column, column.type, samples[i] ?? [])
    const scale = namedScale(column.declared, type)
    const typeByDeclaration = refineType(column, column.type, [])
    return {
      name: column.name,
      declared: column.declared,
      type,
      ...(scale !== undefined && { namedScale: scale }),
      ...(type !== typeByDeclaration && { typeByDeclaration }),
      nullable: !column.notNull && column.keyPlace === 0,
      generated: column.generated,
      hasDefault: column.default !== null || column.name === integerKey,
      ...(column.default !== null && { default: column.default }),
      ...(list && { allowed: list }),
      ...(samples[i] && type !== 'binary' && { sample: sampleOf(samples[i]) }),
      ...(samples[i] && { sampled: countSampled(samples[i]) }),
    }
  })
}

/** The properties of a view's column that differ from those of the column that it shows. */
const ofView = (name: string): Partial<Column> & { readonly name: string } => ({
  name,
  nullable: true,
  generated: false,
  hasDefault: false,
})

/** Damaged rows give no sample. */
function sampleOrNothing(...looked: Parameters<typeof sampleColumns>): Cell[][] {
  try {
    return sampleColumns(...looked)
  } catch {
    return []
  }
}

/** Size of a sample: values, and characters of each text. */
const SAMPLE = { values: 20, characters: 200 }

const sampleOf = (cells: readonly Cell[]): Value[] =>
  cells
    .filter((cell) => cell !== null)
    .slice(0, SAMPLE.values)
    .map((cell) => (typeof cell === 'string' ? cell.slice(0, SAMPLE.characters) : cell))
