/** A simple model of a row source: the whole table in memory. */

import type { Predicate } from '../../src/table/source/predicate.ts'
import type { SortColumn } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { FixtureTable } from './fixture.ts'

export type ModelRow = ReadonlyMap<string, Value>

export const modelRows = ({ columns, rows }: FixtureTable): ModelRow[] =>
  [...rows].map((row) => new Map(columns.map(({ name }, i) => [name, row[i] ?? null])))

/** Whether a row fulfils a condition; relations have tests of their own. */
export function matches(predicate: Predicate, row: ModelRow): boolean {
  switch (predicate.op) {
    case 'and':
      return predicate.all.every((part) => matches(part, row))
    case 'or':
      return predicate.all.some((part) => matches(part, row))
    case 'not':
      return !matches(predicate.of, row)
    case 'related':
    case 'referred':
      throw new Error('The model has one table.')
    default:
      return matchesValue(predicate, row.get(predicate.column) ?? null)
  }
}

type OnValue = Exclude<Predicate, { op: 'and' | 'or' | 'not' | 'related' | 'referred' }>

function matchesValue(predicate: OnValue, value: Value): boolean {
  switch (predicate.op) {
    case 'null':
      return value === null
    case 'eq':
      return isSame(value, predicate.value)
    case 'in':
      return predicate.values.some((one) => isSame(value, one))
    case 'contains':
      return value !== null && lower(String(value)).includes(lower(predicate.text))
    case 'starts':
      return value !== null && lower(String(value)).startsWith(lower(predicate.text))
    default:
      return value !== null && predicate.value !== null
        ? COMPARED[predicate.op](compare(value, predicate.value))
        : false
  }
}

const COMPARED = {
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
}

/** Ignores letter case, but not accents. */
const lower = (text: string): string => text.toLowerCase()

const isSame = (a: Value, b: Value): boolean =>
  a === null || b === null ? a === b : compare(a, b) === 0

/** Texts by their bytes, everything else by its amount. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  const [x, y] = [amount(a), amount(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

const amount = (value: Value): number | bigint =>
  typeof value === 'bigint' ? value : Number(value)

/** The rows in order: NULLs last both ways, the key as tie-break in the last direction. */
export function ordered(
  rows: readonly ModelRow[],
  sort: readonly SortColumn[],
  key: readonly string[],
): ModelRow[] {
  const descending = sort.at(-1)?.descending ?? false
  const terms = [...sort, ...key.map((column) => ({ column, descending }))]
  return rows.toSorted((a, b) => {
    for (const { column, descending } of terms) {
      const order = compareNullsLast(a.get(column) ?? null, b.get(column) ?? null, descending)
      if (order !== 0) return order
    }
    return 0
  })
}

function compareNullsLast(a: Value, b: Value, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return descending ? compare(b, a) : compare(a, b)
}
