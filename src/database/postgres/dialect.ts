/** How PostgreSQL says what engines say differently. */

import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect, Operand as OperandOf } from '../dialect.ts'
import type { Term } from '../query/order.ts'
import { isListed } from '../query/serving.ts'
import { bind, join, sql, whole, type Sql } from '../query/sql.ts'
import { COMPARISONS, limitOf, standard, withDirection } from '../query/standard.ts'
import { COERCIONS, coerceText } from './coerce.ts'
import { notation } from './notation.ts'
import { arrayText } from './values.ts'
import type { ColumnType, PostgresColumn, PostgresTable } from './tables.ts'

type Operand = OperandOf<PostgresColumn>

/** What the server can beyond what all can. */
export type DialectOptions = {
  /** Whether it knows the letter case of all scripts whatever its locale. */
  readonly hasIcu: boolean
}

export const dialectOf = ({ hasIcu }: DialectOptions): Dialect<PostgresTable> => ({
  ...notation,
  ...standard,
  equals,
  compares,
  among,
  contains: (left, text) => contains(left, text, hasIcu),
  seeks,
  seeksAll,
  entersAll: isListed,
  ordered,
  text,
  unioned,
  grouped,
  sliced: (value) => (value.column.type === 'binary' ? value.sql : text(value)),
  length: (value) =>
    value.column.type === 'binary'
      ? sql`octet_length(${value.sql})`
      : sql`char_length(${text(value)})`,
  limit,
  lookUp: sql`join`,
})

const typeOf = ({ column }: Operand): ColumnType => column.pg

/** A type's name within a statement: the server itself has quoted it. */
const cast = (type: string): Sql => ({ texts: [`::${type}`], parts: [] })

/** Integers of all sizes are compared as 64 bits, which any index of theirs serves. */
const COMPARED: Readonly<Record<string, string>> = {
  int2: 'int8',
  int4: 'int8',
  varchar: 'text',
}

const comparedAs = ({ name, cast: own }: ColumnType): Sql => cast(COMPARED[name] ?? own)

/** The text of a value that the column may hold, else `null`; nothing is equal to that. */
function coerced(type: ColumnType, value: Value): string | Uint8Array | null {
  if (type.kind === 'enum') return type.words.find((word) => word === value) ?? null
  if (type.name === 'bytea') return value instanceof Uint8Array ? value : null
  return (COERCIONS[type.name] ?? coerceText)(value)
}

/** Whether conditions compare a column by its text: only the server could tell a wrong value. */
const isTextual = ({ name, kind }: ColumnType): boolean =>
  kind !== 'enum' && name !== 'bytea' && COERCIONS[name] === undefined

/** Whether what the column's own collation, or type, takes for equal may differ in its letters. */
const isLoose = ({ name, isDeterministic }: ColumnType): boolean =>
  name === 'citext' || !isDeterministic

function equals(left: Operand, value: Value): Sql {
  const type = typeOf(left)
  const given = bind(coerced(type, value))
  if (isTextual(type)) return sql`${text(left)} = ${given}::text`
  const same = sql`${left.sql} = ${given}${comparedAs(type)}`
  return isLoose(type) ? sql`(${same} and ${exactly(left)} = ${given}::text)` : same
}

/** The column still holds this value, NULL and all, to the last letter. */
export function expectsSql(left: Operand, value: Value): Sql {
  if (value === null) return sql`${left.sql} is null`
  const type = typeOf(left)
  const isNumber = type.name.startsWith('float') && Number.isNaN(value)
  return isNumber ? sql`${left.sql} = ${bind('NaN')}${cast(type.cast)}` : equals(left, value)
}

/** What makes a value of a text, for a column to take. */
export const castOf = ({ pg }: PostgresColumn): Sql => cast(pg.cast)

/** Letters as they are, without a collation's opinion. */
const exactly = ({ sql: value }: Operand): Sql => sql`${value}::text collate "C"`

function among(left: Operand, values: readonly Value[]): Sql {
  const type = typeOf(left)
  const fitting = values.map((value) => coerced(type, value)).filter((value) => value !== null)
  const given = bind(arrayText(fitting))
  if (isTextual(type)) return sql`${text(left)} = any(${given}::text[])`
  const same = sql`${left.sql} = any(${given}${comparedAs(type)}[])`
  return isLoose(type) ? sql`(${same} and ${exactly(left)} = any(${given}::text[]))` : same
}

function compares(left: Operand, comparison: Comparison, value: Value): Sql {
  const type = typeOf(left)
  const operator = COMPARISONS[comparison]
  if (left.column.type === 'integer') return comparesWhole(left, comparison, value)
  if (type.name === 'numeric' || type.name === 'float4' || type.name === 'float8')
    return sql`${left.sql} ${operator} ${bind(numberText(type, value))}${numberCast(type)}`
  // A day is before any moment of it but the first.
  if (type.name === 'date' && COERCIONS['date']!(value) === null)
    return sql`${left.sql} ${operator} ${bind(COERCIONS['timestamp']!(value))}::timestamp`
  const own = isTextual(type) ? text(left) : left.sql
  const as = isTextual(type) ? sql`::text` : comparedAs(type)
  return sql`${own} ${operator} ${bind(coerced(type, value))}${as}`
}

