/** PostgreSQL's dialect. */

import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect, Operand as OperandOf, Where } from '../dialect.ts'
import type { Term } from '../query/order.ts'
import { isListed } from '../query/serving.ts'
import { bind, join, sql, whole, type Sql } from '../query/sql.ts'
import { COMPARISONS, limitOf, standard, wholeBound, withDirection } from '../query/standard.ts'
import { COERCIONS, coerceText } from './coerce.ts'
import { notation } from './notation.ts'
import { arrayText } from './values.ts'
import type { ColumnType, PostgresColumn, PostgresTable } from './tables.ts'

type Operand = OperandOf<PostgresColumn>

/** What only some servers support. */
export type DialectOptions = {
  /** Whether it has ICU collations, which know the letter case of all scripts. */
  readonly hasIcu: boolean
}

export const dialectOf = ({ hasIcu }: DialectOptions): Dialect<PostgresTable> => ({
  ...notation,
  ...standard,
  equals,
  compares,
  among,
  refersAmong,
  refersTo: (from, to) => sql`${comparedAsIn(from, to.column)} = ${to.sql}`,
  isLoose: ({ pg }) => isLoose(pg) || pg.name === 'bpchar',
  contains: (left, text, where) => contains(left, text, where, hasIcu),
  seeks,
  seeksAll,
  entersAll: isListed,
  ordered,
  exact,
  read,
  text,
  unioned,
  grouped,
  groupedAs: (value, to) => comparedAsIn(value, to),
  sliced: (value) => (value.column.type === 'binary' ? value.sql : text(value)),
  length: (value) =>
    value.column.type === 'binary'
      ? sql`octet_length(${value.sql})`
      : sql`char_length(${text(value)})`,
  limit,
  lookUp: sql`join`,
})

const typeOf = ({ column }: Operand): ColumnType => column.pg

/**
 * What to select and to compare: `money` as the number that it stands for, since its text is written as
 * the server's locale wants, and a cast to it fails for numbers beyond its range.
 */
const read = (value: Operand): Sql =>
  typeOf(value).name === 'money' ? sql`${value.sql}::numeric` : value.sql

/** Names that come quoted from the server. */
const word = (text: string): Sql => ({ texts: [text], parts: [] })

/** A cast to a type. */
const cast = (type: string): Sql => word(`::${type}`)

/** Integers of all sizes are compared as 64 bits, which their indexes support. */
const COMPARED: Readonly<Record<string, string>> = {
  int2: 'int8',
  int4: 'int8',
  varchar: 'text',
  money: 'numeric',
}

const comparedAs = ({ name, cast: own }: ColumnType): Sql => cast(COMPARED[name] ?? own)

/** The text of a value that the column can hold, else `null`, to which nothing is equal. */
function coerced(type: ColumnType, value: Value): string | Uint8Array | null {
  if (type.kind === 'enum') return type.words.find((word) => word === value) ?? null
  if (type.name === 'bytea') return value instanceof Uint8Array ? value : null
  return (COERCIONS[type.name] ?? coerceText)(value)
}

/** Whether conditions compare a column by its text, because only the server could validate a value. */
const isTextual = ({ name, kind }: ColumnType): boolean =>
  kind !== 'enum' && name !== 'bytea' && COERCIONS[name] === undefined

/** Whether the column's collation or type treats different texts as equal. */
const isLoose = ({ name, isDeterministic }: ColumnType): boolean =>
  name === 'citext' || !isDeterministic

function equals(left: Operand, value: Value): Sql {
  const type = typeOf(left)
  const given = bind(coerced(type, value))
  if (isTextual(type)) return sql`${text(left)} = ${given}::text`
  const same = sql`${read(left)} = ${given}${comparedAs(type)}`
  return isLoose(type) ? sql`(${same} and ${exactly(left)} = ${given}::text)` : same
}

/** The column still holds exactly this value, which may be NULL. */
export function expectsSql(left: Operand, value: Value): Sql {
  if (value === null) return sql`${left.sql} is null`
  const type = typeOf(left)
  const isNumber = type.name.startsWith('float') && Number.isNaN(value)
  return isNumber ? sql`${left.sql} = ${bind('NaN')}${cast(type.cast)}` : equals(left, value)
}

/** The cast from a text to the column's type; a number becomes `money` whatever the server's locale. */
export const castOf = ({ pg }: PostgresColumn): Sql =>
  pg.name === 'money' ? sql`::numeric${cast(pg.cast)}` : cast(pg.cast)

