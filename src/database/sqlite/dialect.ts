/** SQLite's dialect. */

import type { ValueType } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect, Operand, Where } from '../dialect.ts'
import { globOf } from './glob.ts'
import type { IndexedRun } from '../query-runner.ts'
import { indexServing, isListed, type Serving } from '../query/serving.ts'
import { bind, join, name, sql, whole, type Sql } from '../query/sql.ts'
import {
  booleanOf,
  COMPARISONS,
  filledUp,
  standard,
  wholeBound,
  withDirection,
} from '../query/standard.ts'
import type { SqliteColumn, SqliteTable } from './tables.ts'
import { isUntyped } from './value-type.ts'

/** SQLite compares values of any two types, so values need no conversion to their column's type. */
export const sqliteDialect: Dialect<SqliteTable> = {
  ...standard,
  placeholder: () => '?',
  quote: (text) => `"${text.replaceAll('"', '""')}"`,
  equals,
  compares,
  among: (left, values) =>
    sql`${left.sql} in (${listed(isStoredAlike(left) ? values : values.flatMap((value) => stored(left, value)))})`,
  amongRows,
  refersAmong: (left, to, values) => sql`${collatedAs(left, to)} in (${listed(values)})`,
  // Of two columns, SQLite compares by the collation of the left one.
  refersTo: (from, to) => sql`${to.sql} = ${from.sql}`,
  isLoose: ({ collation }) => collation !== undefined,
  // Neither a unary plus, which would take the column's affinity from it, nor a hint, which is one alone.
  isTrue: (condition) => sql`(${condition}) is true`,
  contains,
  seeks: compare,
  seeksAll,
  // SQLite does not seek by the row number at an index's end; it would walk all rows equal in the others.
  entersAll: isListed,
  ordered: withDirection,
  exact: ({ sql: value }) => sql`${value} collate binary`,
  text,
  unioned: ({ sql: value }) => value,
  fromUnion: (value, { type }) => (type === 'boolean' ? booleanOf(value) : value),
  // By the column's collation, as equality does.
  grouped: ({ sql: value }) => value,
  groupedAs: collatedAs,
  beginning: (value, length) =>
    wholeText(
      value,
      sql`text_start(${value}, ${whole(length)})`,
      sql`substr(${value}, 1, ${whole(length)})`,
    ),
  length: (value) => (value.column.type === 'binary' ? sql`length(${value.sql})` : lengthOf(value)),
  // SQLite never reorders the tables of a cross join.
  lookUp: sql`cross join`,
}

/** For workers: a shared flag can cancel their scans. */
export const guardedDialect: Dialect<SqliteTable> = { ...sqliteDialect, guards }

/** The index that gives a run's order, ignoring the conditions on its rows. */
export const followedIndex = (of: SqliteTable, { unfiltered }: IndexedRun): Serving | undefined =>
  indexServing(of, unfiltered, {
    endsWithKey: of.integerKey !== null,
    nulls: 'least',
    sortsTies: false,
  })

/** For rows that are to be found along the order, though an index serves a condition on them. */
export const followingDialect: Dialect<SqliteTable> = {
  ...guardedDialect,
  indexes(of, run) {
    const index = followedIndex(of, run)?.name
    return index === undefined ? sql` not indexed` : sql` indexed by ${name(index)}`
  },
}

/** For rows that are to be found by an index that the planner has not chosen. */
export const foundBy = (index: string): Dialect<SqliteTable> => ({
  ...guardedDialect,
  indexes: () => sql` indexed by ${name(index)}`,
})

/** For scans that must not follow an index of the order. */
export const sparseScanDialect: Dialect<SqliteTable> = {
  ...guardedDialect,
  isOneRun: true,
  indexes: () => sql` not indexed`,
}

/** The same for tables whose row numbers lie within `DENSE_SPAN`. */
export const scanDialect: Dialect<SqliteTable> = { ...sparseScanDialect, inPieces }

const NUMBERS: ReadonlySet<ValueType> = new Set(['integer', 'decimal', 'float'])

function equals(left: Operand, value: Value): Sql {
  const [one = null, ...others] = stored(left, value)
  return others.length === 0
    ? sql`${left.sql} = ${bind(one)}`
    : sql`${left.sql} in (${join([one, ...others].map(bind))})`
}

