/** Reordering through the list's component: whoever reorders at once, the order stays a total one. */

import { describe, expect, test } from 'vitest'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import { RANDOM_MOVES, REORDER_ROUNDS } from '../tier.ts'
import { admin } from '../table-of.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { type Bench, openBench, readPage } from './opened.ts'

const ROWS = 40
/** Rows of the column whose gaps random moves use up. */
const MANY_ROWS = 1000

/** Rows at these distances from one another. */
const tasks = (
  gap: number,
  type: 'integer' | 'decimal' = 'integer',
  length: number = ROWS,
): Fixture => ({
  tables: [
    {
      name: 'tasks',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'position', type, nullable: true },
      ],
      key: ['id'],
      indexes: [['position']],
      rows: Array.from({ length }, (_, at) => [at + 1, (at + 1) * gap]),
    },
  ],
})

async function openList(source: RowSource) {
  const catalog = await createCatalog(source, rolePolicy)
  const component = createListComponent({
    ...{ source, totals: createTotals(source), catalog: () => catalog },
    href: (name) => `/tables/${name}`,
  })
  const params = { table: 'tasks' }
  return testComponent(component, { actor: { ...admin }, params })
}

/** The rows in order: numbers and positions. */
async function orderOf(bench: Bench): Promise<[id: Value, position: Value][]> {
  const sort = [{ column: 'position', descending: false }]
  const { rows } = await readPage(bench.source, await bench.access('tasks'), { sort })
  return rows.map(({ key, values }) => [key[0]!, values[1] ?? null])
}

/** The same numbers each time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

export function reorderingContract(name: string, open: OpenFixture): void {
  describe(`${name}: reordering`, () => {
    test(
      `rounds of 20 who reorder, add and delete at once leave a total order, in which rows that nobody moved keep theirs`,
      async () => {
        const bench = await openBench(open, tasks(1))
        const access = await bench.access('tasks')
        const list = await openList(bench.source)
        const random = randomOf(12)
        let next = ROWS + 1
        for (let round = 0; round < REORDER_ROUNDS; round++) {
          const before = await orderOf(bench)
          const touched = new Set<Value>()
          const pick = (): number => {
            const id = Number(before[random(before.length)]?.[0] ?? 1)
            touched.add(id)
            return id
          }
          const one = async (at: number): Promise<void> => {
            if (at % 5 === 3) {
              const insert = { id: next++, position: null }
              touched.add(insert.id)
              await bench.source.write(access, { rows: [{ insert }] })
            } else if (at % 5 === 4) {
              await bench.source.write(access, { rows: [{ delete: [pick()] }] })
            } else {
              const row = { id: String(pick()), position: 1 + random(before.length - 10) }
              const { status } = await list.call.storeReorder([row])
              expect(['done', 'missing']).toContain(status)
            }
          }
          await Promise.all(Array.from({ length: 20 }, (_, at) => one(at)))
          const after = await orderOf(bench)
          const positions = after.flatMap(([, position]) => (position === null ? [] : [position]))
          expect(new Set(positions).size).toBe(positions.length)
          expect(new Set(after.map(([id]) => id)).size).toBe(after.length)
          const kept = (rows: typeof after) =>
            rows.map(([id]) => id).filter((id) => !touched.has(id))
          expect(kept(after)).toEqual(kept(before))
        }
      },
      30_000 + REORDER_ROUNDS * 2000,
    )

    test.each<[string, number, 'integer' | 'decimal']>([
      ['with gaps', 1024, 'integer'],
      ['of decimals', 1, 'decimal'],
    ])(
      'in a column %s, a random move writes at most 1.1 rows on average',
      async (_what, gap, type) => {
        const bench = await openBench(open, tasks(gap, type, MANY_ROWS))
        const list = await openList(bench.source)
        const random = randomOf(7)
        let written = 0
        for (let move = 0; move < RANDOM_MOVES; move++) {
          const row = { id: String(1 + random(MANY_ROWS)), position: 1 + random(MANY_ROWS) }
          const result = await list.call.storeReorder([row])
          if (result.status === 'done') written += result.written
          else expect(result.status).toBe('done')
        }
        expect(written / RANDOM_MOVES).toBeLessThanOrEqual(1.1)
      },
      30_000 + RANDOM_MOVES * 60,
    )
  })
}
