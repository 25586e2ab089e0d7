/** Moves that are not saved: where rows stand once they are, and what that does to the others. */

import type { Moves, SeenSides } from '../../protocol/reorder.ts'

/** A moved row: its stored place and its final one, both from 1 in the whole order. */
export type Move = {
  readonly key: string
  readonly label: string
  readonly from: number
  readonly to: number
  /** What the row stood between when the person took it, as far as they saw. */
  readonly seen?: SeenSides
}

/** A row where it stands now, with all moves applied. */
export type PlacedRow = { readonly key: string; readonly label: string; readonly rank: number }

/** The final place of a row that does not move. */
export function finalRank(moves: readonly Move[], stored: number): number {
  let rank = stored - moves.filter(({ from }) => from < stored).length
  for (const to of moves.map((move) => move.to).toSorted((a, b) => a - b)) if (to <= rank) rank++
  return rank
}

/** The stored place of a row that does not move. */
export function storedRank(moves: readonly Move[], final: number): number {
  let rank = final - moves.filter(({ to }) => to < final).length
  for (const from of moves.map((move) => move.from).toSorted((a, b) => a - b))
    if (from <= rank) rank++
  return rank
}

/** Which row stands at a place, as far as the person saw. */
export type KeyAt = (place: number) => string | null | undefined

/** The moves after one more, without those that have come to nothing. `keyAt`: by final places. */
export function moveRow(
  moves: readonly Move[],
  row: PlacedRow,
  to: number,
  keyAt: KeyAt,
): readonly Move[] {
  const { key, label, rank } = row
  const made = moves.find((move) => move.key === key)
  const from = made?.from ?? storedRank(moves, rank)
  const seen = made ? made.seen : sidesOf(from, (place) => storedKey(moves, place, keyAt))
  const others = moves
    .filter((move) => move.key !== key)
    .map((move) => ({ ...move, to: shifted(move.to, rank, to) }))
  return withoutIdle([...others, { key, label, from, to, ...(seen && { seen }) }])
}

/** Which row stood at a stored place. */
const storedKey = (moves: readonly Move[], stored: number, keyAt: KeyAt) =>
  moves.find(({ from }) => from === stored)?.key ?? keyAt(finalRank(moves, stored))

/** What stands on both sides of a place; a side that was not seen is left out. */
export function sidesOf(place: number, keyAt: KeyAt): SeenSides {
  const [previous, next] = [keyAt(place - 1), keyAt(place + 1)]
  return { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) }
}

/** The moves of somebody who has been told where the rows stand now. */
export const withoutSeen = (moves: readonly Move[]): readonly Move[] =>
  moves.map(({ key, label, from, to }) => ({ key, label, from, to }))

/** The place of another row after one has moved from `rank` to `to`. */
export function shifted(place: number, rank: number, to: number): number {
  const closed = place > rank ? place - 1 : place
  return closed >= to ? closed + 1 : closed
}

/** Leaves out each move whose row would stand there anyway. */
function withoutIdle(moves: readonly Move[]): readonly Move[] {
  const idle = moves.findIndex(
    (move, at) => finalRank(moves.toSpliced(at, 1), move.from) === move.to,
  )
  return idle < 0 ? moves : withoutIdle(moves.toSpliced(idle, 1))
}

/** As they are sent. */
export const sentMoves = (moves: readonly Move[]): Moves => moves.map(({ key, to }) => [key, to])

/** Where a row dropped on another goes: before it in its upper half or its middle, else after it. */
export const isAfter = (y: number, { top, height }: { top: number; height: number }): boolean =>
  y - top > height / 2

/** The place of a row that is put before or after another one. */
export function droppedRank(rank: number, target: number, after: boolean): number {
  const place = after ? target + 1 : target
  return rank < place ? place - 1 : place
}
