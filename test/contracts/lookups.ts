/** Lookups: what values a column has, where a row stands in an order, and one row with what it refers to. */

import { describe, expect, test } from 'vitest'
import type { Access, Grant } from '../../src/table/source/access.ts'
import { everything, nothing, type Predicate } from '../../src/table/source/predicate.ts'
import type { Facets, RowSource } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import { shop, type Fixture, type FixtureTable, type OpenFixture } from './fixture.ts'
import { openBench, readPage } from './opened.ts'

const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
const withoutSecret: Partial<Grant> = { readable: ['id', 'name', 'team'] }
/** The policy may read what the actor may not. */
const onlyGreenOrRed: Partial<Grant> = {
  ...withoutSecret,
  rows: { op: 'in', column: 'secret', values: ['green', 'red'] },
}
const ofTeamTwo: Predicate = {
  op: 'related',
  column: 'person',
  table: 'people',
  references: 'id',
  where: { op: 'eq', column: 'team', value: 2 },
}

const told = ({ facets }: Facets) => facets.map(({ value, count }) => [value, count])

const columnOf = (type: FixtureTable['columns'][number]['type'], values: Value[]): Fixture => ({
  tables: [
    {
      name: 't',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'v', type, nullable: true },
      ],
      key: ['id'],
      rows: values.map((value, id) => [id, value]),
    },
  ],
})

/** Rows that refer to others by one column and by two, and to a row of their own table. */
const sending: Fixture = {
  tables: [
    {
      name: 'places',
      columns: [
        { name: 'land', type: 'text' },
        { name: 'number', type: 'integer' },
        { name: 'name', type: 'text', nullable: true },
        { name: 'secret', type: 'text', nullable: true },
      ],
      key: ['land', 'number'],
      rows: [
        ['at', 1, 'Wien', 'a'],
        ['at', 2, 'Graz', null],
        ['de', 1, null, null],
        ['de', 2, 'é'.repeat(300), null],
      ],
    },
    {
      name: 'people',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'mail', type: 'text', unique: true },
        { name: 'name', type: 'text', nullable: true },
        { name: 'size', type: 'float', nullable: true },
      ],
      key: ['id'],
      rows: [
        [1, 'ada@x', 'Ada', 1.5],
        [2, 'bob@x', null, null],
        [9_007_199_254_740_993n, 'cleo@x', 'Cleo', 2],
      ],
    },
    {
      name: 'parcels',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'land', type: 'text', nullable: true },
        { name: 'number', type: 'integer', nullable: true },
        { name: 'mail', type: 'text', nullable: true },
        { name: 'person', type: 'integer', nullable: true },
        { name: 'after', type: 'integer', nullable: true },
        { name: 'note', type: 'text', nullable: true },
      ],
      key: ['id'],
      rows: [
        [1, 'at', 1, 'ada@x', 9_007_199_254_740_993n, null, 'x'.repeat(50)],
        [2, 'de', 1, 'bob@x', 2, 1, null],
        [3, 'de', 2, 'gone@x', null, 99, null],
        [4, 'at', null, null, null, null, null],
      ],
    },
  ],
}
const parcelColumns = ['id', 'land', 'number', 'mail', 'person', 'after', 'note']

const relationsOf = (places: Access, people: Access, parcels: Access) => [
  { columns: ['land', 'number'], access: places, references: ['land', 'number'], label: 'name' },
  { columns: ['mail'], access: people, references: ['mail'], label: 'name' },
  { columns: ['person'], access: people, references: ['id'], label: 'size' },
  { columns: ['after'], access: parcels, references: ['id'] },
]

async function openSending(open: OpenFixture, less: Partial<Grant> = {}) {
  const { source, access } = await openBench(open, sending)
  const [places, people] = [await access('places', less), await access('people')]
  const parcels = await access('parcels')
  const related = relationsOf(places, people, parcels)
  const find = (id: number) => source.row(parcels, [id], { columns: parcelColumns, related })
  return { source, parcels, related, find }
}

export function lookupsContract(name: string, open: OpenFixture): void {
  facetsContract(name, open)
  rankContract(name, open)
  rowContract(name, open)
}

