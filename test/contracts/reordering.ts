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
import { doorTo } from '../door-to.ts'
import { admin } from '../table-of.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { type Bench, openBench, readPage, writeTo } from './opened.ts'

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

/** An order that a table keeps in its column `position`. */
type Kind = {
  readonly unique: boolean
  /** Whether the rows are ordered among those of the same parent. */
  readonly within: boolean
  readonly descending: boolean
}

const BOTH = [false, true]
const KINDS: readonly Kind[] = BOTH.flatMap((unique) =>
  BOTH.flatMap((within) => BOTH.map((descending) => ({ unique, within, descending }))),
)

const nameOf = ({ unique, within, descending }: Kind): string =>
  `tasks${unique ? '_unique' : ''}${within ? '_within' : ''}${descending ? '_descending' : ''}`

const PARENTS = [1, 2]

/** A table of each kind; rows with odd numbers have the first parent. */
const allKinds: Fixture = {
  tables: [
    {
      name: 'lists',
      columns: [{ name: 'id', type: 'integer' }],
      key: ['id'],
      rows: PARENTS.map((id) => [id]),
    },
    ...KINDS.map((kind) => ({
      name: nameOf(kind),
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'list', type: 'integer' },
        { name: 'position', type: 'integer', nullable: true, unique: kind.unique },
      ] as const,
      key: ['id'],
      foreignKeys: [{ columns: ['list'], table: 'lists', references: ['id'] }],
      indexes: [['list'], ...(kind.unique ? [] : [['position']])],
      rows: Array.from({ length: ROWS }, (_, at) => [at + 1, 1 + (at % 2), at + 1]),
    })),
  ],
}

async function openList(source: RowSource, kind?: Kind, parent?: number) {
  const table = kind ? nameOf(kind) : 'tasks'
  const { within = false, descending = false } = kind ?? {}
  const reorder = { column: 'position', descending, ...(within && { within: 'list' }) }
  const catalog = await createCatalog(source, rolePolicy, { definitions: { [table]: { reorder } } })
  const component = createListComponent({
    ...{ source, totals: createTotals(source), catalog: () => catalog },
    door: doorTo(source, () => catalog),
    href: (name) => `/tables/${name}`,
  })
  const query = new URLSearchParams(parent === undefined ? '' : `filter.list=${parent}`)
  return testComponent(component, { actor: { ...admin }, params: { table }, query })
}

/** An order as it is: the numbers of its rows, and their positions. */
type Order = readonly (readonly [id: Value, position: Value])[]

async function orderOf(bench: Bench, kind: Kind, parent: Value | null): Promise<Order> {
  const { rows } = await readPage(bench.source, await bench.access(nameOf(kind)), {
    columns: ['position'],
    sort: [{ column: 'position', descending: kind.descending }],
    size: 1000,
    ...(parent !== null && { where: { op: 'eq', column: 'list', value: parent } }),
  })
  // Every row has a key.
  return rows.map(({ key, values }) => [key[0]!, values[0] ?? null])
}

const positionsOf = (order: Order): Value[] =>
  order.flatMap(([, position]) => (position === null ? [] : [position]))

const areDistinct = (values: readonly Value[]) => new Set(values).size === values.length

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
      'rounds of 20 who reorder, add and delete at once leave a total order, in which rows that nobody moved keep theirs',
      async () => {
        const bench = await openBench(open, allKinds)
        const random = randomOf(12)
        let next = ROWS + 1
        for (let round = 0; round < REORDER_ROUNDS; round++) {
          // There is a kind for each remainder.
          const kind = KINDS[round % KINDS.length]!
          const access = await bench.access(nameOf(kind))
          const parents = kind.within ? PARENTS : [null]
          const orders = () => Promise.all(parents.map((parent) => orderOf(bench, kind, parent)))
          const lists = await Promise.all(
            parents.map((parent) => openList(bench.source, kind, parent ?? undefined)),
          )
          const before = await orders()
          const touched = new Set<Value>()
          const one = async (at: number): Promise<void> => {
            const which = random(parents.length)
            // There are as many orders and lists as parents.
            const [order, list] = [before[which]!, lists[which]!]
            const pick = (): number => {
              const id = Number(order[random(order.length)]?.[0] ?? 1)
              touched.add(id)
              return id
            }
            if (at % 5 === 3) {
              const insert = { id: next++, list: parents[which] ?? 1, position: null }
              touched.add(insert.id)
              await writeTo(bench.source, access, { rows: [{ insert }] })
            } else if (at % 5 === 4) {
              await writeTo(bench.source, access, { rows: [{ delete: [pick()] }] })
            } else {
              const position = 1 + random(Math.max(1, order.length - 10))
              const row = { id: String(pick()), position }
              const { status } = await list.call.storeReorder([row])
              expect(['done', 'missing'], nameOf(kind)).toContain(status)
            }
          }
          await Promise.all(Array.from({ length: 20 }, (_, at) => one(at)))
          const after = await orders()
          expect(areDistinct(after.flat().map(([id]) => id))).toBe(true)
          for (const order of kind.unique ? [after.flat()] : after)
            expect(areDistinct(positionsOf(order))).toBe(true)
          const kept = (all: readonly Order[]) =>
            all.map((order) => order.map(([id]) => id).filter((id) => !touched.has(id)))
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
