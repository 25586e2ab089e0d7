/** Reading: the schema, exact values, conditions, counts, keys, and cancelling slow reads. */

import { describe, expect, test } from 'vitest'
import { everything, nothing, type Predicate } from '../../src/table/source/predicate.ts'
import type { Value } from '../../src/table/source/value.ts'
import { isPlain } from '../tier.ts'
import { orders, shop, type Fixture, type OpenFixture } from './fixture.ts'
import { matches, modelRows } from './model.ts'
import { idsOf, keysOf, openBench, openOnce, readPage, writeRows } from './opened.ts'

const conditions: readonly Predicate[] = [
  everything,
  nothing,
  { op: 'eq', column: 'total', value: 5.5 },
  { op: 'eq', column: 'total', value: null },
  { op: 'eq', column: 'paid', value: true },
  { op: 'null', column: 'total' },
  { op: 'lt', column: 'total', value: 7 },
  { op: 'gte', column: 'total', value: null },
  { op: 'in', column: 'id', values: [10, 12, 99] },
  { op: 'in', column: 'total', values: [7, null] },
  { op: 'in', column: 'total', values: [] },
  { op: 'in', column: 'id', values: Array.from({ length: 500 }, (_, i) => i * 3) },
  { op: 'in', column: 'code', values: Array.from({ length: 500 }, (_, i) => `a-${i}`) },
  { op: 'contains', column: 'code', text: 'A-' },
  { op: 'contains', column: 'code', text: '_' },
  { op: 'contains', column: 'code', text: '%' },
  { op: 'contains', column: 'code', text: '\\' },
  { op: 'contains', column: 'code', text: '' },
  { op: 'contains', column: 'code', text: '\0' },
  { op: 'contains', column: 'code', text: 'x'.repeat(60_000) },
  { op: 'contains', column: 'id', text: '1' },
  { op: 'not', of: { op: 'eq', column: 'total', value: 5.5 } },
  { op: 'not', of: { op: 'lt', column: 'total', value: 100 } },
  {
    op: 'or',
    all: [
      { op: 'eq', column: 'id', value: 10 },
      { op: 'and', all: [{ op: 'not', of: { op: 'null', column: 'person' } }] },
    ],
  },
]

const hostileNames: Fixture = {
  tables: [
    {
      name: 'or"der. select; --',
      columns: [
        { name: 'from', type: 'integer' },
        { name: 'a "b" ` [c]', type: 'text' },
        { name: "d'; drop table x", type: 'text', nullable: true },
        { name: 'größe 表', type: 'float', nullable: true },
      ],
      key: ['from', 'a "b" ` [c]'],
      indexes: [["d'; drop table x"]],
      rows: [
        [1, 'x', "'; drop table x --", 1.5],
        [1, 'y', '"', null],
        [2, 'x', null, -1],
      ],
    },
  ],
}

const VALUES: readonly (readonly [
  name: string,
  type: 'text' | 'integer' | 'float' | 'binary',
  value: Value,
])[] = [
  ['the greatest integer', 'integer', 2n ** 63n - 1n],
  ['the least integer', 'integer', -(2n ** 63n)],
  ['an integer just beyond a double', 'integer', 2n ** 53n],
  ['the greatest safe integer', 'integer', Number.MAX_SAFE_INTEGER],
  ['a tenth', 'float', 0.1],
  ['a very small number', 'float', 5e-324],
  ['a very great number', 'float', 1.7976931348623157e308],
  ['no text', 'text', null],
  ['empty text', 'text', ''],
  ['quotes', 'text', `'"\`'; drop table t; --`],
  ['a NUL character', 'text', 'a\0b'],
  ['characters beyond the basic plane', 'text', '😀𝒳é\u200b'],
  ['a huge text', 'text', 'ab%_\\'.repeat(200_000)],
  ['digits as text', 'text', '00012.50'],
  ['bytes', 'binary', new Uint8Array([0, 1, 254, 255])],
  ['no bytes', 'binary', new Uint8Array()],
]

