/** Wanted places of moved rows: runs of neighbours, and the order that they make with the others. */

import type { Neighbours } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { keyText } from './keys.ts'

export type Placed = { readonly key: KeyValues; readonly rank: number }

/** A row and its value in the column that keeps the order. */
export type RankRow = { readonly key: KeyValues; readonly value: Value }

/** Moved rows that come to lie side by side. */
export type Run = {
  readonly rows: readonly RankRow[]
  /** How many of the rows that are not moved come before. */
  readonly skip: number
}

/** `at` goes by the places. */
export function runsOf(at: readonly Placed[], rowOf: (key: KeyValues) => RankRow): Run[] {
  const runs: { rows: RankRow[]; skip: number }[] = []
  for (const [moved, { key, rank }] of at.entries()) {
    const skip = rank - 1 - moved
    const last = runs.at(-1)
    if (last?.skip === skip) last.rows.push(rowOf(key))
    else runs.push({ rows: [rowOf(key)], skip })
  }
  return runs
}

/** The runs among rows that are not moved, of which `from` come before the first one. */
export function merged(runs: readonly Run[], others: readonly RankRow[], from: number): RankRow[] {
  const starts = [0, ...runs.map(({ skip }) => skip - from)]
  const parts = starts.map((start, i) => [
    ...(runs[i - 1]?.rows ?? []),
    ...others.slice(start, starts[i + 1]),
  ])
  return parts.flat()
}

/** The rows beside those of a run. */
export type Beside = {
  readonly run: Run
  readonly before: readonly RankRow[]
  readonly after: readonly RankRow[]
}

/** What will be beside each moved row, where that is not what was expected of some. */
export function surprises(
  all: readonly Beside[],
  expected: readonly Neighbours[],
): Neighbours[] | undefined {
  const found = new Map(all.flatMap(neighboursOf).map((one) => [keyText(one.key), one]))
  const current = expected.flatMap(({ key }) => found.get(keyText(key)) ?? [])
  const isAsExpected = expected.every((one) => {
    const now = found.get(keyText(one.key))
    return now && isSame(one.previous, now.previous) && isSame(one.next, now.next)
  })
  return isAsExpected ? undefined : current
}

function neighboursOf({ run, before, after }: Beside): Neighbours[] {
  const keys = [before.at(-1), ...run.rows, after[0]].map((row) => row?.key ?? null)
  return run.rows.map(({ key }, i) => ({
    key,
    previous: keys[i] ?? null,
    next: keys[i + 2] ?? null,
  }))
}

/** Whatever was not said may be anything. */
const isSame = (expected: KeyValues | null | undefined, now: KeyValues | null = null): boolean =>
  expected === undefined ||
  (expected === null || now === null ? expected === now : keyText(expected) === keyText(now))
