/** Reads an order of rows by places, without the rows that move. */

import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { anyRun, type Block, fromAnchor, type Places } from '../query/keyset.ts'
import { reverse, type Term } from '../query/order.ts'
import { all, join, name, sql, type Sql, whole } from '../query/sql.ts'
import { decoded, readSql } from './columns.ts'
import { isAmong, keyIn } from './keys.ts'
import type { RankRow } from './rank-order.ts'
import type { RankPlan } from './rank-plan.ts'
import { numberOf, rareRows, type Work } from './work.ts'
import type { Writing } from './writing.ts'

/** An order, and the rows that move in it. */
export type Order = Writing & {
  readonly ranks: RankPlan
  readonly moved: readonly KeyValues[]
  /** Default: places are counted from the start, which takes longer the further in they are. */
  readonly anchor?: Anchor
}

type Reading = Omit<Order, 'moved'>

/** An unmoved row with a value, and how many unmoved rows come before it. */
export type Anchor = { readonly row: RankRow; readonly skip: number }

/** Another number of rows comes before the anchor than was said, or that is not enough to go by. */
export class MisplacedAnchor extends Error {}

/** The rows with these keys that the actor sees in the order, sorted by place. */
export function* readByKeys(order: Order, keys: readonly KeyValues[]): Work<RankRow[]> {
  const { plan, dialect, ranks } = order
  const rows = [isAmong(dialect, plan.target.key, keys), ...ranks.conditions]
  return yield* readRows(order, sql`where ${all(rows)}${orderSql(order, ranks.terms)}`)
}

/** The unmoved rows from a place on: those with a value, then those without. */
export function* readPlaces(order: Order, skip: number, limit: number): Work<RankRow[]> {
  const { sql: column } = order.ranks.column
  const [first, ...others] = order.ranks.terms
  if (!first || limit <= 0) return []
  if (order.anchor) return yield* readAround(order, order.anchor, { skip, limit })
  if (first.nulls === 'none') return yield* readBlock(order, order.ranks.terms, [], { skip, limit })
  const isFilled = sql`${column} is not null`
  const filledTerms: Term[] = [{ ...first, nulls: 'none' }, ...others]
  const filled = yield* readBlock(order, filledTerms, [isFilled], { skip, limit })
  if (filled.length === limit) return filled
  const before = yield* countFilled(order)
  const rest = { skip: Math.max(0, skip - before), limit: limit - filled.length }
  return [...filled, ...(yield* readBlock(order, others, [sql`${column} is null`], rest))]
}

/** More spans than this are read by numbering the rows once, instead of counting to each from the start. */
const COUNTED_SPANS = 8

/** As `readPlaces`, for each of the spans. */
export function* readSpans(order: Order, spans: readonly Span[]): Work<RankRow[][]> {
  if (spans.length <= COUNTED_SPANS) {
    const all: RankRow[][] = []
    for (const { skip, limit } of spans) all.push(yield* readPlaces(order, skip, limit))
    return all
  }
  const rowAt = order.anchor
    ? yield* readWhole(order, spans)
    : yield* readNumbered(order, spans.flatMap(placesIn))
  return spans.map((span) => placesIn(span).flatMap((place) => rowAt(place) ?? []))
}

/** The places of a span, from 1. */
const placesIn = ({ skip, limit }: Span): number[] =>
  Array.from({ length: limit }, (_, i) => skip + i + 1)

type RowAt = (place: number) => RankRow | undefined

/** From the first span to the last, which are not far apart where there is an anchor. */
function* readWhole(order: Order, spans: readonly Span[]): Work<RowAt> {
  const start = Math.min(...spans.map(({ skip }) => skip))
  const end = Math.max(...spans.map(({ skip, limit }) => skip + limit))
  const rows = yield* readPlaces(order, start, end - start)
  return (place) => rows[place - start - 1]
}

function* readNumbered(order: Order, places: readonly number[]): Work<RowAt> {
  const { plan, dialect, ranks } = order
  const number = sql`row_number() over (${orderSql(order, ranks.terms)})`
  const numbered = sql`select ${columnList(order)}, ${number} as ${NUMBER} from ${plan.target.from} ${whereSql(order, [])}`
  const wanted = join([...new Set(places)].map(whole))
  const rows = yield* rareRows(
    sql`select * from (${numbered}) as numbered where ${NUMBER} in (${wanted})`,
    dialect,
  )
  const found = new Map(rows.map((row) => [Number(row.at(-1)), rankRow(order, row)]))
  return (place) => found.get(place)
}

/** No column of a table is called like this. */
const NUMBER = name('tablewire number')

/** How many unmoved rows have a value. */
export function* countFilled(order: Order): Work<number> {
  if (order.anchor) throw new MisplacedAnchor()
  return yield* countRows(order, [sql`${order.ranks.column.sql} is not null`])
}

