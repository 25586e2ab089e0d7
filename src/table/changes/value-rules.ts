/** What the schema says of values: told by field before anything is written. */

import { givenIn } from '../source/computed.ts'
import { type Column, type Table, withoutPadding } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import type { RowChange, Values } from '../source/write-unit.ts'
import type { ChangeProblem } from './change.ts'

export type ValueProblem = Pick<ChangeProblem, 'kind' | 'columns' | 'limit'>

/** What is wrong with the values of a row that is created or updated; nothing is of one that is deleted. */
export function problemsOfRow(table: Table, row: RowChange): ValueProblem[] {
  if ('insert' in row) return problemsOfInsert(table, row.insert, takenBy(row))
  return 'update' in row ? problemsOfValues(table, givenIn(row.set)) : []
}

/** The columns that a new row takes from the key of another one. */
export const takenBy = (row: RowChange): string[] =>
  'insert' in row ? Object.keys(row.keyOf?.columns ?? {}) : []

/** What is wrong with the values of a new row. `taken`: columns whose values come from another row's key. */
export function problemsOfInsert(
  table: Table,
  values: Values,
  taken: readonly string[] = [],
): ValueProblem[] {
  const missing = table.columns
    .filter((column) => isAsked(column) && !Object.hasOwn(values, column.name))
    .filter(({ name }) => !taken.includes(name))
    .map(({ name }): ValueProblem => ({ kind: 'required', columns: [name] }))
  return [...missing, ...problemsOfValues(table, values)]
}

/** What is wrong with values that are to be set. */
export const problemsOfValues = ({ columns }: Table, values: Values): ValueProblem[] =>
  columns
    .filter(({ name }) => Object.hasOwn(values, name))
    .flatMap((column) => problemOf(column, values[column.name] ?? null) ?? [])

/** Whether a new row needs a value that nobody but the person can give. */
export const isAsked = ({ nullable, generated, hasDefault, identity }: Column): boolean =>
  !nullable && !generated && !hasDefault && !identity

function problemOf(column: Column, value: Value): ValueProblem | undefined {
  const columns = [column.name]
  if (value === null)
    return column.nullable || column.identity ? undefined : { kind: 'required', columns }
  const { maxLength, allowed } = column
  if (typeof value === 'string' && maxLength !== undefined && lengthOf(value, column) > maxLength)
    return { kind: 'tooLong', columns, limit: maxLength }
  if (allowed && !isSet(column) && !isAllowed(allowed, value))
    return { kind: 'notAllowed', columns }
  const { before, after } = digitsOf(value)
  const digits = wholeDigits(column)
  if (digits !== undefined && before > digits) return { kind: 'outOfRange', columns, limit: digits }
  const { scale } = column
  if (scale !== undefined && after > Math.max(scale, 0))
    return { kind: 'tooPrecise', columns, limit: Math.max(scale, 0) }
  return isChanged(column, value) ? { kind: 'type', columns } : undefined
}

/** In characters. Blanks that fill a text up are no part of it; others would be cut off and not refused. */
const lengthOf = (text: string, { isPadded = false }: Column): number =>
  [...(isPadded ? withoutPadding(text) : text)].length

/** Whether the database would keep another number, or could not even be asked. */
function isChanged({ type, declared }: Column, value: Value): boolean {
  if (type !== 'integer' || typeof value !== 'bigint') return false
  const bits = /[\w)] unsigned/i.test(declared) ? BigInt.asUintN : BigInt.asIntN
  return bits(64, value) !== value
}

/** Holds several of the listed values at once. */
const isSet = ({ declared, array }: Column): boolean =>
  array === true || declared.toLowerCase().startsWith('set')

/** Letter case is left to the database, which may ignore it. */
const isAllowed = (allowed: readonly string[], value: Value): boolean => {
  const text = String(value).toLowerCase()
  return allowed.some((one) => one.toLowerCase() === text)
}

/** The most digits before the point; `undefined` if the type does not limit them. */
function wholeDigits({ type, precision, scale = 0 }: Column): number | undefined {
  return type === 'decimal' && precision !== undefined ? precision - scale : undefined
}

/** How many digits that count a number has before its point, and after it. */
function digitsOf(value: Value): { readonly before: number; readonly after: number } {
  const [, before = '', after = ''] = /^[-+]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(String(value)) ?? []
  return { before: before.length, after: after.length }
}
