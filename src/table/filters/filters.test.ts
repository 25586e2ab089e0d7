/** What the values of filters mean, in which spelling they are kept, and what is refused. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, definitionOf, noOthers } from '../../../test/table-of.ts'
import { runs } from '../../../test/tier.ts'
import type { FilterComponents } from '../../protocol/filters.ts'
import { LISTING } from '../list/fold.ts'
import { rowKeys } from '../row-keys.ts'
import type { Predicate } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { FILTERS_LENGTH_MAX } from './address.ts'
import { filtersOf } from './offered.ts'
import { checkedValues, conditionsOf } from './read-filters.ts'

const moments = ['2024-03-30T12:00:00Z', '2024-07-01T00:30:00Z']
const definition = definitionOf(
  [
    columnOf('id', { type: 'integer' }),
    columnOf('price', { type: 'decimal' }),
    columnOf('seen_on', { type: 'date' }),
    columnOf('seen_at', { type: 'datetime', sample: moments }),
    columnOf('moved_at', { type: 'datetime', zoned: true }),
    columnOf('noted_at', { type: 'datetime' }),
    columnOf('note'),
    columnOf('phase', { allowed: ['open', 'done'] }),
    columnOf('is_open', { type: 'boolean' }),
    columnOf('builder'),
    columnOf('a.b'),
    columnOf('secret'),
    columnOf('photo', { type: 'binary' }),
    columnOf('extra', { type: 'json' }),
    columnOf('fee_cents', { type: 'integer' }),
    columnOf('currency'),
    columnOf('sent_at', { type: 'integer', sample: [1_711_800_000] }),
    columnOf('read_at', { type: 'integer', sample: [1_711_800_000_000] }),
  ],
  {
    estimate: 1_000_000,
    indexes: [
      { name: 'p', columns: [{ name: 'price', descending: false }], unique: false, partial: false },
    ],
  },
)
const { table } = definition
const readable = table.columns.map(({ name }) => name).filter((name) => name !== 'secret')
const open = {
  definition,
  access: accessTo(table, { readable }),
  keys: rowKeys(table),
  relations: new Map(),
  others: noOthers,
  takesChanges: false,
}
const clock = { locale: 'en', now: Date.parse('2024-03-31T22:30:00Z'), timeZone: 'Europe/Vienna' }

const valuesOf = (filters: { [key: string]: unknown }) => checkedValues(filters, open)
const predicatesOf = (filters: { [key: string]: unknown }): Predicate[] =>
  [...conditionsOf(filters, open).values()].map((one) => one.predicate(clock))
const parse = (query: string): FilterComponents =>
  LISTING.parse(new URLSearchParams(query), open).filterComponents
const wordsOf = async (filters: { [key: string]: unknown }, timeZone?: string) => {
  const wording = {
    reader: { language: 'en', locale: 'en-US', timeZone },
    // No column here refers to another table, so nothing is read.
    source: {} as RowSource,
    signal: new AbortController().signal,
  }
  return Promise.all(
    [...conditionsOf(filters, open).values()].map(async (one) => one.words(wording)),
  )
}

describe('a range of numbers', () => {
  test.each([
    [
      { min: 80, max: 20 },
      { min: 20, max: 80 },
    ],
    [
      { min: '80', max: '20' },
      { min: 20, max: 80 },
    ],
    [{ min: '-1.50', max: null }, { min: -1.5 }],
    [{ min: '', max: '007' }, { max: 7 }],
    [{ max: '9007199254740993' }, { max: '9007199254740993' }],
    [{ min: '0.1000000000000000055' }, { min: '0.1000000000000000055' }],
    [{ min: '-0' }, { min: 0 }],
    [
      { min: 0, max: 0 },
      { min: 0, max: 0 },
    ],
    [{ min: 1e21 }, { min: '1000000000000000000000' }],
    [
      { min: '99999999999999999999', max: '9' },
      { min: 9, max: '99999999999999999999' },
    ],
  ])('%j is kept as %j', (given, value) =>
    expect(valuesOf({ price: given })).toEqual({ price: value }),
  )

  test('of cents says so after its numbers, as a single amount does', async () => {
    expect(await wordsOf({ fee_cents: { in: ['1250'] } })).toEqual(['1,250 cents'])
    expect(await wordsOf({ fee_cents: { min: 1250 } })).toEqual(['≥ 1,250 cents'])
    expect(await wordsOf({ fee_cents: { max: 1250 } })).toEqual(['≤ 1,250 cents'])
    expect(await wordsOf({ fee_cents: { min: 13, max: 1250 } })).toEqual(['13 – 1,250 cents'])
  })

  test('has both bounds among its rows, with all their digits', () => {
    expect(predicatesOf({ price: { min: '9007199254740993', max: '0.5' } })).toEqual([
      {
        op: 'and',
        all: [
          { op: 'gte', column: 'price', value: 0.5 },
          { op: 'lte', column: 'price', value: 9007199254740993n },
        ],
      },
    ])
  })

  test('is the same whichever way round its bounds are given, and any value kept is kept again', () => {
    const bound = fc.oneof(
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.tuple(fc.integer(), fc.nat()).map(([whole, part]) => `${whole}.${part}`),
    )
    fc.assert(
      fc.property(bound, bound, (min, max) => {
        const value = valuesOf({ price: { min, max } })
        expect(valuesOf({ price: { min: max, max: min } })).toEqual(value)
        expect(valuesOf(value)).toEqual(value)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('a range of days', () => {
  const within = (column: string, from: string, to: string, last: 'lt' | 'lte' = 'lt') => [
    {
      op: 'and',
      all: [
        { op: 'gte', column, value: from },
        { op: last, column, value: to },
      ],
    },
  ]
  const days = (minDate: string, maxDate: string) => ({ minDate, maxDate })

  test('has both days among its rows; the same day twice is one day', () => {
    expect(predicatesOf({ seen_on: days('2024-03-05', '2024-03-05') })).toEqual(
      within('seen_on', '2024-03-05', '2024-03-05', 'lte'),
    )
    expect(predicatesOf({ noted_at: days('2024-03-05', '2024-03-05') })).toEqual(
      within('noted_at', '2024-03-05', '2024-03-06'),
    )
  })

  test('is of counts from 1970 where whole numbers are moments, and 0 is never', () => {
    const [from, to] = [Date.parse('2024-03-30T23:00Z'), Date.parse('2024-03-31T22:00Z')]
    expect(predicatesOf({ sent_at: days('2024-03-31', '2024-03-31') })).toEqual([
      {
        op: 'and',
        all: [
          { op: 'gte', column: 'sent_at', value: from / 1000 },
          { op: 'lt', column: 'sent_at', value: to / 1000 },
          { op: 'not', of: { op: 'eq', column: 'sent_at', value: 0 } },
        ],
      },
    ])
    expect(predicatesOf({ read_at: { until: '2024-03-31' } })).toEqual([
      {
        op: 'and',
        all: [
          { op: 'lt', column: 'read_at', value: to },
          { op: 'not', of: { op: 'eq', column: 'read_at', value: 0 } },
        ],
      },
    ])
    // An address with numbers goes on working.
    expect(valuesOf({ sent_at: { min: '1711800000' } })).toEqual({
      sent_at: { min: 1_711_800_000 },
    })
  })

  test('is of days in the zone in which moments are shown, however long the clock makes them', () => {
    expect(predicatesOf({ moved_at: days('2024-03-31', '2024-03-31') })).toEqual(
      within('moved_at', '2024-03-30T23:00Z', '2024-03-31T22:00Z'),
    )
    // Texts are compared as texts: a bound is the beginning of every moment in its minute.
    expect(predicatesOf({ seen_at: days('2024-10-27', '2024-10-27') })).toEqual(
      within('seen_at', '2024-10-26T22:00', '2024-10-27T23:00'),
    )
  })

  test('of a preset follows the clock, and stays a preset in the address', () => {
    expect(predicatesOf({ moved_at: { preset: 'today' } })).toEqual(
      within('moved_at', '2024-03-31T22:00Z', '2024-04-01T22:00Z'),
    )
    expect(predicatesOf({ seen_on: { preset: 'today' } })).toEqual(
      within('seen_on', '2024-04-01', '2024-04-01', 'lte'),
    )
    expect(parse('filter.seen_on.preset=last7days')).toEqual({ seen_on: { preset: 'last7days' } })
  })

  test('of a preset is about the reader’s day where the column has no zone, or about the declared one', async () => {
    const today = { noted_at: { preset: 'today' } }
    expect(predicatesOf(today)).toEqual(within('noted_at', '2024-04-01', '2024-04-02'))
    const filters = {
      noted: { type: 'date' as const, column: 'noted_at', timeZone: 'America/New_York' },
      moved: { type: 'date' as const, column: 'moved_at', timeZone: 'America/New_York' },
    }
    const own = {
      ...open,
      definition: { ...definition, filters },
      access: accessTo(table, { readable }),
    }
    const declared = (key: string) =>
      [...conditionsOf({ [key]: { preset: 'today' } }, own).values()].map((one) =>
        one.predicate(clock),
      )
    expect(declared('noted')).toEqual(within('noted_at', '2024-03-31', '2024-04-01'))
    // Moments are shown in the reader's zone, whatever is declared.
    expect(declared('moved')).toEqual(within('moved_at', '2024-03-31T22:00Z', '2024-04-01T22:00Z'))
    expect(await wordsOf(today)).toEqual(['today (UTC)'])
    expect(await wordsOf(today, 'Europe/Vienna')).toEqual(['today (Europe/Vienna)'])
  })

  test('may have one end alone, apart from the range', async () => {
    const bound = (op: string, value: string) => [
      { op: 'and', all: [{ op, column: 'noted_at', value }] },
    ]
    expect(predicatesOf({ noted_at: { since: '2024-03-05' } })).toEqual(bound('gte', '2024-03-05'))
    expect(predicatesOf({ noted_at: { until: '2024-03-05' } })).toEqual(bound('lt', '2024-03-06'))
    expect(await wordsOf({ seen_on: { since: '2024-03-05' } })).toEqual(['since Mar 5, 2024'])
    expect(await wordsOf({ seen_on: { until: '2024-03-05' } })).toEqual(['until Mar 5, 2024'])
    expect(() => valuesOf({ seen_on: { since: '2024-03-05', until: '2024-03-06' } })).toThrow()
    // Nothing is written later than the last year of four digits, but what is empty is in no range.
    expect(predicatesOf({ noted_at: { until: '9999-12-31' } })).toEqual([
      { op: 'not', of: { op: 'null', column: 'noted_at' } },
    ])
  })

  test('is swapped where it ends before it begins', () =>
    expect(valuesOf({ seen_on: days('2024-03-05', '2024-03-01') })).toEqual({
      seen_on: days('2024-03-01', '2024-03-05'),
    }))

  test('is written as its filter declares', () => {
    const filters = { seen: { type: 'date' as const, column: 'seen_on', format: 'd.m.Y' } }
    const own = {
      ...open,
      definition: { ...definition, filters },
      access: accessTo(table, { readable }),
    }
    const given = { seen: days('05.03.2024', '06.03.2024') }
    expect(checkedValues(given, own)).toEqual(given)
    expect(() => checkedValues({ seen: days('2024-03-05', '2024-03-06') }, own)).toThrow(
      expect.objectContaining({ detail: expect.stringContaining('d.m.Y') }),
    )
  })
})

describe('a text', () => {
  test.each([
    [{ text: 'a' }, { op: 'contains', column: 'note', text: 'a' }],
    [
      { test: 'starts', text: 'a' },
      { op: 'starts', column: 'note', text: 'a' },
    ],
    [
      { test: 'equals', text: 'a' },
      { op: 'eq', column: 'note', value: 'a' },
    ],
    [
      { test: 'equals', text: 'a', not: true },
      { op: 'not', of: { op: 'eq', column: 'note', value: 'a' } },
    ],
  ])('%j asks for %j', (value, predicate) =>
    expect(predicatesOf({ note: value })).toEqual([predicate]),
  )
})

describe('an address', () => {
  test.each<[string, FilterComponents]>([
    ['filter.price.min=5&filter.price.max=', { price: { min: 5 } }],
    ['filter.price.min=&filter.price.max=', {}],
    ['filter.note.test=contains&filter.note.text=', {}],
    [
      'filter.note.test=starts&filter.note.text=x&filter.note.not=true',
      { note: { test: 'starts', text: 'x', not: true } },
    ],
    [
      'filter.note.test=contains&filter.note.text=&filter.note.empty=false',
      { note: { empty: false } },
    ],
    ['filter.phase.in=open&filter.phase.in=done', { phase: { in: ['open', 'done'] } }],
    ['filter.phase.in=open,done', { phase: { in: ['open', 'done'] } }],
    ['filter.phase.notIn=%25null', { phase: { notIn: [null] } }],
    ['filter.phase=open', { phase: { in: ['open'] } }],
    ['filter.is_open.is=unset', { is_open: { is: 'unset' } }],
    [
      'filter.seen_on.minDate=2024-03-01&filter.seen_on.maxDate=2024-03-02',
      { seen_on: { minDate: '2024-03-01', maxDate: '2024-03-02' } },
    ],
    ['filter.seen_on.since=2024-03-01', { seen_on: { since: '2024-03-01' } }],
    ['filter.noted_at.until=2024-03-01', { noted_at: { until: '2024-03-01' } }],
    // Which control is drawn may follow from a sample; the test fits the type all the same.
    ['filter.phase.test=contains&filter.phase.text=x', { phase: { test: 'contains', text: 'x' } }],
    ['filter.note.since=2024-03-01', { note: { since: '2024-03-01' } }],
    [
      'filter.seen_on.test=starts&filter.seen_on.text=2024',
      { seen_on: { test: 'starts', text: '2024' } },
    ],
    ['filter.id.is=yes', { id: { is: 'yes' } }],
    ['filter.a%252eb=1', { 'a%2eb': { in: ['1'] } }],
    ['filter.%2562uilder=1', { '%62uilder': { in: ['1'] } }],
    [
      'filter.builder={"join":"or","of":[{"filter":"price","value":{"min":1}},{"join":"and","of":[]}]}',
      { builder: { join: 'or', of: [{ filter: 'price', value: { min: 1 } }] } },
    ],
    ['filter.builder=', {}],
  ])('%j is read as %j, and written so that it is read again', (query, filters) => {
    expect(parse(query)).toEqual(filters)
    expect(parse(LISTING.query(LISTING.state({ filterComponents: filters })))).toEqual(filters)
  })
})

describe('refused, naming the filter, is', () => {
  test.each<[string, unknown, string]>([
    ['nothing', { min: 1 }, 'TABLE_UNKNOWN_COLUMN'],
    ['secret', { text: 'x' }, 'TABLE_UNKNOWN_COLUMN'],
    ['photo', { in: ['0x00'] }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: [] }, 'TABLE_BAD_PARAMETER'],
    ['extra', { empty: true }, 'TABLE_BAD_PARAMETER'],
    ['price', 5, 'TABLE_BAD_PARAMETER'],
    ['price', [1, 2], 'TABLE_BAD_PARAMETER'],
    ['price', { min: 'x' }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: true }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: { a: 1 } }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: '1e5' }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: '1'.repeat(81) }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: 1, other: 2 }, 'TABLE_BAD_PARAMETER'],
    ['price', { min: 1, in: ['2'] }, 'TABLE_BAD_PARAMETER'],
    ['price', { text: 'x' }, 'TABLE_BAD_PARAMETER'],
    ['seen_on', { minDate: '2024-03-05' }, 'TABLE_BAD_PARAMETER'],
    ['seen_on', { minDate: '2024-02-30', maxDate: '2024-03-01' }, 'TABLE_BAD_PARAMETER'],
    ['seen_on', { preset: 'someday' }, 'TABLE_BAD_PARAMETER'],
    ['note', { test: 'like', text: 'x' }, 'TABLE_BAD_PARAMETER'],
    ['note', { text: 'x'.repeat(1001) }, 'TABLE_BAD_PARAMETER'],
    ['phase', { in: ['open'], notIn: ['done'] }, 'TABLE_BAD_PARAMETER'],
    ['phase', { in: [1] }, 'TABLE_BAD_PARAMETER'],
    ['note', { in: ['a/b'] }, 'TABLE_BAD_PARAMETER'],
    ['note', { in: Array.from({ length: 1001 }, (_, at) => String(at)) }, 'TABLE_BAD_PARAMETER'],
    ['is_open', { is: 'maybe' }, 'TABLE_BAD_PARAMETER'],
    ['note', { empty: 'perhaps' }, 'TABLE_BAD_PARAMETER'],
    ['builder', { join: 'xor', of: [] }, 'TABLE_BAD_PARAMETER'],
    [
      'builder',
      { join: 'and', of: [{ filter: 'secret', value: { text: 'x' } }] },
      'TABLE_UNKNOWN_COLUMN',
    ],
    [
      'builder',
      { join: 'and', of: [{ filter: 'builder', value: { join: 'and', of: [] } }] },
      'TABLE_UNKNOWN_COLUMN',
    ],
    [
      'builder',
      {
        join: 'and',
        of: Array.from({ length: 51 }, () => ({ filter: 'price', value: { min: 1 } })),
      },
      'TABLE_BAD_PARAMETER',
    ],
  ])('%s = %j', (key, value, code) => {
    const named = key === 'builder' ? /./ : new RegExp(key)
    expect(() => valuesOf({ [key]: value })).toThrow(
      expect.objectContaining({ code, status: 422, detail: expect.stringMatching(named) }),
    )
  })

  test('several values in the place of one, and where they belong is told', () => {
    expect(() => parse('filter.id=1,2')).toThrow(
      expect.objectContaining({
        status: 422,
        detail: expect.stringMatching(
          /“id” cannot hold “1,2”\. Several values, separated by commas, stand under “filter\.id\.in”/,
        ),
      }),
    )
    expect(parse('filter.id.in=1,2')).toEqual({ id: { in: ['1', '2'] } })
  })

  test('groups beyond their depth', () => {
    let group: unknown = { filter: 'price', value: { min: 1 } }
    for (let depth = 0; depth < 4; depth++) group = { join: 'and', of: [group] }
    expect(Object.keys(valuesOf({ builder: group }))).toEqual(['builder'])
    expect(() => valuesOf({ builder: { join: 'and', of: [group] } })).toThrow('')
  })

  test('more than fits an address', () => {
    const values = Array.from({ length: 600 }, (_, at) => `${'x'.repeat(20)}${at}`)
    expect(() => valuesOf({ note: { in: values } })).toThrow(
      expect.objectContaining({ detail: expect.stringContaining('too long') }),
    )
    const short = Array.from({ length: 1000 }, (_, at) => String(at + 100_000))
    const state = LISTING.state({ filterComponents: valuesOf({ note: { in: short } }) })
    expect(LISTING.query(state).length).toBeLessThan(FILTERS_LENGTH_MAX)
    expect(parse(LISTING.query(state))).toEqual(state.filterComponents)
  })
})

test('an empty value takes a filter away', () => {
  for (const value of [null, {}, { min: '', max: null }])
    expect(valuesOf({ price: value })).toEqual({})
  expect(valuesOf({ phase: { in: [] } })).toEqual({})
  expect(valuesOf({ builder: { join: 'and', of: [] } })).toEqual({})
})

test('a chip says what is asked for', async () => {
  expect(
    await wordsOf({
      price: { min: 5, max: 1234.5 },
      seen_on: { preset: 'last7days' },
      note: { test: 'starts', text: 'x', not: true },
      phase: { notIn: ['open', null] },
      builder: {
        join: 'or',
        of: [
          { filter: 'price', value: { min: 1 } },
          { join: 'and', of: [{ filter: 'phase', value: { in: ['done'] } }] },
        ],
      },
    }),
  ).toEqual([
    '5 – 1,234.5',
    'last 7 days (UTC)',
    'does not start with “x”',
    'not Open, no value',
    'Price ≥ 1 or (Phase Done)',
  ])
})

test('columns that may not be read, and those without an order, offer no filter', () => {
  const keys = [...filtersOf(open).keys()]
  expect(keys).not.toContain('secret')
  expect(keys).not.toContain('photo')
  expect(keys).toContain('price')
  expect(keys.at(-1)).toBe('builder')
})

test('a filter that no index serves is costly in a large table', () => {
  const costly = [...filtersOf(open).values()].flatMap((one) => (one.costly ? [one.key] : []))
  expect(costly).toContain('note')
  expect(costly).toContain('seen_on')
  expect(costly).not.toContain('price')
  expect(costly).not.toContain('id')
})

test('what a filter is declared to be replaces what was inferred, stands beside it, or takes it away', () => {
  const filters = {
    price: { type: 'number' as const, column: 'price', label: 'Cost', min: 0, max: 9 },
    state: {
      type: 'choice' as const,
      column: 'phase',
      choices: [{ value: 'open', label: 'Still open' }],
    },
    note: false as const,
    hidden: { type: 'text' as const, column: 'secret' },
  }
  const own = {
    ...open,
    definition: { ...definition, filters },
    access: accessTo(table, { readable }),
  }
  const offered = filtersOf(own)
  const reader = { language: 'en', locale: 'en-US' }
  expect(offered.get('price')).toMatchObject({ label: 'Cost' })
  expect(offered.get('price')?.control(reader)).toEqual({
    type: 'number',
    min: 0,
    max: 9,
    thousandths: true,
  })
  expect(offered.get('state')?.control(reader)).toEqual({
    type: 'choice',
    choices: [{ value: 'open', label: 'Still open' }],
  })
  expect(offered.has('note')).toBe(false)
  expect(offered.has('hidden')).toBe(false)
})

test('of values of which some have names, those come first, then what else the sample holds', () => {
  const columns = [
    columnOf('id', { type: 'integer' }),
    columnOf('step', { sample: ['paid', 'sent', 'paid'] }),
  ]
  const steps = definitionOf(columns)
  const shown = steps.columns.get('step')
  if (!shown) throw new Error('The column is missing.')
  const named = { ...shown, kind: 'status', values: new Map([['sent', 'On its way']]) }
  const own = {
    ...open,
    definition: { ...steps, columns: new Map([...steps.columns, ['step', named]]) },
    access: accessTo(steps.table),
  }
  expect(filtersOf(own).get('step')?.control({ language: 'en', locale: 'en-US' })).toEqual({
    type: 'choice',
    choices: [
      { value: 'sent', label: 'On its way', tone: 'idle' },
      { value: 'paid', label: 'Paid', tone: 'ok' },
    ],
  })
})

test.each([
  ['EUR', 2, 500],
  ['KWD', 3, 50],
  ['JPY', 0, 50_000],
])('bounds that are declared in cents are shown in %s, as the amounts are', (code, digits, max) => {
  const { columns } = definition
  const amount = { minorUnit: 'cents', unit: code, fixedCurrency: { code, digits } }
  const price = { ...columns.get('price')!, ...amount }
  const filters = {
    price: { type: 'number' as const, column: 'price', min: 0, max: 50_000, unit: 'cents' },
  }
  const own = { ...definition, columns: new Map(columns).set('price', price), filters }
  const access = accessTo(table, { readable })
  const control = filtersOf({ ...open, access, definition: own })
    .get('price')
    ?.control({ language: 'en', locale: 'en-US' })
  expect(control).toMatchObject({ type: 'number', min: 0, max, unit: code })
})
