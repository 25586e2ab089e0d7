/** Filters mean the same on every engine, and tell nothing of rows, columns and tables that are hidden. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FilterComponents, FilterGroup, FilterValue } from '../../src/protocol/filters.ts'
import { createCatalog, type OpenTable } from '../../src/table/catalog.ts'
import { askingOf } from '../ask-filters.ts'
import { boundsOf, facetsOf, findChoices } from '../../src/table/filters/ask.ts'
import { filtersOf } from '../../src/table/filters/offered.ts'
import { conditionsOf } from '../../src/table/filters/read-filters.ts'
import { encodeValue } from '../../src/table/row-key.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import { within } from '../tier.ts'
import { actor } from './actors.ts'
import { fulfils, type Row } from './filter-reference.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { idsOf, openBench } from './opened.ts'

const NOTES = ['', 'a', 'A b', 'Ábc', 'straße', '50%', 'a_b', '\\', "it's", '漢字', null]
const KINDS = ['new', 'sent', 'lost', null]
const DAYS = ['2023-12-31', '2024-01-01', '2024-02-29', '2024-03-31', null]
const MOMENTS = [
  '2023-12-31 23:59:59',
  '2024-01-01 00:00:00',
  '2024-02-29 12:30:00',
  '2024-03-31 02:30:00',
  null,
]
const WEIGHTS = [-2, 0, 0.5, 7, 12.25, null]
const COUNTS = [0, 1, 2, 3, 9, null]

const at = <T>(list: readonly T[], place: number): T | null => list[place % list.length] ?? null

const PARCELS = Array.from({ length: 60 }, (_, id): Row => ({
  id,
  weight: at(WEIGHTS, id * 5 + 1),
  sent_on: at(DAYS, id * 3),
  seen_at: at(MOMENTS, id * 7 + 2),
  note: at(NOTES, id * 4 + 3),
  kind: at(KINDS, id + Math.floor(id / 7)),
  is_open: [true, false, null][id % 3] ?? null,
}))
const SCANS = Array.from({ length: 90 }, (_, id): Row => ({
  id,
  parcel_id: id % 4 === 3 ? null : (id * 11) % 47,
  place: at(['Wien', 'Graz', 'Linz', null], id),
  count: at(COUNTS, id * 5),
}))

const valuesIn = (rows: readonly Row[]): Value[][] => rows.map((row) => Object.values(row))

const fixture: Fixture = {
  tables: [
    {
      name: 'parcels',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'weight', type: 'float', nullable: true },
        { name: 'sent_on', type: 'date', nullable: true },
        { name: 'seen_at', type: 'datetime', nullable: true },
        { name: 'note', type: 'text', nullable: true },
        { name: 'kind', type: 'text', nullable: true },
        { name: 'is_open', type: 'boolean', nullable: true },
      ],
      key: ['id'],
      indexes: [['weight'], ['sent_on']],
      rows: valuesIn(PARCELS),
    },
    {
      name: 'scans',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'parcel_id', type: 'integer', nullable: true },
        { name: 'place', type: 'text', nullable: true },
        { name: 'count', type: 'integer', nullable: true },
      ],
      key: ['id'],
      foreignKeys: [{ columns: ['parcel_id'], table: 'parcels', references: ['id'] }],
      indexes: [['parcel_id']],
      rows: valuesIn(SCANS),
    },
  ],
}

/** The key of the filter by the rows that refer to a parcel. */
const SCANNED = '~scans~parcel_id'

type Hidden = {
  readonly columns?: readonly string[]
  readonly tables?: readonly string[]
  readonly rows?: { readonly [table: string]: Predicate }
}

const policyOf = ({ columns = [], tables = [], rows = {} }: Hidden): Policy => ({
  version: '1',
  grant: (_actor, table) => ({
    actions: tables.includes(table.name) ? [] : ['read'],
    rows: rows[table.name] ?? everything,
    readable: table.columns.map(({ name }) => name).filter((name) => !columns.includes(name)),
    writable: [],
  }),
})

async function openParcels(source: RowSource, hidden: Hidden = {}, table = 'parcels') {
  // Engines differ in which column they take for a name.
  const definitions = table === 'scans' ? { parcels: { labelColumn: 'note' } } : {}
  const catalog = await createCatalog(source, policyOf(hidden), { definitions })
  return catalog.open(actor, table)
}

const whereOf = (filters: FilterComponents, open: OpenTable): Predicate => ({
  op: 'and',
  all: [...conditionsOf(filters, open).values()].map((one) =>
    one.predicate({ locale: 'en', now: 0 }),
  ),
})

// --- random values -------------------------------------------------------------------------------

