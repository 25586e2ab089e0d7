/** Orders by the labels of related rows, which must say nothing of rows that the actor may not see. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { within } from '../tier.ts'
import type { Access, Grant } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { RowPage, RowSource, SortTerm } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import { fullAccess } from './actors.ts'
import type { Fixture, FixtureTable, OpenFixture } from './fixture.ts'
import { matches, type ModelRow, modelRows, ordered } from './model.ts'
import { openBench, readPage } from './opened.ts'
import { expectWalks, Walk } from './walk.ts'

/** Not declared as a foreign key, so that some rows refer to none. */
const offersOf = (rows: FixtureTable['rows'], indexes: FixtureTable['indexes'] = []) => ({
  name: 'offers',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'firm', type: 'integer', nullable: true },
    { name: 'agent', type: 'integer', nullable: true },
    { name: 'n', type: 'integer' },
  ] as const,
  key: ['id'],
  indexes,
  rows,
})

const firmsOf = (rows: FixtureTable['rows']) => ({
  name: 'firms',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'text', nullable: true },
    { name: 'founded', type: 'integer', nullable: true },
    { name: 'is_public', type: 'boolean' },
    { name: 'owner', type: 'integer', nullable: true },
  ] as const,
  key: ['id'],
  rows,
})

const columns = ['id', 'firm', 'agent', 'n'] as const
const onlyPublic: Partial<Grant> = { rows: { op: 'eq', column: 'is_public', value: true } }

const link = fc.constantFrom(null, 1, 2, 3, 4, 5, 6, 7, 8)
const caseOf = fc.record({
  // Numbers 7 and 8 are those of no firm.
  firms: fc
    .array(
      fc.tuple(
        fc.constantFrom(null, '', 'a', 'A', 'b', 'ab', 'é', "'"),
        fc.constantFrom(null, -1, 0, 2n ** 60n),
        fc.boolean(),
      ),
      { minLength: 6, maxLength: 6 },
    )
    .map((rows) => rows.map((row, at): Value[] => [at + 1, ...row, null])),
  offers: fc
    .array(fc.tuple(link, link, fc.integer({ min: 0, max: 2 })), { maxLength: 25 })
    .map((rows) => rows.map((row, at): Value[] => [at, ...row])),
  sort: fc.uniqueArray(
    fc.record({
      by: fc.constantFrom<readonly [column: string, label?: string]>(
        ['firm', 'name'],
        ['firm', 'founded'],
        ['firm'],
        ['agent', 'name'],
        ['n'],
        ['id'],
      ),
      descending: fc.boolean(),
    }),
    { selector: ({ by: [column] }) => column, minLength: 1, maxLength: 3 },
  ),
  indexes: fc.subarray([['firm'], ['n'], ['agent', 'id']]),
  where: fc.constantFrom<Predicate>(
    everything,
    { op: 'eq', column: 'n', value: 1 },
    { op: 'not', of: { op: 'null', column: 'firm' } },
  ),
  isRestricted: fc.boolean(),
  size: fc.integer({ min: 1, max: 7 }),
})

type Case = typeof caseOf extends fc.Arbitrary<infer One> ? One : never

/** The order in the model: the row with its labels as further values. */
function expectedOf({ firms, offers, sort, where, isRestricted }: Case): Value[][] {
  const named = new Map(
    modelRows(firmsOf(firms))
      .filter((firm) => !isRestricted || firm.get('is_public') === true)
      .map((firm) => [firm.get('id'), firm]),
  )
  const terms = sort.map(({ by, descending }) => ({ column: by.join(), descending }))
  const withLabels = modelRows(offersOf(offers)).map((row): ModelRow => {
    const values = sort.map(({ by }): [string, Value] => {
      const [column, label] = by
      const value = row.get(column) ?? null
      return [by.join(), label === undefined ? value : (named.get(value)?.get(label) ?? null)]
    })
    return new Map([...row, ...values])
  })
  const found = withLabels.filter((row) => matches(where, row))
  return ordered(found, terms, ['id']).map((row) => columns.map((column) => row.get(column)!))
}

const sortOf = (sort: Case['sort'], access: Access): SortTerm[] =>
  sort.map(({ by: [column, label], descending }) => ({
    column,
    descending,
    ...(label !== undefined && { by: { access, references: 'id', label } }),
  }))