/** Whether each value is in the file in one way alone. */
const isStoredAlike = ({ column: { declared, type } }: Operand): boolean =>
  type !== 'text' || !isUntyped(declared)

/** What a value may be in the file: where SQLite converts nothing, a number is written as a text as well. */
function stored(left: Operand, value: Value): Value[] {
  if (typeof value !== 'string' || isStoredAlike(left)) return [value]
  const number = Number(value)
  return String(number) === value && Number.isFinite(number) ? [value, number] : [value]
}

/**
 * Among numbers, SQLite takes a text for greater than all of them; it is in no range. There is none among row numbers,
 * and by that bound SQLite would read on to the last row.
 */
function compares(left: Operand<SqliteColumn>, comparison: Comparison, value: Value): Sql {
  if (!NUMBERS.has(left.column.type)) return compare(left, comparison, value)
  const compared = compare(left, comparison, exactBound(value, comparison))
  const isAlone = comparison.startsWith('<') || left.column.isRowNumber === true
  return isAlone ? compared : sql`(${compared} and ${left.sql} < '')`
}

/** A double, or a whole number where only those are that large: SQLite would round the digits of a text. */
function exactBound(value: Value, comparison: Comparison): Value {
  if (typeof value !== 'string') return value
  const number = Number(value)
  if (!Number.isFinite(number) || value.trim() === '') return value
  return Math.abs(number) < 2 ** 53 ? number : wholeBound(value, comparison)
}

function compare({ sql: left }: Operand, comparison: Comparison | '=', value: Value): Sql {
  return sql`${left} ${COMPARISONS[comparison]} ${bind(value)}`
}

function seeksAll(left: readonly Operand[], comparison: Comparison, values: readonly Value[]): Sql {
  const columns = left.map((one) => one.sql)
  return sql`(${join(columns)}) ${COMPARISONS[comparison]} (${join(values.map(bind))})`
}

/** A reference, compared by the collation of the column that it refers to. */
function collatedAs({ sql: left, column }: Operand<SqliteColumn>, to: SqliteColumn): Sql {
  if (column.collation === to.collation) return left
  return sql`${left} collate ${name(to.collation ?? 'binary')}`
}

/** More values than this are bound as one JSON array. */
const LISTED_VALUES = 128

function listed(values: readonly Value[]): Sql {
  if (values.length > LISTED_VALUES && values.every(fitsJson))
    return sql`select value from json_each(${bind(toJson(values))})`
  return join(filledUp(values).map(bind))
}

function amongRows(left: readonly Operand[], rows: readonly (readonly Value[])[]): Sql {
  const given = rows.flatMap((row) => storedRows(left, row))
  return sql`(${join(left.map((one) => one.sql))}) in (${listedRows(given, left.length)})`
}

/** What the values of a row may be in the file, in each combination. */
const storedRows = (left: readonly Operand[], row: readonly Value[]): Value[][] =>
  left.reduce<Value[][]>(
    (rows, one, at) =>
      rows.flatMap((begun) => stored(one, row[at] ?? null).map((value) => [...begun, value])),
    [[]],
  )

function listedRows(rows: readonly (readonly Value[])[], columns: number): Sql {
  if (!rows.flat().every(fitsJson))
    return sql`values ${join(rows.map((row) => sql`(${join(row.map(bind))})`))}`
  const values = Array.from({ length: columns }, (_, at) => sql`value ->> ${whole(at)}`)
  return sql`select ${join(values)} from json_each(${bind(`[${rows.map(toJson).join(',')}]`)})`
}

const fitsJson = (value: Value): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && !value.includes('\0') && value.isWellFormed())

/** Value by value only where it must be: thousands of them are made a text of at once. */
const toJson = (values: readonly Value[]): string =>
  values.some((value) => typeof value === 'bigint')
    ? `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`
    : JSON.stringify(values)

const isPlain = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/** A SQL function: whether a text contains another, which is already in lower case. */
export const containsText = (text: unknown, wanted: unknown): number =>
  Number(typeof text === 'string' && text.toLowerCase().includes(String(wanted)))

/** The same for a text that starts with another. */
export const startsText = (text: unknown, wanted: unknown): number =>
  Number(typeof text === 'string' && text.toLowerCase().startsWith(String(wanted)))

/** Characters of the longest pattern: SQLite rejects patterns of more than 50,000 bytes. */
const LONGEST_PATTERN = 1500

