/** Writes the new values of an order, after checking that the old ones have not changed meanwhile. */

import type { KeyValues, Value } from '../../table/source/value.ts'
import { all, sql, type Sql } from '../query/sql.ts'
import { chunksOf, temporaryValues, updateSql } from './by-key.ts'
import { batchesOf, isAmong, keyText } from './keys.ts'
import type { RankRow } from './rank-order.ts'
import { readRows, type Order } from './read-order.ts'
import { numberOf, rareCounts, type Work } from './work.ts'
import { Interfered, outsidePolicy } from './writing.ts'

/** A row of an order and its new value; the old value if the row only must not change. */
export type RankWrite = RankRow & { readonly to: Value }

/** How many rows were written; `undefined` if a trigger prevented some. */
export function* writeValues(order: Order, rows: readonly RankWrite[]): Work<number | undefined> {
  const { plan, dialect, ranks } = order
  const writes = rows.filter(({ value, to }) => value !== to)
  if (writes.length === 0) return 0
  if (dialect.rankLock) yield* lockRows(order, rows)
  yield* verify(order, writes, plan.target.changes.update.before)
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
  yield* verify(order, writes, plan.target.policy)
  return writes.length
}

/** Throws `FORBIDDEN` unless the policy's conditions hold for all of the rows. */
function* verify(
  { plan, dialect }: Order,
  rows: readonly RankRow[],
  conditions: readonly Sql[],
): Work<void> {
  const { from, key } = plan.target
  for (const batch of conditions.length > 0 ? batchesOf(key, rows) : []) {
    const these = all([isAmong(dialect, key, keysOf(batch)), ...conditions])
    const allowed = sql`select count(*) from ${from} where ${these}${dialect.lockForShare}`
    if ((yield* numberOf(allowed, dialect)) < batch.length) throw outsidePolicy()
  }
}

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
  const values = yield* temporaryValues(order, order.ranks.column, writes.length)
  const rows = writes.map(({ key }, i) => ({ key, value: values?.[i] ?? null }))
  yield* assign(order, rows)
}

/** Returns how many rows matched. */
function* assign(order: Order, rows: readonly RankRow[]): Work<number> {
  const { dialect, ranks } = order
  const { column } = ranks.column
  const keyed = rows.map(({ key, value }) => ({
    key,
    list: [{ name: column.name, value: dialect.encode(column, value) ?? sql`null` }],
  }))
  let matched = 0
  for (const chunk of chunksOf(keyed, ({ list }) => list))
    matched += (yield* rareCounts(updateSql(order, chunk, ranks.guard), dialect)).matched
  return matched
}
