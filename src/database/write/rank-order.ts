/** The new places of moved rows, and the order that they make with the others. */

import type { Neighbours, Sides } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { keyText } from './keys.ts'

export type Placed = { readonly key: KeyValues; readonly rank: number }

/** A row and its value in the column that keeps the order. */
export type RankRow = { readonly key: KeyValues; readonly value: Value }

/** Moved rows that become neighbours. */
export type MovedRun = {
  readonly rows: readonly RankRow[]
  /** How many unmoved rows come before. */
  readonly skip: number
}

/** `at` is sorted by rank. */
export function movedRunsOf(at: readonly Placed[], rowOf: (key: KeyValues) => RankRow): MovedRun[] {
  const runs: { rows: RankRow[]; skip: number }[] = []
  for (const [moved, { key, rank }] of at.entries()) {
    const skip = rank - 1 - moved
    const last = runs.at(-1)
    if (last?.skip === skip) last.rows.push(rowOf(key))
    else runs.push({ rows: [rowOf(key)], skip })
  }
  return runs
}

/** Merges the runs with unmoved rows; `from` further unmoved rows come before these. */
export function merged(
  runs: readonly MovedRun[],
  others: readonly RankRow[],
  from: number,
): RankRow[] {
  const starts = [0, ...runs.map(({ skip }) => skip - from)]
  const parts = starts.map((start, i) => [
    ...(runs[i - 1]?.rows ?? []),
    ...others.slice(start, starts[i + 1]),
  ])
  return parts.flat()
}

/** A run and the rows next to it. */
export type MovedRunPlace = {
  readonly run: MovedRun
  readonly before: readonly RankRow[]
  readonly after: readonly RankRow[]
}

/**
 * The future neighbours of moved rows that are to have others than expected, or that now stand between
 * others, by `standing`; `undefined` if there are none.
 */
export function changedNeighbours(
  all: readonly MovedRunPlace[],
  expected: readonly Neighbours[],
  standing: ReadonlyMap<string, Sides>,
): Neighbours[] | undefined {
  const found = new Map(all.flatMap(neighboursOf).map((one) => [keyText(one.key), one]))
  const changed = expected.flatMap((one) => {
    const now = found.get(keyText(one.key))
    if (!now) return []
    const from = one.from && standing.get(keyText(one.key))
    const isElsewhere = one.from && from && !isBetween(one.from, from)
    if (isElsewhere) return [{ ...now, from }]
    return isBetween(one, now) ? [] : [now]
  })
  return changed.length > 0 ? changed : undefined
}

const isBetween = (expected: Sides, now: Sides): boolean =>
  isSame(expected.previous, now.previous) && isSame(expected.next, now.next)

function neighboursOf({ run, before, after }: MovedRunPlace): Neighbours[] {
  const keys = [before.at(-1), ...run.rows, after[0]].map((row) => row?.key ?? null)
  return run.rows.map(({ key }, i) => ({
    key,
    previous: keys[i] ?? null,
    next: keys[i + 2] ?? null,
  }))
}

/** An omitted neighbour may be any row. */
const isSame = (expected: KeyValues | null | undefined, now: KeyValues | null = null): boolean =>
  expected === undefined ||
  (expected === null || now === null ? expected === now : keyText(expected) === keyText(now))