/**
 * LIKE ignores the case of ASCII letters only, so GLOB is given both cases of all others. Patterns stop
 * at a NUL character, behind which nothing is found (to look for one would double the time of a search),
 * and are limited in length. A function of ours checks the rest, on the few rows
 * that match so far, because each call keeps memory until the statement ends.
 */
function contains(left: Operand, wanted: string, where: Where): Sql {
  const searched = left.column.type === 'text' ? left.sql : text(left)
  const test = where === 'start' ? sql`starts_text` : sql`contains_text`
  const exactly = sql`${test}(${searched}, ${bind(wanted.toLowerCase())}) = 1`
  if (wanted.includes('\0')) return sql`(instr(${searched}, char(0)) > 0 and ${exactly})`
  if (wanted.length > LONGEST_PATTERN) {
    const beginning = bind(globOf([...wanted].slice(0, LONGEST_PATTERN), where))
    return sql`(${searched} glob ${beginning} and ${exactly})`
  }
  if (!isPlain(wanted)) return sql`${searched} glob ${bind(globOf([...wanted], where))}`
  const pattern = bind(`${where === 'start' ? '' : '%'}${wanted.replace(/[\\%_]/g, '\\$&')}%`)
  // An escape clause costs a twelfth of a scan, so it is added only if the pattern needs it.
  return /[\\%_]/.test(wanted)
    ? sql`${searched} like ${pattern} escape '\\'`
    : sql`${searched} like ${pattern}`
}

function text({ sql: value }: Operand): Sql {
  return sql`cast(${value} as text)`
}

const lengthOf = (value: Operand): Sql =>
  wholeText(text(value), sql`text_length(${text(value)})`, sql`length(${text(value)})`)

/** SQLite's own functions end at a NUL character; ours read such a text to its end. */
const wholeText = (value: Sql, ours: Sql, native: Sql): Sql =>
  sql`case when instr(${value}, char(0)) > 0 then ${ours} else ${native} end`

/** A SQL function: the first characters of a text, or bytes. */
export function textStart(text: unknown, length: unknown): string | Uint8Array | null {
  if (text instanceof Uint8Array) return text.subarray(0, Number(length))
  return typeof text === 'string' ? [...text].slice(0, Number(length)).join('') : null
}

/** A SQL function: the characters of a text. */
export const textLength = (text: unknown): number =>
  typeof text === 'string' ? [...text].length : 0

/**
 * Calls `alive()`, which cancels a scan, on about every thousandth row, at no measurable cost. 1021 is
 * a prime, so that patterns in row numbers do not all miss it; tables without row numbers use a random
 * number. Comes before all other conditions, so that none of them prevents the call.
 */
function guards({ table, rowid }: SqliteTable, alias: Sql): Sql[] {
  if (table.kind !== 'table') return []
  return rowid === null
    ? [sql`((random() & 1023) <> 0 or alive())`]
    : [sql`(${alias}.${name(rowid)} % 1021 <> 0 or alive())`]
}

/** Cannot clash with a table: those whose names begin like this are never listed. */
const PIECES = name('tablewire_piece')

/** Row numbers in a piece, and most pieces. */
const PIECE = 4000
const MOST_PIECES = 100_000
/**
 * Beyond this, pieces would be too many or too large: with one row far from the others, all others
 * would be in one piece, which could not be cancelled.
 */
export const DENSE_SPAN = PIECE * MOST_PIECES

/**
 * A scan that calls `alive()` once for each piece, since a guard on every row takes a sixth of its
 * time. The pieces' bounds are computed as needed, and no row is in two pieces.
 */
function inPieces(of: SqliteTable, table: Sql, columnOf: (name: string) => Sql): Sql | undefined {
  const { rowid } = of
  if (of.table.kind !== 'table' || rowid === null) return undefined
  const [number, row] = [name(rowid), columnOf(rowid)]
  const first = sql`(select min(${number}) from ${of.from})`
  const last = sql`(select max(${number}) from ${of.from})`
  return sql`(with recursive ${PIECES}(low, width, last) as (
    select ${first}, max(${whole(PIECE)}, (${last} - ${first}) / ${whole(MOST_PIECES)}), ${last}
    union all select low + width, width, last from ${PIECES} where low + width <= last and alive())
    select low, low + width as high from ${PIECES}) as ${PIECES}
    cross join ${table} not indexed on ${row} >= ${PIECES}.low and ${row} < ${PIECES}.high`
}
