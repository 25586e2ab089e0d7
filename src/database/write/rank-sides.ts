/** Reads between which rows others stand. */

import type { KeyValues } from '../../table/source/value.ts'
import type { Sides } from '../../table/source/write-unit.ts'
import { reverse } from '../query/order.ts'
import { join, name, sql, type Sql } from '../query/sql.ts'
import { isAmong, keyIn, keyText } from './keys.ts'
import type { RankRow } from './rank-order.ts'
import { type Order, orderSql, readFrom, whereSql } from './read-order.ts'
import { rareRows, type Work } from './work.ts'

/** The sides of more rows than this are read by going through the order once. */
const SOUGHT = 8

/** Between which rows these stand, before any row moves; by the text of their keys. */
export function* readSides(order: Order, rows: readonly RankRow[]): Work<Map<string, Sides>> {
  const still: Order = { ...order, moved: [] }
  if (rows.length > SOUGHT) return yield* readAllSides(still, rows)
  const { terms } = order.ranks
  const found = new Map<string, Sides>()
  for (const row of rows) {
    // The first one is the row itself.
    const [, next] = yield* readFrom(still, terms, row, 2)
    const [, previous] = yield* readFrom(still, reverse(terms), row, 2)
    found.set(keyText(row.key), { previous: previous?.key ?? null, next: next?.key ?? null })
  }
  return found
}

function* readAllSides(order: Order, rows: readonly RankRow[]): Work<Map<string, Sides>> {
  const { plan, dialect, ranks } = order
  const { key, from } = plan.target
  const over = sql`over (${orderSql(order, ranks.terms)})`
  const aliased = (what: (column: Sql) => Sql, label: string): Sql[] =>
    key.map((column, i) => sql`${what(column.sql)} as ${name(`tablewire ${label} ${i}`)}`)
  const columns = [
    ...aliased((column) => column, 'key'),
    ...aliased((column) => sql`lag(${column}) ${over}`, 'previous'),
    ...aliased((column) => sql`lead(${column}) ${over}`, 'next'),
  ]
  const wanted = isAmong(
    dialect,
    key,
    rows.map((row) => row.key),
  )
  const flag = sql`case when ${wanted} then 1 else 0 end as ${WANTED}`
  const all = sql`select ${join([...columns, flag])} from ${from} ${whereSql(order, [])}`
  const read = yield* rareRows(sql`select * from (${all}) as sided where ${WANTED} = 1`, dialect)
  const keyAt = (row: KeyValues, part: number): KeyValues =>
    keyIn(dialect, key, row.slice(part * key.length, (part + 1) * key.length))
  const sideAt = (row: KeyValues, part: number): KeyValues | null => {
    const side = keyAt(row, part)
    return side.every((value) => value === null) ? null : side
  }
  return new Map(
    read.map((row) => [keyText(keyAt(row, 0)), { previous: sideAt(row, 1), next: sideAt(row, 2) }]),
  )
}

/** No column of a table is called like this. */
const WANTED = name('tablewire wanted')