const bound = fc.option(
  fc.oneof(fc.constantFrom(-2, 0, 7, '0.5', '12.25', '1e'), fc.integer(), fc.maxSafeInteger()),
  { nil: undefined },
)
const numberRange = (): fc.Arbitrary<FilterValue> =>
  fc
    .record({ min: bound, max: bound })
    .map(({ min, max }) => ({
      ...(min !== undefined && min !== '1e' && { min }),
      ...(max !== undefined && max !== '1e' && { max }),
    }))
    .map((range): FilterValue => ('min' in range || 'max' in range ? range : { min: 0 }))
    .map((range): FilterValue => {
      const { min, max } = range as { min?: number | string; max?: number | string }
      return min !== undefined && max !== undefined && Number(max) < Number(min)
        ? { min: max, max: min }
        : range
    })
const day = fc.constantFrom('2000-01-01', '2023-12-31', '2024-01-01', '2024-02-28', '2024-03-31')
const dateRange = (): fc.Arbitrary<FilterValue> =>
  fc.tuple(day, day).map((days) => {
    const [minDate = '', maxDate = ''] = days.toSorted()
    return { minDate, maxDate }
  })
const dayBound = (): fc.Arbitrary<FilterValue> =>
  fc
    .tuple(fc.constantFrom('since', 'until'), day)
    .map(([which, one]) => (which === 'since' ? { since: one } : { until: one }))
const oneOf = (values: readonly Value[]): fc.Arbitrary<FilterValue> =>
  fc
    .tuple(
      fc.constantFrom('in', 'notIn'),
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }),
    )
    .map(([how, list]) => {
      const texts = list.map((value) => (value === null ? null : encodeValue(value)))
      return how === 'in' ? { in: texts } : { notIn: texts }
    })
const empty = (): fc.Arbitrary<FilterValue> => fc.boolean().map((is) => ({ empty: is }))
const text = (): fc.Arbitrary<FilterValue> =>
  fc
    .record({
      test: fc.constantFrom('contains', 'starts', 'equals'),
      text: fc.constantFrom('a', 'A', 'á', 'ß', '%', '_', '\\', "'", '字', 'it', 'straße'),
      not: fc.option(fc.constant(true as const), { nil: undefined }),
    })
    .map(({ test, text, not }) => ({ test, text, ...(not && { not }) }))

const named = (name: string, value: fc.Arbitrary<FilterValue>) =>
  value.map((value) => [name, value] as const)