export function labelOrderContract(name: string, open: OpenFixture, walks: number): void {
  describe(`${name}: an order by labels`, () => {
    test(
      'visits each row once both ways, also without a label, in the order of the model',
      async () => {
        await fc.assert(
          fc.asyncProperty(caseOf, async (given) => {
            const { firms, offers, indexes, where, size, isRestricted } = given
            const { source, close } = await open({
              tables: [firmsOf(firms), offersOf(offers, indexes)],
            })
            try {
              const { tables } = await source.describe()
              const tableOf = (name: string) => tables.find((one) => one.name === name)!
              const access = fullAccess(tableOf('offers'))
              const sort = sortOf(
                given.sort,
                fullAccess(tableOf('firms'), isRestricted ? onlyPublic : {}),
              )
              const expected = expectedOf(given)
              await expectWalks(new Walk(source, access, { columns, sort, where, size }), expected)
              await expectRanks(source, access, { sort, where }, expected)
              await expectFile(source, access, { sort, where }, expected)
            } finally {
              await close()
            }
          }),
          { numRuns: walks },
        )
      },
      within(120_000),
    )

    test('is the same whatever the labels are that the actor may not see', async () => {
      const world = async (hidden: readonly (string | null)[]) => {
        const bench = await openBench(open, {
          tables: [
            firmsOf([
              [1, 'Beech', null, true, null],
              [2, hidden[0] ?? null, null, false, null],
              [3, 'Alder', null, true, null],
              [4, hidden[1] ?? null, null, false, null],
            ]),
            offersOf([4, 3, 2, 1, 2, 4, 9, null].map((firm, id) => [id, firm, null, 0])),
          ],
        })
        const by = {
          access: await bench.access('firms', onlyPublic),
          references: 'id',
          label: 'name',
        }
        const access = await bench.access('offers')
        const pages: Pick<RowPage, 'rows' | 'before' | 'after'>[] = []
        for (const descending of [false, true])
          for (let skip = 0; skip < 8; skip += 3) {
            const sort = [{ column: 'firm', descending, by }]
            const place = { at: 'offset', skip } as const
            pages.push(await readPage(bench.source, access, { sort, size: 3, place }))
          }
        return pages
      }
      const one = await world(['Aspen', 'Zelkova'])
      expect(await world(['Zelkova', 'Aspen'])).toEqual(one)
      expect(await world([null, 'Birch'])).toEqual(one)
      const ids = one.flatMap(({ rows }) => rows.map(({ key }) => Number(key[0])))
      expect(ids).toEqual([1, 3, 0, 2, 4, 5, 6, 7, 3, 1, 7, 6, 5, 4, 2, 0])
    })

    test('keeps to a policy that asks another table', async () => {
      const bench = await openBench(open, owned)
      const owners = await bench.access('owners')
      const grant: Partial<Grant> = {
        rows: {
          op: 'related',
          column: 'owner',
          table: 'owners',
          references: 'id',
          where: { op: 'eq', column: 'name', value: 'Ada' },
        },
      }
      const access = await bench.access('firms', grant, [owners])
      const sort = [
        { column: 'firm', descending: false, by: { access, references: 'id', label: 'name' } },
      ]
      const offers = await bench.access('offers')
      const ids = async (place: 'first' | 'offset') => {
        const at = place === 'first' ? { at: place } : { at: place, skip: 1 }
        const { rows } = await readPage(bench.source, offers, { sort, place: at })
        return rows.map(({ key }) => Number(key[0]))
      }
      expect(await ids('first')).toEqual([2, 0, 1])
      expect(await ids('offset')).toEqual([0, 1])
    })

    test('names only columns that the actor may read', async () => {
      const bench = await openBench(open, owned)
      const offers = await bench.access('offers')
      const read = async (grant: Partial<Grant>) => {
        const by = { access: await bench.access('firms', grant), references: 'id', label: 'name' }
        return readPage(bench.source, offers, { sort: [{ column: 'firm', descending: false, by }] })
      }
      await expect(read({ readable: ['id', 'owner'] })).rejects.toMatchObject(unknown)
      await expect(read({ readable: ['name'], sealed: ['id'] })).rejects.toMatchObject(unknown)
      expect((await read({ readable: ['id', 'name'] })).rows).toHaveLength(3)
    })
  })
}

const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }

/** Firms with their owners. */
const owned: Fixture = {
  tables: [
    {
      name: 'owners',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'text' },
      ],
      key: ['id'],
      rows: [
        [1, 'Ada'],
        [2, 'Bob'],
      ],
    },
    firmsOf([
      [1, 'Beech', null, true, 1],
      [2, 'Alder', null, true, 2],
      [3, 'Aspen', null, true, 1],
    ]),
    offersOf([1, 2, 3].map((firm, id) => [id, firm, null, 0])),
  ],
}

type Asked = { readonly sort: readonly SortTerm[]; readonly where: Predicate }

async function expectRanks(
  source: RowSource,
  access: Access,
  { sort, where }: Asked,
  expected: readonly Value[][],
): Promise<void> {
  for (const [at, [id = null]] of expected.entries())
    if (at % 5 === 0) expect(await source.rank(access, where, sort, [id])).toBe(at + 1)
}

async function expectFile(
  source: RowSource,
  access: Access,
  asked: Asked,
  expected: readonly Value[][],
): Promise<void> {
  const query = { ...asked, format: 'csv', columns: ['id'], size: 4, bytes: 100_000 } as const
  let part = await source.lines(access, { ...query, place: { at: 'first' } })
  const pieces = [...part.pieces]
  while (part.next) {
    part = await source.lines(access, { ...query, place: part.next })
    pieces.push(...part.pieces)
  }
  const ids = Buffer.concat(pieces).toString().split('\r\n').filter(Boolean)
  expect(ids).toEqual(expected.map(([id]) => String(id)))
}
