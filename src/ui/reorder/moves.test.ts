import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import {
  droppedRank,
  finalRank,
  isAfter,
  type Move,
  moveRow,
  storedRank,
  withoutSeen,
} from './moves.ts'

const stored = Array.from({ length: 12 }, (_, at) => `row ${at + 1}`)

/** The order that the moves make of the stored one. */
function ordered(moves: readonly Move[]): string[] {
  const rest = stored.filter((key) => !moves.some((move) => move.key === key))
  for (const { key, to } of moves.toSorted((a, b) => a.to - b.to)) rest.splice(to - 1, 0, key)
  return rest
}

const place = fc.integer({ min: 1, max: stored.length })

test('any moves, one after the other, make the order that a list of rows would have', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { maxLength: 20 }), (steps) => {
      const list = [...stored]
      let moves: readonly Move[] = []
      for (const [rank, to] of steps) {
        const [key] = list.splice(rank - 1, 1)
        moves = moveRow(moves, { key: key!, label: key!, rank }, to, () => undefined)
        list.splice(to - 1, 0, key!)
        expect(ordered(moves)).toEqual(list)
      }
      for (const [at, key] of list.entries()) {
        if (moves.some((move) => move.key === key)) continue
        const from = stored.indexOf(key) + 1
        expect([finalRank(moves, from), storedRank(moves, at + 1)]).toEqual([at + 1, from])
      }
      for (const { key, from } of moves) expect(stored[from - 1]).toBe(key)
    }),
    { numRuns: runs(500) },
  )
})

test('a row that comes back to its place is no move any more', () => {
  const away = moveRow([], { key: 'row 3', label: '', rank: 3 }, 7, () => undefined)
  expect(away).toEqual([{ key: 'row 3', label: '', from: 3, to: 7, seen: {} }])
  expect(moveRow(away, { key: 'row 3', label: '', rank: 7 }, 3, () => undefined)).toEqual([])
})

test('a moved row keeps what it stood between when it was first taken, whatever moved before', () => {
  const list = ['a', 'b', 'c', 'd']
  const keyAt = (place: number) => list[place - 1] ?? (place === 0 ? null : undefined)
  const take = (moves: readonly Move[], key: string, to: number) => {
    const rank = list.indexOf(key) + 1
    const made = moveRow(moves, { key, label: key, rank }, to, keyAt)
    list.splice(rank - 1, 1)
    list.splice(to - 1, 0, key)
    return made
  }
  const moves = take(take(take([], 'b', 4), 'a', 3), 'b', 2)
  expect(moves.map(({ key, seen }) => [key, seen])).toEqual([
    ['a', { previous: null, next: 'b' }],
    ['b', { previous: 'a', next: 'c' }],
  ])
  expect(withoutSeen(moves).map(({ seen }) => seen)).toEqual([undefined, undefined])
})

test.each([
  [10, false],
  [29.9, false],
  [30, false],
  [30.1, true],
  [49, true],
])('at %d of a row from 10 to 50, it is dropped after it: %s', (y, after) =>
  expect(isAfter(y, { top: 10, height: 40 })).toBe(after),
)

test.each([
  [2, 5, false, 4],
  [2, 5, true, 5],
  [5, 2, false, 2],
  [5, 2, true, 3],
  [3, 3, false, 3],
  [3, 3, true, 3],
])('row %d dropped on %d, after it: %s, gets place %d', (rank, target, after, to) =>
  expect(droppedRank(rank, target, after)).toBe(to),
)