/** The text, compared by bytes. */
const exactly = ({ sql: value }: Operand): Sql => sql`${value}::text collate "C"`

function among(left: Operand, values: readonly Value[]): Sql {
  const type = typeOf(left)
  const coercible = values.map((value) => coerced(type, value)).filter((value) => value !== null)
  const given = bind(arrayText(coercible))
  if (isTextual(type)) return sql`${text(left)} = any(${given}::text[])`
  const same = sql`${read(left)} = any(${given}${comparedAs(type)}[])`
  return isLoose(type) ? sql`(${same} and ${exactly(left)} = any(${given}::text[]))` : same
}

function refersAmong(left: Operand, to: PostgresColumn, values: readonly Value[]): Sql {
  const { pg: type } = to
  if (isTextual(type) || type.kind === 'enum') return among(left, values)
  const coercible = values.map((value) => coerced(type, value)).filter((value) => value !== null)
  return sql`${comparedAsIn(left, to)} = any(${bind(arrayText(coercible))}${comparedAs(type)}[])`
}

/** A reference as the server compares the column that it refers to. */
function comparedAsIn(
  { sql: value, column: { pg: own } }: Operand,
  { pg: to }: PostgresColumn,
): Sql {
  const isOther = own.name !== to.name && (own.name === 'citext' || to.name === 'citext')
  const typed = isOther ? sql`${value}${comparedAs(to)}` : value
  const isCollated = to.collation !== null && to.collation !== own.collation
  return isCollated ? sql`${typed} collate ${word(to.collation)}` : typed
}

function compares(left: Operand, comparison: Comparison, value: Value): Sql {
  const type = typeOf(left)
  const operator = COMPARISONS[comparison]
  if (left.column.type === 'integer') return comparesWhole(left, comparison, value)
  if (NUMBERS.has(type.name)) {
    const compared = sql`${read(left)} ${operator} ${bind(numberText(type, value))}${numberCast(type)}`
    // For the server, what is no number is greater than all that are.
    return type.name === 'money' || comparison.startsWith('<')
      ? compared
      : sql`(${compared} and ${left.sql} <> 'NaN')`
  }
  // Compare a date with a moment as its midnight.
  if (type.name === 'date' && COERCIONS.date(value) === null)
    return sql`${left.sql} ${operator} ${bind(COERCIONS.timestamp(value))}::timestamp`
  const own = isTextual(type) ? text(left) : left.sql
  const as = isTextual(type) ? sql`::text` : comparedAs(type)
  return sql`${own} ${operator} ${bind(coerced(type, value))}${as}`
}

/** Rounds fractions, and compares numbers beyond 64 bits as `numeric`. */
function comparesWhole(left: Operand, comparison: Comparison, value: Value): Sql {
  const operator = COMPARISONS[comparison]
  const rounded = wholeBound(value, comparison)
  const own = typeOf(left).name === 'oid' ? sql`${left.sql}::int8` : left.sql
  const coercible = COERCIONS.int8(rounded)
  if (coercible !== null) return sql`${own} ${operator} ${bind(coercible)}::int8`
  return sql`${own} ${operator} ${bind(endlessText(value))}::numeric`
}

/** Old servers have no infinite `numeric`. Nothing is less or greater than what is no number. */
function endlessText(value: Value): string | null {
  if (value === 'NaN' || Number.isNaN(value)) return null
  if (value === Infinity) return '1e1000'
  return value === -Infinity ? '-1e1000' : COERCIONS.numeric(value)
}

const NUMBERS = new Set(['numeric', 'money', 'float4', 'float8'])

const isFloat = ({ name }: ColumnType): boolean => name.startsWith('float')

/** `float4` is compared as `float8`, so that the value keeps all its digits. */
const numberCast = (type: ColumnType): Sql => (isFloat(type) ? sql`::float8` : sql`::numeric`)

function numberText(type: ColumnType, value: Value): string | null {
  const text = endlessText(value)
  return isFloat(type) && text !== null ? String(Number(text)) : text
}

/** Escapes `%`, `_` and `\\`. */
const patternOf = (text: string, where: Where): string =>
  `${where === 'start' ? '' : '%'}${text.replace(/[\\%_]/g, '\\$&')}%`

const ASCII = /^\p{ASCII}*$/u

