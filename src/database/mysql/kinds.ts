/** The column types of MySQL and MariaDB, with what statements depend on. */

import type { ValueType } from '../../table/source/schema.ts'
import { withoutEscapes } from './escapes.ts'

/** A column's type in the engine's own terms. */
export type Kind =
  /** Whole numbers within these bounds. */
  | { readonly is: 'whole'; readonly min: bigint; readonly max: bigint }
  | { readonly is: 'bits'; readonly size: number }
  | { readonly is: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly is: 'single' | 'double' | 'year' | 'date' | 'json' }
  /** `digits` are those of fractional seconds. */
  | { readonly is: 'time'; readonly digits: number }
  | { readonly is: 'datetime'; readonly zoned: boolean; readonly digits: number }
  /** A text; `collation` decides its order, and `charset` which characters it can hold. */
  | { readonly is: 'text'; readonly charset: string; readonly collation: string }
  /** Texts from a list, ordered by their places in it; sets by the sum of their members' bits. */
  | { readonly is: 'enum' | 'set'; readonly members: readonly string[] }
  /** MariaDB's types with one canonical text. */
  | { readonly is: 'uuid' | 'inet4' | 'inet6' }
  | { readonly is: 'bytes'; readonly fixed: boolean }
  | { readonly is: 'geometry'; readonly srid: number }

/** A type as in `information_schema.columns`. */
export type DeclaredType = {
  /** In lower case, such as `bigint`. */
  readonly dataType: string
  /** As declared, such as `bigint(20) unsigned`. */
  readonly columnType: string
  readonly charset: string | null
  readonly collation: string | null
  readonly precision: number | null
  readonly scale: number | null
  readonly srid: number | null
  /** Whether a check constraint requires valid JSON, which is how MariaDB declares a JSON column. */
  readonly isCheckedJson: boolean
}

const INTEGER_BITS: Readonly<Record<string, bigint>> = {
  tinyint: 8n,
  smallint: 16n,
  mediumint: 24n,
  int: 32n,
  integer: 32n,
  bigint: 64n,
}

const GEOMETRIES = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
])

export function kindOf(declared: DeclaredType): Kind {
  const { dataType, columnType } = declared
  const bits = INTEGER_BITS[dataType]
  if (bits !== undefined) return wholeKind(bits, /unsigned/i.test(columnType))
  if (GEOMETRIES.has(dataType)) return { is: 'geometry', srid: declared.srid ?? 0 }
  switch (dataType) {
    case 'bit':
      return { is: 'bits', size: Number(/\d+/.exec(columnType)?.[0] ?? 1) }
    case 'decimal':
    case 'numeric':
      return { is: 'decimal', precision: declared.precision ?? 65, scale: declared.scale ?? 0 }
    case 'float':
      return { is: 'single' }
    case 'double':
    case 'real':
      return { is: 'double' }
    case 'time':
      return { is: 'time', digits: digitsOf(columnType) }
    case 'enum':
    case 'set':
      return { is: dataType, members: membersOf(columnType) ?? [] }
    case 'year':
    case 'date':
    case 'json':
    case 'uuid':
    case 'inet4':
    case 'inet6':
      return { is: dataType }
    case 'datetime':
    case 'timestamp':
      return {
        is: 'datetime',
        zoned: dataType === 'timestamp',
        digits: digitsOf(columnType),
      }
    default:
      return textKind(declared)
  }
}

function wholeKind(bits: bigint, isUnsigned: boolean): Kind {
  if (isUnsigned) return { is: 'whole', min: 0n, max: 2n ** bits - 1n }
  return { is: 'whole', min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
}

/** A type without a character set holds bytes, whatever its name. */
function textKind({ dataType, charset, collation, isCheckedJson }: DeclaredType): Kind {
  if (isCheckedJson && dataType === 'longtext') return { is: 'json' }
  if (charset === null || collation === null || charset === 'binary')
    return { is: 'bytes', fixed: dataType === 'binary' }
  return { is: 'text', charset, collation }
}

/** `datetime` has no digits after its seconds, `datetime(6)` has six. */
const digitsOf = (columnType: string): number => Number(/\((\d)\)/.exec(columnType)?.[1] ?? 0)

/** The type of value that the row source shows. */
export function valueType(kind: Kind, isSwitch: boolean): ValueType {
  switch (kind.is) {
    case 'whole':
      return isSwitch ? 'boolean' : 'integer'
    case 'bits':
      return kind.size === 1 ? 'boolean' : 'integer'
    case 'year':
      return 'integer'
    case 'single':
    case 'double':
      return 'float'
    case 'bytes':
      return 'binary'
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'json':
      return kind.is
    default:
      return 'text'
  }
}

/** Whether the column is declared as `tinyint(1)`, which is what MySQL makes of `boolean`. */
export const isSwitchType = (columnType: string): boolean => /^tinyint\(1\)( |$)/i.test(columnType)

/** The members of `enum('a','b')` and `set('a','b')`. */
export function membersOf(columnType: string): string[] | undefined {
  if (!/^(enum|set)\(/i.test(columnType)) return undefined
  return [...columnType.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) =>
    withoutEscapes(text.replaceAll("''", "'")),
  )
}
