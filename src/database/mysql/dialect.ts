/** The dialect of MySQL and MariaDB. */

import type { Value } from '../../table/source/value.ts'
import type { Comparison, Dialect, Operand as OperandOf, Where } from '../dialect.ts'
import type { Term } from '../query/order.ts'
import { bind, join, sql, whole, type Sql } from '../query/sql.ts'
import { COMPARISONS, filledUp, standard } from '../query/standard.ts'
import { coerce, type Use } from './coerce.ts'
import { noIndexForOrder, usedIndex } from './index-hints.ts'
import type { Kind } from './kinds.ts'
import { notation } from './notation.ts'
import type { MysqlColumn, MysqlTable } from './tables.ts'
import { decidingTerms } from './unique-order.ts'

type Operand = OperandOf<MysqlColumn>

export const mysqlDialect: Dialect<MysqlTable> = {
  ...notation,
  ...standard,
  equals,
  compares,
  among,
  amongRows,
  refersAmong,
  refersTo: (from, to) => sql`${to.sql} = ${collatedAs(from, to.column)}`,
  isLoose: ({ kind }) => kind.is === 'text',
  contains,
  seeks,
  seeksAll,
  // In a clustered table each index ends with the key, so a range may continue with it.
  entersAll: ({ isClustered }) => isClustered,
  ordered,
  exact,
  read: (value) => (kindOf(value).is === 'geometry' ? text(value) : value.sql),
  text,
  unioned,
  grouped,
  groupedAs: (value, to) => (isCollated(value, to) ? collatedAs(value, to) : text(value)),
  ungrouped,
  sliced: (value) => (isBytes(value) ? value.sql : text(value)),
  length: (value) =>
    isBytes(value) ? sql`octet_length(${value.sql})` : sql`char_length(${text(value)})`,
  // A straight join reads tables in the order in which they are written.
  lookUp: sql`straight_join`,
  decidingTerms,
  indexes: usedIndex,
}

/** For orders without an index: scans the table once and sorts. */
export const scanDialect: Dialect<MysqlTable> = {
  ...mysqlDialect,
  indexes: noIndexForOrder,
  isOneRun: true,
}

const kindOf = ({ column }: Operand): Kind => column.kind

const isBytes = (operand: Operand): boolean => kindOf(operand).is === 'bytes'

/** The comparison by the column's collation can use an index; the one by bytes makes it exact. */
function equals(left: Operand, value: Value): Sql {
  const kind = kindOf(left)
  const given = coerce(kind, value, '=')
  switch (kind.is) {
    case 'text':
      return sql`(${left.sql} = ${inCharset(kind, given)} and ${bytesOf(left)} = ${bytes(given)})`
    case 'json':
    case 'geometry':
      return sql`${bytesOf(left)} = ${bytes(given)}`
    default:
      return sql`${left.sql} = ${operandOf(kind, given)}`
  }
}

function among(left: Operand, values: readonly Value[]): Sql {
  const kind = kindOf(left)
  const given = filledUp(values.map((value) => coerce(kind, value, '=')))
  const inBytes = sql`${bytesOf(left)} in (${join(given.map(bytes))})`
  switch (kind.is) {
    case 'text':
      return sql`(${left.sql} in (${join(given.map((one) => inCharset(kind, one)))}) and ${inBytes})`
    case 'json':
    case 'geometry':
      return inBytes
    default:
      return sql`${left.sql} in (${join(given.map((one) => operandOf(kind, one)))})`
  }
}

/** The first column's values lead to the rows by an index; the list of all values tells which of them it is. */
function amongRows(left: readonly Operand[], rows: readonly (readonly Value[])[]): Sql {
  const each = left.map((one, at) => among(one, [...new Set(rows.map((row) => row[at] ?? null))]))
  const own = left.map((one) => (isByBytes(one) ? bytesOf(one) : one.sql))
  const given = rows.map((row) => {
    const values = left.map((one, at) => exactOf(one, row[at] ?? null))
    return sql`(${join(values)})`
  })
  return sql`(${join(each, ' and ')} and (${join(own)}) in (${join(given)}))`
}

const isByBytes = (operand: Operand): boolean =>
  ['text', 'json', 'geometry'].includes(kindOf(operand).is)

function exactOf(left: Operand, value: Value): Sql {
  const given = coerce(kindOf(left), value, '=')
  return isByBytes(left) ? bytes(given) : operandOf(kindOf(left), given)
}

function refersAmong(left: Operand, to: MysqlColumn, values: readonly Value[]): Sql {
  const { kind } = to
  if (kind.is !== 'text' || !isCollated(left, to)) return among(left, values)
  const given = filledUp(values.map((value) => coerce(kind, value, '=')))
  return sql`${collatedAs(left, to)} in (${join(given.map((one) => inCharset(kind, one)))})`
}

const isCollated = (left: Operand, to: MysqlColumn): boolean =>
  kindOf(left).is === 'text' && to.kind.is === 'text'

