/** Ranks: moved rows are in their new places, the others keep their order, and few rows are written. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Access, Grant } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Neighbours, RankChange, RankResult } from '../../src/table/source/write-unit.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { Fixture, FixtureColumn, OpenFixture } from './fixture.ts'
import { openBench, readPage, writeTo, type Bench } from './opened.ts'

type Kind = Partial<FixtureColumn> & { readonly type?: 'integer' | 'decimal' | 'float' }

/** Rows numbered from 1 on that hold these positions; `parents` tells whose children they are. */
const listOf = (
  positions: readonly Value[],
  kind: Kind = {},
  parents: readonly number[] = [],
): Fixture => ({
  tables: [
    {
      name: 'list',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'parent', type: 'integer' },
        { name: 'position', type: 'integer', nullable: true, ...kind },
      ],
      key: ['id'],
      ...(kind.unique !== true && { indexes: [['position']] }),
      rows: positions.map((position, i) => [i + 1, parents[i] ?? 1, position]),
    },
  ],
})

type List = {
  readonly bench: Bench
  readonly access: Access
  /** Moves rows: pairs of number and rank. */
  move(
    at: readonly (readonly [id: number, rank: number])[],
    more?: Partial<RankChange>,
  ): Promise<RankResult>
  /** The rows' numbers in order. */
  ids(more?: {
    readonly where?: Predicate
    readonly descending?: boolean
    /** How many at most. Default: 100. */
    readonly size?: number
  }): Promise<Value[]>
  positions(): Promise<Value[]>
}

async function openList(
  open: OpenFixture,
  fixture: Fixture,
  less: Partial<Grant> = {},
): Promise<List> {
  const bench = await openBench(open, fixture)
  const access = await bench.access('list', less)
  const all = await bench.access('list')
  return {
    bench,
    access,
    move: async (at, more = {}) => {
      const ranks = {
        column: 'position',
        at: at.map(([id, rank]) => [[id], rank] as const),
        ...more,
      }
      return (await writeTo(bench.source, access, { ranks })).ranks!
    },
    ids: async ({ where = everything, descending = false, size = 100 } = {}) => {
      const sort = [{ column: 'position', descending }]
      const { rows } = await readPage(bench.source, all, { where, sort, size })
      return rows.map(({ key }) => key[0]!)
    },
    positions: async () =>
      (await readPage(bench.source, all, { columns: ['position'] })).rows.map(({ values }) =>
        typeof values[0] === 'string' ? Number(values[0]) : values[0]!,
      ),
  }
}

const done = (matched: number, changed: number) => ({ status: 'done', matched, changed })

