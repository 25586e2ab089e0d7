/** A SQLite table's columns and key, from their declarations and a sample of rows. */

import * as v from 'valibot'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql } from '../query/sql.ts'
import { allowedValues } from './check-list.ts'
import type { Connection } from './connection.ts'
import { sampleColumns } from './probe.ts'
import { declaredType, refineType } from './value-type.ts'
import type { Cell } from './values.ts'

/** A column as `pragma table_xinfo` lists it. */
export type RawColumn = {
  readonly name: string
  readonly declared: string
  readonly notNull: boolean
  readonly hasDefault: boolean
  /** Place in the primary key, from 1; 0 outside it. */
  readonly keyPlace: number
  readonly generated: boolean
}

const rawSchema = v.array(
  v.pipe(
    v.tuple([v.string(), v.string(), v.number(), v.nullable(v.string()), v.number(), v.number()]),
    v.transform(([name, declared, notNull, byDefault, keyPlace, hidden]): RawColumn => ({
      name,
      declared,
      notNull: notNull === 1,
      hasDefault: byDefault !== null,
      keyPlace,
      generated: hidden > 1,
    })),
  ),
)

/** The readable columns, without the hidden ones of virtual tables. */
export const readColumns = (connection: Connection, table: string): RawColumn[] =>
  v.parse(
    rawSchema,
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

/** Only `INTEGER PRIMARY KEY`, in exactly these words, is the row number itself. */
export function integerKeyOf(raw: readonly RawColumn[]): string | null {
  const key = raw.filter(({ keyPlace }) => keyPlace > 0)
  return key.length === 1 && key[0]!.declared.toUpperCase() === 'INTEGER' ? key[0]!.name : null
}

/** Key columns that may hold NULL, which SQLite still allows for compatibility. */
export const looseKeyColumns = (raw: readonly RawColumn[]): string[] =>
  integerKeyOf(raw) === null
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
}

export function describeColumns(connection: Connection, source: ColumnSource): Column[] {
  const { table, text, raw, isSampled, integerKey } = source
  const allowed = allowedValues(text)
  const types = raw.map(({ declared }) => declaredType(declared))
  const samples = isSampled ? sampleOrNothing(connection, table, raw, types) : []
  return raw.map((column, i) => {
    const list = allowed.get(column.name.toLowerCase())
    const type = refineType(column.name, types[i]!, samples[i] ?? [])
    const typeByDeclaration = refineType(column.name, types[i]!, [])
    return {
      name: column.name,
      declared: column.declared,
      type,
      ...(type !== typeByDeclaration && { typeByDeclaration }),
      nullable: !column.notNull && column.keyPlace === 0,
      generated: column.generated,
      hasDefault: column.hasDefault || column.name === integerKey,
      ...(list && { allowed: list }),
      ...(samples[i] && { sample: sampleOf(samples[i]) }),
    }
  })
}

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
