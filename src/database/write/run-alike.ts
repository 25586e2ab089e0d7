/** Changes many rows alike, and hands their images over column by column: no row is an object of its own. */

import { type ColumnImages, type ImageSet, isSameImage } from '../../table/source/ledger-entry.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Counts } from '../../table/source/write-unit.ts'
import { join, sql, type Sql } from '../query/sql.ts'
import { decoded, readSql } from './columns.ts'
import type { Images, ImagedTable } from './images.ts'
import { keyText } from './keys.ts'
import { rareRows, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'

/** Rows, and what they hold in each column, in the same order. */
export type HeldColumns = {
  readonly keys: readonly KeyValues[]
  readonly columns: readonly (readonly Value[])[]
}

/** In the order of their keys, in which they are mostly asked for: then nobody looks for them. */
export function* readColumns(
  dialect: WriteDialect,
  { from, key, columns }: ImagedTable,
  where: Sql,
  lock: Sql = sql``,
): Work<HeldColumns> {
  const list = [...key.map((column) => column.sql), ...columns.map((one) => readSql(dialect, one))]
  const order = join(key.map((column) => column.sql))
  const rows = sql`select ${join(list)} from ${from} where ${where} order by ${order}${lock}`
  const found = yield* rareRows(rows, dialect)
  const valuesOf = (place: number, { column }: ImagedTable['columns'][number]): readonly Value[] =>
    found.map((row) => decoded(dialect, column, row[place]))
  const keys = key.map((column, place) => valuesOf(place, column))
  return {
    keys: found.map((_, at) => keys.map((values) => values[at] ?? null)),
    columns: columns.map((column, i) => valuesOf(key.length + i, column)),
  }
}

/** Writes rows that were read and locked, and records what they held and hold. `among`: the condition of their keys. */
export function* recordAlike(
  {
    dialect,
    images,
    of,
  }: {
    readonly dialect: WriteDialect
    readonly images: Images
    readonly of: ImagedTable
  },
  { before, among }: { readonly before: HeldColumns; readonly among: Sql },
  write: () => Work<Counts>,
): Work<Counts> {
  const counts = yield* write()
  const after = yield* readColumns(dialect, of, among)
  yield* images.record(setOf(of, before, after))
  return counts
}

/** The rows in which anything differs. */
function setOf(of: ImagedTable, before: HeldColumns, after: HeldColumns): ImageSet {
  const places = placesIn(after.keys, before.keys)
  const columns = of.columns.map(({ column: { name } }, i) => {
    const [was, is] = [before.columns[i] ?? [], after.columns[i] ?? []]
    return { name, was, is: places ? places.map((place) => is[place] ?? null) : is }
  })
  const differing = before.keys.map((_, at) =>
    columns.some(({ was, is }) => !isSameImage(was[at], is[at])),
  )
  const changed = <T>(list: readonly T[]): readonly T[] =>
    differing.every(Boolean) ? list : list.filter((_, at) => differing[at])
  // A generated column may hold what it held in all of the rows.
  const told = columns.filter(({ was, is }) => was.some((value, at) => !isSameImage(value, is[at])))
  const side = (which: 'was' | 'is'): ColumnImages =>
    Object.fromEntries(told.map((column) => [column.name, changed(column[which])]))
  const { table } = of
  return { table, keys: changed(before.keys), before: side('was'), after: side('is') }
}

/** Where each of the wanted keys stands; `undefined` if all stand where they are wanted. */
export function placesIn(
  keys: readonly KeyValues[],
  wanted: readonly KeyValues[],
): readonly number[] | undefined {
  const isHere = (key: KeyValues, at: number): boolean =>
    key.every((value, part) => Object.is(value, keys[at]?.[part]))
  if (keys.length === wanted.length && wanted.every(isHere)) return undefined
  const places = new Map(keys.map((key, at) => [keyText(key), at]))
  return wanted.map((key) => places.get(keyText(key)) ?? -1)
}
