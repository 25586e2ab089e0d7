/** Reads rows with all their columns, and of large values that nobody sets only a digest. */

import { type Column, LONG_TYPES } from '../../table/source/schema.ts'
import { isSame, type KeyValues, type Value } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { join, sql, whole as number, type Sql } from '../query/sql.ts'
import { decoded, readSql } from './columns.ts'
import type { ImagedTable } from './images.ts'
import { keyIn } from './keys.ts'
import { rareRows, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'

/** A value that was compared in the database instead of being read. */
export type Digested = { readonly digestOf: number; readonly digest: string }

export type HeldValue = Value | Digested

export type HeldValues = Readonly<Record<string, HeldValue>>

export type HeldRow = {
  readonly key: KeyValues
  readonly values: HeldValues
  /** Of all large values, whether they were read or not. */
  readonly digests: ReadonlyMap<string, Digested>
}

/** Columns whose values are read whatever their size; `null`: all. */
export type Whole = readonly string[] | null

/** Larger values are read only of columns that are set, bytes. */
const LARGE = 2 ** 16
/** Bytes of the longest character. */
const CHARACTER = 4

export const mayBeLarge = ({ type, maxLength = Infinity }: Column): boolean =>
  LONG_TYPES.has(type) && maxLength * CHARACTER > LARGE

/** `rows` are conditions, with what follows them. */
export function* readHeld(
  dialect: WriteDialect,
  of: ImagedTable,
  rows: Sql,
  whole: Whole = null,
  hasDigests = whole !== null,
): Work<HeldRow[]> {
  const long = hasDigests ? of.columns.filter(({ column }) => mayBeLarge(column)) : []
  const list = join([
    ...of.key.map((column) => column.sql),
    ...of.columns.map((column) =>
      long.includes(column) && whole && !whole.includes(column.column.name)
        ? sql`case when ${bytesOf(dialect, column)} <= ${number(LARGE)} then ${readSql(dialect, column)} end`
        : readSql(dialect, column),
    ),
    ...long.flatMap((column) => {
      const bytes = bytesOf(dialect, column)
      const digest = dialect.digest(slicedOf(dialect, column))
      return [bytes, sql`case when ${bytes} > ${number(LARGE)} then ${digest} end`]
    }),
  ])
  const found = yield* rareRows(sql`select ${list} from ${of.from} where ${rows}`, dialect)
  return found.map((row) => rowOf(dialect, of, long, row))
}

const slicedOf = (dialect: WriteDialect, column: Operand): Sql =>
  dialect.sliced?.(column) ?? column.sql

const bytesOf = (dialect: WriteDialect, column: Operand): Sql =>
  dialect.bytes(slicedOf(dialect, column))

function rowOf(
  dialect: WriteDialect,
  { key, columns }: ImagedTable,
  long: readonly Operand[],
  row: readonly Value[],
): HeldRow {
  const first = key.length + columns.length
  const digests = new Map(
    long.flatMap(({ column }, i) => {
      const [bytes, digest] = row.slice(first + 2 * i)
      return typeof digest === 'string'
        ? [[column.name, { digestOf: Number(bytes), digest }] as const]
        : []
    }),
  )
  const values = columns.map(({ column: { name }, column }, i) => {
    const value = decoded(dialect, column, row[key.length + i])
    return [name, value === null ? (digests.get(name) ?? null) : value]
  })
  return { key: keyIn(dialect, key, row), values: Object.fromEntries(values), digests }
}

export const isDigested = (value: HeldValue): value is Digested =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

/** Whether two values are the very same, read or not. */
export function isHeldSame(a: HeldValue = null, b: HeldValue = null): boolean {
  if (isDigested(a) && isDigested(b)) return a.digest === b.digest && a.digestOf === b.digestOf
  return !isDigested(a) && !isDigested(b) && isSame(a, b)
}
