/**
 * Checks that the same rows, conditions, orders and searches give the same answer on every engine, by
 * comparison with the same table in memory.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { within } from '../tier.ts'
import type { Access } from '../../src/table/source/access.ts'
import type { Predicate } from '../../src/table/source/predicate.ts'
import type { Anchor, Place, SortColumn } from '../../src/table/source/row-source.ts'
import type { ValueType } from '../../src/table/source/schema.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { compare, matches, modelRows, ordered, type ModelRow } from './model.ts'
import { openBench } from './opened.ts'
import type { Bench } from './opened.ts'

/** Values that engines are known to treat differently, of every type that all of them can hold. */
const DOMAINS = {
  whole: ['integer', [-(2n ** 63n), -1, 0, 1, 42, 420, 2n ** 53n, 2n ** 63n - 1n]],
  amount: ['decimal', ['-12.5', '0', '0.25', '12.5', '1000000', '99999999.75']],
  measure: ['float', [-1.5, 0, 0.1, 42, 1e-7, 1e300]],
  flag: ['boolean', [false, true]],
  day: ['date', ['1582-10-15', '1899-12-31', '1970-01-01', '2024-02-29', '9999-12-31']],
  moment: [
    'datetime',
    [
      '1899-12-31 23:59:59',
      '1970-01-01 00:00:00',
      '2024-02-29 12:00:00.000001',
      '2024-02-29 12:00:00.5',
      '9999-12-31 23:59:59',
    ],
  ],
  clock: ['time', ['00:00:00', '09:30:00', '09:30:00.25', '23:59:59']],
  text: [
    'text',
    [
      '',
      ' ',
      'a',
      'a ',
      'A',
      'e',
      'É',
      'é',
      'straße',
      'STRASSE',
      'مرحبا',
      '😀',
      '%',
      '_x',
      '\\',
      "'",
      'null',
      '42',
      '0x2a',
    ],
  ],
  bytes: ['binary', [new Uint8Array(), new Uint8Array([0]), new Uint8Array([0, 255, 127])]],
} as const satisfies Record<string, readonly [ValueType, readonly Value[]]>

type Name = keyof typeof DOMAINS
const names = Object.keys(DOMAINS) as Name[]
const ROWS = 120

/** Combines every value with many others; a fifth of all are NULL. */
const everyKind: FixtureTable = {
  name: 'every_kind',
  columns: [
    { name: 'id', type: 'integer' },
    ...names.map((name) => ({ name, type: DOMAINS[name][0], nullable: true })),
  ],
  key: ['id'],
  indexes: [['whole'], ['text', 'id'], ['moment']],
  rows: Array.from({ length: ROWS }, (_, id): Value[] => [
    id,
    ...names.map((name, i) => {
      const place = (id * (2 * i + 3) + ((id * id) % (i + 7))) % (DOMAINS[name][1].length + 1)
      return DOMAINS[name][1][place] ?? null
    }),
  ]),
}

const nameOf = fc.constantFrom(...names)
const valueOf = (name: Name): fc.Arbitrary<Value> => fc.constantFrom<Value>(...DOMAINS[name][1])

const leafOf: fc.Arbitrary<Predicate> = fc.oneof(
  nameOf.map((column): Predicate => ({ op: 'null', column })),
  nameOf.chain((column) =>
    fc.record({
      op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
      column: fc.constant(column),
      value: valueOf(column),
    }),
  ),
  nameOf.chain((column) =>
    fc.record({
      op: fc.constant('in'),
      column: fc.constant(column),
      values: fc.array(fc.oneof(valueOf(column), fc.constant(null)), { maxLength: 4 }),
    }),
  ),
  fc.record({
    op: fc.constantFrom('contains', 'starts'),
    column: fc.constantFrom('text', 'whole'),
    text: fc.constantFrom('', 'a', 'E', 'É', 'ss', 'ß', 'مر', '😀', '%', '_', '\\', "'", '4', '-'),
  }),
)

const { tree: whereOf } = fc.letrec<{ tree: Predicate }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'where' },
    leafOf,
    tie('tree').map((of): Predicate => ({ op: 'not', of })),
    fc.record({ op: fc.constantFrom('and', 'or'), all: fc.array(tie('tree'), { maxLength: 3 }) }),
  ),
}))

const questionOf = fc.record({
  where: whereOf,
  sort: fc.uniqueArray(fc.record({ column: nameOf, descending: fc.boolean() }), {
    selector: ({ column }) => column,
    maxLength: 3,
  }),
  size: fc.integer({ min: 1, max: 30 }),
  skip: fc.integer({ min: 0, max: ROWS }),
})

