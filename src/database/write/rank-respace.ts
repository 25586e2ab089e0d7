/** Gives rows around a full place new whole numbers, so that gaps are left for the next moves. */

import type { Value } from '../../table/source/value.ts'
import { greatestOf, SPACE, unitsOf, valueOf, type RankKind, type RankWindow } from './rank-room.ts'

/** Most rows around the place that may get new values. */
export const MOST_RESPACED = 64

/** New values for the moved rows, for so many rows just before them, and so many after. */
export type Respaced = {
  readonly before: number
  readonly after: number
  /** In the order of the rows: those before, the moved ones, those after. */
  readonly values: readonly Value[]
}

/**
 * Spreads the moved rows and the fewest rows around them evenly. The more rows that takes, the further
 * apart they must be: crowded places get wide gaps, so it takes long until they are full again.
 * `undefined` if that is not possible, or if the numbers have hardly any gaps. `near` holds more than
 * `MOST_RESPACED` rows on each side, unless the order ends there.
 */
export function respace(kind: RankKind, near: RankWindow): Respaced | undefined {
  const crowd = crowdOf(kind, near)
  if (!crowd || !hasGaps(crowd)) return undefined
  const most = Math.min(crowd.others.length, MOST_RESPACED)
  for (let size = 1; size <= most; size++) {
    const written = BigInt(size + near.rows.length)
    const run = roomiestRun(crowd, size, written)
    if (run.apart < written) continue
    const values = Array.from({ length: Number(written) }, (_, i) => {
      const units = run.low + ((run.high - run.low) * BigInt(i + 1)) / (written + 1n)
      return valueOf(kind.column, units, 0)
    })
    const [first, last] = [crowd.place - run.start, run.start + size - crowd.place]
    return kind.isDescending
      ? { before: last, after: first, values: values.toReversed() }
      : { before: first, after: last, values }
  }
  return undefined
}

/** Rows by rising numbers, which is backwards where the order descends. */
type Crowd = {
  readonly others: readonly bigint[]
  /** How many of the others come before the moved rows. */
  readonly place: number
  /** The moved rows' own numbers. */
  readonly moved: readonly bigint[]
  /** All numbers must be greater than this. */
  readonly least: bigint
  /** All numbers must be less than this. */
  readonly most: bigint
}

/** `undefined` if the column takes fractions, or if a row before the moved ones has no value. */
function crowdOf({ column, isDescending }: RankKind, near: RankWindow): Crowd | undefined {
  const isWhole = column.type === 'integer' || column.scale === 0
  const [before, moved, after] = [near.before, near.rows, near.after].map(numbersIn)
  if (!isWhole || !before || !moved || !after || before.length < near.before.length)
    return undefined
  const [lower, upper] = isDescending ? [after.toReversed(), before.toReversed()] : [before, after]
  const others = [...lower, ...upper]
  const [first = 1n] = others
  const least = first > 0n ? 0n : first - 1n
  return { others, place: lower.length, moved, least, most: greatestOf(column) + 1n }
}

/** The numbers among the values; `undefined` if there are others than whole ones. */
function numbersIn(values: readonly Value[]): bigint[] | undefined {
  const filled = values.filter((value) => value !== null)
  const numbers = filled.flatMap((value) => unitsOf(value, 0) ?? [])
  return numbers.length === filled.length ? numbers : undefined
}

/** Whether every other number or more is free. */
function hasGaps({ others, moved }: Crowd): boolean {
  const sorted = [...others, ...moved].toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  const span = (sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n)
  return span >= 2n * BigInt(sorted.length - 1)
}

type Run = {
  readonly start: number
  readonly low: bigint
  readonly high: bigint
  /** The least distance of the rows from one another. */
  readonly apart: bigint
}

/** Of the runs of `size` rows that hold the place, the one with most room. */
function roomiestRun({ others, place, least, most }: Crowd, size: number, written: bigint): Run {
  const runAt = (start: number): Run => {
    const low = others[start - 1] ?? least
    const end = low + SPACE * (written + 1n)
    const high = others[start + size] ?? (end < most ? end : most)
    return { start, low, high, apart: (high - low) / (written + 1n) }
  }
  let best = runAt(Math.max(0, place - size))
  for (let start = best.start + 1; start <= Math.min(place, others.length - size); start++) {
    const run = runAt(start)
    if (run.apart > best.apart) best = run
  }
  return best
}
