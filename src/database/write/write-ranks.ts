/** Writes the new values of an order, after checking that the old ones have not changed meanwhile. */

import type { KeyValues, Value } from '../../table/source/value.ts'
import { all, join, name, sql, type Sql } from '../query/sql.ts'
import { batchesOf, inBatches, isAmong, isRow, keyText } from './keys.ts'
import type { RankRow } from './rank-order.ts'
import { greatestOf } from './rank-room.ts'
import { readRows, type Order } from './read-order.ts'
import { numberOf, rareCounts, rareRows, type Work } from './work.ts'
import { Interfered, outsidePolicy } from './writing.ts'

/** A row of an order and its new value; the old value if the row only must not change. */
export type RankWrite = RankRow & { readonly to: Value }

/** How many rows were written; `undefined` if a trigger prevented some. */
export function* writeValues(order: Order, rows: readonly RankWrite[]): Work<number | undefined> {
  const { plan, dialect, ranks } = order
  const writes = rows.filter(({ value, to }) => value !== to)
  if (writes.length === 0) return 0
  if (dialect.rankLock) yield* lockRows(order, rows)
  for (const batch of order.images ? batchesOf(plan.target.key, writes) : [])
    yield* (
      order.images?.keep(plan.imaged, isAmong(dialect, plan.target.key, keysOf(batch)), [
        ranks.column.column.name,
      ]) ?? []
    )
  if (ranks.isUnique && haveOthersValues(writes)) yield* moveAside(order, writes)
  const matched = yield* assign(
    order,
    writes.map((row) => ({ key: row.key, value: row.to })),
  )
  if (matched < writes.length) return undefined
  const { from, key, policy } = plan.target
  for (const batch of policy.length > 0 ? batchesOf(key, writes) : []) {
    const written = isAmong(dialect, key, keysOf(batch))
    const allowed = sql`select count(*) from ${from} where ${all([written, ...policy])}${dialect.lockForShare}`
    if ((yield* numberOf(allowed, dialect)) < batch.length) throw outsidePolicy()
  }
  return writes.length
}

/** Rows that one statement updates. */
const ROWS_AT_ONCE = 100

const keysOf = (rows: readonly { readonly key: KeyValues }[]): KeyValues[] =>
  rows.map(({ key }) => key)

/** The order was read without locks, because they would have covered all rows before these. */
function* lockRows(order: Order, rows: readonly RankWrite[]): Work<void> {
  const { plan, dialect, ranks } = order
  const expected = new Map(rows.map(({ key, value }) => [keyText(key), keyText([value])]))
  const once = new Map(rows.map((row) => [keyText(row.key), row]))
  for (const batch of batchesOf(plan.target.key, [...once.values()])) {
    const locked = all([isAmong(dialect, plan.target.key, keysOf(batch)), ...ranks.conditions])
    for (const { key, value } of yield* readRows(
      order,
      sql`where ${locked}${dialect.lockForUpdate}`,
    )) {
      if (expected.get(keyText(key)) !== keyText([value])) throw new Interfered()
      expected.delete(keyText(key))
    }
  }
  if (expected.size > 0) throw new Interfered()
}

function haveOthersValues(writes: readonly RankWrite[]): boolean {
  const old = new Set(writes.map(({ value }) => keyText([value])))
  return writes.some(({ to }) => old.has(keyText([to])))
}

/** For a unique column: moves the rows to temporary values first, so that none clash meanwhile. */
function* moveAside(order: Order, writes: readonly RankWrite[]): Work<void> {
  const { column: of } = order.ranks.column
  if (of.nullable) {
    yield* assign(
      order,
      writes.map(({ key }) => ({ key, value: null })),
    )
    return
  }
  const { least, most } = yield* endsOf(order)
  const isFull = most + BigInt(writes.length) > greatestOf(of)
  const free = (n: bigint): bigint => (isFull ? least - n : most + n)
  yield* assign(
    order,
    writes.map(({ key }, i) => ({ key, value: free(BigInt(i + 1)) })),
  )
}

/** The least and the greatest value of all rows, in the order or not, as whole numbers. */
export function* endsOf({ plan, dialect, ranks }: Order): Work<{ least: bigint; most: bigint }> {
  const { sql: column, column: of } = ranks.column
  const [row] = yield* rareRows(
    sql`select min(${column}), max(${column}) from ${plan.target.from}`,
    dialect,
  )
  const whole = (value: Value = 0): bigint =>
    of.type === 'integer' ? BigInt(String(value ?? 0)) : BigInt(Math.floor(Number(value)))
  return { least: whole(row?.[0]), most: whole(row?.[1]) }
}

/** Returns how many rows matched. */
function* assign(order: Order, rows: readonly RankRow[]): Work<number> {
  const { plan, dialect, ranks } = order
  const { from, key } = plan.target
  let matched = 0
  for (const batch of inBatches(rows, ROWS_AT_ONCE)) {
    const cases = batch.map(
      (row) => sql`when ${isRow(dialect, key, row.key)} then ${encoded(order, row)}`,
    )
    const value = sql`case ${join(cases, ' ')} end`
    const where = all([isAmong(dialect, key, keysOf(batch)), ...ranks.guard])
    const set = sql`update ${from} set ${name(ranks.column.column.name)} = ${value} where ${where}`
    matched += (yield* rareCounts(set, dialect)).matched
  }
  return matched
}

const encoded = ({ dialect, ranks }: Order, { value }: RankRow): Sql =>
  dialect.encode(ranks.column.column, value) ?? sql`null`
