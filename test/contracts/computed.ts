/** New values that the database works out of the row: exact, of the right type, and as rules are told. */

import { describe, expect, test } from 'vitest'
import { computeValues } from '../../src/table/changes/compute.ts'
import type { NewValues } from '../../src/table/source/computed.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { KeyValues, Value } from '../../src/table/source/value.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { openBench, writeOne, writeTo, type Bench } from './opened.ts'

const stock: FixtureTable = {
  name: 'stock',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'integer', nullable: true },
    { name: 'price', type: 'decimal', declared: 'decimal(10,2)', nullable: true },
    { name: 'weight', type: 'float', nullable: true },
    { name: 'note', type: 'text', nullable: true },
    { name: 'code', type: 'text' },
    { name: 'seen', type: 'datetime', nullable: true },
    { name: 'day', type: 'date', nullable: true },
    { name: 'due', type: 'date', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 5, 0.1, 1.5, 'a-a A', 'one', null, null, '2024-02-29'],
    [2, 2n ** 62n, '99999999.5', 2, "it's 100%", 'two', null, null, null],
    [3, null, null, null, null, 'three', null, null, null],
    [4, -7, -1.05, 0, '', 'four', null, null, '2025-01-01'],
  ],
}

const keys = (...ids: number[]): KeyValues[] => ids.map((id) => [id])

const ADDED: NewValues = {
  n: { add: 3 },
  price: { add: '0.2' },
  weight: { multiply: 2.5 },
  note: { replace: 'a', with: "$&'" },
  code: { append: ' – 100 %' },
  day: { column: 'due' },
}
const MULTIPLIED: NewValues = {
  n: { multiply: -2 },
  price: { multiply: '1.05' },
  weight: { add: -0.25 },
  note: { append: '' },
}

