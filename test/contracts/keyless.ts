/** Rows that nothing tells apart: tables without a key, views and materialized views, paged to the end. */

import { describe, expect, test } from 'vitest'
import { isPlain, within } from '../tier.ts'
import type { Access } from '../../src/table/source/access.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Place, RowPage, SortColumn } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { compare } from './model.ts'
import { openBench, type Bench } from './opened.ts'

const ROWS = 3000
const SIZE = isPlain ? 150 : 50
/** Most walks take longer steps. */
const LONG_SIZE = 500

/** Few values of `a`, some rows that are alike, and texts that differ beyond what engines sort by. */
const nokey: FixtureTable = {
  name: 'nokey',
  columns: [
    { name: 'a', type: 'integer', nullable: true },
    { name: 'u', type: 'integer' },
    { name: 's', type: 'text', nullable: true },
    { name: 'long', type: 'text' },
  ],
  key: [],
  rows: Array.from({ length: ROWS }, (_, i): Value[] => [
    i % 11 === 0 ? null : i % 3,
    (i * 7919) % 2900,
    i % 7 === 0 ? null : `s ${i % 13}`,
    `${'x'.repeat(i % 10 === 0 ? 9000 : 10)}${(i * 31) % 2000}`,
  ]),
}

const names = nokey.columns.map(({ name }) => name)
const RELATIONS = ['nokey', 'seen', 'kept'] as const
const fixture = {
  tables: [nokey],
  views: [
    { name: 'seen', of: 'nokey' },
    { name: 'kept', of: 'nokey', isMaterialized: true },
  ],
}

const ORDERS: readonly (readonly SortColumn[])[] = [
  ...names.flatMap((column) => [[{ column, descending: false }], [{ column, descending: true }]]),
  [
    { column: 's', descending: true },
    { column: 'a', descending: false },
  ],
]

export function keylessContract(name: string, open: OpenFixture): void {
  describe(`${name}: rows without a key`, () => {
    test(
      'each is on one page of any order, forwards and from the end',
      async () => {
        const bench = await openBench(open, fixture)
        const expected = sorted([...nokey.rows].map(String))
        for (const relation of RELATIONS) {
          const access = await bench.access(relation)
          for (const sort of ORDERS) {
            const isShort = sort.length === 1 && sort[0]!.column === 'a'
            const forwards = await walk(bench, access, sort, isShort ? SIZE : LONG_SIZE)
            expect(sorted(forwards.map(String)), told(relation, sort)).toEqual(expected)
            expectOrder(forwards, sort)
          }
          const last = await page(bench, access, [{ column: 'a', descending: false }], {
            at: 'last',
            rows: SIZE,
          })
          const all = await walk(bench, access, [{ column: 'a', descending: false }], LONG_SIZE)
          expect(rowsOf(last).map(String), relation).toEqual(all.slice(-SIZE).map(String))
        }
      },
      within(120_000),
    )

    test('an order that nobody chose is total, or the page says that it is not', async () => {
      const bench = await openBench(open, fixture)
      for (const relation of RELATIONS) {
        const access = await bench.access(relation)
        const first = await page(bench, access, [], { at: 'first' })
        if (first.unordered) continue
        const rows = await walk(bench, access, [], SIZE)
        expect(sorted(rows.map(String)), relation).toEqual(sorted([...nokey.rows].map(String)))
      }
      const seen = await page(bench, await bench.access('seen'), [], { at: 'first' })
      expect(seen.unordered).toBe(true)
    })

    test('columns that may not be read take no part in the order', async () => {
      const bench = await openBench(open, fixture)
      const readable = ['a', 's']
      for (const relation of RELATIONS) {
        const access = await bench.access(relation, { readable })
        const sort = [{ column: 'a', descending: false }]
        const read = async (place: Place): Promise<RowPage> =>
          bench.source.page(access, {
            columns: readable,
            where: everything,
            sort,
            size: 1000,
            place,
          })
        const rows = [0, 1000, 2000].map(async (skip) => rowsOf(await read({ at: 'offset', skip })))
        const expected = [...nokey.rows].map(([a, , s]) => String([a, s]))
        expect(sorted((await Promise.all(rows)).flat().map(String))).toEqual(sorted(expected))
      }
    })
  })
}

async function walk(
  bench: Bench,
  access: Access,
  sort: readonly SortColumn[],
  size: number,
): Promise<Value[][]> {
  const rows: Value[][] = []
  // Some of the pages are told how many rows there are, and may be counted from the end.
  for (let skip = 0; skip < ROWS; skip += size) {
    const total = skip % (2 * size) === 0 ? { total: ROWS } : {}
    rows.push(...rowsOf(await page(bench, access, sort, { at: 'offset', skip, ...total }, size)))
  }
  return rows
}

const page = (
  { source }: Bench,
  access: Access,
  sort: readonly SortColumn[],
  place: Place,
  size = SIZE,
): Promise<RowPage> => source.page(access, { columns: names, where: everything, sort, size, place })

const rowsOf = ({ rows }: RowPage): Value[][] => rows.map(({ values }) => [...values])

const sorted = (texts: readonly string[]): string[] => texts.toSorted()

const told = (relation: string, sort: readonly SortColumn[]): string =>
  `${relation} by ${sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join()}`

/** Values come in the order that was asked for, NULL after all of them. */
function expectOrder(rows: readonly Value[][], [first]: readonly SortColumn[]): void {
  const values = rows.map((row) => row[names.indexOf(first!.column)] ?? null)
  const filled = values.filter((value) => value !== null)
  expect(values.slice(filled.length).every((value) => value === null)).toBe(true)
  if (first!.column === 'long') return
  const way = first!.descending ? -1 : 1
  expect(filled.every((value, i) => i === 0 || way * compare(filled[i - 1]!, value) <= 0)).toBe(
    true,
  )
}
