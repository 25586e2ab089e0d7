/** Changes to many rows: by the keys of a chunk, counted, with before-images, atomic. */

import { describe, expect, test } from 'vitest'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { SetChange, Unit } from '../../src/table/source/write-unit.ts'
import type { KeyValues } from '../../src/table/source/value.ts'
import { people, shop, type Fixture, type FixtureTable, type OpenFixture } from './fixture.ts'
import { idsOf, openBench, readPage, type Bench } from './opened.ts'

const keys = (...ids: number[]): KeyValues[] => ids.map((id) => [id])

const teamOne: Predicate = { op: 'eq', column: 'team', value: 1 }

/** One of Tablewire's own tables. */
const ledger: FixtureTable = {
  name: 'tablewire_scratch',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'note', type: 'text', nullable: true },
  ],
  key: ['id'],
  rows: [[1, 'first']],
}

const audited: Fixture = { tables: [people, ledger] }

/** Keys of two columns, one of them a text. */
const pairs: FixtureTable = {
  name: 'pairs',
  columns: [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'text' },
    { name: 'n', type: 'integer', nullable: true },
  ],
  key: ['a', 'b'],
  indexes: [['b']],
  rows: Array.from({ length: 250 }, (_, i) => [i >> 1, i & 1 ? 'x' : 'X', i]),
}

const numbers = (count: number): FixtureTable => ({
  name: 'numbers',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'integer' },
  ],
  key: ['id'],
  rows: Array.from({ length: count }, (_, i) => [i + 1, i % 10]),
})

