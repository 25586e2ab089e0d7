/** Random moves in columns with gaps: how many rows each writes. */

import { expect, test } from 'vitest'
import { openParts } from '../../../test/sqlite-unit.ts'
import { openBench, writeTo } from '../../../test/contracts/opened.ts'
import { openSqliteFixture } from '../../../test/contracts/sqlite-fixture.ts'
import { runs, within } from '../../../test/tier.ts'

const MOVES = runs(3000)
const SEED = 7

/** The same numbers each time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

async function openList(positions: readonly number[]) {
  const { source, access } = await openBench(openSqliteFixture, {
    tables: [
      {
        name: 'list',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'position', type: 'integer' },
        ],
        key: ['id'],
        indexes: [['position']],
        rows: positions.map((position, i) => [i + 1, position]),
      },
    ],
  })
  const all = await access('list')
  return async (id: number, rank: number, descending = false) => {
    const ranks = { column: 'position', descending, at: [[[id], rank]] as const }
    const result = await writeTo(source, all, { ranks })
    if (result.ranks?.status !== 'done') throw new Error(JSON.stringify(result))
    return result.ranks.changed
  }
}

const spaced = (rows: number, by: number) => Array.from({ length: rows }, (_, i) => (i + 1) * by)

const LISTS = [
  { rows: 1000, by: 100, descending: false },
  { rows: 1000, by: 1000, descending: false },
  { rows: 50, by: 10, descending: true },
]

async function meanWrites({ rows, by, descending }: (typeof LISTS)[number]): Promise<number> {
  const move = await openList(spaced(rows, by))
  const random = randomOf(SEED)
  let written = 0
  for (let at = 0; at < MOVES; at++)
    written += await move(1 + random(rows), 1 + random(rows), descending)
  return written / MOVES
}

test(
  'in columns with gaps a random move writes at most 1.1 rows on average',
  async () => {
    const means = await Promise.all(LISTS.map(meanWrites))
    for (const [i, mean] of means.entries())
      expect(mean, JSON.stringify(LISTS[i])).toBeLessThanOrEqual(1.1)
  },
  within(60_000),
)

test('where others hold what lies between, an order is numbered beyond them, and within what the column holds', async () => {
  const write = openParts(
    `create table list (id integer primary key, parent integer, position smallint unique);
    insert into list values (1, 1, 32600), (2, 2, 32601), (3, 1, 32602), (4, 1, 32603), (5, 1, null)`,
    { isRecorded: true },
  )
  const within = { op: 'eq', column: 'parent', value: 1 } as const
  const { images } = write({ ranks: { column: 'position', within, at: [[[5], 2]] } })
  const written = images.map(({ key, after }) => [key[0], after?.['position']])
  // Of the 164 numbers that are left, each of four rows takes the 41st.
  expect(Object.fromEntries(written)).toEqual({ 1: 32_644, 5: 32_685, 3: 32_726, 4: 32_767 })
})