export function computedContract(name: string, open: OpenFixture): void {
  describe(`${name}: values worked out of the row`, () => {
    const columns = ['n', 'price', 'weight', 'note', 'code', 'day'] as const
    const held = async ({ source, access }: Bench, id: number) => {
      const found = await source.row(await access('stock'), [id], { columns })
      return Object.fromEntries(columns.map((one, i) => [one, found?.values[i] ?? null]))
    }

    test('are sums, products, texts and other columns; NULL stays NULL', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const { sets } = await writeTo(bench.source, await bench.access('stock'), {
        sets: [{ in: keys(1, 3, 4), where: everything, set: ADDED }],
      })
      expect(sets).toMatchObject([{ status: 'done', matched: 3 }])
      const numbers = async (id: number) => {
        const { price, ...row } = await held(bench, id)
        return { ...row, price: price === null ? null : Number(price) }
      }
      expect(await numbers(1)).toEqual({
        ...{ n: 8, price: 0.3, weight: 3.75, note: "$&'-$&' A", code: 'one – 100 %' },
        day: '2024-02-29',
      })
      expect(await numbers(3)).toEqual({
        ...{ n: null, price: null, weight: null, note: null, code: 'three – 100 %', day: null },
      })
      expect(await numbers(4)).toEqual({
        ...{ n: -4, price: -0.85, weight: 0, note: '', code: 'four – 100 %', day: '2025-01-01' },
      })
    })

    test('are in the row what rules are told beforehand', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const { table } = await bench.access('stock')
      for (const set of [ADDED, MULTIPLIED])
        for (const id of [1, 3, 4]) {
          const found = await bench.source.row(await bench.access('stock'), [id], {
            columns: [...columns, 'due'],
          })
          const before = Object.fromEntries(
            [...columns, 'due'].map((one, i) => [one, found?.values[i] ?? null]),
          )
          const told = computeValues(table, set, before, 0)
          await writeOne(bench.source, await bench.access('stock'), { update: [id], set })
          const now = await held(bench, id)
          const texts = (values: Readonly<Record<string, Value>>) =>
            Object.entries(set).map(([one]) => [one, Number(values[one]) || values[one]])
          expect(told).toHaveProperty('values')
          if ('values' in told) expect(texts(now)).toEqual(texts(told.values))
        }
    })

    test('have every digit, and are rounded to the digits of their column', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const table = await bench.access('stock')
      const write = (id: number, set: NewValues) =>
        writeOne(bench.source, table, { update: [id], set })
      expect(await write(2, { n: { add: 2n ** 62n - 1n } })).toMatchObject({ status: 'done' })
      expect((await held(bench, 2))['n']).toBe(2n ** 63n - 1n)
      expect(await write(2, { price: { add: '0.49' } })).toMatchObject({ status: 'done' })
      expect(Number((await held(bench, 2))['price'])).toBe(99999999.99)
      expect(await write(4, { price: { multiply: '1.1' } })).toMatchObject({ status: 'done' })
      // -1.155
      expect(Number((await held(bench, 4))['price'])).toBe(-1.16)
    })

    test('that are too large are refused, with their column, and change nothing', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const table = await bench.access('stock')
      const refused = { status: 'refused', rule: 'type', columns: ['n'] }
      expect(
        await writeOne(bench.source, table, { update: [2], set: { n: { multiply: 4 } } }),
      ).toEqual(refused)
      for (const [id, add] of [
        [4, '9999999999999999999'],
        [1, '-9999999999999999999'],
      ] as const)
        expect(
          await writeOne(bench.source, table, { update: [id], set: { n: { add } } }),
        ).toMatchObject({ status: 'refused', rule: 'type' })
      // More digits than some engines can calculate with.
      const price = { add: `${'9'.repeat(40)}.${'9'.repeat(30)}` }
      const { status } = await writeOne(bench.source, table, { update: [3], set: { price } })
      expect(['done', 'refused']).toContain(status)
      const { sets, isDone } = await writeTo(bench.source, table, {
        sets: [{ in: keys(1, 2), where: everything, set: { n: { add: 2n ** 62n } } }],
      })
      expect({ sets, isDone }).toEqual({ sets: [refused], isDone: false })
      expect((await held(bench, 1))['n']).toBe(5)
    })

    test('are refused where they do not suit the column', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const table = await bench.access('stock')
      const unsuited: NewValues[] = [
        { n: { add: 0.5 } },
        { n: { multiply: '1; drop table stock' } },
        { n: { append: '1' } },
        { price: { add: 'NaN' } },
        { weight: { add: Infinity } },
        { note: { add: 1 } },
        { note: { now: true } },
        { note: { replace: '', with: 'x' } },
        { note: { append: '\ud800' } },
        { code: { column: 'n' } },
        { id: { add: 1 } },
        { code: { column: 'note' }, note: 'x' },
      ]
      for (const set of unsuited)
        expect(await writeOne(bench.source, table, { update: [1], set })).toEqual({
          ...{ status: 'refused', rule: 'type', columns: [Object.keys(set)[0]] },
        })
      expect(await held(bench, 1)).toMatchObject({ n: 5, note: 'a-a A', code: 'one' })
    })

    test('come beside values that are given, to many rows at once', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const { rows } = await writeTo(bench.source, await bench.access('stock'), {
        rows: [
          { update: [1], set: { n: { add: 1 }, price: 4 } },
          { update: [3], set: { n: 12, price: { add: 1 } } },
          { update: [4], set: { n: { add: 1 }, price: '5.5' }, expect: { n: -7 } },
        ],
      })
      expect(rows.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
      const all = await Promise.all([1, 3, 4].map((id) => held(bench, id)))
      expect(all.map(({ n }) => n)).toEqual([6, 12, -6])
      expect(all.map(({ price }) => price && Number(price))).toEqual([4, null, 5.5])
    })

    test('may be the present moment', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const table = await bench.access('stock')
      const earliest = Date.now() - 2000
      await writeOne(bench.source, table, {
        update: [1],
        set: { seen: { now: true }, day: { now: true } },
      })
      const found = await bench.source.row(table, [1], { columns: ['seen', 'day'] })
      const [seen, day] = (found?.values ?? []).map(String)
      const moment = Date.parse(`${seen?.replace(' ', 'T').slice(0, 19)}Z`)
      expect(moment).toBeGreaterThanOrEqual(earliest)
      expect(moment).toBeLessThanOrEqual(Date.now() + 2000)
      expect(Math.abs(Date.parse(`${day}`) - moment)).toBeLessThanOrEqual(86_400_000)
    })

    test('tell nothing of columns that the actor may not read', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const readable = ['id', 'code']
      const blind = await bench.access('stock', { readable, writable: ['n', 'code'] })
      const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
      for (const set of [{ n: { add: 1 } }, { code: { column: 'note' } }] as const) {
        const rows = [{ update: [1], set }]
        await expect(writeTo(bench.source, blind, { rows })).rejects.toMatchObject(unknown)
        const sets = [{ in: keys(1), where: everything, set }]
        await expect(writeTo(bench.source, blind, { sets })).rejects.toMatchObject(unknown)
      }
      const locked = await bench.access('stock', { writable: ['code'] })
      const rows = [{ update: [1], set: { n: { add: 1 } } }]
      await expect(writeTo(bench.source, locked, { rows })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    })

    test('lose nothing where many add at once', async () => {
      const bench = await openBench(open, { tables: [stock] })
      const table = await bench.access('stock')
      const add = (i: number) =>
        i % 2 === 0
          ? writeTo(bench.source, table, { rows: [{ update: [1], set: { n: { add: i } } }] })
          : writeTo(bench.source, table, {
              sets: [{ in: keys(1), where: everything, set: { n: { add: i } } }],
            })
      const results = await Promise.all(Array.from({ length: 30 }, (_, i) => add(i)))
      expect(results.every(({ isDone }) => isDone)).toBe(true)
      expect((await held(bench, 1))['n']).toBe(5 + (29 * 30) / 2)
    })
  })
}
