/** What a sample of rows says of a column: how many values it has, and whether they tell rows apart. */

import { type Column, isUniqueColumn, type Table } from '../source/schema.ts'
import { factsOf } from './column-facts.ts'
import { isUuid } from './kinds/key.ts'

/** Fewest rows that show what the values of a column are like. */
const SHOWING = 4

/** Most rows in a sample of `rows` that may be without a value, or have one that another has. */
const fewOf = (rows: number, share = FEW): number => Math.max(1, rows * share)
const FEW = 0.1

/** Whether nearly every row has a value, or none was looked at. */
export const isFilled = ({ sampled }: Column): boolean =>
  sampled === undefined || sampled.blanks <= fewOf(sampled.rows)

/** Whether no row that was looked at has a value. */
export const isEmpty = (column: Column): boolean =>
  (column.sampled?.rows ?? 0) >= SHOWING && column.sampled?.blanks === column.sampled?.rows

/** Whether all rows that were looked at have the same value. */
export const isConstant = (column: Column): boolean =>
  (column.sampled?.rows ?? 0) >= SHOWING &&
  column.sampled?.blanks === 0 &&
  new Set((column.sample ?? []).map(String)).size === 1 &&
  (column.distinct ?? 1) <= 1

/** Fewest different values by statistics, as a share of all rows: their estimates are rough. */
const BY_STATISTICS = 0.5

/** Whether nearly all of its values differ, or none is known; `repeated` is the share that need not. */
export function isDistinct(column: Column, table: Table, repeated = FEW): boolean {
  const { sample = [], distinct = 0 } = column
  if (isUniqueColumn(column.name, table)) return true
  const isEstimated = distinct > sample.length
  if (isEstimated && distinct < (table.estimate ?? 0) * BY_STATISTICS) return false
  return sample.length - new Set(sample.map(String)).size <= fewOf(sample.length, repeated)
}

/** Digits that mean nothing to people: UUIDs, hashes and keys. */
export function isForMachines(column: Column, table: Table): boolean {
  const { sample } = factsOf(column, table, undefined)
  return (
    sample.length > 0 &&
    sample.every((text) => isUuid(text) || /^(?=.*\d)[\da-f]{16,}$/i.test(text))
  )
}

/** Average length of its texts, characters; 0 without a sample. */
export function averageLength({ sample = [] }: Column): number {
  const length = sample.reduce<number>((sum, value) => sum + String(value).length, 0)
  return sample.length === 0 ? 0 : length / sample.length
}
