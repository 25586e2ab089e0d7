/** How SQLite says what engines say differently. */

import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect, Operand } from '../dialect.ts'
import { isListed } from '../query/serving.ts'
import { bind, join, name, sql, whole, type Sql } from '../query/sql.ts'
import { COMPARISONS, standard, withDirection } from '../query/standard.ts'
import type { SqliteTable } from './tables.ts'

/** SQLite compares values of any two kinds, so a value needs no fitting to its column. */
export const sqliteDialect: Dialect<SqliteTable> = {
  ...standard,
  placeholder: () => '?',
  quote: (text) => `"${text.replaceAll('"', '""')}"`,
  equals: ({ sql: left }, value) => sql`${left} = ${bind(value)}`,
  compares: compare,
  among: ({ sql: left }, values) => sql`${left} in (${listed(values)})`,
  contains,
  seeks: compare,
  seeksAll,
  // The row number that ends each index does not count: all rows that equal the others would be walked.
  entersAll: isListed,
  ordered: withDirection,
  text,
  unioned: ({ sql: value }) => value,
  // Values are kept as they are, but SQLite has no booleans.
  fromUnion: (value, { type }) =>
    type === 'boolean' && (value === 0 || value === 1) ? value === 1 : value,
  // By the collation that equality goes by, too.
  grouped: ({ sql: value }) => value,
  length: (value) => (value.column.type === 'binary' ? sql`length(${value.sql})` : lengthOf(value)),
  // SQLite never reorders the tables of a cross join.
  lookUp: sql`cross join`,
}

/** For workers, whose scans a shared flag can stop. */
export const guardedDialect: Dialect<SqliteTable> = { ...sqliteDialect, guards }

/** For scans that an index of the order would only lead astray. */
export const sparseScanDialect: Dialect<SqliteTable> = {
  ...guardedDialect,
  isOneRun: true,
  indexes: () => sql` not indexed`,
}

/** The same for tables whose row numbers lie within `DENSE_SPAN`. */
export const scanDialect: Dialect<SqliteTable> = { ...sparseScanDialect, inPieces }

function compare({ sql: left }: Operand, comparison: Comparison | '=', value: Value): Sql {
  return sql`${left} ${COMPARISONS[comparison]} ${bind(value)}`
}

function seeksAll(left: readonly Operand[], comparison: Comparison, values: readonly Value[]): Sql {
  const columns = left.map((one) => one.sql)
  return sql`(${join(columns)}) ${COMPARISONS[comparison]} (${join(values.map(bind))})`
}

/** More values than this travel as one JSON array. */
const LISTED_VALUES = 128

/** Lists are filled up to a power of two, so that few different texts exist. */
function listed(values: readonly Value[]): Sql {
  if (values.length > LISTED_VALUES && values.every(fitsJson))
    return sql`select value from json_each(${bind(toJson(values))})`
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return join(Array.from({ length: size }, (_, i) => bind(values[i] ?? values[0]!)))
}

const fitsJson = (value: Value): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && !value.includes('\0') && value.isWellFormed())

const toJson = (values: readonly Value[]): string =>
  `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`

const isPlain = (text: string): boolean => /^\p{ASCII}*$/u.test(text) && !text.includes('\0')

/** What statements call: whether a text holds another one, which is in lower case already. */
export const containsText = (text: unknown, wanted: unknown): number =>
  Number(typeof text === 'string' && text.toLowerCase().includes(String(wanted)))

/** Longer patterns make SQLite give up. */
const LONGEST_PATTERN = 10_000

/**
 * LIKE knows the case of ASCII letters only, and would end at a NUL character and at its longest
 * pattern; what is beyond it is told by a function of ours, which is slower.
 */
function contains(left: Operand, wanted: string): Sql {
  const searched = left.column.type === 'text' ? left.sql : text(left)
  if (wanted.length > LONGEST_PATTERN || !isPlain(wanted))
    return sql`contains_text(${searched}, ${bind(wanted.toLowerCase())}) = 1`
  const pattern = bind(`%${wanted.replace(/[\\%_]/g, '\\$&')}%`)
  // To name what escapes costs a twelfth of a scan, so it is named where something is escaped.
  return /[\\%_]/.test(wanted)
    ? sql`${searched} like ${pattern} escape '\\'`
    : sql`${searched} like ${pattern}`
}

function text({ sql: value }: Operand): Sql {
  return sql`cast(${value} as text)`
}

const lengthOf = (value: Operand): Sql => sql`length(${text(value)})`

/**
 * Stops a scan: asked for every thousandth row, which costs nothing that can be measured. A prime,
 * so that row numbers made by some pattern do not all miss it; tables without row numbers throw dice.
 * It stands before all other conditions, so that none of them keeps it from being asked.
 */
function guards({ table, rowid }: SqliteTable, alias: Sql): Sql[] {
  if (table.kind !== 'table') return []
  return rowid === null
    ? [sql`((random() & 1023) <> 0 or alive())`]
    : [sql`(${alias}.${name(rowid)} % 1021 <> 0 or alive())`]
}

/** No table's name: those that begin so are left out. */
const PIECES = name('tablewire_piece')

/** Row numbers of a piece, and pieces at most. */
const PIECE = 4000
const MOST_PIECES = 100_000
/**
 * Past this, pieces would be too many or hold too many rows: one row far from the others would leave
 * all of them in one piece, which nothing could stop.
 */
export const DENSE_SPAN = PIECE * MOST_PIECES

/**
 * A scan that asks piece by piece whether it is still wanted, since a condition on every row is a
 * sixth of its time. Bounds of pieces are made as they are needed, and no row lies in two of them.
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
