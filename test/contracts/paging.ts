/** Paging: every order, both ways, visits each row once, in the model's order. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { within } from '../tier.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Place } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { matches, modelRows, ordered } from './model.ts'
import { fullAccess } from './actors.ts'
import { writeRows } from './opened.ts'
import { expectWalks, Walk } from './walk.ts'

const text = fc.constantFrom(null, '', 'a', 'A', 'b', 'ab', 'é', '%', "'")
const integer = fc.constantFrom(null, -1, 0, 1, 2, 2n ** 60n)
const float = fc.constantFrom(null, -1.5, 0, 0.1, 1e300)
const columns = [
  { name: 'k1', type: 'integer' },
  { name: 'k2', type: 'text' },
  { name: 't', type: 'text', nullable: true },
  { name: 'i', type: 'integer', nullable: true },
  { name: 'f', type: 'float', nullable: true },
  { name: 'n', type: 'integer' },
] as const
const names = columns.map(({ name }) => name)

const rowsOf = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 0, max: 8 }),
    fc.constantFrom('', 'x', 'y', 'Z'),
    text,
    integer,
    float,
    fc.integer({ min: 0, max: 2 }),
  ),
  { selector: (row) => `${row[0]} ${row[1]}`, maxLength: 25 },
)

const sortOf = fc.uniqueArray(
  fc.record({ column: fc.constantFrom(...names), descending: fc.boolean() }),
  { selector: ({ column }) => column, maxLength: 3 },
)

const indexesOf = fc.array(
  fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
  {
    maxLength: 3,
  },
)

const whereOf: fc.Arbitrary<Predicate> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(everything) },
  fc.record({
    op: fc.constant('eq' as const),
    column: fc.constant('n'),
    value: fc.constantFrom(0, 1),
  }),
  fc.record({ op: fc.constant('gte' as const), column: fc.constant('i'), value: integer }),
  fc.record({
    op: fc.constant('not' as const),
    of: fc.record({ op: fc.constant('null' as const), column: fc.constantFrom('t', 'f') }),
  }),
)

const caseOf = fc.record({
  rows: rowsOf,
  sort: sortOf,
  indexes: indexesOf,
  where: whereOf,
  key: fc.constantFrom(['k1', 'k2'], ['k2', 'k1']),
  size: fc.integer({ min: 1, max: 7 }),
})

export function pagingContract(name: string, open: OpenFixture, walks: number): void {
  describe(`${name}: paging`, () => {
    test(
      'walks both ways over each row once, in the order of the model',
      async () => {
        await fc.assert(
          fc.asyncProperty(caseOf, async ({ rows, sort, indexes, where, key, size }) => {
            const table: FixtureTable = { name: 'walked', columns, key, indexes, rows }
            const { source, close } = await open({ tables: [table] })
            try {
              const { tables } = await source.describe()
              const query = { columns: names, sort, where, size }
              const walk = new Walk(source, fullAccess(tables[0]!), query)
              const expected = ordered(
                modelRows(table).filter((row) => matches(where, row)),
                sort,
                key,
              ).map((row) => names.map((column) => row.get(column)!))
              await expectWalks(walk, expected)
            } finally {
              await close()
            }
          }),
          { numRuns: walks },
        )
      },
      within(120_000),
    )

    test('a row that has gone leaves its place behind', async () => {
      const { source, close } = await open({
        tables: [{ name: 'walked', columns, key: ['k1', 'k2'], rows: three }],
      })
      const { tables } = await source.describe()
      const access = fullAccess(tables[0]!)
      const walk = new Walk(source, access, {
        ...{ columns: names, sort: [], where: everything, size: 1 },
      })
      const second = (await walk.read({ at: 'offset', skip: 1 })).rows[0]!
      await writeRows(source, access, [{ delete: second.key }])
      const after = await walk.read(walk.beside('after', second))
      expect([after.rows[0]?.values[0], after.before, after.after]).toEqual([3, true, false])
      const before = await walk.read(walk.beside('before', second))
      expect([before.rows[0]?.values[0], before.before, before.after]).toEqual([1, false, true])
      await writeRows(source, access, [{ delete: [1, ''] }])
      expect((await walk.read(walk.beside('after', second))).before).toBe(false)
      await close()
    })

    test('a table may be called what statements call their parts', async () => {
      const names = ['found', 'piece', 't0', 't1', 'r0', 'counted', 'matching', 'labels']
      const tables = names.map((name) => ({
        name,
        columns: [
          { name: 'id', type: 'integer' as const },
          { name: 'text', type: 'text' as const },
        ],
        key: ['id'],
        rows: [1, 2, 3, 4, 5].map((id) => [id, `row ${id}`]),
      }))
      const { source, close } = await open({ tables })
      for (const table of (await source.describe()).tables) {
        const access = fullAccess(table)
        const query = { columns: ['id'], sort: [{ column: 'text', descending: true }], size: 2 }
        const read = async (where: Predicate, place: Place) =>
          (await source.page(access, { ...query, where, place })).rows.map(({ key }) => key[0])
        const holds = (text: string): Predicate => ({ op: 'contains', column: 'text', text })
        expect(await read(everything, { at: 'offset', skip: 1 }), table.name).toEqual([4, 3])
        expect(await read(holds('nowhere'), { at: 'first' })).toEqual([])
        expect(await read(holds('row'), { at: 'last', rows: 2 })).toEqual([2, 1])
        expect(await source.count(access, holds('row'))).toMatchObject({ count: 5 })
      }
      await close()
    })

    test('refuses an anchor of another order', async () => {
      const { source, close } = await open({
        tables: [{ name: 'walked', columns, key: ['k1', 'k2'], rows: three }],
      })
      const { tables } = await source.describe()
      const walk = new Walk(source, fullAccess(tables[0]!), {
        ...{ columns: names, sort: [], where: everything, size: 1 },
      })
      for (const anchor of [
        { sort: [1], key: [1, ''] },
        { sort: [], key: [1] },
      ])
        await expect(walk.read({ at: 'after', anchor })).rejects.toMatchObject({
          code: 'TABLE_BAD_PLACE',
        })
      await close()
    })
  })
}

const three: readonly (readonly Value[])[] = [1, 2, 3].map((k) => [k, '', null, null, null, 0])
