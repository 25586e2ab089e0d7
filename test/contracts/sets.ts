/** Changes to many rows: by the keys of a chunk, counted, atomic. */

import { describe, expect, test } from 'vitest'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Changes, SetChange } from '../../src/table/source/write-unit.ts'
import type { KeyValues } from '../../src/table/source/value.ts'
import { people, shop, type FixtureTable, type OpenFixture } from './fixture.ts'
import { idsOf, openBench, readPage, writeTo, type Bench } from './opened.ts'

const keys = (...ids: number[]): KeyValues[] => ids.map((id) => [id])

const teamOne: Predicate = { op: 'eq', column: 'team', value: 1 }

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
      const result = await writeTo(bench.source, table, {
        sets: [
          { in: keys(1, 3, 99), where: teamOne, set: { secret: 'x' } },
          { in: keys(4), where: everything, set: { secret: null } },
          { in: [], where: everything, set: { secret: 'nobody' } },
        ],
      })
      expect(result).toEqual({
        isDone: true,
        rows: [],
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
      const { sets } = await writeTo(source, table, { sets: [set] })
      expect(sets).toEqual([{ status: 'done', matched: 2, changed: 2 }])
      expect(await idsOf(source, table)).toEqual([3, 4])
    })

    test('touch no row that the policy hides, and move none out of reach', async () => {
      const bench = await openBench(open, { tables: [people] })
      const { source, access } = bench
      const mine = await access('people', { rows: teamOne })
      const all = keys(1, 2, 3, 4)
      const { sets } = await writeTo(source, mine, {
        sets: [{ in: all, where: everything, set: { secret: 'b' } }],
      })
      expect(sets[0]).toEqual({ status: 'done', matched: 2, changed: 2 })
      const moved: SetChange = { in: all, where: everything, set: { team: 2 } }
      await expect(writeTo(source, mine, { sets: [moved] })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      expect(await secrets(bench)).toEqual(['b', 'b', null, 'blue'])
      expect(await idsOf(source, mine)).toEqual([1, 2])
      const gone: SetChange = { in: all, where: everything, delete: true }
      expect((await writeTo(source, mine, { sets: [gone] })).sets[0]).toMatchObject({ matched: 2 })
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
      const unit: Changes = {
        sets: [{ in: keys(1, 2, 3, 4), where: everything, set: { grade: 7 } }],
      }
      expect((await writeTo(source, mine, unit)).sets).toEqual([
        { status: 'done', matched: 2, changed: 2 },
      ])
      expect(await idsOf(source, all, { op: 'eq', column: 'grade', value: 7 })).toEqual([2, 3])
      const sack: Changes = { sets: [{ in: keys(1, 3), where: everything, delete: true }] }
      expect((await writeTo(source, mine, sack)).sets[0]).toMatchObject({ matched: 1 })
      expect(await idsOf(source, all)).toEqual([1, 2, 4])
    })

    test('do nothing where fewer rows match than expected, and tell which are missing', async () => {
      const bench = await openBench(open, shop)
      const table = await bench.access('people')
      const result = await writeTo(bench.source, table, {
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

    test('do nothing where a row holds something else than expected', async () => {
      const bench = await openBench(open, shop)
      const { source } = bench
      const table = await bench.access('people')
      const columns = ['secret', 'team']
      const those: KeyValues[] = []
      const digests: number[] = []
      for await (const rows of source.digests(table, teamOne, columns, { chunk: 1 })) {
        expect(rows.keys).toHaveLength(1)
        those.push(...rows.keys)
        digests.push(...(rows.digests ?? []))
      }
      const set = (over: object = {}): Changes => {
        const holding = { columns, digests, ...over }
        const expect = { matched: those.length, holding }
        return { sets: [{ in: those, where: teamOne, set: { secret: 'x' }, expect }] }
      }
      await writeTo(source, table, { rows: [{ update: [2], set: { secret: 'other' } }] })
      const { sets } = await writeTo(source, table, set())
      expect(sets).toEqual([{ status: 'mismatch', matched: 0, missing: [] }])
      expect(await secrets(bench)).toEqual(['red', 'other', null, 'blue'])
      await writeTo(source, table, { rows: [{ update: [2], set: { secret: 'green' } }] })
      await expect(writeTo(source, table, set({ digests: [1] }))).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
      await expect(writeTo(source, table, set({ columns: ['no'] }))).rejects.toMatchObject({
        code: 'TABLE_UNKNOWN_COLUMN',
      })
      expect((await writeTo(source, table, set())).sets).toMatchObject([{ status: 'done' }])
      expect(await secrets(bench)).toEqual(['x', 'x', null, 'blue'])
    })

    test('of ten thousand keys, and no more', async () => {
      const { source, access } = await openBench(open, { tables: [numbers(12_000)] })
      const table = await access('numbers')
      const all = Array.from({ length: 10_001 }, (_, i) => [i + 1])
      const set = (list: KeyValues[]): Changes => ({
        sets: [
          {
            in: list,
            where: { op: 'lt', column: 'n', value: 5 },
            set: { n: 77 },
            expect: { matched: 5000 },
          },
        ],
      })
      const { sets } = await writeTo(source, table, set(all.slice(1)))
      expect(sets).toEqual([{ status: 'done', matched: 5000, changed: 5000 }])
      const where: Predicate = { op: 'eq', column: 'n', value: 77 }
      expect(await source.count(table, where)).toMatchObject({ count: 5000 })
      await expect(writeTo(source, table, set(all))).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
    })

    test('by keys of several columns', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const table = await access('pairs')
      const all: KeyValues[] = Array.from({ length: 250 }, (_, i) => [i >> 1, i & 1 ? 'x' : 'X'])
      const where: Predicate = { op: 'gte', column: 'n', value: 10 }
      const { sets } = await writeTo(source, table, {
        sets: [{ in: [...all, [0, 'y']], where, set: { n: null } }],
      })
      expect(sets).toEqual([{ status: 'done', matched: 240, changed: 240 }])
      const short = await writeTo(source, table, {
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
        writeTo(source, reader, {
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
      const renumbered: Changes = { sets: [{ in: keys(1), where: everything, set: { id: 9 } }] }
      await expect(writeTo(source, writer, renumbered)).rejects.toMatchObject(invalid)
      for (const [action, change] of [
        ['update', { set: { name: 'x' } }],
        ['delete', { delete: true }],
      ] as const) {
        const actions = (['read', 'create', 'update', 'delete'] as const).filter(
          (one) => one !== action,
        )
        const sets: SetChange[] = [{ in: keys(1), where: everything, ...change }]
        await expect(
          writeTo(source, await access('people', { actions }), { sets }),
        ).rejects.toMatchObject({ code: 'FORBIDDEN' })
      }
      expect(await idsOf(source, writer)).toEqual([1, 2, 3, 4])
    })

    test("are refused by the database's own rules as a whole", async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      const result = await writeTo(source, orders, {
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
      const take = (secret: string): Changes => ({
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
        const results = await Promise.all(
          ['X', 'Y', 'Z'].map((x) => writeTo(source, table, take(x))),
        )
        expect(results.filter(({ isDone }) => isDone)).toHaveLength(1)
        const others = results.filter(({ isDone }) => !isDone)
        for (const { sets } of others)
          expect(sets).toEqual([{ status: 'mismatch', matched: 0, missing: keys(1, 2) }])
        await writeTo(source, table, {
          rows: [
            { update: [1], set: { secret: 'red' } },
            { update: [2], set: { secret: 'green' } },
          ],
        })
      }
    })
  })
}
