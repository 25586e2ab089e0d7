/** Many rows of one unit, each with values of its own: written together, and judged one by one. */

import { describe, expect, test } from 'vitest'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { RowChange, RowResult } from '../../src/table/source/write-unit.ts'
import { people, shop, type FixtureTable, type OpenFixture } from './fixture.ts'
import { openBench, readPage, writeRows, writeTo, type Bench } from './opened.ts'

const items = (count: number): FixtureTable => ({
  name: 'items',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'label', type: 'text', nullable: true },
    { name: 'place', type: 'integer', unique: true },
    { name: 'code', type: 'text', unique: true },
    { name: 'slot', type: 'integer', nullable: true, unique: true },
    { name: 'size', type: 'decimal', nullable: true },
  ],
  key: ['id'],
  rows: Array.from({ length: count }, (_, i) => [i + 1, `l${i}`, i + 1, `c${i + 1}`, i + 1, 1]),
})

/** Keys of two columns, one of them a text. */
const pairs: FixtureTable = {
  name: 'pairs',
  columns: [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'text' },
    { name: 'n', type: 'integer', nullable: true },
  ],
  key: ['a', 'b'],
  rows: Array.from({ length: 300 }, (_, i) => [i >> 1, i & 1 ? 'x' : 'X', i]),
}

const COUNT = 250

const updates = (count: number, of: (i: number) => RowChange): RowChange[] =>
  Array.from({ length: count }, (_, i) => of(i))

const notDone = (results: readonly RowResult[]) =>
  results.flatMap((result, at) => (result.status === 'done' ? [] : [[at, result]]))

const columnOf = async ({ source, access }: Bench, table: string, column: string) => {
  const found: unknown[] = []
  const open = await access(table)
  for (const after of [0, 100, 200]) {
    const where: Predicate = {
      op: 'and',
      all: [
        { op: 'gt', column: 'id', value: after },
        { op: 'lte', column: 'id', value: after + 100 },
      ],
    }
    const { rows } = await readPage(source, open, { columns: [column], where })
    found.push(...rows.map(({ values }) => values[0]))
  }
  return found
}