/** A reference, compared by the collation of the column that it refers to. */
function collatedAs(left: Operand, { kind: to }: MysqlColumn): Sql {
  const own = kindOf(left)
  if (own.is !== 'text' || to.is !== 'text' || own.collation === to.collation) return left.sql
  const converted =
    own.charset === to.charset ? left.sql : sql`convert(${left.sql} using ${word(to.charset)})`
  return sql`${converted} collate ${word(to.collation)}`
}

function compares(left: Operand, comparison: Comparison, value: Value): Sql {
  const kind = kindOf(left)
  if (kind.is === 'json' || kind.is === 'geometry' || kind.is === 'enum' || kind.is === 'set')
    return compared(text(left), comparison, bind(coerce({ is: 'json' }, value, comparison)))
  const given = coerce(kind, value, comparison)
  if (given === Infinity || given === -Infinity)
    return given > 0 === comparison.startsWith('<') ? sql`${left.sql} is not null` : sql`1 = 0`
  return compared(left.sql, comparison, operandOf(kind, given))
}

const compared = (left: Sql, comparison: Use & keyof typeof COMPARISONS, right: Sql): Sql =>
  sql`${left} ${COMPARISONS[comparison]} ${right}`

/** A value in a form that the server compares with the column without converting it. */
function operandOf(kind: Kind, given: Value): Sql {
  switch (kind.is) {
    case 'text':
      return inCharset(kind, given)
    case 'decimal':
      return sql`cast(${bind(given)} as decimal(65, ${whole(decimalPlaces(kind))}))`
    case 'enum':
      return bind(placeIn(kind.members, given))
    case 'set':
      return bind(sumOf(kind.members, given))
    default:
      return bind(given)
  }
}

/** As many as the server allows while every number of the column still fits before the point. */
const decimalPlaces = ({ precision, scale }: { precision: number; scale: number }): number =>
  Math.max(scale, Math.min(30, 65 - (precision - scale)))

/** A text in the column's character set: if the server converted the column, it could not use an index. */
function inCharset({ charset, collation }: Extract<Kind, { is: 'text' }>, given: Value): Sql {
  if (charset === 'utf8mb4') return bind(given)
  return sql`convert(${asChar(bind(given))} using ${word(charset)}) collate ${word(collation)}`
}

/** The name of a character set or collation, which cannot be quoted. */
function word(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new TypeError(`[${name}] is no name of a character set.`)
  return { texts: [name], parts: [] }
}

const bytes = (given: Value): Sql =>
  bind(typeof given === 'string' ? new Uint8Array(Buffer.from(given)) : null)

function bytesOf(left: Operand): Sql {
  const kind = kindOf(left)
  const isPlain = kind.is === 'text' && kind.charset === 'utf8mb4'
  return sql`cast(${isPlain ? left.sql : text(left)} as binary)`
}

/** The server compares an enum by number: its place in the list, or 0 for an invalid value. */
function placeIn(members: readonly string[], given: Value): Value {
  if (typeof given !== 'string') return null
  const place = members.indexOf(given)
  return place < 0 && given !== '' ? null : place + 1
}

/** The server compares a set by number, with a bit for each member. */
function sumOf(members: readonly string[], given: Value): Value {
  if (typeof given !== 'string') return null
  if (given === '') return 0
  const places = given.split(',').map((member) => members.indexOf(member))
  return places.includes(-1) ? null : places.reduce((sum, place) => sum | (1n << BigInt(place)), 0n)
}

/** Ignores letter case in all scripts, in the same way on both sides. */
function contains(left: Operand, wanted: string, where: Where): Sql {
  const place = sql`locate(lower(${bind(wanted)} collate utf8mb4_bin), lower(${text(left)}))`
  return where === 'start' ? sql`${place} = 1` : sql`${place} > 0`
}

/** For enums with more members than this, the places are not listed. */
const LISTED_MEMBERS = 64

/** Compares by the column's own order and collation. */
function seeks(left: Operand, comparison: Comparison | '=', value: Value): Sql {
  const kind = kindOf(left)
  const given = coerce(kind, value, 'seek')
  if (isOrderedAsText(left)) return compared(text(left), comparison, bind(given))
  if (kind.is === 'enum' && comparison !== '=' && kind.members.length <= LISTED_MEMBERS)
    return sql`${left.sql} in (${join(placesBeyond(kind.members, comparison, given).map(bind))})`
  return compared(left.sql, comparison, operandOf(kind, given))
}

/** Written as ranges, since a row comparison would walk the whole index. */
function seeksAll(
  [first, ...others]: readonly Operand[],
  comparison: '<=' | '>=',
  [value, ...values]: readonly Value[],
): Sql | undefined {
  if (!first || value === undefined || !hasRanges(first)) return undefined
  if (others.length === 0) return seeks(first, comparison, value)
  const rest = seeksAll(others, comparison, values)
  const beyond = seeks(first, comparison === '<=' ? '<' : '>', value)
  return rest && sql`(${beyond} or (${seeks(first, '=', value)} and ${rest}))`
}

