/** Writes values that put moved rows into their places, changing as few rows as possible. */

import { AppError } from '../../server/app-error.ts'
import type { RankResult, Sides } from '../../table/source/write-unit.ts'
import type { Value } from '../../table/source/value.ts'
import { all, sql } from '../query/sql.ts'
import { isAmong, keyText } from './keys.ts'
import {
  merged,
  movedRunsOf,
  changedNeighbours,
  type MovedRunPlace,
  type RankRow,
  type MovedRun,
} from './rank-order.ts'
import type { RankPlan } from './rank-plan.ts'
import { MOST_RESPACED, respace } from './rank-respace.ts'
import {
  greatestOf,
  permuteValues,
  SPACE,
  spaceIn,
  valueOf,
  valuesFor,
  type RankKind,
  type RankWindow,
} from './rank-room.ts'
import { readSides } from './rank-sides.ts'
import {
  type Anchor,
  countBefore,
  countFilled,
  MisplacedAnchor,
  type Order,
  readByKeys,
  readPlaces,
  readSpans,
  type Span,
} from './read-order.ts'
import { numberOf, rareRows, type Work } from './work.ts'
import { endsOf } from './by-key.ts'
import { writeValues, type RankWrite } from './write-ranks.ts'
import { untouched, type Writing } from './writing.ts'

export function* writeRanks(writing: Writing, ranks: RankPlan): Work<RankResult> {
  yield* lockRanks(writing, ranks)
  const moved = ranks.at.map(({ key }) => key)
  if (ranks.isSpacedOut) return yield* spaceOut({ ...writing, ranks, moved })
  if (moved.length === 0) return { status: 'done', matched: 0, changed: 0 }
  const order: Order = { ...writing, ranks, moved }
  const rows = yield* readByKeys(order, moved)
  const found = new Map(rows.map((row) => [keyText(row.key), row]))
  const missing = moved.filter((key) => !found.has(keyText(key)))
  if (missing.length > 0) return { status: 'missing', keys: missing }
  const runs = movedRunsOf(ranks.at, (key) => found.get(keyText(key)) ?? { key, value: null })
  const standing = yield* readSides(order, rows.filter(isExpected(ranks)))
  const anchor = yield* findAnchor(order, runs)
  const near = anchor && (yield* moveAround({ ...order, anchor }, runs, { rows, standing }))
  return near ?? (yield* move(order, runs, { rows, standing }))
}

/** Whether a person saw where the row stood. */
function isExpected({ expected }: RankPlan): (row: RankRow) => boolean {
  const seen = new Set(expected.flatMap(({ key, from }) => (from ? [keyText(key)] : [])))
  return ({ key }) => seen.has(keyText(key))
}

/** The moved rows, and between which rows those of `expected` stand. */
type Before = {
  readonly rows: readonly RankRow[]
  readonly standing: ReadonlyMap<string, Sides>
}

/** Before this many rows, counting from the start is as quick. */
const COUNTED = 100
/** Most rows between the first place and the last, of which all are read. */
const NEAR = 10_000

/**
 * The row that the first moved one is expected to follow. Its place is taken from the ranks: what
 * counts is that rows stand where they were seen, not how many come before them.
 */
function* findAnchor(order: Order, runs: readonly MovedRun[]): Work<Anchor | undefined> {
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last || first.skip < COUNTED || last.skip - first.skip > NEAR) return undefined
  const nameOf = keyText(first.rows[0]?.key ?? [])
  const previous = order.ranks.expected.find(({ key }) => keyText(key) === nameOf)?.previous
  if (!previous || order.moved.some((key) => keyText(key) === keyText(previous))) return undefined
  const [row] = yield* readByKeys(order, [previous])
  return row && row.value !== null ? { row, skip: first.skip - 1 } : undefined
}

/** `undefined` if the anchor stands elsewhere, or does not tell enough; nothing is written then. */
function* moveAround(...given: Parameters<typeof move>): Work<RankResult | undefined> {
  try {
    return yield* move(...given)
  } catch (error) {
    if (error instanceof MisplacedAnchor) return undefined
    throw error
  }
}

function* move(
  order: Order,
  runs: readonly MovedRun[],
  { rows, standing }: Before,
): Work<RankResult> {
  const { ranks, moved } = order
  const places = yield* readNeighbours(order, runs)
  const current = places ? changedNeighbours(places, ranks.expected, standing) : []
  if (!places || current) return { status: 'conflict', current: current ?? [] }
  const writes =
    (yield* intoGaps(order, places)) ??
    (yield* amongRespaced(order, places)) ??
    (yield* respaced(order, places, rows))
  if (!writes) return { status: 'refused', rule: 'other', columns: [ranks.column.column.name] }
  const written = yield* writeValues(order, writes)
  return written === undefined
    ? untouched
    : { status: 'done', matched: moved.length, changed: written }
}