const onScans = fc.oneof(
  named('count', fc.oneof(numberRange(), empty())),
  named('place', fc.oneof(oneOf(['Wien', 'Graz', null]), text())),
)
const whereGroup: fc.Arbitrary<FilterGroup> = fc.record({
  join: fc.constantFrom('and', 'or'),
  of: fc.array(
    onScans.map(([filter, value]) => ({ filter, value })),
    { minLength: 1, maxLength: 3 },
  ),
})
const scanned: fc.Arbitrary<FilterValue> = fc.oneof(
  fc.constantFrom<FilterValue>({ rows: 'some' }, { rows: 'none' }),
  fc.record({ rows: fc.constantFrom('some', 'none', 'every'), where: whereGroup }),
)
const onParcels = fc.oneof(
  named('weight', fc.oneof(numberRange(), empty(), oneOf(WEIGHTS))),
  named('sent_on', fc.oneof(dateRange(), dayBound(), empty())),
  named('seen_at', fc.oneof(dateRange(), dayBound(), empty())),
  named('note', fc.oneof(text(), empty(), oneOf(NOTES))),
  named('kind', fc.oneof(oneOf(KINDS), empty())),
  named('is_open', fc.constantFrom<FilterValue>({ is: 'yes' }, { is: 'no' }, { is: 'unset' })),
  named(SCANNED, scanned),
)
const { group } = fc.letrec<{ group: FilterGroup }>((tie) => ({
  group: fc.record({
    join: fc.constantFrom('and', 'or'),
    of: fc.array(
      fc.oneof(
        { maxDepth: 2, depthIdentifier: 'group' },
        onParcels.map(([filter, value]) => ({ filter, value })),
        tie('group'),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}))
const filtersArb: fc.Arbitrary<FilterComponents> = fc
  .tuple(fc.array(onParcels, { maxLength: 3 }), fc.option(group, { nil: undefined }))
  .map(([all, builder]) => ({ ...Object.fromEntries(all), ...(builder && { builder }) }))

const referring = (_key: string, parcel: Row): Row[] =>
  SCANS.filter(({ parcel_id }) => parcel_id === parcel['id'])

export function filtersContract(name: string, open: OpenFixture, questions: number): void {
  describe(`${name}: filters`, () => {
    test(
      'find the rows that the same filters find in memory',
      async () => {
        const { source } = await openBench(open, fixture)
        const parcels = await openParcels(source)
        await fc.assert(
          fc.asyncProperty(filtersArb, async (filters) => {
            const wanted = PARCELS.filter((row) => fulfils(filters, row, referring))
            expect(await idsOf(source, parcels.access, whereOf(filters, parcels))).toEqual(
              wanted.map(({ id }) => id),
            )
          }),
          { numRuns: questions },
        )
      },
      within(120_000),
    )

    test('keep every digit of a bound, and swap the two where the greatest is below the least', async () => {
      const big = 9_007_199_254_740_993n
      const { source } = await openBench(open, {
        tables: [
          {
            name: 'parcels',
            columns: [
              { name: 'id', type: 'integer' },
              { name: 'amount', type: 'integer' },
            ],
            key: ['id'],
            rows: [
              [1, big - 1n],
              [2, big],
              [3, big + 1n],
            ],
          },
        ],
      })
      const parcels = await openParcels(source)
      const find = (filters: FilterComponents) =>
        idsOf(source, parcels.access, whereOf(filters, parcels))
      expect(await find({ amount: { min: String(big), max: String(big) } })).toEqual([2])
      expect(await find({ amount: { min: String(big + 1n), max: String(big) } })).toEqual([2, 3])
      expect(await find({ amount: { min: '9'.repeat(60) } })).toEqual([])
      expect(await find({ amount: { max: `-${'9'.repeat(60)}.5` } })).toEqual([])
      expect(await find({ amount: { min: `-${'9'.repeat(60)}.5`, max: '9'.repeat(60) } })).toEqual([
        1, 2, 3,
      ])
    })

    test('by related rows find nothing out about rows and tables that are hidden', async () => {
      const { source } = await openBench(open, fixture)
      const ofWien = { scans: { op: 'eq', column: 'place', value: 'Wien' } } as const
      const some = await openParcels(source, { rows: ofWien })
      const inWien = new Set(
        SCANS.filter(({ place }) => place === 'Wien').map(({ parcel_id }) => parcel_id),
      )
      const find = (opened: OpenTable, filters: FilterComponents) =>
        idsOf(source, opened.access, whereOf(filters, opened))
      const seen = PARCELS.flatMap(({ id = null }) => (inWien.has(id) ? [id] : []))
      expect(await find(some, { [SCANNED]: { rows: 'some' } })).toEqual(seen)
      expect(await find(some, { [SCANNED]: { rows: 'none' } })).toEqual(
        PARCELS.flatMap(({ id = null }) => (inWien.has(id) ? [] : [id])),
      )
      const place = (value: string): FilterGroup => ({
        join: 'and',
        of: [{ filter: 'place', value: { in: [value] } }],
      })
      expect(await find(some, { [SCANNED]: { rows: 'some', where: place('Graz') } })).toEqual([])
      expect(await find(some, { [SCANNED]: { rows: 'every', where: place('Wien') } })).toHaveLength(
        PARCELS.length,
      )
      const none = await openParcels(source, { tables: ['scans'] })
      expect(filtersOf(none).has(SCANNED)).toBe(false)
      expect(() => whereOf({ [SCANNED]: { rows: 'some' } }, none)).toThrow(
        expect.objectContaining({ code: 'TABLE_UNKNOWN_COLUMN' }),
      )
      const noPlace = await openParcels(source, { columns: ['place'] })
      expect(() => whereOf({ [SCANNED]: { rows: 'some', where: place('Wien') } }, noPlace)).toThrow(
        expect.objectContaining({ code: 'TABLE_UNKNOWN_COLUMN' }),
      )
    })

    test('tell how many rows hold each value, which rows there are to choose from, and between which values they lie', async () => {
      const { source } = await openBench(open, fixture)
      const rows = { parcels: { op: 'lt', column: 'id', value: 30 } } as const
      const scans = await openParcels(source, { rows }, 'scans')
      const asking = askingOf(scans, source)
      const filters = filtersOf(scans)
      const count = SCANS.filter(({ place }) => place === null).length
      const { choices } = await facetsOf(filters.get('place')!, everything, asking)
      expect(choices.find(({ value }) => value === null)).toMatchObject({ count })
      expect(choices.reduce((sum, one) => sum + one.count, 0)).toBe(SCANS.length)
      expect(await boundsOf(filters.get('count')!, asking)).toEqual({ min: '0', max: '9' })
      const found = await findChoices(filters.get('parcel_id')!, '7', asking)
      expect(found.choices.map(({ value }) => value)).toContain('7')
      const hidden = await findChoices(filters.get('parcel_id')!, '31', asking)
      expect(hidden.choices.map(({ value }) => value)).not.toContain('31')
    })
  })
}