function facetsContract(name: string, open: OpenFixture): void {
  describe(`${name}: the values of a column`, () => {
    const facetsOf = async (fixture: Fixture, options = {}) => {
      const { source, access } = await openBench(open, fixture)
      return source.facets(await access('t'), everything, 'v', options)
    }

    test('come with their counts, the most frequent first, then by value, NULL last', async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      const of = async (column: string, where = everything) =>
        told(await source.facets(orders, where, column))
      expect(await of('total')).toEqual([
        [5.5, 2],
        [null, 2],
        [0, 1],
        [7, 1],
      ])
      expect(await of('paid')).toEqual([
        [false, 3],
        [true, 3],
      ])
      expect(await of('person', { op: 'gt', column: 'total', value: 1 })).toEqual([
        [1, 1],
        [3, 1],
        [null, 1],
      ])
      expect(await of('code', nothing)).toEqual([])
    })

    test('are told apart to the last letter and space', async () => {
      const values = ['a', 'A', 'a ', 'á', '', 'a', null, null]
      const facets = await facetsOf(columnOf('text', values))
      expect(told(facets)).toEqual([
        ['a', 2],
        [null, 2],
        ['', 1],
        ['A', 1],
        ['a ', 1],
        ['á', 1],
      ])
    })

    test.for([
      ['integer', [2n ** 63n - 1n, -(2n ** 63n), 5]],
      ['boolean', [true, false, null]],
      ['binary', [new Uint8Array([0, 255]), new Uint8Array()]],
      ['date', ['2024-02-29', '1999-12-31']],
      ['float', [0.1, -1.5, 1e300]],
    ] as const)('find their rows again: %s', async ([type, values]) => {
      const { source, access } = await openBench(open, columnOf(type, [...values, values[0]]))
      const table = await access('t')
      const { facets } = await source.facets(table, everything, 'v')
      expect(facets.map(({ count }) => count)).toEqual([2, ...values.slice(1).map(() => 1)])
      for (const { value, count, isCut } of facets) {
        const where: Predicate = { op: 'eq', column: 'v', value }
        expect([await source.count(table, where), isCut]).toEqual([{ kind: 'exact', count }, false])
      }
    })

    test('are bounded in number and in length', async () => {
      const numbers = Array.from({ length: 60 }, (_, i) => i % 55)
      const { source, access } = await openBench(open, columnOf('integer', numbers))
      const table = await access('t')
      const of = async (limit?: number) => {
        const found = await source.facets(table, everything, 'v', limit ? { limit } : {})
        return [found.facets.length, found.hasMore, found.facets[0]?.count]
      }
      expect(await of()).toEqual([50, true, 2])
      expect(await of(3)).toEqual([3, true, 2])
      expect(await of(55)).toEqual([55, false, 2])
      expect(await of(1e9)).toEqual([55, false, 2])
      const long = ['é😀'.repeat(100), 'é😀'.repeat(100) + 'x', 'é'.repeat(199)]
      const { facets } = await facetsOf(columnOf('text', long))
      expect(facets.map(({ value, isCut }) => [value, isCut])).toEqual(
        expect.arrayContaining([
          ['é'.repeat(199), false],
          ['é😀'.repeat(100), false],
          ['é😀'.repeat(100), true],
        ]),
      )
    })

    test('are those of rows that may be seen, and of columns that may be read', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people', onlyGreenOrRed)
      expect(told(await source.facets(people, everything, 'name'))).toEqual([
        ['Ada', 1],
        ['Bob', 1],
      ])
      for (const column of ['secret', 'nowhere'])
        for (const where of [everything, nothing])
          await expect(source.facets(people, where, column)).rejects.toMatchObject(unknown)
      const secret: Predicate = { op: 'eq', column: 'secret', value: 'red' }
      await expect(source.facets(people, secret, 'name')).rejects.toMatchObject(unknown)
      const all = await access('people')
      const orders = await access('orders', { rows: ofTeamTwo }, [all])
      expect(told(await source.facets(orders, everything, 'person'))).toEqual([
        [3, 1],
        [4, 1],
      ])
    })

    test('of a view, and of names that are no words', async () => {
      const odd = { ...columnOf('text', ['x', 'x']).tables[0]!, name: 'a "b"' }
      const columns = odd.columns.map((one, i) => ({ ...one, name: ['id', 'n ` v'][i]! }))
      const { source, access } = await openBench(open, {
        tables: [...shop.tables, { ...odd, columns }],
        views: [{ name: 'seen', of: 'orders' }],
      })
      expect(told(await source.facets(await access('seen'), everything, 'paid'))).toEqual([
        [false, 3],
        [true, 3],
      ])
      expect(told(await source.facets(await access('a "b"'), everything, 'n ` v'))).toEqual([
        ['x', 2],
      ])
    })

    test('are no longer looked for when nobody wants them', async () => {
      const { source, access } = await openBench(open, shop)
      const ended = AbortSignal.abort()
      const asked = source.facets(await access('orders'), everything, 'paid', { signal: ended })
      await expect(asked).rejects.toBe(ended.reason)
    })
  })
}