/** Without a lock, two units that read the same order could put rows into one place. */
function* lockRanks({ dialect }: Writing, { table }: RankPlan): Work<void> {
  const lock = dialect.rankLock?.(table)
  if (!lock) return
  const [row] = yield* rareRows(lock.acquire, dialect)
  if (!row || row[0] === 0 || row[0] === null) throw new AppError('BUSY', { retryAfter: 1 })
}

/** Gives all rows numbers that are far apart, in the order that they have. */
function* spaceOut(order: Order): Work<RankResult> {
  const { column, isDescending } = order.ranks
  const refused = { status: 'refused', rule: 'other', columns: [column.column.name] } as const
  const rows = yield* readPlaces(order, 0, MOST_ROWS + 1)
  if (rows.length > MOST_ROWS) return refused
  const space = spaceIn(column.column, rows.length)
  if (space === undefined) return refused
  const last = BigInt(rows.length) + 1n
  const writes = rows.map((row, i): RankWrite => {
    const place = isDescending ? last - BigInt(i + 1) : BigInt(i + 1)
    return { ...row, to: valueOf(column.column, place * space, 0) }
  })
  const written = yield* writeValues(order, writes)
  return written === undefined
    ? untouched
    : { status: 'done', matched: rows.length, changed: written }
}

/** How many neighbours on each side tell how far apart the values are. */
const NEIGHBOURS = 2

/** `undefined` if the order has fewer rows than the places need. */
function* readNeighbours(
  order: Order,
  runs: readonly MovedRun[],
): Work<MovedRunPlace[] | undefined> {
  const counts = runs.map(({ skip }) => Math.min(skip, NEIGHBOURS))
  const spans = runs.map(({ skip }, i): Span => {
    const count = counts[i] ?? 0
    return { skip: skip - count, limit: count + NEIGHBOURS }
  })
  const read = yield* readSpans(order, spans)
  const all = runs.map((run, i): MovedRunPlace => {
    const rows = read[i] ?? []
    return { run, before: rows.slice(0, counts[i]), after: rows.slice(counts[i]) }
  })
  return all.every(({ before }, i) => before.length === counts[i]) ? all : undefined
}

const valuesOf = (rows: readonly RankRow[]): Value[] => rows.map(({ value }) => value)

type Wanted = Record<'before' | 'rows' | 'after', readonly RankRow[]>

const windowOf = ({ before, rows, after }: Wanted): RankWindow => ({
  before: valuesOf(before),
  rows: valuesOf(rows),
  after: valuesOf(after),
})

const kindOf = ({ ranks: { column, isDescending } }: Order): RankKind => ({
  column: column.column,
  isDescending,
})

/** The rows whose values change, and the neighbours that their new values depend on. */
function* findRoom(order: Order, wanted: Wanted): Work<RankWrite[] | undefined> {
  for (const valuesIn of [valuesFor, permuteValues]) {
    const values = valuesIn(kindOf(order), windowOf(wanted))
    const writes = values && (yield* writesOf(order, wanted, values))
    if (writes) return writes
  }
  return undefined
}

/** `undefined` if rows outside the order hold one of the values and may not share it. */
function* writesOf(
  order: Order,
  { before, rows, after }: Wanted,
  values: readonly Value[],
): Work<RankWrite[] | undefined> {
  const writes = rows.map((row, i): RankWrite => ({ ...row, to: values[i] ?? null }))
  const changed = writes.filter(({ value, to }) => value !== to)
  const neighbours = [before.at(-1), after[0]].flatMap((row) =>
    row ? [{ ...row, to: row.value }] : [],
  )
  return (yield* isTaken(order, changed)) ? undefined : [...changed, ...neighbours]
}

/** Whether rows outside the order already hold one of the values of a unique column. */
function* isTaken(order: Order, writes: readonly RankWrite[]): Work<boolean> {
  const { plan, dialect, ranks } = order
  if (!ranks.isUniqueBeyond || ranks.conditions.length === 0 || writes.length === 0) return false
  const values = isAmong(
    dialect,
    [ranks.column],
    writes.map(({ to }) => [to]),
  )
  const taken = sql`select count(*) from ${plan.target.from} where ${values} and ${dialect.isNotTrue(all(ranks.conditions))}`
  return (yield* numberOf(taken, dialect)) > 0
}