/** How many unmoved rows come before this one, which moves. */
export function* countBefore(order: Order, row: RankRow): Work<number> {
  const { anchor, ranks } = order
  if (!anchor) return yield* countRows(order, [anyRun(runsFrom(order, reverse(ranks.terms), row))])
  if (row.value === null) throw new MisplacedAnchor()
  // Both counts have the anchor in them, and one of them is 0.
  const until = yield* countBetween(order, row, anchor.row)
  if (until > anchor.skip + 1) throw new MisplacedAnchor()
  if (until > 0) return anchor.skip + 1 - until
  return anchor.skip + (yield* countBetween(order, anchor.row, row))
}

/** The rows from one place to another, with the unmoved rows that are there; 0 if these are in reverse. */
function countBetween(order: Order, from: RankRow, to: RankRow): Work<number> {
  const { dialect, ranks } = order
  const [low, high] = ranks.isDescending ? [to, from] : [from, to]
  return countRows(order, [
    // Indexes seek by these; the others are exact.
    dialect.seeks(ranks.column, '>=', low.value),
    dialect.seeks(ranks.column, '<=', high.value),
    anyRun(runsFrom(order, ranks.terms, from)),
    anyRun(runsFrom(order, reverse(ranks.terms), to)),
  ])
}

function* readAround(order: Order, anchor: Anchor, { skip, limit }: Span): Work<RankRow[]> {
  const { terms } = order.ranks
  const back = Math.max(0, anchor.skip - skip)
  const ahead = Math.max(0, skip + limit - anchor.skip)
  // The first one is the anchor itself. Before the start, there must be none.
  const most = back + (skip === 0 ? 2 : 1)
  const [, ...before] = back > 0 ? yield* readFrom(order, reverse(terms), anchor.row, most) : []
  if (before.length !== back) throw new MisplacedAnchor()
  const after = yield* readFrom(order, terms, anchor.row, ahead)
  const start = Math.max(0, skip - anchor.skip)
  return [...before.toReversed(), ...after].slice(start, start + limit)
}

/** This row, and those after it by these terms. */
export function* readFrom(
  order: Order,
  terms: readonly Term[],
  row: RankRow,
  limit: number,
): Work<RankRow[]> {
  const rows: RankRow[] = []
  for (const { terms: own, conditions } of runsFrom(order, terms, row))
    if (rows.length < limit) {
      const span = { skip: 0, limit: limit - rows.length }
      rows.push(...(yield* readBlock(order, own, conditions, span)))
    }
  return rows
}

function runsFrom(order: Order, terms: readonly Term[], { key, value }: RankRow): Block[] {
  const { plan, dialect, ranks } = order
  const columns = [ranks.column, ...plan.target.key]
  const operandOf = (name: string): Operand =>
    columns.find(({ column }) => column.name === name) ?? ranks.column
  const places: Places = {
    column: (name) => operandOf(name).sql,
    seeks: (name, comparison, one) => dialect.seeks(operandOf(name), comparison, one),
    seeksAll: () => undefined,
  }
  const values = terms.map(({ column }): Value => {
    const part = plan.target.key.findIndex((one) => one.column.name === column)
    return part < 0 ? value : (key[part] ?? null)
  })
  return fromAnchor(terms, values, places)
}

/** So many rows, after so many others. */
export type Span = { readonly skip: number; readonly limit: number }

function* readBlock(
  order: Order,
  terms: readonly Term[],
  conditions: readonly Sql[],
  { skip, limit }: Span,
): Work<RankRow[]> {
  const { dialect } = order
  const window = sql` ${dialect.limit(limit, skip)}`
  return yield* readRows(
    order,
    sql`${whereSql(order, conditions)}${orderSql(order, terms)}${window}`,
  )
}

function* countRows(order: Order, conditions: readonly Sql[]): Work<number> {
  const { from } = order.plan.target
  const counted = sql`select count(*) from ${from} ${whereSql(order, conditions)}`
  return yield* numberOf(counted, order.dialect)
}

export function whereSql({ plan, dialect, ranks, moved }: Order, conditions: readonly Sql[]): Sql {
  const isMoved = isAmong(dialect, plan.target.key, moved)
  return sql`where ${all([...conditions, ...ranks.conditions, dialect.isNotTrue(isMoved)])}`
}

export function orderSql({ plan, dialect, ranks }: Order, terms: readonly Term[]): Sql {
  const columns = [ranks.column, ...plan.target.key]
  const list = terms.flatMap((term) => {
    const found = columns.find(({ column }) => column.name === term.column)
    return found ? [dialect.ordered(found.sql, term, found.column)] : []
  })
  return sql` order by ${join(list)}`
}

/** `rest` follows the table in the statement. */
export function* readRows(order: Reading, rest: Sql): Work<RankRow[]> {
  const { plan, dialect } = order
  const selected = sql`select ${columnList(order)} from ${plan.target.from} ${rest}`
  const rows = yield* rareRows(selected, dialect)
  return rows.map((row) => rankRow(order, row))
}

/** The columns that `rankRow` reads. */
const columnList = ({ plan, dialect, ranks }: Reading): Sql =>
  join([...plan.target.key.map((column) => column.sql), readSql(dialect, ranks.column)])

function rankRow({ plan, dialect, ranks }: Reading, row: readonly Value[]): RankRow {
  const { key } = plan.target
  return {
    key: keyIn(dialect, key, row),
    value: decoded(dialect, ranks.column.column, row[key.length]),
  }
}
