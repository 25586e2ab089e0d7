/** Converts values to and from SQLite: integers, booleans, and lossless JSON for workers. */

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import { booleanOf } from '../query/standard.ts'

/** The values of `node:sqlite`. */
export type Cell = null | string | number | bigint | Uint8Array

export const cellSchema = v.custom<Cell>(
  (cell) =>
    cell === null ||
    typeof cell === 'string' ||
    typeof cell === 'number' ||
    typeof cell === 'bigint' ||
    cell instanceof Uint8Array,
)

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const MAX_INT64 = 2n ** 63n - 1n

/** A value to bind. Whole numbers become integers: a text column would store a double 5 as “5.0”. */
export function toCell(value: Value): Cell {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value)
  return value
}

/** SQLite has no digests of its own. */
export const digestOf = (value: Cell): Cell =>
  typeof value === 'string' || value instanceof Uint8Array
    ? createHash('sha256').update(value).digest('hex')
    : null

/** Whether SQLite can hold the number as an integer. */
export const isInt64 = (value: bigint): boolean => value <= MAX_INT64 && value >= -MAX_INT64 - 1n

/** Turns bigints into numbers where a double can hold them, in place. */
export function narrow(rows: Cell[][]): Cell[][] {
  for (const row of rows)
    for (let i = 0; i < row.length; i++) {
      const cell = row[i]
      if (typeof cell === 'bigint' && cell <= MAX_SAFE && cell >= -MAX_SAFE) row[i] = Number(cell)
    }
  return rows
}

/** SQLite has no booleans: converts 0 and 1 in boolean columns. */
export function toValues(rows: Cell[][], isBoolean: readonly boolean[]): Value[][] {
  if (!isBoolean.includes(true)) return rows
  return rows.map((row) => row.map((cell, i) => (isBoolean[i] ? booleanOf(cell) : cell)))
}

/** Rows as JSON, which passes between threads faster than cloned rows. */
export const rowsToJson = (rows: readonly Cell[][]): string =>
  JSON.stringify(rows.some(hasSpecial) ? rows.map((row) => row.map(mark)) : rows)

const hasSpecial = (row: readonly Cell[]): boolean => row.some(isSpecial)

const isSpecial = (cell: Cell): boolean =>
  typeof cell === 'bigint' ||
  (typeof cell === 'number' && !Number.isFinite(cell)) ||
  (typeof cell === 'object' && cell !== null)

type Marked = null | string | number | [mark: 'n' | 'f' | 'b', text: string]

function mark(cell: Cell): Marked {
  if (typeof cell === 'bigint') return ['n', String(cell)]
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : ['f', String(cell)]
  if (cell instanceof Uint8Array) return ['b', Buffer.from(cell).toString('base64')]
  return cell
}

const rowsSchema = v.array(v.array(v.unknown()))

/** The rows of `rowsToJson`. */
export function rowsFromJson(json: string): Cell[][] {
  const parsed: unknown = JSON.parse(json)
  // Only `rowsToJson` makes these texts; to check each cell would cost as much as parsing it.
  const rows = (Array.isArray(parsed) ? parsed : v.parse(rowsSchema, parsed)) as Marked[][]
  for (const row of rows)
    for (let i = 0; i < row.length; i++) {
      const cell = row[i]
      // A row holds both kinds of cells until all of its marked ones are replaced.
      if (typeof cell === 'object' && cell !== null) (row as Cell[])[i] = unmark(cell)
    }
  // No marked cell is left.
  return rows as Cell[][]
}

function unmark([kind, text]: [string, string]): Cell {
  if (kind === 'n') return BigInt(text)
  return kind === 'f' ? Number(text) : new Uint8Array(Buffer.from(text, 'base64'))
}