const hasRanges = (operand: Operand): boolean =>
  kindOf(operand).is !== 'enum' && !isOrderedAsText(operand)

/** MySQL seeks enums by listed places, not by “greater than”; the list always has the same length. */
function placesBeyond(
  members: readonly string[],
  comparison: Comparison,
  given: Value,
): (number | null)[] {
  const from = placeIn(members, given)
  const isBeyond = (place: number): boolean => {
    if (typeof from !== 'number') return false
    if (place === from) return comparison.endsWith('=')
    return comparison.startsWith('<') ? place < from : place > from
  }
  return [0, ...members.map((_, i) => i + 1)].map((place) => (isBeyond(place) ? place : null))
}

/** MySQL sorts NULL below all values; where a term wants it elsewhere, sorts by `is null` first. */
function ordered(column: Sql, { descending, nulls }: Term, of?: MysqlColumn): Sql {
  const value = of ? sortKey({ sql: column, column: of }) : column
  const way = descending ? sql` desc` : sql``
  const isNative = nulls === 'none' || (nulls === 'last') === descending
  if (isNative) return sql`${value}${way}`
  return sql`${column} is null${nulls === 'first' ? sql` desc` : sql``}, ${value}${way}`
}

/**
 * Longer values are sorted by this many characters, since MySQL's sort buffer cannot hold more. The
 * anchors of pages are shorter.
 */
const SORTED_LENGTH = 2000

/** The longest column that an index can hold entirely, in characters. */
const INDEXED_LENGTH = 3072

function sortKey(operand: Operand): Sql {
  const value = isOrderedAsText(operand) ? text(operand) : operand.sql
  const { declared, maxLength = 0 } = operand.column
  const isLong = /^(tiny|medium|long)?(text|blob)$/i.test(declared) || maxLength > INDEXED_LENGTH
  return isLong || isOrderedAsText(operand) ? sql`left(${value}, ${whole(SORTED_LENGTH)})` : value
}

/** Characters or bytes of a column that are compared one by one; of longer values, digests are. */
const COMPARED_LENGTH = 64

/** A row of long values would find no room in what the server sorts, and only their beginnings count. */
function exact(operand: Operand): Sql {
  const { column } = operand
  const { is } = kindOf(operand)
  if (is === 'json' || is === 'geometry') return digestOf(text(operand))
  if (is !== 'text' && is !== 'bytes') return operand.sql
  const length = column.maxLength ?? Infinity
  if (length > COMPARED_LENGTH) return digestOf(operand.sql)
  return is === 'text' ? bytesOf(operand) : operand.sql
}

const digestOf = (value: Sql): Sql => sql`unhex(sha2(${value}, 256))`

/** Types without a usable order: MySQL cannot compare geometries, and orders JSON only partially. */
const isOrderedAsText = (operand: Operand): boolean =>
  ['geometry', 'json'].includes(kindOf(operand).is)

/** Converts to text, always in the same character set and collation. */
function text(value: Operand): Sql {
  const kind = kindOf(value)
  switch (kind.is) {
    case 'text':
    case 'enum':
    case 'set':
    case 'json':
      return sql`convert(${value.sql} using utf8mb4) collate utf8mb4_bin`
    case 'geometry':
      return sql`convert(st_astext(${value.sql}) using utf8mb4) collate utf8mb4_bin`
    case 'bytes':
      return sql`convert(lower(hex(${value.sql})) using utf8mb4) collate utf8mb4_bin`
    case 'bits':
      return sql`${asChar(sql`${value.sql} + 0`)} collate utf8mb4_bin`
    case 'datetime':
      return kind.zoned
        ? sql`concat(${asChar(value.sql)}, '+00') collate utf8mb4_bin`
        : sql`${asChar(value.sql)} collate utf8mb4_bin`
    default:
      return sql`${asChar(value.sql)} collate utf8mb4_bin`
  }
}

/** As text. Without a cast, MySQL gives a parameter the character set of the other operand. */
export const asChar = (value: Sql): Sql => sql`cast(${value} as char character set utf8mb4)`

function unioned(value: Operand): Sql {
  if (value.column.type !== 'boolean') return text(value)
  const number = text(value)
  return sql`case ${number} when '1' then 'true' when '0' then 'false' else ${number} end`
}

/** Kinds that are grouped by the bytes of their text, since a collation treats different texts as equal. */
const isGroupedByText = ({ kind: { is } }: MysqlColumn): boolean =>
  is === 'text' || is === 'json' || is === 'geometry'

function grouped(value: Operand): Sql {
  return isGroupedByText(value.column) ? sql`cast(${text(value)} as binary)` : value.sql
}

function ungrouped(value: Sql, column: MysqlColumn): Sql {
  return isGroupedByText(column) ? sql`convert(${value} using utf8mb4)` : value
}
