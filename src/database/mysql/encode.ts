/** Values on their way into a column: whole, or not at all. */

import { AppError, type Detail } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, whole, type Sql } from '../query/sql.ts'
import { asChar } from './dialect.ts'
import { coerce } from './coerce.ts'
import type { Kind } from './kinds.ts'
import type { MysqlColumn } from './tables.ts'

/** The value as the statement writes it; `undefined` for one that the column would not keep whole. */
export function encode(column: MysqlColumn, value: Value): Sql | undefined {
  checkValue(column, value)
  if (value === null) return sql`null`
  const { kind } = column
  const given = keptValue(column, value)
  if (given === undefined || given === null) return undefined
  // A text that is no geometry would become NULL without a word; what stands for it is refused.
  if (kind.is === 'geometry')
    return sql`coalesce(st_geomfromtext(${bind(given)}, ${whole(kind.srid)}), 'x')`
  // Else MySQL does not say which column could not hold a letter.
  return kind.is === 'text' && kind.charset !== 'utf8mb4' ? asChar(bind(given)) : bind(given)
}

/** Throws `UPDATE_INVALID` for what is no value of any column. */
function checkValue({ name, kind }: MysqlColumn, value: Value): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw invalid(({ rows }) => rows.halfCharacter(name))
  const isNone = typeof value === 'number' && Number.isNaN(value)
  const isLong = typeof value === 'bigint' && kind.is === 'whole' && !is64Bits(value, kind.min < 0n)
  if (isNone || isLong) throw invalid(({ rows }) => rows.noInt64(name, String(value)))
}

const invalid = (detail: Detail): AppError => new AppError('UPDATE_INVALID', { detail })

const is64Bits = (value: bigint, isSigned: boolean): boolean =>
  isSigned ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value

function keptValue({ kind, maxLength }: MysqlColumn, value: Value): Value | undefined {
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
      return isShort(given, maxLength) ? given : undefined
    case 'enum':
    case 'set':
      return isListed(kind, given) ? given : undefined
    default:
      return given
  }
}

const isWithin = (value: Value, min: bigint, max: bigint): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value >= min && value <= max

/** Single precision keeps the nearest number it has, which is no loss that anybody is told of. */
function singleOf(value: Value): Value | undefined {
  const number = coerce({ is: 'double' }, value, '=')
  return typeof number === 'number' && Number.isFinite(Math.fround(number)) ? number : undefined
}

/** The server would cut blanks off without a word. */
const isShort = (text: Value, maxLength: number | undefined): boolean =>
  typeof text === 'string' &&
  (text.length <= (maxLength ?? Infinity) || [...text].length <= maxLength!)

function isListed({ is, members }: Extract<Kind, { is: 'enum' | 'set' }>, given: Value): boolean {
  if (typeof given !== 'string') return false
  if (is === 'enum') return members.includes(given)
  return given === '' || given.split(',').every((member) => members.includes(member))
}