export function valuesByKeyContract(name: string, open: OpenFixture): void {
  describe(`${name}: values by key`, () => {
    test('give each row its own, in whichever columns it names', async () => {
      const bench = await openBench(open, { tables: [items(COUNT)] })
      const long = '12345678901.5'
      const results = await writeRows(
        bench.source,
        await bench.access('items'),
        updates(COUNT, (i) => ({
          update: [i + 1],
          set:
            i % 5 === 0 ? { label: null } : { label: `it's ${i}`, size: i % 2 ? i + 0.25 : long },
          expect: { label: `l${i}` },
        })),
      )
      expect(results).toEqual(
        updates(COUNT, (i) => ({ update: [i + 1], set: {} })).map((_, i) => ({
          status: 'done',
          key: [i + 1],
        })),
      )
      const labels = await columnOf(bench, 'items', 'label')
      expect(labels).toEqual(
        Array.from({ length: COUNT }, (_, i) => (i % 5 === 0 ? null : `it's ${i}`)),
      )
      const sizes = await columnOf(bench, 'items', 'size')
      expect(sizes.slice(0, 5).map(Number)).toEqual([1, 1.25, Number(long), 3.25, Number(long)])
    })

    test('are what each row would get alone, however alike they look', async () => {
      const alike: FixtureTable = {
        name: 'alike',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'x', type: 'float' },
          { name: 'note', type: 'text' },
        ],
        key: ['id'],
        rows: [1, 2, 3, 4].map((id) => [id, 1, 'a\nstring b']),
      }
      const { source, access } = await openBench(open, { tables: [alike] })
      const table = await access('alike')
      const changes: RowChange[] = [
        { update: [1], set: { x: 0, note: { replace: 'a', with: 'b\nstring c' } } },
        { update: [2], set: { x: -0, note: { replace: 'a\nstring b', with: 'c' } } },
      ]
      const held = (id: number) => source.row(table, [id], { columns: ['x', 'note'] })
      expect(notDone(await writeRows(source, table, changes))).toEqual([])
      for (const [i, change] of changes.entries()) {
        if (!('update' in change)) continue
        await writeRows(source, table, [{ ...change, update: [i + 3] }])
        expect((await held(i + 1))?.values).toEqual((await held(i + 3))?.values)
      }
    })

    test('of keys of several columns, that differ in letter case alone', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const table = await access('pairs')
      const key = (i: number) => [i >> 1, i & 1 ? 'x' : 'X']
      const changes = updates(300, (i) => ({ update: key(i), set: { n: i * 2 }, expect: { n: i } }))
      expect(notDone(await writeRows(source, table, changes))).toEqual([])
      for (const i of [0, 1, 150, 299]) {
        const row = await source.row(table, key(i), { columns: ['n'] })
        expect(row?.values).toEqual([i * 2])
      }
    })

    test('a row written twice holds the last value, and the second time what the first left', async () => {
      const bench = await openBench(open, { tables: [items(3)] })
      const twice: RowChange[] = [
        { update: [1], set: { label: 'a' } },
        { update: [2], set: { label: 'a' } },
        { update: [1], set: { label: 'b' }, expect: { label: 'a' } },
        { update: [3], set: { label: 'c' } },
      ]
      const results = await writeRows(bench.source, await bench.access('items'), twice)
      expect(notDone(results)).toEqual([])
      expect(await columnOf(bench, 'items', 'label')).toEqual(['b', 'a', 'c'])
    })

    test('what was not expected, is missing or hidden is told of its row alone, and nothing is written', async () => {
      const bench = await openBench(open, { tables: [items(COUNT)] })
      const rows: Predicate = { op: 'lte', column: 'id', value: 240 }
      const results = await writeRows(
        bench.source,
        await bench.access('items', { rows }),
        updates(COUNT, (i) => ({
          update: [i === 200 ? 999 : i + 1],
          set: { label: `n${i}` },
          expect: i === 120 ? { label: 'other', place: 121 } : { label: `l${i}` },
        })),
      )
      expect(notDone(results)).toEqual([
        [120, { status: 'conflict', current: { label: 'l120', place: 121 } }],
        ...[200, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249].map((at) => [
          at,
          { status: 'missing' },
        ]),
      ])
      expect((await columnOf(bench, 'items', 'label'))[0]).toBe('l0')
    })

    test('a row that would leave the policy is told alone', async () => {
      const bench = await openBench(open, { tables: [items(COUNT)] })
      const rows: Predicate = { op: 'lt', column: 'size', value: 1000 }
      const mine = await bench.access('items', { rows })
      const results = await writeRows(
        bench.source,
        mine,
        updates(COUNT, (i) => ({ update: [i + 1], set: { size: i === 77 ? 1000 : i } })),
      )
      expect(notDone(results)).toEqual([[77, { status: 'forbidden' }]])
      const inserted = await writeRows(
        bench.source,
        mine,
        updates(120, (i) => ({
          insert: { id: 500 + i, place: 500 + i, code: `n${i}`, size: i === 3 ? 5000 : 5 },
        })),
      )
      expect(notDone(inserted)).toEqual([[3, { status: 'forbidden' }]])
      expect((await columnOf(bench, 'items', 'size')).slice(0, 3).map(Number)).toEqual([1, 1, 1])
    })

    test("what the database's own rules refuse is told of its row", async () => {
      const bench = await openBench(open, { tables: [items(COUNT)] })
      const table = await bench.access('items')
      const results = await writeRows(bench.source, table, [
        ...updates(COUNT - 2, (i) => ({
          update: [i + 1],
          set: { label: `n${i}`, code: i === 60 ? 'c249' : i === 70 ? null : `n${i}` },
        })),
      ])
      expect(notDone(results)).toMatchObject([
        [60, { status: 'refused', rule: 'unique', columns: ['code'] }],
        [70, { status: 'refused', rule: 'required', columns: ['code'] }],
      ])
      const inserts = updates(150, (i) => ({
        insert: { id: 900 + i, place: i === 80 ? 7 : 900 + i, code: `new ${i}` },
      }))
      expect(notDone(await writeRows(bench.source, table, inserts))).toMatchObject([
        [80, { status: 'refused', rule: 'unique', columns: ['place'] }],
      ])
      expect((await columnOf(bench, 'items', 'code')).slice(0, 2)).toEqual(['c1', 'c2'])
    })

    test('rows swap values that no two may share', async () => {
      const bench = await openBench(open, { tables: [items(COUNT)] })
      const table = await bench.access('items')
      for (const column of ['place', 'code', 'slot'] as const) {
        const was = await columnOf(bench, 'items', column)
        const turned = updates(COUNT, (i) => ({
          update: [i + 1],
          set: { [column]: was.at((i + 1) % COUNT) as string | number, label: `${column} ${i}` },
          expect: { [column]: was[i] as string | number },
        }))
        expect(notDone(await writeRows(bench.source, table, turned))).toEqual([])
        expect(await columnOf(bench, 'items', column)).toEqual([...was.slice(1), was[0]])
      }
    })

    test('of rows that swap values, only one that is refused is told, and all stay as they were', async () => {
      const bench = await openBench(open, { tables: [items(6)] })
      const results = await writeRows(bench.source, await bench.access('items'), [
        { update: [1], set: { place: 2, code: 'c2' }, expect: { place: 1 } },
        { update: [2], set: { place: 1, code: 'c1' }, expect: { code: 'c2' } },
        { update: [3], set: { place: 6 } },
        { update: [9], set: { place: 9 } },
      ])
      expect(notDone(results)).toMatchObject([
        [2, { status: 'refused', rule: 'unique', columns: ['place'] }],
        [3, { status: 'missing' }],
      ])
      expect(await columnOf(bench, 'items', 'place')).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('new rows get keys from the database, each row its own', async () => {
      const { source, access } = await openBench(open, { tables: [people] })
      const table = await access('people')
      const results = await writeRows(
        source,
        table,
        updates(COUNT, (i) => ({ insert: { name: `N${i}`, team: i % 7 } })),
      )
      expect(notDone(results)).toEqual([])
      for (const at of [0, 1, 99, 100, 249]) {
        const result = results[at]
        const key = result?.status === 'done' ? result.key : []
        const row = await source.row(table, key, { columns: ['name', 'team'] })
        expect(row?.values).toEqual([`N${at}`, at % 7])
      }
      expect(await source.count(table, everything)).toMatchObject({ count: COUNT + 4 })
    })

    test('rows are deleted if all still hold what was expected', async () => {
      const { source, access } = await openBench(open, { tables: [items(COUNT)] })
      const table = await access('items')
      const deletes = (wrong: number): RowChange[] =>
        updates(COUNT, (i) => ({
          delete: [i + 1],
          expect: { label: i === wrong ? 'other' : `l${i}`, slot: i + 1 },
        }))
      expect(notDone(await writeRows(source, table, deletes(130)))).toMatchObject([
        [130, { status: 'conflict', current: { label: 'l130' } }],
      ])
      expect(await source.count(table, everything)).toMatchObject({ count: COUNT })
      const unit = await writeTo(source, table, { rows: deletes(-1) })
      expect(unit.isDone).toBe(true)
      expect(await source.count(table, everything)).toMatchObject({ count: 0 })
    })

    test('of those who change the same rows at once, one writes and the others are told', async () => {
      const bench = await openBench(open, shop)
      const table = await bench.access('people')
      const take = (name: string): RowChange[] => [
        { update: [1], set: { name: `${name}1` }, expect: { name: 'Ada' } },
        { update: [2], set: { name: `${name}2` }, expect: { name: 'Bob' } },
        { update: [3], set: { name: `${name}3` }, expect: { name: 'Cleo' } },
      ]
      const all = await Promise.all(
        ['X', 'Y', 'Z'].map((one) => writeRows(bench.source, table, take(one))),
      )
      const lost = all.filter((results) => notDone(results).length > 0)
      expect(lost).toHaveLength(2)
      for (const results of lost)
        expect(results.map(({ status }) => status)).toEqual(['conflict', 'conflict', 'conflict'])
    })
  })
}
