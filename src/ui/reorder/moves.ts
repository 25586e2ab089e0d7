/** Moves that are not saved: where rows stand once they are, and what that does to the others. */

import type { Moves } from '../../protocol/reorder.ts'

/** A moved row: its stored place and its final one, both from 1 in the whole order. */
export type Move = {
  readonly key: string
  readonly label: string
  readonly from: number
  readonly to: number
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

/** The moves after one more, without those that have come to nothing. */
export function moveRow(moves: readonly Move[], row: PlacedRow, to: number): readonly Move[] {
  const { key, label, rank } = row
  const from = moves.find((move) => move.key === key)?.from ?? storedRank(moves, rank)
  const others = moves
    .filter((move) => move.key !== key)
    .map((move) => ({ ...move, to: shifted(move.to, rank, to) }))
  return withoutIdle([...others, { key, label, from, to }])
}

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