/** Uses ICU for locales that know only ASCII, and because `ilike` rejects nondeterministic collations. */
function contains(left: Operand, wanted: string, where: Where, hasIcu: boolean): Sql {
  const type = typeOf(left)
  const coercible = coerceText(wanted)
  const pattern = bind(coercible === null ? null : patternOf(coercible, where))
  const searched = text(left)
  const needsIcu = type.isAsciiOnly && !ASCII.test(wanted)
  if (hasIcu && (needsIcu || !type.isDeterministic))
    return sql`${searched} collate "und-x-icu" ilike ${pattern}`
  return type.isDeterministic || type.name === 'citext'
    ? sql`${searched} ilike ${pattern}`
    : sql`${searched} collate "C" ilike ${pattern}`
}

/** Compares by the column's own order and collation. */
function seeks(left: Operand, comparison: Comparison | '=', value: Value): Sql {
  const [own, place] = placeOf(left, value)
  return sql`${own} ${COMPARISONS[comparison]} ${place}`
}

function seeksAll(left: readonly Operand[], comparison: Comparison, values: readonly Value[]): Sql {
  const places = left.map((one, at) => placeOf(one, values[at] ?? null))
  const [own, given] = [places.map(([column]) => column), places.map(([, place]) => place)]
  return sql`(${join(own)}) ${COMPARISONS[comparison]} (${join(given)})`
}

/** A column in the form in which it is ordered, and a value that was read from it. */
function placeOf(left: Operand, value: Value): readonly [own: Sql, place: Sql] {
  const type = typeOf(left)
  if (!type.isOrdered) return [text(left), sql`${bind(coerceText(value))}::text`]
  const as = type.name === 'money' ? castOf(left.column) : comparedAs(type)
  return [left.sql, sql`${bind(endOf(type, value) ?? coerced(type, value))}${as}`]
}

/** What lies beyond all numbers: only a column that holds such a value is asked for it. */
function endOf({ name }: ColumnType, value: Value): string | undefined {
  const isEndless = name.startsWith('float') || name === 'numeric'
  const text = String(value)
  return isEndless && /^(NaN|-?Infinity)$/.test(text) ? text : undefined
}

const ordered = (column: Sql, term: Term, kind?: PostgresColumn): Sql =>
  withDirection(kind && !kind.pg.isOrdered ? sql`${column}::text` : column, term)

/** Types of which equal values have one text. */
const EXACT: ReadonlySet<string> = new Set([
  ...['int2', 'int4', 'int8', 'oid', 'bool', 'date', 'timestamp', 'timestamptz', 'time', 'uuid'],
  ...['text', 'varchar', 'name', 'bytea'],
])

/** Other types take `1.0` and `1.00` for equal, `-0` and `0`, or letters of either case. */
function exact(value: Operand): Sql {
  const type = typeOf(value)
  const isExact =
    EXACT.has(type.name) || (type.name === 'numeric' && value.column.scale !== undefined)
  return type.kind === 'enum' || (isExact && type.isDeterministic)
    ? value.sql
    : sql`${text(value)} collate "C"`
}

/** No page has more rows than this. */
const PAGE_ROWS = 1000

/**
 * A page's size is part of the text. With a bound limit, the server's generic plan would expect a tenth
 * of the table, and the server would plan every page anew.
 */
const limit = (rows: number, skip?: number): Sql =>
  limitOf(rows <= PAGE_ROWS ? whole(rows) : bind(rows), skip)

function text(value: Operand): Sql {
  const { name } = typeOf(value)
  if (name === 'text' || name === 'varchar') return value.sql
  if (name === 'money') return sql`${read(value)}::text`
  // A cast would add the netmask's length to each address, which is not shown otherwise.
  return name === 'inet' ? concatenated(value) : sql`${value.sql}::text`
}

function unioned(value: Operand): Sql {
  if (value.column.type === 'binary') return sql`encode(${value.sql}, 'hex')`
  // A cast would remove the padding blanks.
  return typeOf(value).name === 'bpchar' ? concatenated(value) : sql`${read(value)}::text`
}

/** The text as it is shown; `concat` alone would make an empty text of NULL. */
const concatenated = ({ sql: value }: Operand): Sql =>
  sql`case when ${value} is not null then concat(${value}) end`

/** Groups texts, and types without an order, by their bytes. */
function grouped(value: Operand): Sql {
  const { type, pg } = value.column
  const isText = type === 'text' || type === 'json' || !pg.isOrdered
  return isText ? sql`${text(value)} collate "C"` : read(value)
}