function rankContract(name: string, open: OpenFixture): void {
  describe(`${name}: the place of a row`, () => {
    const byTotal = [{ column: 'total', descending: true }]
    const ranksOf = (source: RowSource, access: Access, where: Predicate = everything) =>
      Promise.all([10, 11, 12, 13, 14, 15].map((id) => source.rank(access, where, byTotal, [id])))

    test('is its place in the order of all that match, and of a page', async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      expect(await ranksOf(source, orders)).toEqual([3, 6, 1, 2, 5, 4])
      const { rows } = await readPage(source, orders, { sort: byTotal })
      for (const [i, { key }] of rows.entries())
        expect(await source.rank(orders, everything, byTotal, key)).toBe(i + 1)
      const unpaid: Predicate = { op: 'eq', column: 'paid', value: false }
      expect(await ranksOf(source, orders, unpaid)).toEqual([
        undefined,
        3,
        1,
        undefined,
        undefined,
        2,
      ])
      expect(await source.rank(orders, everything, [], [15])).toBe(6)
      expect(await source.rank(orders, everything, [], [99])).toBeUndefined()
      expect(await source.rank(orders, everything, [], ['x'])).toBeUndefined()
    })

    test('neither counts nor finds rows that may not be seen', async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders', { rows: ofTeamTwo }, [await access('people')])
      expect(await ranksOf(source, orders)).toEqual([
        undefined,
        undefined,
        1,
        undefined,
        2,
        undefined,
      ])
      const people = await access('people', onlyGreenOrRed)
      const byName = [{ column: 'name', descending: true }]
      expect(await source.rank(people, everything, byName, [1])).toBe(2)
      expect(await source.rank(people, everything, byName, [4])).toBeUndefined()
    })

    test('is asked for in columns that may be read, of rows that have a key', async () => {
      const { source, access } = await openBench(open, {
        tables: shop.tables,
        views: [{ name: 'seen', of: 'orders' }],
      })
      const people = await access('people', withoutSecret)
      const bySecret = [{ column: 'secret', descending: false }]
      await expect(source.rank(people, everything, bySecret, [1])).rejects.toMatchObject(unknown)
      const where: Predicate = { op: 'null', column: 'secret' }
      await expect(source.rank(people, where, [], [1])).rejects.toMatchObject(unknown)
      await expect(source.rank(people, everything, [], [1, 2])).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
      const seen = await access('seen')
      await expect(source.rank(seen, everything, [], [])).rejects.toMatchObject({
        code: 'TABLE_READ_ONLY',
      })
    })
  })
}

function rowContract(name: string, open: OpenFixture): void {
  describe(`${name}: one row`, () => {
    test('comes with the rows that it refers to, by one column or several', async () => {
      const { find } = await openSending(open)
      expect(await find(1)).toEqual({
        key: [1],
        values: [1, 'at', 1, 'ada@x', 9_007_199_254_740_993n, null, 'x'.repeat(50)],
        related: [
          { key: ['at', 1], label: 'Wien' },
          { key: [1], label: 'Ada' },
          { key: [9_007_199_254_740_993n], label: expect.stringMatching(/^2(\.0)?$/) },
          undefined,
        ],
      })
      expect((await find(2))?.related).toEqual([
        { key: ['de', 1], label: null },
        { key: [2], label: null },
        { key: [2], label: null },
        { key: [1], label: null },
      ])
      expect((await find(3))?.related).toEqual([
        { key: ['de', 2], label: 'é'.repeat(200) },
        undefined,
        undefined,
        undefined,
      ])
      expect((await find(4))?.related).toEqual(Array(4).fill(undefined))
      expect(await find(5)).toBeUndefined()
    })

    test('comes without what was not asked for, and cut where it is long', async () => {
      const { source, parcels } = await openSending(open)
      const cut = { columns: ['note'], length: 10 }
      const row = await source.row(parcels, [1], { columns: ['note', 'id'], cut })
      expect(row).toEqual({
        key: [1],
        values: ['x'.repeat(10), 1],
        lengths: new Map([[0, 50]]),
      })
    })

    test('that may not be seen is not there, nor is a related one', async () => {
      const rows: Predicate = { op: 'eq', column: 'secret', value: 'a' }
      const { source, parcels, find } = await openSending(open, {
        rows,
        readable: ['land', 'number', 'name'],
      })
      expect([(await find(1))?.related?.[0], (await find(2))?.related?.[0]]).toEqual([
        { key: ['at', 1], label: 'Wien' },
        undefined,
      ])
      const none = await source.row(parcels, ['no number'], { columns: [] })
      expect(none).toBeUndefined()
    })

    test('that the policy hides is not there', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people', onlyGreenOrRed)
      const nameOf = async (id: number) =>
        (await source.row(people, [id], { columns: ['name'] }))?.values[0]
      expect([await nameOf(1), await nameOf(3), await nameOf(99)]).toEqual([
        'Ada',
        undefined,
        undefined,
      ])
    })

    test('names no column that may not be read, whatever the row holds', async () => {
      const { source, access } = await openBench(open, sending)
      const parcels = await access('parcels')
      const places = await access('places', { readable: ['land', 'number', 'name'] })
      const [columns, references] = [
        ['land', 'number'],
        ['land', 'number'],
      ]
      const wrong = [
        { columns, access: places, references, label: 'secret' },
        { columns, access: places, references: ['land', 'secret'] },
        { columns: ['land', 'note'], access: places, references },
      ]
      for (const relation of wrong)
        for (const id of [1, 4, 99]) {
          const lookup = { columns: ['id', 'land', 'number'], related: [relation] }
          await expect(source.row(parcels, [id], lookup)).rejects.toMatchObject(unknown)
        }
      const hidden = await access('parcels', { readable: ['id', 'land'] })
      const asked = source.row(hidden, [1], { columns: ['note'] })
      await expect(asked).rejects.toMatchObject(unknown)
      await expect(source.row(parcels, [], { columns: [] })).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
    })
  })
}
