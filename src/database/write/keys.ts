/** Conditions for rows by their keys, and the comparison of keys outside SQL. */

import type { KeyValues, Value } from '../../table/source/value.ts'
import { CHUNK_KEYS } from '../../table/source/write-unit.ts'
import type { Operand } from '../dialect.ts'
import { valueText } from '../query/keys.ts'
import { among, equals } from '../query/predicate-sql.ts'
import { all, join, sql, type Sql } from '../query/sql.ts'
import { decoded } from './columns.ts'
import type { WriteDialect } from './write-dialect.ts'

/** The row of this key. */
export const isRow = (dialect: WriteDialect, columns: readonly Operand[], key: KeyValues): Sql =>
  all(columns.map((column, i) => equals(dialect, column, key[i] ?? null)))

/** Most keys in one statement; each key of several columns needs a condition of its own. */
const MOST_KEYS = { ofOneColumn: CHUNK_KEYS, ofSeveral: 500 }

/** Splits rows into batches that one statement can name. */
export function batchesOf<T>(columns: readonly Operand[], rows: readonly T[]): T[][] {
  const most = columns.length === 1 ? MOST_KEYS.ofOneColumn : MOST_KEYS.ofSeveral
  return inBatches(rows, most)
}

export const inBatches = <T>(rows: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, i) =>
    rows.slice(i * most, (i + 1) * most),
  )

/** The rows of these keys. */
export function isAmong(
  dialect: WriteDialect,
  columns: readonly Operand[],
  keys: readonly KeyValues[],
): Sql {
  const [column, ...others] = columns
  if (column && others.length === 0) {
    const values = keys.map(([value]) => value ?? null)
    const ranges = dialect.isStrictInteger(column.column) && rangesOf(column, values)
    return ranges ? inRanges(dialect, column, ranges) : among(dialect, column, values)
  }
  return keys.length === 0
    ? sql`1 = 0`
    : anyOf(keys.map((key) => sql`(${isRow(dialect, columns, key)})`))
}

/** In halves: SQLite nests a long list, and rejects conditions nested a thousand deep. */
function anyOf(conditions: readonly Sql[]): Sql {
  if (conditions.length <= 2) return sql`(${join(conditions, ' or ')})`
  const half = conditions.length >> 1
  return sql`(${anyOf(conditions.slice(0, half))} or ${anyOf(conditions.slice(half))})`
}

type Range = [from: number, to: number]

/** Fewer keys than this, or keys in more ranges than this, are listed one by one. */
const LEAST_IN_RANGES = 32
const MOST_RANGES = 8

/** Consecutive whole numbers as ranges, which an engine finds faster than single numbers. */
function rangesOf({ column }: Operand, values: readonly Value[]): Range[] | undefined {
  if (column.type !== 'integer' || values.length < LEAST_IN_RANGES) return undefined
  const ranges: Range[] = []
  const numbers = values.filter((value) => Number.isSafeInteger(value)).map(Number)
  if (numbers.length < values.length) return undefined
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else if (ranges.length < MOST_RANGES) ranges.push([number, number])
    else return undefined
  }
  return ranges
}

function inRanges(dialect: WriteDialect, column: Operand, ranges: readonly Range[]): Sql {
  const list = ranges.map(([from, to]) => {
    const [low, high] = [dialect.compares(column, '>=', from), dialect.compares(column, '<=', to)]
    return sql`(${low} and ${high})`
  })
  return sql`(${join(list, ' or ')})`
}

/** Identifies a key, whether its parts are numbers or texts. */
export const keyText = (key: KeyValues): string => JSON.stringify(key.map(valueText))

/** The key that a select gave, as the row source returns it. */
export const keyIn = (
  dialect: WriteDialect,
  columns: readonly Operand[],
  row: KeyValues,
): KeyValues => columns.map(({ column }, i) => decoded(dialect, column, row[i]))
