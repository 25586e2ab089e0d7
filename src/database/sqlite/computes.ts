/** How SQLite works out new values: it has no decimals, and makes doubles of whole numbers that are too large. */

import type { Amount } from '../../table/source/computed.ts'
import { calculated } from '../../table/source/exact.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Operand } from '../dialect.ts'
import type { Computes } from '../write/computes.ts'
import { type Cell, isInt64 } from './values.ts'

export const computes: Computes = {
  arithmetic,
  append: ({ sql: value }, text) => sql`(${value} || ${bind(text)})`,
  replace: ({ sql: value }, from, to) => sql`replace(${value}, ${bind(from)}, ${bind(to)})`,
  copy: (_, { sql: value }) => value,
  now: ({ type }) =>
    type === 'date' ? sql`date('now')` : type === 'time' ? sql`time('now')` : sql`datetime('now')`,
}

function arithmetic({ sql: value, column }: Operand, by: 'add' | 'multiply', amount: Amount): Sql {
  if (column.type === 'float') {
    const given = bind(Number(amount))
    const result = by === 'add' ? sql`${value} + ${given}` : sql`${value} * ${given}`
    // SQLite would take a text for 0.
    return sql`case when typeof(${value}) in ('integer', 'real') then ${result} else ${value} end`
  }
  const scale = column.type === 'integer' ? 0 : (column.namedScale ?? null)
  return sql`calculated_number(${value}, ${bind(by)}, ${bind(String(amount))}, ${bind(scale)})`
}

/** What SQLite itself says of sums that are too large. */
export const OVERFLOW = 'integer overflow'

/** NULL stays NULL, and what is no number as it is. Throws for whole numbers that the file cannot hold. */
export function calculatedCell(value: Cell, by: Cell, amount: Cell, scale: Cell): Cell {
  if (value === null || value instanceof Uint8Array) return value
  const digits = scale === null ? Infinity : Number(scale)
  const text = calculated(value, by === 'add' ? 'add' : 'multiply', String(amount), digits)
  if (text === undefined) return value
  if (text.includes('.')) return typeof value === 'string' ? text : Number(text)
  const whole = BigInt(text)
  if (typeof value === 'string') return text
  if (isInt64(whole)) return whole
  if (digits === 0) throw new Error(OVERFLOW)
  return Number(text)
}