export function readingContract(
  name: string,
  open: OpenFixture,
  canHold: (value: Value) => boolean,
): void {
  describe(`${name}: reading`, () => {
    const openToRead = openOnce(open)

    test('describes tables, keys, links and indexes', async () => {
      const { source } = await openBench(openToRead, shop)
      const { tables } = await source.describe()
      expect(tables.map((table) => table.name)).toEqual(['orders', 'people'])
      const [table] = tables
      expect(table?.key).toEqual(['id'])
      expect(table?.foreignKeys).toMatchObject(orders.foreignKeys ?? [])
      expect(table?.columns.map(({ type }) => type)).toEqual(orders.columns.map(({ type }) => type))
      expect(table?.columns.map(({ nullable }) => nullable)).toEqual(
        orders.columns.map(({ nullable }) => nullable ?? false),
      )
      expect(
        table?.indexes.map(({ columns }) => columns.map((column) => column.name)),
      ).toContainEqual(['total'])
    })

    test('gives a page that somebody waits longer for as any other', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const table = await access('orders')
      const query = { sort: [{ column: 'code', descending: true }], size: 3 }
      const long = await readPage(source, table, query, { isLong: true, timeoutMs: 20_000 })
      expect(long).toEqual(await readPage(source, table, query))
    })

    test('gives the rows of any names of tables and columns', async () => {
      const { source, access } = await openBench(open, hostileNames)
      const table = await access('or"der. select; --')
      const [, , text, number] = table.table.columns.map((column) => column.name)
      const { rows } = await readPage(source, table, {
        where: { op: 'not', of: { op: 'contains', column: text!, text: 'zz' } },
        sort: [
          { column: number!, descending: true },
          { column: text!, descending: false },
        ],
      })
      expect(rows.map(({ key }) => key)).toEqual([
        [1, 'x'],
        [2, 'x'],
        [1, 'y'],
      ])
      expect(rows[0]?.values).toEqual([1, 'x', "'; drop table x --", 1.5])
    })

    const held = VALUES.filter(([, , value]) => canHold(value))
    test.for(held)('keeps %s', async ([, type, value]) => {
      const { source, access } = await openBench(open, {
        tables: [
          {
            name: 't',
            columns: [
              { name: 'id', type: 'integer' },
              { name: 'v', type, nullable: true },
            ],
            key: ['id'],
            rows: [[1, value]],
          },
        ],
      })
      const table = await access('t')
      const where: Predicate = { op: 'eq', column: 'v', value }
      const { rows } = await readPage(source, table, { where })
      expect(rows.map(({ values }) => values)).toEqual([[1, value]])
      await writeRows(source, table, [{ insert: { id: 2, v: value } }])
      expect(await source.count(table, where)).toEqual({ kind: 'exact', count: 2 })
      expect(await source.count(table, { op: 'not', of: where })).toEqual({
        kind: 'exact',
        count: 0,
      })
    })

    test.for(conditions.map((where) => [brief(where), where] as const))(
      'finds the rows that fulfil %s',
      async ([, where]) => {
        const { source, access } = await openBench(openToRead, shop)
        const expected = modelRows(orders)
          .filter((row) => matches(where, row))
          .map((row) => row.get('id'))
        const table = await access('orders')
        expect(await idsOf(source, table, where)).toEqual(expected)
        expect(await source.count(table, where)).toEqual({ kind: 'exact', count: expected.length })
        const keys = await keysOf(source, table, where)
        expect(keys.flat(2)).toEqual(expected)
        expect(keys.every((chunk) => chunk.length > 0 && chunk.length <= 2)).toBe(true)
      },
    )

    test('a number that is none matches nothing', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const table = await access('orders')
      for (const op of ['eq', 'lt', 'gt'] as const)
        expect(await idsOf(source, table, { op, column: 'total', value: NaN })).toEqual([])
    })

    test('a bound with a fraction keeps every digit beside the greatest whole numbers', async () => {
      const values = [-2, -1, 0, 1, 2].map((step) => 9_007_199_254_740_992n + BigInt(step))
      const { source, access } = await openBench(open, {
        tables: [
          {
            name: 't',
            columns: [
              { name: 'id', type: 'integer' },
              { name: 'v', type: 'integer' },
            ],
            key: ['id'],
            rows: [...values, -9_007_199_254_740_992n].map((value, id) => [id, value]),
          },
        ],
      })
      const table = await access('t')
      const found = (op: 'lt' | 'lte' | 'gt' | 'gte', value: Value) =>
        idsOf(source, table, { op, column: 'v', value })
      for (const op of ['gt', 'gte'] as const)
        expect(await found(op, '9007199254740991.5')).toEqual([2, 3, 4])
      for (const op of ['lt', 'lte'] as const)
        expect(await found(op, '9007199254740991.5')).toEqual([0, 1, 5])
      expect(await found('lt', '-9007199254740991.5')).toEqual([5])
      expect(await found('gte', '-9007199254740992.5')).toEqual([0, 1, 2, 3, 4, 5])
      expect(await found('gt', '9007199254740993.0')).toEqual([4])
    })

    test('finds text whatever its letter case, with its accents', async () => {
      const texts = ['Élan', 'élan', 'ELAN', 'straße', 'ПРИВЕТ', '日本', null]
      const { source, access } = await openBench(open, textTable(texts))
      const table = await access('t')
      const found = async (text: string) =>
        (await idsOf(source, table, { op: 'contains', column: 'v', text })).map(
          (id) => texts[Number(id)],
        )
      expect(await found('ÉLAN')).toEqual(['Élan', 'élan'])
      expect(await found('elan')).toEqual(['ELAN'])
      expect(await found('привет')).toEqual(['ПРИВЕТ'])
      expect(await found('RAß')).toEqual(['straße'])
      expect(await found('本')).toEqual(['日本'])
    })

    test('equality is exact to the last letter and space', async () => {
      const texts = ['a', 'A', 'a ', 'á', ' a']
      const { source, access } = await openBench(open, textTable(texts))
      const table = await access('t')
      for (const [id, value] of texts.entries()) {
        expect(await idsOf(source, table, { op: 'eq', column: 'v', value })).toEqual([id])
        expect(await idsOf(source, table, { op: 'in', column: 'v', values: [value] })).toEqual([id])
      }
    })

    test('a value of another kind is equal to nothing and breaks nothing', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const table = await access('orders')
      const strange: Value[] = ['abc', '', '1e', '9'.repeat(400), 2n ** 80n, 1e300, 10.5, '\0']
      for (const column of ['id', 'person', 'total'])
        for (const value of strange) {
          expect(await idsOf(source, table, { op: 'eq', column, value })).toEqual([])
          expect(await idsOf(source, table, { op: 'in', column, values: [value] })).toEqual([])
        }
      for (const value of [2n ** 80n, 1e300]) {
        expect(await idsOf(source, table, { op: 'gt', column: 'id', value })).toEqual([])
        expect(await idsOf(source, table, { op: 'lt', column: 'id', value })).toHaveLength(6)
      }
    })

    test('cuts long values, and tells how long they are', async () => {
      const long = 'é😀'.repeat(50_000)
      const { source, access } = await openBench(open, textTable([long, 'é'.repeat(7), 'x', null]))
      const { rows } = await readPage(source, await access('t'), {
        cut: { columns: ['v'], length: 10 },
      })
      expect(rows.map(({ values }) => values[1])).toEqual([
        'é😀é😀é😀é😀é😀',
        'é'.repeat(7),
        'x',
        null,
      ])
      expect(rows.map(({ lengths }) => lengths?.get(1))).toEqual([
        100_000,
        undefined,
        undefined,
        undefined,
      ])
    })

    test('counts up to a bound', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const table = await access('orders')
      const bounded = (bound: number) => source.count(table, everything, { bound })
      expect(await bounded(5)).toEqual({ kind: 'atLeast', count: 5 })
      expect(await bounded(6)).toEqual({ kind: 'exact', count: 6 })
    })

    test('gives labels of related rows, and none where there is no row', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const people = await access('people')
      const { rows } = await readPage(source, await access('orders'), {
        related: [{ column: 'person', access: people, references: 'id', label: 'name' }],
      })
      expect(rows.map(({ labels }) => labels)).toEqual([
        ['Ada'],
        ['Bob'],
        ['Cleo'],
        [undefined],
        ['Dan'],
        ['Ada'],
      ])
    })

    test('tells a related row without a name from one that is not there', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const people = await access('people')
      const { rows } = await readPage(source, await access('orders'), {
        related: [{ column: 'person', access: people, references: 'id', label: 'secret' }],
      })
      expect(rows.map(({ labels }) => labels[0])).toEqual([
        'red',
        'green',
        null,
        undefined,
        'blue',
        'red',
      ])
    })

    test('labels follow what is written', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      const orders = await access('orders')
      const labels = async () => {
        const { rows } = await readPage(source, orders, {
          where: { op: 'in', column: 'id', values: [10, 12] },
          related: [{ column: 'person', access: people, references: 'id', label: 'name' }],
        })
        return rows.map((row) => row.labels[0])
      }
      expect(await labels()).toEqual(['Ada', 'Cleo'])
      await writeRows(source, people, [
        { update: [1], set: { name: 'Alan' } },
        { update: [3], set: { name: '' } },
      ])
      expect(await labels()).toEqual(['Alan', ''])
    })

    test('finds rows by what their related rows hold', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const related: Predicate = {
        op: 'related',
        column: 'person',
        table: 'people',
        references: 'id',
        where: { op: 'contains', column: 'name', text: 'a' },
      }
      const table = await access('orders', {}, [await access('people')])
      expect(await idsOf(source, table, related)).toEqual([10, 14, 15])
      expect(await idsOf(source, table, { op: 'not', of: related })).toEqual([11, 12, 13])
    })

    test('reads views in the given order, and tables without a key', async () => {
      const columns = orders.columns.map((column) => ({ ...column, unique: false }))
      const log = { ...orders, name: 'log', columns, key: [], foreignKeys: [] }
      const { source, access } = await openBench(open, {
        tables: [...shop.tables, log],
        views: [{ name: 'seen', of: 'orders' }],
      })
      for (const table of [await access('seen'), await access('log')]) {
        const sort = [{ column: 'code', descending: true }]
        const read = async (place: Parameters<typeof source.page>[1]['place']) => {
          const page = await readPage(source, table, { columns: ['code'], sort, size: 2, place })
          return [page.rows.map(({ values }) => values[0]), page.before, page.after]
        }
        expect(await read({ at: 'first' })).toEqual([['c_1', 'c%1'], false, true])
        expect(await read({ at: 'offset', skip: 3 })).toEqual([['b-1', 'a-2'], true, true])
        expect(await read({ at: 'offset', skip: 4, total: 6 })).toEqual([
          ['a-2', 'a-1'],
          true,
          false,
        ])
        expect(await read({ at: 'last', rows: 2 })).toEqual([['a-2', 'a-1'], true, false])
        expect(await source.count(table, everything)).toEqual({ kind: 'exact', count: 6 })
        await expect(writeRows(source, table, [])).rejects.toMatchObject({
          code: 'TABLE_READ_ONLY',
        })
        await expect(keysOf(source, table)).rejects.toMatchObject({ code: 'TABLE_READ_ONLY' })
      }
    })
  })

  describe(`${name}: ending what takes long`, () => {
    test('ends a scan when it is no longer wanted, and other pages go on meanwhile', async () => {
      const { source, access } = await openBench(open, longTable)
      const table = await access('long')
      const controller = new AbortController()
      const scan = source.count(table, endless, { signal: controller.signal, timeoutMs: 60_000 })
      scan.catch(() => undefined)
      for (let i = 0; i < 20; i++)
        expect((await readPage(source, table, { size: 5 })).rows).toHaveLength(5)
      const started = performance.now()
      controller.abort()
      await expect(scan).rejects.toBe(controller.signal.reason)
      // All workers are free only after the scan has really ended.
      const next = Array.from({ length: 4 }, () =>
        source.count(table, { op: 'contains', column: 'text', text: 'number 77' }, { bound: 1 }),
      )
      await Promise.all(next)
      if (!isPlain) expect(performance.now() - started).toBeLessThan(10_000)
    })

    test('no page waits for a count, however many there are', async () => {
      const views = [{ name: 'seen', of: 'long' }]
      const { source, access } = await openBench(open, { ...longTable, views })
      const controller = new AbortController()
      const run = { signal: controller.signal, timeoutMs: 60_000 }
      const where: Predicate = { op: 'contains', column: 'text', text: 'number 77' }
      const counts: Promise<unknown>[] = []
      for (const table of [await access('long'), await access('seen')]) {
        let settled = 0
        const count = () => source.count(table, endless, run).finally(() => settled++)
        counts.push(...Array.from({ length: 10 }, count))
        const { rows } = await readPage(source, table, { where, size: 5 })
        expect([rows.length, settled]).toEqual([5, 0])
      }
      controller.abort()
      await Promise.allSettled(counts)
    })

    test('ends a scan that takes too long', async () => {
      const { source, access } = await openBench(open, longTable)
      const scan = source.count(await access('long'), endless, { timeoutMs: 50 })
      await expect(scan).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
    })

    test('does not begin what is no longer wanted', async () => {
      const { source, access } = await openBench(open, shop)
      const run = { signal: AbortSignal.abort() }
      const table = await access('orders')
      await expect(source.count(table, everything, run)).rejects.toBe(run.signal.reason)
      await expect(writeRows(source, table, [{ delete: [10] }], run)).rejects.toBe(
        run.signal.reason,
      )
      expect(await idsOf(source, table)).toContain(10)
    })

    test('turns away what would wait too long, and tells when to come back', async () => {
      const { source, access } = await openBench(open, longTable)
      const table = await access('long')
      const controller = new AbortController()
      const run = { signal: controller.signal, timeoutMs: 60_000 }
      const scans = Array.from({ length: 200 }, () => source.count(table, endless, run))
      const refused = await Promise.race(scans.map((scan) => scan.catch((error: unknown) => error)))
      expect(refused).toMatchObject({ code: 'BUSY', retryAfter: 1 })
      controller.abort()
      await Promise.allSettled(scans)
    })
  })
}

const textTable = (texts: readonly (string | null)[]): Fixture => ({
  tables: [
    {
      name: 't',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'v', type: 'text', nullable: true },
      ],
      key: ['id'],
      rows: texts.map((text, id) => [id, text]),
    },
  ],
})

const brief = (where: Predicate): string => JSON.stringify(where).slice(0, 60)

/** Many conditions that no row fulfils: seconds of work on a large table. */
const endless: Predicate = {
  op: 'or',
  all: Array.from({ length: 60 }, (_, i) => ({
    op: 'contains' as const,
    column: 'text',
    text: `never ${i}`,
  })),
}

const longTable: Fixture = {
  tables: [
    {
      name: 'long',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'text', type: 'text' },
      ],
      key: ['id'],
      rows: longRows(),
    },
  ],
}

function longRows(): Iterable<readonly Value[]> {
  return {
    *[Symbol.iterator]() {
      for (let i = 1; i <= 300_000; i++)
        yield [i, `This is the text of row number ${i}, and so on.`]
    },
  }
}
