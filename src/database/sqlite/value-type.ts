/** Infers the type of a column's values from its declared type, its name and a sample. */

import type { ValueType } from '../../table/source/schema.ts'
import type { Cell } from './values.ts'

/** The first match decides. SQLite's own affinity rules come last. */
const DECLARED: readonly (readonly [RegExp, ValueType])[] = [
  [/^TINYINT ?\(1\)|^BIT( ?\(1\))?$|BOOL/, 'boolean'],
  [/^(SMALL)?DATETIME|^TIMESTAMP/, 'datetime'],
  [/^DATE\b/, 'date'],
  [/^TIME\b/, 'time'],
  [/JSON/, 'json'],
  [/BLOB|BINARY|BYTEA|^IMAGE\b/, 'binary'],
  [/INT/, 'integer'],
  [/CHAR|CLOB|TEXT|STRING|UUID|GUID|ENUM/, 'text'],
  [/REAL|FLOA|DOUB/, 'float'],
  [/DEC|NUM|MONEY|CURRENCY/, 'decimal'],
]

/** The type of value for a declared type; text if the declaration matches nothing. */
export function declaredType(declared: string): ValueType {
  const upper = declared.toUpperCase()
  return DECLARED.find(([pattern]) => pattern.test(upper))?.[1] ?? 'text'
}

const WITH_SCALE = /\(\s*\d+\s*,\s*(\d{1,2})\s*\)\s*$/

/** Digits after the point that a type of decimals names; SQLite stores any number in it. */
export function namedScale(declared: string, type: ValueType): number | undefined {
  const named = WITH_SCALE.exec(declared)?.[1]
  return named !== undefined && type === 'decimal' ? Number(named) : undefined
}

/** Longest text of a sample, characters. */
export const SAMPLE_LENGTH = 4096

const DATE = /^\d{4}-\d\d-\d\d$/
const DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/
const TIME = /^\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/

/** Refines the type by the column's values, or by its name if it has none. */
export function refineType(
  { name, declared }: { readonly name: string; readonly declared: string },
  type: ValueType,
  sample: readonly Cell[],
): ValueType {
  const values = sample.filter((cell) => cell !== null)
  if (type === 'date' || type === 'datetime' || type === 'time')
    return values.some((value) => typeof value === 'number') ? numberType(values) : type
  if (type === 'binary')
    return values.length > 0 && isUntyped(declared) ? typeByValue(values) : type
  if (type !== 'text') return type
  if (values.length === 0) return typeByName(name)
  const areNumbers = isUntyped(declared) && values.every(isNumber)
  return areNumbers ? numberType(values) : typeByText(values)
}

/** Whether SQLite converts no value to the declared type, so that a column holds them as they came. */
export const isUntyped = (declared: string): boolean => /^$|BLOB/i.test(declared)

/** The type of a column that converts no value, by the values: bytes only where there are some. */
function typeByValue(values: readonly Cell[]): ValueType {
  if (values.some((value) => value instanceof Uint8Array)) return 'binary'
  return values.every(isNumber) ? numberType(values) : typeByText(values)
}

const isNumber = (value: Cell): boolean => typeof value === 'number' || typeof value === 'bigint'

const numberType = (values: readonly Cell[]): ValueType =>
  values.every((value) => typeof value === 'bigint' || Number.isInteger(value))
    ? 'integer'
    : 'float'

function typeByName(name: string): ValueType {
  if (/(_at|At|_datetime|_timestamp)$/.test(name)) return 'datetime'
  return /(_on|_date)$|^date$/.test(name) ? 'date' : 'text'
}

function typeByText(values: readonly Cell[]): ValueType {
  const all = (holds: (text: string) => boolean): boolean =>
    values.every((value) => typeof value === 'string' && holds(value))
  if (all((text) => DATE.test(text))) return 'date'
  if (all((text) => DATETIME.test(text))) return 'datetime'
  if (all((text) => TIME.test(text))) return 'time'
  return all(isJson) ? 'json' : 'text'
}

/** A text that was cut off is judged by its first character. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  if (text.length >= SAMPLE_LENGTH) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