export function differentialContract(name: string, open: OpenFixture, questions: number): void {
  describe(`${name}: the answers of every other engine`, () => {
    test(
      'to any condition, order and place',
      async () => {
        const bench = await openBench(open, { tables: [everyKind] })
        const access = await bench.access('every_kind')
        const rows = modelRows(everyKind).map(withAmounts)
        await fc.assert(
          fc.asyncProperty(questionOf, async ({ where, sort, size, skip }) => {
            const found = ordered(
              rows.filter((row) => matches(where, row)),
              sort,
              ['id'],
            )
            expect(await bench.source.count(access, where)).toEqual({
              kind: 'exact',
              count: found.length,
            })
            const read = reader(bench, access, { where, sort, size })
            expect(await read({ at: 'first' })).toEqual(told(found.slice(0, size)))
            expect(await read({ at: 'offset', skip })).toEqual(told(found.slice(skip, skip + size)))
            const place = await anchorAt(bench, access, { where, sort, size }, skip)
            if (!place) return
            expect(await bench.source.rank(access, where, sort, place.key)).toBe(skip + 1)
            expect(await read({ at: 'after', anchor: place })).toEqual(
              told(found.slice(skip + 1, skip + 1 + size)),
            )
            expect(await read({ at: 'before', anchor: place })).toEqual(
              told(found.slice(Math.max(0, skip - size), skip)),
            )
          }),
          { numRuns: questions },
        )
      },
      within(300_000),
    )

    test(
      'to what values a column has',
      async () => {
        const bench = await openBench(open, { tables: [everyKind] })
        const access = await bench.access('every_kind')
        const rows = modelRows(everyKind).map(withAmounts)
        await fc.assert(
          fc.asyncProperty(whereOf, nameOf, async (where, name) => {
            const found = rows.filter((row) => matches(where, row))
            const { facets } = await bench.source.facets(access, where, name)
            const type = DOMAINS[name][0]
            expect(facets.map(({ value, count }) => [written(type, value), count])).toEqual(
              facetsOf(found, name).map(([value, count]) => [written(type, value), count]),
            )
          }),
          { numRuns: questions },
        )
      },
      within(300_000),
    )
  })
}

/** The values with their counts, the most frequent first, then by value, NULL last. */
function facetsOf(rows: readonly ModelRow[], name: Name): [Value, number][] {
  const keyOf = (value: Value): string => `${typeof value} ${written(DOMAINS[name][0], value)}`
  const groups = Map.groupBy(rows, (row) => keyOf(row.get(name) ?? null))
  const facets = [...groups.values()].map((group): [Value, number] => [
    group[0]?.get(name) ?? null,
    group.length,
  ])
  return facets.toSorted(([a, m], [b, n]) => {
    if (m !== n) return n - m
    return a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)
  })
}

/** A decimal is a text that stands for an amount. */
const withAmounts = (row: ModelRow): ModelRow =>
  new Map(
    [...row].map(([name, value]) => [
      name,
      name === 'amount' && value !== null ? Number(value) : value,
    ]),
  )

type Asked = {
  readonly where: Predicate
  readonly sort: readonly SortColumn[]
  readonly size: number
}

const reader =
  ({ source }: Bench, access: Access, asked: Asked) =>
  async (place: Place): Promise<string[][]> => {
    const { rows } = await source.page(access, { ...asked, columns: ['id', ...names], place })
    return rows.map(({ values }) => [
      String(values[0]),
      ...names.map((name, i) => written(DOMAINS[name][0], values[i + 1] ?? null)),
    ])
  }

/** A place in the order, by the values that the engine itself gives. */
async function anchorAt(
  { source }: Bench,
  access: Access,
  asked: Asked,
  skip: number,
): Promise<Anchor | undefined> {
  const place = { at: 'offset', skip } as const
  const { rows } = await source.page(access, { ...asked, columns: [], place })
  return rows[0] && { sort: rows[0].sort, key: rows[0].key }
}

const told = (rows: readonly ModelRow[]): string[][] =>
  rows.map((row) => [
    String(row.get('id')),
    ...names.map((name) => written(DOMAINS[name][0], row.get(name) ?? null)),
  ])

/** Engines write the same amount or moment with more or fewer zeros. */
function written(type: ValueType, value: Value): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (type === 'decimal') return String(Number(value))
  const text = String(value)
  return (type === 'datetime' || type === 'time') && text.includes('.')
    ? text.replace(/\.?0+$/, '')
    : text
}