/** Between whole numbers lie others, and beyond the greatest there are more. */
function comparesWhole(left: Operand, comparison: Comparison, value: Value): Sql {
  const operator = COMPARISONS[comparison]
  const isCeiled = comparison === '<' || comparison === '>='
  const number = typeof value === 'string' && DECIMAL_POINT.test(value) ? Number(value) : value
  const rounded =
    typeof number === 'number' ? (isCeiled ? Math.ceil(number) : Math.floor(number)) : number
  const own = typeOf(left).name === 'oid' ? sql`${left.sql}::int8` : left.sql
  const fitting = COERCIONS['int8']!(rounded)
  if (fitting !== null) return sql`${own} ${operator} ${bind(fitting)}::int8`
  return sql`${own} ${operator} ${bind(endlessText(value))}::numeric`
}

const DECIMAL_POINT = /^[+-]?\d*\.\d*$/

/** Old servers have no endless decimals. */
function endlessText(value: Value): string | null {
  if (value === Infinity) return '1e1000'
  return value === -Infinity ? '-1e1000' : COERCIONS['numeric']!(value)
}

/** Numbers of four bytes are compared as they are, with all digits that the other one has. */
const numberCast = ({ name }: ColumnType): Sql =>
  name === 'numeric' ? sql`::numeric` : sql`::float8`

function numberText({ name }: ColumnType, value: Value): string | null {
  const text = endlessText(value)
  return name === 'numeric' || text === null ? text : String(Number(text))
}

/** `%` and `_` stand for themselves. */
const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const ASCII = /^\p{ASCII}*$/u

/** Locales that know ASCII only are helped out; `ilike` refuses collations that are not exact. */
function contains(left: Operand, wanted: string, hasIcu: boolean): Sql {
  const type = typeOf(left)
  const fitting = coerceText(wanted)
  const pattern = bind(fitting === null ? null : patternOf(fitting))
  const searched = text(left)
  const needsIcu = type.isAsciiOnly && !ASCII.test(wanted)
  if (hasIcu && (needsIcu || !type.isDeterministic))
    return sql`${searched} collate "und-x-icu" ilike ${pattern}`
  return type.isDeterministic || type.name === 'citext'
    ? sql`${searched} ilike ${pattern}`
    : sql`${searched} collate "C" ilike ${pattern}`
}

/** By the column's own order, where equal is what the order takes for equal. */
function seeks(left: Operand, comparison: Comparison | '=', value: Value): Sql {
  const [own, place] = placeOf(left, value)
  return sql`${own} ${COMPARISONS[comparison]} ${place}`
}

function seeksAll(left: readonly Operand[], comparison: Comparison, values: readonly Value[]): Sql {
  const places = left.map((one, at) => placeOf(one, values[at]!))
  const [own, given] = [places.map(([column]) => column), places.map(([, place]) => place)]
  return sql`(${join(own)}) ${COMPARISONS[comparison]} (${join(given)})`
}

/** A column as it is ordered, and a value that was read there. */
function placeOf(left: Operand, value: Value): readonly [own: Sql, place: Sql] {
  const type = typeOf(left)
  if (!type.isOrdered) return [text(left), sql`${bind(coerceText(value))}::text`]
  const given = type.name.startsWith('float') && Number.isNaN(value) ? 'NaN' : coerced(type, value)
  return [left.sql, sql`${bind(given)}${comparedAs(type)}`]
}

const ordered = (column: Sql, term: Term, kind?: PostgresColumn): Sql =>
  withDirection(kind && !kind.pg.isOrdered ? sql`${column}::text` : column, term)

/** More rows than this are no page's. */
const PAGE_ROWS = 1000

/**
 * A page's rows are part of the text: a plan for any number of rows expects a tenth of the table, and
 * then the server makes another plan for every page.
 */
const limit = (rows: number, skip?: number): Sql =>
  limitOf(rows <= PAGE_ROWS ? whole(rows) : bind(rows), skip)

function text(value: Operand): Sql {
  const { name } = typeOf(value)
  if (name === 'text' || name === 'varchar') return value.sql
  // A cast would add the length of the network to each address, which nobody sees otherwise.
  return name === 'inet' ? sql`concat(${value.sql})` : sql`${value.sql}::text`
}

function unioned(value: Operand): Sql {
  if (value.column.type === 'binary') return sql`encode(${value.sql}, 'hex')`
  // A cast would take the blanks away that the value is filled up with.
  return typeOf(value).name === 'bpchar' ? sql`concat(${value.sql})` : sql`${value.sql}::text`
}

/** Texts, and what has no order of its own, are grouped by their bytes. */
function grouped(value: Operand): Sql {
  const { type, pg } = value.column
  const isText = type === 'text' || type === 'json' || !pg.isOrdered
  return isText ? sql`${text(value)} collate "C"` : value.sql
}