export function setsContract(name: string, open: OpenFixture): void {
  describe(`${name}: changes to many rows`, () => {
    const secrets = async ({ source, access }: Bench) =>
      (await readPage(source, await access('people'), { columns: ['secret'] })).rows.map(
        ({ values }) => values[0],
      )

    test('change the rows of the chunk that still match, and no others', async () => {
      const bench = await openBench(open, shop)
      const table = await bench.access('people')
      const result = await bench.source.write(table, {
        sets: [
          { in: keys(1, 3, 99), where: teamOne, set: { secret: 'x' } },
          { in: keys(4), where: everything, set: { secret: null } },
          { in: [], where: everything, set: { secret: 'nobody' } },
        ],
      })
      expect(result).toEqual({
        isDone: true,
        rows: [],
        ledger: [],
        sets: [
          { status: 'done', matched: 1, changed: 1 },
          { status: 'done', matched: 1, changed: 1 },
          { status: 'done', matched: 0, changed: 0 },
        ],
      })
      expect(await secrets(bench)).toEqual(['x', 'green', null, null])
    })

    test('delete them', async () => {
      const { source, access } = await openBench(open, { tables: [people] })
      const table = await access('people')
      const set: SetChange = { in: keys(1, 2, 3), where: teamOne, delete: true }
      const { sets } = await source.write(table, { sets: [set] })
      expect(sets).toEqual([{ status: 'done', matched: 2, changed: 2 }])
      expect(await idsOf(source, table)).toEqual([3, 4])
    })

    test('touch no row that the policy hides, and move none out of reach', async () => {
      const bench = await openBench(open, { tables: [people] })
      const { source, access } = bench
      const mine = await access('people', { rows: teamOne })
      const all = keys(1, 2, 3, 4)
      for (const before of [false, true]) {
        const secret = before ? 'b' : 'a'
        const { sets } = await source.write(mine, {
          sets: [{ in: all, where: everything, set: { secret } }],
          before,
        })
        expect(sets[0]).toEqual({ status: 'done', matched: 2, changed: 2 })
        const moved: SetChange = { in: all, where: everything, set: { team: 2 } }
        await expect(source.write(mine, { sets: [moved], before })).rejects.toMatchObject({
          code: 'FORBIDDEN',
        })
      }
      expect(await secrets(bench)).toEqual(['b', 'b', null, 'blue'])
      expect(await idsOf(source, mine)).toEqual([1, 2])
      const gone: SetChange = { in: all, where: everything, delete: true }
      expect((await source.write(mine, { sets: [gone] })).sets[0]).toMatchObject({ matched: 2 })
      expect(await idsOf(source, await access('people'))).toEqual([3, 4])
    })

    test('with a policy on the table itself', async () => {
      const staff: FixtureTable = {
        name: 'staff',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'boss', type: 'integer', nullable: true },
          { name: 'grade', type: 'integer' },
        ],
        key: ['id'],
        foreignKeys: [{ columns: ['boss'], table: 'staff', references: ['id'] }],
        rows: [
          [1, null, 1],
          [2, 1, 1],
          [3, 1, 2],
          [4, 2, 1],
        ],
      }
      const { source, access } = await openBench(open, { tables: [staff] })
      const all = await access('staff')
      const rows: Predicate = {
        op: 'related',
        column: 'boss',
        table: 'staff',
        references: 'id',
        where: { op: 'null', column: 'boss' },
      }
      const mine = await access('staff', { rows }, [all])
      const unit: Unit = {
        sets: [{ in: keys(1, 2, 3, 4), where: everything, set: { grade: 7 } }],
      }
      expect((await source.write(mine, unit)).sets).toEqual([
        { status: 'done', matched: 2, changed: 2 },
      ])
      expect(await idsOf(source, all, { op: 'eq', column: 'grade', value: 7 })).toEqual([2, 3])
      const sack: Unit = { sets: [{ in: keys(1, 3), where: everything, delete: true }] }
      expect((await source.write(mine, sack)).sets[0]).toMatchObject({ matched: 1 })
      expect(await idsOf(source, all)).toEqual([1, 2, 4])
    })

    test('do nothing where fewer rows match than expected, and tell which are missing', async () => {
      const bench = await openBench(open, shop)
      const table = await bench.access('people')
      const result = await bench.source.write(table, {
        rows: [{ update: [4], set: { secret: 'changed' } }],
        sets: [
          {
            in: keys(1, 2, 3, 99),
            where: teamOne,
            set: { secret: 'x' },
            expect: { matched: 4 },
          },
          { in: keys(4), where: everything, set: { team: 9 }, expect: { matched: 1 } },
        ],
      })
      expect(result.isDone).toBe(false)
      expect(result.sets).toEqual([
        { status: 'mismatch', matched: 2, missing: keys(3, 99) },
        { status: 'done', matched: 1, changed: 1 },
      ])
      expect(await secrets(bench)).toEqual(['red', 'green', null, 'blue'])
    })

    test('of ten thousand keys, and no more', async () => {
      const { source, access } = await openBench(open, { tables: [numbers(12_000)] })
      const table = await access('numbers')
      const all = Array.from({ length: 10_001 }, (_, i) => [i + 1])
      const set = (list: KeyValues[]): Unit => ({
        sets: [
          {
            in: list,
            where: { op: 'lt', column: 'n', value: 5 },
            set: { n: 77 },
            expect: { matched: 5000 },
          },
        ],
      })
      const { sets } = await source.write(table, set(all.slice(1)))
      expect(sets).toEqual([{ status: 'done', matched: 5000, changed: 5000 }])
      const where: Predicate = { op: 'eq', column: 'n', value: 77 }
      expect(await source.count(table, where)).toMatchObject({ count: 5000 })
      await expect(source.write(table, set(all))).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    })

    test('by keys of several columns', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const table = await access('pairs')
      const all: KeyValues[] = Array.from({ length: 250 }, (_, i) => [i >> 1, i & 1 ? 'x' : 'X'])
      const where: Predicate = { op: 'gte', column: 'n', value: 10 }
      const { sets, before } = await source.write(table, {
        sets: [{ in: [...all, [0, 'y']], where, set: { n: null } }],
        before: true,
      })
      expect(sets).toEqual([{ status: 'done', matched: 240, changed: 240 }])
      const images = before!.flatMap(({ rows }) => rows)
      expect(images).toHaveLength(240)
      expect(images.find(({ key }) => key[0] === 5 && key[1] === 'x')?.values).toEqual([11])
      const short = await source.write(table, {
        sets: [{ in: all, where, delete: true, expect: { matched: 250 } }],
      })
      expect(short.sets[0]).toEqual({ status: 'mismatch', matched: 0, missing: all })
      expect(await source.count(table, everything)).toMatchObject({ count: 250 })
    })

    test('name only columns that the actor may see and write', async () => {
      const { source, access } = await openBench(open, shop)
      const reader = await access('people', {
        readable: ['id', 'name', 'team'],
        writable: ['name'],
      })
      const set = (change: Partial<SetChange>) =>
        source.write(reader, {
          sets: [{ in: keys(1), where: everything, set: { name: 'x' }, ...change } as SetChange],
        })
      const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
      await expect(set({ set: { secret: 'x' } })).rejects.toMatchObject(unknown)
      await expect(set({ set: { 'x" = 1 --': 'x' } })).rejects.toMatchObject(unknown)
      const hidden: Predicate = { op: 'eq', column: 'secret', value: 'red' }
      await expect(set({ where: hidden })).rejects.toMatchObject(unknown)
      await expect(set({ set: { team: 2 } })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      const invalid = { code: 'REQUEST_INVALID' }
      await expect(set({ in: [[1, 2]] })).rejects.toMatchObject(invalid)
      await expect(set({ set: {} })).rejects.toMatchObject(invalid)
      const writer = await access('people')
      const renumbered: Unit = { sets: [{ in: keys(1), where: everything, set: { id: 9 } }] }
      await expect(source.write(writer, renumbered)).rejects.toMatchObject(invalid)
      for (const [action, change] of [
        ['update', { set: { name: 'x' } }],
        ['delete', { delete: true }],
      ] as const) {
        const actions = (['read', 'create', 'update', 'delete'] as const).filter(
          (one) => one !== action,
        )
        const sets: SetChange[] = [{ in: keys(1), where: everything, ...change }]
        await expect(
          source.write(await access('people', { actions }), { sets }),
        ).rejects.toMatchObject({ code: 'FORBIDDEN' })
      }
      expect(await idsOf(source, writer)).toEqual([1, 2, 3, 4])
    })

    test("are refused by the database's own rules as a whole", async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      const result = await source.write(orders, {
        rows: [{ update: [15], set: { paid: true } }],
        sets: [
          { in: keys(10, 11), where: everything, set: { code: 'same' } },
          { in: keys(12), where: everything, set: { person: 99 } },
          { in: keys(13), where: everything, set: { paid: false } },
        ],
      })
      expect(result).toMatchObject({
        isDone: false,
        rows: [{ status: 'done' }],
        sets: [
          { status: 'refused', rule: 'unique', columns: ['code'] },
          { status: 'refused', rule: 'reference', columns: ['person'] },
          { status: 'done' },
        ],
      })
      const paid: Predicate = { op: 'eq', column: 'paid', value: true }
      expect(await idsOf(source, orders, paid)).toEqual([10, 13, 14])
    })

    test('two that expect the same rows: one does, the other is told', async () => {
      const { source, access } = await openBench(open, shop)
      const table = await access('people')
      const take = (secret: string): Unit => ({
        sets: [
          {
            in: keys(1, 2),
            where: { op: 'in', column: 'secret', values: ['red', 'green'] },
            set: { secret },
            expect: { matched: 2 },
          },
        ],
      })
      for (let round = 0; round < 5; round++) {
        const results = await Promise.all(['X', 'Y', 'Z'].map((x) => source.write(table, take(x))))
        expect(results.filter(({ isDone }) => isDone)).toHaveLength(1)
        const others = results.filter(({ isDone }) => !isDone)
        for (const { sets } of others)
          expect(sets).toEqual([{ status: 'mismatch', matched: 0, missing: keys(1, 2) }])
        await source.write(table, {
          rows: [
            { update: [1], set: { secret: 'red' } },
            { update: [2], set: { secret: 'green' } },
          ],
        })
      }
    })
  })

  describe(`${name}: what was there before`, () => {
    test('is told of each row that was changed', async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      const result = await source.write(orders, {
        rows: [
          { insert: { id: 20, code: 'new', paid: true } },
          { update: [10], set: { id: 30, paid: false }, expect: { code: 'a-1' } },
          { delete: [13] },
        ],
        sets: [{ in: keys(11, 12), where: everything, set: { total: 1.5, paid: true } }],
        before: true,
      })
      expect(result.isDone).toBe(true)
      expect(result.before).toEqual([
        { columns: ['id', 'paid'], rows: [{ key: [10], values: [10, true] }] },
        {
          columns: ['id', 'person', 'code', 'total', 'paid'],
          rows: [{ key: [13], values: [13, null, 'b-2', 5.5, true] }],
        },
        {
          columns: ['total', 'paid'],
          rows: [
            { key: [11], values: [null, false] },
            { key: [12], values: [7, false] },
          ],
        },
      ])
    })

    test('is told of nothing that the actor may not read, nor where nothing was done', async () => {
      const { source, access } = await openBench(open, { tables: [people] })
      const table = await access('people', { readable: ['id', 'name', 'team'] })
      const { before } = await source.write(table, {
        rows: [{ update: [1], set: { name: 'A', secret: 'x' } }, { delete: [2] }],
        sets: [{ in: keys(3), where: everything, set: { secret: 'y' } }],
        before: true,
      })
      expect(before).toEqual([
        { columns: ['name'], rows: [{ key: [1], values: ['Ada'] }] },
        { columns: ['id', 'name', 'team'], rows: [{ key: [2], values: [2, 'Bob', 1] }] },
        { columns: [], rows: [{ key: [3], values: [] }] },
      ])
      const failed = await source.write(table, {
        rows: [{ update: [3], set: { name: 'C' } }, { delete: [99] }],
        before: true,
      })
      expect(failed).toMatchObject({ isDone: false, before: [] })
    })
  })

  describe(`${name}: a ledger entry`, () => {
    test('is written where its unit is done, and only there', async () => {
      const { source, access, query } = await openBench(open, audited)
      const table = await access('people')
      const entries = () => query('select note from tablewire_scratch order by id')
      const noted = (id: number, unit: Unit) =>
        source.write(table, {
          ...unit,
          ledger: [{ table: 'tablewire_scratch', values: { id, note: "it's so" } }],
        })
      const set = (expected: number): Unit => ({
        sets: [
          {
            in: keys(1, 2),
            where: everything,
            set: { secret: 'x' },
            expect: { matched: expected },
          },
        ],
      })
      expect(await noted(2, set(3))).toMatchObject({ isDone: false })
      expect(await noted(2, { rows: [{ delete: [99] }] })).toMatchObject({ isDone: false })
      expect(await noted(2, { rows: [{ insert: { id: 1, name: 'X', team: 1 } }] })).toMatchObject({
        isDone: false,
        ledger: [{ status: 'done' }],
      })
      expect(await entries()).toEqual([['first']])
      expect(await noted(2, set(2))).toMatchObject({ isDone: true, ledger: [{ status: 'done' }] })
      expect(await entries()).toEqual([['first'], ["it's so"]])
    })

    test('that is there already keeps its unit from being done twice', async () => {
      const { source, access, query } = await openBench(open, audited)
      const table = await access('people')
      const add = () =>
        source.write(table, {
          rows: [{ insert: { name: 'Eve', team: 1 } }],
          ledger: [{ table: 'tablewire_scratch', values: { id: 5 } }],
        })
      const results = await Promise.all([add(), add(), add()])
      expect(results.filter(({ isDone }) => isDone)).toHaveLength(1)
      for (const { isDone, ledger: told } of results)
        expect(told).toEqual([isDone ? { status: 'done' } : { status: 'refused', rule: 'unique' }])
      expect(await source.count(table, everything)).toMatchObject({ count: 5 })
      expect(await query('select note from tablewire_scratch')).toHaveLength(2)
    })

    test("goes into none but Tablewire's own tables", async () => {
      const { source, access } = await openBench(open, audited)
      const unit: Unit = { ledger: [{ table: 'people', values: { id: 9 } }] }
      await expect(source.write(await access('people'), unit)).rejects.toThrow(TypeError)
    })
  })
}