/** Writes only the moved rows; `undefined` if there is no gap for one of them. */
function* intoGaps(order: Order, places: readonly MovedRunPlace[]): Work<RankWrite[] | undefined> {
  const writes: RankWrite[] = []
  for (const { run, before, after } of places) {
    const found = yield* findRoom(order, { before, rows: run.rows, after })
    if (!found) return undefined
    writes.push(...found)
  }
  return writes
}

/**
 * Writes the moved rows, if they become neighbours, and a few around them, so that gaps are left for
 * the next moves; `undefined` if the column has hardly any gaps near them.
 */
function* amongRespaced(
  order: Order,
  [place, ...others]: readonly MovedRunPlace[],
): Work<RankWrite[] | undefined> {
  if (!place || others.length > 0) return undefined
  const { skip, rows: moved } = place.run
  const count = Math.min(skip, MOST_RESPACED + 1)
  const near = yield* readPlaces(order, skip - count, count + MOST_RESPACED + 1)
  const [before, after] = [near.slice(0, count), near.slice(count)]
  const found = respace(kindOf(order), windowOf({ before, rows: moved, after }))
  if (!found) return undefined
  const [from, to] = [count - found.before, count + found.after]
  const rows = [...near.slice(from, count), ...moved, ...near.slice(count, to)]
  const wanted = { before: near.slice(0, from), rows, after: near.slice(to) }
  return yield* writesOf(order, wanted, found.values)
}

/** Least number of rows to add on each side if there was no room. */
const LEAST_WIDER = 8
/** Most rows to consider: writing this many takes some seconds. */
const MOST_ROWS = 100_000

/**
 * Also writes the rows between the old and new places, and further ones if those are not enough;
 * `undefined` if that would be too many.
 */
function* respaced(
  order: Order,
  places: readonly MovedRunPlace[],
  moved: readonly RankRow[],
): Work<RankWrite[] | undefined> {
  const runs = places.map(({ run }) => run)
  let [from, to] = yield* firstSpan(order, places, moved)
  while (to - from <= MOST_ROWS) {
    const count = Math.min(from, NEIGHBOURS)
    const rows = yield* readPlaces(order, from - count, count + to - from + NEIGHBOURS)
    const others = rows.slice(count, count + to - from)
    const window = {
      before: rows.slice(0, count),
      rows: merged(runs, others, from),
      after: rows.slice(count + to - from),
    }
    const writes = yield* findRoom(order, window)
    if (writes) return writes
    if (window.before.length + window.after.length === 0)
      return yield* beyondOthers(order, window.rows)
    const wider = Math.max(LEAST_WIDER, to - from)
    to = from + others.length + (window.after.length > 0 ? wider : 0)
    from = Math.max(0, from - wider)
  }
  return undefined
}

/**
 * Numbers the whole order anew, beyond all other rows: in a column in which no two rows of different
 * orders may share a value, those of the others may lie between its own. `undefined` without room.
 */
function* beyondOthers(order: Order, rows: readonly RankRow[]): Work<RankWrite[] | undefined> {
  const { column: of } = order.ranks.column
  if (!order.ranks.isUniqueBeyond) return undefined
  const ends = yield* endsOf(order, order.ranks.column)
  if (!ends) return undefined
  const count = BigInt(rows.length)
  const free = (greatestOf(of) - ends.most) / count
  const space = free < SPACE ? free : SPACE
  if (space < 1n) return undefined
  return rows.map((row, i): RankWrite => {
    const place = order.ranks.isDescending ? count - BigInt(i) : BigInt(i + 1)
    return { ...row, to: valueOf(of, ends.most + place * space, 0) }
  })
}

/** The span of unmoved rows to consider first. */
function* firstSpan(
  order: Order,
  places: readonly MovedRunPlace[],
  moved: readonly RankRow[],
): Work<[from: number, to: number]> {
  const skips = places.map(({ run }) => run.skip)
  const last = Math.max(...skips)
  // Rows without a value come last, so those before a moved row need values, too.
  if (places.some(({ before }) => before.at(-1)?.value === null))
    return [Math.min(...skips, yield* countFilled(order)), last]
  for (const row of [moved[0], moved.at(-1)]) if (row) skips.push(yield* countBefore(order, row))
  return [Math.min(...skips), Math.max(...skips)]
}