export function ranksContract(name: string, open: OpenFixture, runs: number): void {
  describe(`${name}: ranks`, () => {
    test('rows without gaps hand their values on, and those beyond keep theirs', async () => {
      const { move, ids, positions } = await openList(open, listOf([1, 2, 3, 4, 5, 6]))
      expect(await move([[5, 2]])).toEqual(done(1, 4))
      expect(await ids()).toEqual([1, 5, 2, 3, 4, 6])
      expect(await positions()).toEqual([1, 3, 4, 5, 2, 6])
      expect(await move([[1, 6]])).toEqual(done(1, 6))
      expect(await ids()).toEqual([5, 2, 3, 4, 6, 1])
      expect(new Set(await positions())).toEqual(new Set([1, 2, 3, 4, 5, 6]))
    })

    test('where there is a gap only the moved rows are written', async () => {
      const { move, ids, positions } = await openList(open, listOf([10, 20, 30, 40, 50]))
      expect(await move([[5, 2]])).toEqual(done(1, 1))
      expect(await move([[1, 5]])).toEqual(done(1, 1))
      expect(await move([[3, 1]])).toEqual(done(1, 1))
      expect(await ids()).toEqual([3, 5, 2, 4, 1])
      expect((await positions()).slice(1, 2)).toEqual([20])
    })

    test('a whole page of places writes what has moved in it', async () => {
      const { move, ids } = await openList(open, listOf([10, 20, 30, 40, 50, 60]))
      const page = [
        [2, 2],
        [5, 3],
        [3, 4],
        [4, 5],
      ] as const
      expect(await move(page)).toEqual(done(4, 1))
      expect(await ids()).toEqual([1, 2, 5, 3, 4, 6])
      expect(await move(page)).toEqual(done(4, 0))
    })

    test.each([
      ['float', [1, 2, 3, 4]],
      ['decimal', ['1.5', '2.5', '3.5', '4.5']],
    ] as const)('a column of %ss always has a gap', async (type, values) => {
      const { move, ids } = await openList(open, listOf(values, { type, nullable: false }))
      for (let round = 0; round < 6; round++) {
        expect(await move([[4, 2]])).toEqual(done(1, 1))
        expect(await ids()).toEqual([1, 4, 2, 3])
        expect(await move([[2, 2]])).toEqual(done(1, 1))
        expect(await ids()).toEqual([1, 2, 4, 3])
        expect(await move([[4, 4]])).toEqual(done(1, 1))
      }
    })

    test('rows without a value, and those that share one, are given their own when it matters', async () => {
      const empty = await openList(open, listOf(Array(20).fill(null)))
      expect(await empty.move([[9, 3]])).toEqual(done(1, 3))
      expect((await empty.ids()).slice(0, 5)).toEqual([1, 2, 9, 3, 4])
      const same = await openList(open, listOf([0, 0, 0, 0], { nullable: false }))
      await same.move([[4, 2]])
      expect(await same.ids()).toEqual([1, 4, 2, 3])
      const mixed = await openList(open, listOf([7, null, 7, 3, null]))
      expect(await mixed.ids()).toEqual([4, 1, 3, 2, 5])
      await mixed.move([[5, 3]])
      expect(await mixed.ids()).toEqual([4, 1, 5, 3, 2])
    })

    test('downwards, with rows without a value still last', async () => {
      const { move, ids } = await openList(open, listOf([5, 4, 3, null, null]))
      const descending = true
      await move([[3, 1]], { descending })
      expect(await ids({ descending })).toEqual([3, 1, 2, 5, 4])
      await move([[4, 2]], { descending })
      expect(await ids({ descending })).toEqual([3, 4, 1, 2, 5])
    })

    test.each([true, false])(
      'values that no two rows may share, nullable: %s',
      async (nullable) => {
        const { move, ids, positions } = await openList(
          open,
          listOf([1, 2, 3, 4, 5], { unique: true, nullable }),
        )
        expect(await move([[5, 1]])).toEqual(done(1, 5))
        expect(await ids()).toEqual([5, 1, 2, 3, 4])
        expect(new Set(await positions())).toEqual(new Set([1, 2, 3, 4, 5]))
        await move([
          [4, 1],
          [1, 5],
        ])
        expect(await ids()).toEqual([4, 5, 2, 3, 1])
      },
    )

    test('among the children of one parent, whatever the others hold', async () => {
      const fixture = listOf([1, 1, 2, 2, 3, 3], {}, [1, 2, 1, 2, 1, 2])
      const { move, ids, positions } = await openList(open, fixture)
      const within: Predicate = { op: 'eq', column: 'parent', value: 2 }
      await move([[6, 1]], { within })
      expect(await ids({ where: within })).toEqual([6, 2, 4])
      expect((await positions()).filter((_, i) => i % 2 === 0)).toEqual([1, 2, 3])
      expect(await move([[5, 1]], { within })).toEqual({ status: 'missing', keys: [[5]] })
    })

    test('a value that a row of another parent holds is not taken', async () => {
      const fixture = listOf([10, 11, 12, 13], { unique: true }, [1, 2, 1, 1])
      const { move, ids } = await openList(open, fixture)
      const within: Predicate = { op: 'eq', column: 'parent', value: 1 }
      expect(await move([[4, 2]], { within })).toMatchObject({ status: 'done' })
      expect(await ids({ where: within })).toEqual([1, 4, 3])
    })

    test.each([
      [false, 2, [1, 5, 3, 4]],
      [true, 3, [4, 3, 5, 1]],
    ])(
      'a row without a value finds a place where another parent holds the only free value, descending: %s',
      async (descending, rank, order) => {
        const fixture = listOf([10, 11, 12, 13, null], { unique: true }, [1, 2, 1, 1, 1])
        const { move, ids, positions } = await openList(open, fixture)
        const within: Predicate = { op: 'eq', column: 'parent', value: 1 }
        expect(await move([[5, rank]], { within, descending })).toEqual(done(1, 4))
        expect(await ids({ where: within, descending })).toEqual(order)
        expect((await positions())[1]).toBe(11)
        // From then on there is room.
        expect(await move([[5, 1]], { within, descending })).toEqual(done(1, 1))
      },
    )

    test('rows that the actor may not see keep their values, and cannot be moved', async () => {
      const rows: Predicate = { op: 'eq', column: 'parent', value: 1 }
      const fixture = listOf([1, 2, 3, 4, 5], {}, [1, 2, 1, 2, 1])
      const { move, ids, positions, access, bench } = await openList(open, fixture, { rows })
      expect(await move([[2, 1]])).toEqual({ status: 'missing', keys: [[2]] })
      expect(
        await move([
          [5, 1],
          [4, 2],
          [99, 3],
        ]),
      ).toEqual({ status: 'missing', keys: [[4], [99]] })
      expect(await ids()).toEqual([1, 2, 3, 4, 5])
      await move([[5, 1]])
      expect(await ids({ where: rows })).toEqual([5, 1, 3])
      expect((await positions()).filter((_, i) => i % 2 === 1)).toEqual([2, 4])
      const bound: Predicate = { op: 'lt', column: 'position', value: 3 }
      const { source } = bench
      const low = await bench.access('list', { rows: bound })
      expect(access.canWrite('position')).toBe(true)
      const ranks: RankChange = { column: 'position', at: [[[2], 9]] }
      expect((await writeTo(source, low, { ranks })).ranks).toMatchObject({ status: 'conflict' })
    })

    test('a row that would leave what the actor sees stays where it is', async () => {
      const rows: Predicate = { op: 'lt', column: 'position', value: 50 }
      const { move, ids } = await openList(open, listOf([10, 20, 40, 90]), { rows })
      await expect(move([[1, 3]])).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(await ids()).toEqual([1, 2, 3, 4])
    })

    test('other neighbours than a person saw are a conflict, and are told', async () => {
      const { move, ids, bench, access } = await openList(open, listOf([10, 20, 30, 40, 50]))
      const seen = { expect: [{ key: [5], previous: [1], next: [2] }] }
      expect(await move([[5, 2]], seen)).toMatchObject({ status: 'done' })
      await writeTo(bench.source, access, {
        rows: [{ insert: { id: 9, parent: 1, position: 19 } }],
      })
      expect(await ids()).toEqual([1, 5, 9, 2, 3, 4])
      const late = { expect: [{ key: [4], previous: [5], next: [2] }] }
      expect(await move([[4, 3]], late)).toEqual({
        status: 'conflict',
        current: [{ key: [4], previous: [5], next: [9] }],
      })
      expect(await ids()).toEqual([1, 5, 9, 2, 3, 4])
      const ends = [
        { key: [4], previous: null },
        { key: [1], next: null },
      ]
      const at = [
        [4, 1],
        [1, 6],
      ] as const
      expect(await move(at, { expect: ends })).toMatchObject({ status: 'done' })
      expect(await ids()).toEqual([4, 5, 9, 2, 3, 1])
      expect(await move([[4, 8]])).toEqual({ status: 'conflict', current: [] })
    })

    test('a row that stands elsewhere than a person took it from is a conflict, and is told', async () => {
      const { move, ids } = await openList(open, listOf([10, 20, 30, 40, null, null]))
      const from = { previous: [1], next: [3] }
      const seen = { key: [2], previous: null, next: [1], from }
      expect(await move([[2, 6]])).toMatchObject({ status: 'done' })
      expect(await move([[2, 1]], { expect: [seen] })).toEqual({
        status: 'conflict',
        current: [
          { ...{ key: [2], previous: null, next: [1] }, from: { previous: [6], next: null } },
        ],
      })
      expect(await ids()).toEqual([1, 3, 4, 5, 6, 2])
      expect(await move([[2, 1]])).toMatchObject({ status: 'done' })
      const now = { previous: [3], next: [5] }
      const both = [
        { key: [4], from: now },
        { key: [1], from: { previous: [2], next: [3] } },
      ]
      const at = [
        [4, 1],
        [1, 6],
      ] as const
      expect(await move(at, { expect: both })).toMatchObject({ status: 'done' })
      // A side left out may be any row.
      const half = { key: [6], from: { previous: [5] } }
      expect(await move([[6, 1]], { expect: [half] })).toMatchObject({ status: 'done' })
      expect(await ids()).toEqual([6, 4, 2, 3, 5, 1])
    })

    const DEEP = 260
    /** By how many rows the ranks may be wrong: where rows are numbered anew, they must be right. */
    const MISCOUNTED = 5
    const deepLists: [string, Kind, (place: number) => Value, number, boolean][] = [
      ['dense', { nullable: false }, (place) => place, MISCOUNTED, false],
      ['gapped, descending', {}, (place) => (DEEP - place) * 10, MISCOUNTED, true],
      ['unique', { nullable: false, unique: true }, (place) => place, MISCOUNTED, false],
      ['full of equal values', {}, (place) => Math.floor(place / 40), 0, false],
      ['half without a value', {}, (place) => (place < 180 ? place * 5 : null), 0, false],
    ]
    test.each(deepLists)(
      'far into an order that is %s, rows stand beside the neighbours that were seen, however many come before',
      async (_, kind, positionAt, most, descending) => {
        const positions = Array.from({ length: DEEP }, (_unused, place) => positionAt(place))
        const { move, ids } = await openList(open, listOf(positions, kind))
        const order = await ids({ descending, size: DEEP })
        const steps = fc.tuple(
          fc.integer({ min: 20, max: DEEP - 4 }),
          fc.integer({ min: 1, max: 4 }),
          fc.integer({ min: 110, max: DEEP - 10 }),
          fc.integer({ min: -most, max: most }),
        )
        for (const [from, count, to, miscounted] of fc.sample(steps, { seed: 3, numRuns: 25 })) {
          const moved = order.splice(from, count)
          order.splice(to, 0, ...moved)
          const seenAt = (place: number) => (place < DEEP ? [order[place]!] : null)
          const expected = moved.map((id, i) => ({
            key: [id],
            previous: seenAt(to + i - 1),
            next: seenAt(to + i + 1),
          }))
          const at = moved.map((id, i) => [Number(id), to + i + 1 + miscounted] as const)
          expect(await move(at, { expect: expected, descending })).toMatchObject({ status: 'done' })
          expect(await ids({ descending, size: DEEP })).toEqual(order)
        }
      },
      60_000,
    )

    test.each([
      ['dense', false, (place: number) => place],
      ['gapped, descending', true, (place: number) => (900 - place) * 10],
      ['partly without a value', false, (place: number) => (place < 700 ? place * 10 : null)],
    ])('many moves scattered over an order that is %s', async (_, descending, positionAt) => {
      const count = 900
      const positions = Array.from({ length: count }, (_unused, place) => positionAt(place))
      const { move, ids } = await openList(open, listOf(positions))
      const order = await ids({ descending, size: count })
      // Every fifth row, each to where the one after the next of them stood.
      const places = order.map((_id, place) => place).filter((place) => place % 5 === 0)
      const to = [...places.slice(2), ...places.slice(0, 2)]
      const at = places.map((place, i) => [Number(order[place]), to[i]! + 1] as const)
      const wanted = order.map((id, place) => order[places[to.indexOf(place)] ?? -1] ?? id)
      const keyAt = (place: number) => (order[place] === undefined ? null : [order[place]])
      const seen = at.map(([id, rank], i): Neighbours => ({
        key: [id],
        previous: rank === 1 ? null : [wanted[rank - 2]!],
        from: { previous: keyAt(places[i]! - 1), next: keyAt(places[i]! + 1) },
      }))
      const moved = seen.with(7, { ...seen[7]!, from: { previous: [order[0]!] } })
      expect(await move(at, { descending, expect: moved })).toMatchObject({
        status: 'conflict',
        current: [seen[7]],
      })
      const wrong = seen.with(99, { ...seen[99]!, previous: [wanted[0]!] })
      expect(await move(at, { descending, expect: wrong })).toEqual({
        status: 'conflict',
        current: [
          { key: seen[99]!.key, previous: seen[99]!.previous!, next: [wanted[at[99]![1]]!] },
        ],
      })
      expect(await move(at, { descending, expect: seen })).toMatchObject({ status: 'done' })
      expect(await ids({ descending, size: count })).toEqual(wanted)
    })

    test('of several moves, only those are told that would get other neighbours', async () => {
      const { move, bench, access } = await openList(open, listOf([10, 20, 30, 40, 50, 60]))
      await writeTo(bench.source, access, {
        rows: [{ insert: { id: 9, parent: 1, position: 55 } }],
      })
      const at = [
        [3, 1],
        [4, 6],
      ] as const
      const seen = [
        { key: [3], previous: null, next: [1] },
        { key: [4], previous: [5], next: [6] },
      ]
      expect(await move(at, { expect: seen })).toEqual({
        status: 'conflict',
        current: [{ key: [4], previous: [9], next: [6] }],
      })
    })

    test('at the greatest value of the column, rows are numbered anew', async () => {
      const kind = { nullable: false, declared: 'smallint' }
      for (const unique of [false, true]) {
        const { move, ids } = await openList(
          open,
          listOf([32_000, 32_400, 32_766, 32_767], { ...kind, unique }),
        )
        expect(await move([[1, 4]])).toMatchObject({ status: 'done' })
        expect(await ids()).toEqual([2, 3, 4, 1])
        expect(await move([[3, 1]])).toMatchObject({ status: 'done' })
        expect(await ids()).toEqual([3, 2, 4, 1])
      }
    })

    test('what makes no sense, or is not allowed, is refused', async () => {
      const { move, bench } = await openList(open, listOf([1, 2, 3]))
      const invalid = { code: 'REQUEST_INVALID' }
      for (const at of [
        [[1, 0]],
        [[1, 1.5]],
        [
          [1, 1],
          [1, 2],
        ],
        [
          [1, 1],
          [2, 1],
        ],
      ] as [number, number][][])
        await expect(move(at)).rejects.toMatchObject(invalid)
      await expect(move([[1, 2]], { column: 'id' })).rejects.toMatchObject(invalid)
      await expect(move([[1, 2]], { expect: [{ key: [2], next: null }] })).rejects.toMatchObject(
        invalid,
      )
      const ranks: RankChange = { column: 'position', at: [[[1], 2]] }
      const refused = async (less: Partial<Grant>, code: string) =>
        expect(
          writeTo(bench.source, await bench.access('list', less), { ranks }),
        ).rejects.toMatchObject({ code })
      await refused({ actions: ['read', 'create', 'delete'] }, 'FORBIDDEN')
      await refused({ writable: ['parent'] }, 'FORBIDDEN')
      await refused({ readable: ['id', 'parent'] }, 'TABLE_UNKNOWN_COLUMN')
      expect(await move([])).toEqual(done(0, 0))
    })

    test('many who move rows at once leave one order, with nobody in one place', async () => {
      const count = 12
      const fixture = listOf(
        Array.from({ length: count }, (_, i) => i + 1),
        { nullable: false },
      )
      const { move, ids, positions } = await openList(open, fixture)
      const moves = Array.from(
        { length: 24 },
        (_, i) => [(i * 7) % count, (i * 5) % count] as const,
      )
      const results = await Promise.all(moves.map(([id, rank]) => move([[id + 1, rank + 1]])))
      expect(results.every(({ status }) => status === 'done')).toBe(true)
      expect((await ids()).toSorted((a, b) => Number(a) - Number(b))).toHaveLength(count)
      expect(new Set(await positions()).size).toBe(count)
    })

    test('two that saw the same order: one moves its row, the other is told', async () => {
      const { move } = await openList(open, listOf([10, 20, 30, 40]))
      const between = (id: number) =>
        move([[id, 2]], { expect: [{ key: [id], previous: [1], next: [2] }] })
      const results = await Promise.all([between(3), between(4)])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['conflict', 'done'])
    })

    test('any change leaves an order in which all stand where they should', async () => {
      const position = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null, freq: 4 })
      const lists = fc.record({
        positions: fc.oneof<fc.Arbitrary<(number | null)[]>[]>(
          fc.array(position, { minLength: 1, maxLength: 14 }),
          fc.integer({ min: 1, max: 14 }).map((n) => Array.from({ length: n }, (_, i) => i + 1)),
        ),
        type: fc.constantFrom('integer', 'decimal', 'float'),
        descending: fc.boolean(),
        moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
      })
      const { source, access } = await openBench(open, {
        tables: ['integer', 'decimal', 'float'].flatMap((type) =>
          listOf([], { type } as Kind).tables.map((table) => ({ ...table, name: type })),
        ),
      })
      await fc.assert(
        fc.asyncProperty(lists, async ({ positions, type, descending, moves }) => {
          const table = await access(type)
          const ids = async () => {
            const sort = [{ column: 'position', descending }]
            return (await readPage(source, table, { sort })).rows.map(({ key }) => Number(key[0]))
          }
          const old = await ids()
          await writeTo(source, table, {
            sets: [{ in: old.map((id) => [id]), where: everything, delete: true }],
            rows: [],
          })
          await writeTo(source, table, {
            rows: positions.map((one, i) => ({ insert: { id: i + 1, parent: 1, position: one } })),
          })
          const before = await ids()
          const at = new Map<number, number>()
          for (const [id, rank] of moves) {
            const [moved, place] = [(id % before.length) + 1, (rank % before.length) + 1]
            if (!at.has(moved) && ![...at.values()].includes(place)) at.set(moved, place)
          }
          const ranks: RankChange = {
            column: 'position',
            descending,
            at: [...at].map(([id, rank]) => [[id], rank] as const),
          }
          const result = await writeTo(source, table, { ranks })
          expect(result.ranks).toMatchObject({ status: 'done', matched: at.size })
          const rest = before.filter((id) => !at.has(id))
          const wanted = Array.from(
            before,
            (_, i) => [...at].find(([, rank]) => rank === i + 1)?.[0],
          ).map((id) => id ?? rest.shift())
          expect(await ids()).toEqual(wanted)
          expect((await writeTo(source, table, { ranks })).ranks).toMatchObject({ changed: 0 })
        }),
        { numRuns: runs },
      )
    }, 300_000)
  })
}
