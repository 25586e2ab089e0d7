/** Sets values of their own in many rows by one statement, and temporary ones before where a column is unique. */

import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { valueText } from '../query/keys.ts'
import { all, join, name, render, sql, type Sql } from '../query/sql.ts'
import type { Assignment } from './columns.ts'
import { isAmong, isRow } from './keys.ts'
import { greatestOf } from './rank-room.ts'
import { rareRows, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'
import type { Writing } from './writing.ts'

/** A row and its new values. */
export type KeyedValues = { readonly key: KeyValues; readonly list: readonly Assignment[] }

/** Rows that one statement writes: each value is looked for among those of all of its rows. */
const MOST_ROWS = 100
/** Values that one statement binds, well below what any engine allows. */
const MOST_BINDS = 10_000
/** Length of the values that one statement binds: servers limit how long a statement may be. */
const MOST_LENGTH = 2 ** 20

/** Splits rows into those that one statement writes. */
export function chunksOf<T>(rows: readonly T[], listOf: (row: T) => readonly Assignment[]): T[][] {
  const chunks: T[][] = []
  let [binds, length] = [0, 0]
  for (const row of rows) {
    const list = listOf(row)
    const [more, longer] = [
      4 * (list.length + 1),
      list.reduce((sum, one) => sum + lengthOf(one), 0),
    ]
    const last = chunks.at(-1)
    const fits =
      last &&
      last.length < MOST_ROWS &&
      binds + more <= MOST_BINDS &&
      length + longer <= MOST_LENGTH
    if (fits) last.push(row)
    else {
      chunks.push([row])
      ;[binds, length] = [0, 0]
    }
    binds += more
    length += longer
  }
  return chunks
}

function lengthOf({ value }: Assignment): number {
  if ('bind' in value) {
    const { bind } = value
    return typeof bind === 'string' || bind instanceof Uint8Array ? bind.length : 8
  }
  return 'parts' in value
    ? value.parts.reduce((sum, part) => sum + lengthOf({ name: '', value: part }), 0)
    : 0
}

/** Updates rows that are all set in the same columns; `guard` are further conditions on each of them. */
export function updateSql(
  { plan, dialect }: Pick<Writing, 'plan' | 'dialect'>,
  rows: readonly KeyedValues[],
  guard: readonly Sql[],
): Sql {
  const { from, key } = plan.target
  const columns = rows[0]?.list.map((one) => one.name) ?? []
  const set = columns.map((column, i) => {
    // All rows are set in the same columns.
    const values = rows.map((row) => ({ key: row.key, value: row.list[i]!.value }))
    return sql`${name(column)} = ${chosenSql(dialect, key, values)}`
  })
  const where = all([
    isAmong(
      dialect,
      key,
      rows.map((row) => row.key),
    ),
    ...guard,
  ])
  return sql`update ${from} set ${join(set)} where ${where}`
}

type KeyedValue = { readonly key: KeyValues; readonly value: Sql }

/** The value of the row that is written. */
function chosenSql(
  dialect: WriteDialect,
  key: readonly Operand[],
  values: readonly KeyedValue[],
): Sql {
  const different = [...Map.groupBy(values, ({ value }) => textOf(dialect, value)).values()]
  const [first] = values
  if (different.length === 1 && first) return first.value
  const cases = different.map((same) => {
    const keys = same.map((one) => one.key)
    const [only = []] = keys
    const isOne = keys.length === 1 ? isRow(dialect, key, only) : isAmong(dialect, key, keys)
    // No group is empty.
    return sql`when ${isOne} then ${same[0]!.value}`
  })
  return sql`case ${join(cases, ' ')} end`
}

/** The same for fragments that give the same value. */
function textOf(dialect: WriteDialect, value: Sql): string {
  if ('bind' in value) return bindText(value.bind)
  const { text, binds } = render(value, dialect)
  return JSON.stringify([text, ...binds.map(bindText)])
}

const bindText = (value: Value): string =>
  `${typeof value} ${Object.is(value, -0) ? '-0' : valueText(value)}`

/** Values that no row holds, for a unique column; `undefined` where nobody can tell some. */
export function* temporaryValues(
  { plan, dialect }: Pick<Writing, 'plan' | 'dialect'>,
  column: Operand,
  count: number,
): Work<readonly Value[] | undefined> {
  const { nullable, type, array, maxLength = Infinity, allowed } = column.column
  const places = Array.from({ length: count }, (_, i) => i + 1)
  if (nullable) return places.map(() => null)
  if (array || allowed) return undefined
  if (type === 'text') {
    const texts = places.map((place) => `tablewire:${place}`)
    const fit = texts.every(
      (text) => text.length <= maxLength && dialect.encode(column.column, text),
    )
    return fit ? texts : undefined
  }
  if (type !== 'integer' && type !== 'decimal' && type !== 'float') return undefined
  const ends = yield* endsOf({ plan, dialect }, column)
  if (!ends) return undefined
  const isFull = ends.most + BigInt(count) > greatestOf(column.column)
  return places.map((place) => (isFull ? ends.least - BigInt(place) : ends.most + BigInt(place)))
}

/**
 * The least and the greatest value of all rows, without their fractions; `undefined` if one of them is no such
 * number, as a text in a column of SQLite.
 */
export function* endsOf(
  { plan, dialect }: Pick<Writing, 'plan' | 'dialect'>,
  { sql: value }: Operand,
): Work<{ readonly least: bigint; readonly most: bigint } | undefined> {
  const [row] = yield* rareRows(
    sql`select min(${value}), max(${value}) from ${plan.target.from}`,
    dialect,
  )
  const [least, most] = [wholeOf(row?.[0]), wholeOf(row?.[1])]
  return least === undefined || most === undefined ? undefined : { least, most }
}

function wholeOf(value: Value | undefined): bigint | undefined {
  const [, digits] = /^(-?\d+)(?:\.\d*)?$/.exec(String(value ?? 0)) ?? []
  return digits === undefined ? undefined : BigInt(digits)
}
