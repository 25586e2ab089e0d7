/** Encodes values for writing, and rejects those that a column would change. */

import { AppError, type Detail } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, whole, type Sql } from '../query/sql.ts'
import { asChar } from './dialect.ts'
import { coerce } from './coerce.ts'
import type { Kind } from './kinds.ts'
import type { MysqlColumn } from './tables.ts'

/** The value in SQL; `undefined` if the column cannot hold it unchanged. */
export function encode(column: MysqlColumn, value: Value): Sql | undefined {
  checkValue(column, value)
  if (value === null) return sql`null`
  const { kind } = column
  const given = keptValue(column, value)
  if (given === undefined || given === null) return undefined
  // An invalid geometry would silently become NULL; the server refuses 'x' instead.
  if (kind.is === 'geometry')
    return sql`coalesce(st_geomfromtext(${bind(given)}, ${whole(kind.srid)}), 'x')`
  // Without the cast MySQL does not say which column could not hold a character.
  return kind.is === 'text' && kind.charset !== 'utf8mb4' ? asChar(bind(given)) : bind(given)
}

/** Throws `UPDATE_INVALID` for a value that no column can hold. */
function checkValue({ name, kind }: MysqlColumn, value: Value): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw invalid(({ rows }) => rows.halfCharacter(name))
  const isNone = Number.isNaN(value) && kind.is !== 'single' && kind.is !== 'double'
  const isLong = typeof value === 'bigint' && kind.is === 'whole' && !is64Bits(value, kind.min < 0n)
  if (isNone || isLong) throw invalid(({ rows }) => rows.noInt64(name, String(value)))
}

const invalid = (detail: Detail): AppError => new AppError('UPDATE_INVALID', { detail })

const is64Bits = (value: bigint, isSigned: boolean): boolean =>
  isSigned ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value

function keptValue({ kind, maxLength, declared }: MysqlColumn, value: Value): Value | undefined {
  const given = coerce(kind, value, '=')
  switch (kind.is) {
    case 'whole':
      return isWithin(given, kind.min, kind.max) ? given : undefined
    case 'bits':
      return isWithin(given, 0n, 2n ** BigInt(kind.size) - 1n) ? given : undefined
    case 'single':
      return singleOf(value)
    case 'double':
      return Number.isFinite(given) ? given : undefined
    case 'date':
      return typeof given === 'string' && given.length === 10 ? given : undefined
    case 'text':
      return isShort(given, maxLength) && !losesBlanks(declared, given) ? given : undefined
    case 'enum':
    case 'set':
      return isListed(kind, given) ? given : undefined
    default:
      return given
  }
}

const isWithin = (value: Value, min: bigint, max: bigint): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value >= min && value <= max

/** Single precision stores the nearest number; that is expected, and no loss to report. */
function singleOf(value: Value): Value | undefined {
  const number = coerce({ is: 'double' }, value, '=')
  return typeof number === 'number' && Number.isFinite(Math.fround(number)) ? number : undefined
}

/** A `char` is read without blanks at its end. */
const losesBlanks = (declared: string, text: Value): boolean =>
  /^char\b/i.test(declared) && typeof text === 'string' && text.endsWith(' ')

/** The server would silently cut trailing blanks. */
const isShort = (text: Value, maxLength = Infinity): boolean =>
  typeof text === 'string' && (text.length <= maxLength || [...text].length <= maxLength)

function isListed({ is, members }: Extract<Kind, { is: 'enum' | 'set' }>, given: Value): boolean {
  if (typeof given !== 'string') return false
  if (is === 'enum') return members.includes(given)
  return given === '' || given.split(',').every((member) => members.includes(member))
}
