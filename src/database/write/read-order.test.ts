/** How many statements it takes to read an order. */

import { expect, test } from 'vitest'
import { openParts } from '../../../test/sqlite-unit.ts'
import type { Neighbours, RankChange } from '../../table/source/write-unit.ts'

const ROWS = 4000

/** Rows in the order of their ids, with so much room between two of them. */
function openList(space = 10) {
  const write = openParts(
    `create table list (id integer primary key, position integer not null);
    create index by_position on list (position);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into list select i, i * ${space} from n`,
    { isRecorded: false },
  )
  /** How many statements read rows, and how many values. */
  const saved = (ranks: RankChange) => {
    const { parts, reads, read } = write({ ranks })
    expect(parts).toMatchObject([
      { ranks: { result: { status: 'done', matched: ranks.at.length } } },
    ])
    return { reads, values: read.length }
  }
  return Object.assign((ranks: RankChange): number => saved(ranks).reads, { saved })
}

/** Swaps rows that are far apart: `count` of the first half with those half the order further on. */
const swaps = (count: number): (readonly [key: [number], rank: number])[] =>
  Array.from({ length: count }, (_, i) => [1 + i * 4, 1 + i * 4 + ROWS / 2] as const).flatMap(
    ([one, other]) => [[[one], other] as const, [[other], one] as const],
  )

test('however many moves are scattered over an order, the same few statements read it', () => {
  const save = openList()
  const few = save({ column: 'position', at: swaps(10) })
  expect(few).toBeLessThan(8)
  expect(save({ column: 'position', at: swaps(500) })).toBe(few)
})

test('where many rows were taken from is read by one more statement', () => {
  const save = openList()
  const at = swaps(10)
  const expected = at.map(([key]): Neighbours => ({
    key,
    from: { previous: key[0] === 1 ? null : [key[0] - 1], next: [key[0] + 1] },
  }))
  expect(save({ column: 'position', at, expect: expected })).toBeLessThan(9)
})

test('beside a row that was seen, the rows between the first move and the last are read at once', () => {
  const save = openList()
  const at = swaps(20).map(([key, rank]) => [[key[0] + 200] as const, rank + 200] as const)
  const first = at.toSorted(([, a], [, b]) => a - b)[0]!
  const expected = [{ key: first[0], previous: [first[1] - 1] }]
  expect(save({ column: 'position', at, expect: expected })).toBeLessThan(10)
})

test('where rows have no room, the order is read beside the row that was seen, and not once more from its start', () => {
  const { saved } = openList(1)
  // The first rows of all: every row before the one that was seen lies between.
  const at = [[[1], 201] as const, [[2], 221] as const]
  const expected = [{ key: [1], previous: [202] }]
  expect(saved({ column: 'position', at, expect: expected })).toEqual({ reads: 14, values: 506 })
})
