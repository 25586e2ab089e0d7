import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, infer, noOthers, tableOf } from '../../../test/table-of.ts'
import type { FilterChip } from '../../protocol/filters.ts'
import type { Access, Grant } from '../source/access.ts'
import { CONCERNS, type ListState } from './concerns.ts'
import { LISTING } from './fold.ts'
import type { PlaceState } from './place.ts'
import type { ListServices } from './concern.ts'
import { drawList } from './view.ts'
import { rowKeys } from '../row-keys.ts'
import { nothing } from '../source/predicate.ts'
import type { Count, PageRow, RowPage } from '../source/row-source.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'

type Listing = {
  columns?: readonly Column[]
  table?: Partial<Table>
  state?: Partial<ListState>
  page?: Partial<RowPage>
  count?: Count
  /** What the actor may see of the table that `parent_id` refers to. */
  parents?: Access
  /** What the actor is granted of the table itself, where it is less than everything. */
  granted?: Partial<Grant>
  chips?: readonly FilterChip[]
  /** The reader's. */
  timeZone?: string | undefined
}

const id = columnOf('id', { type: 'integer' })
const exact = (count: number): Count => ({ kind: 'exact', count })
const parents = tableOf([columnOf('id', { type: 'integer' }), columnOf('name')], {
  name: 'parents',
})

/** The rows with keys from one number to another. */
const rows = (from: number, to: number): PageRow[] =>
  Array.from({ length: to - from + 1 }, (_, at) => rowOf(from + at))
const rowOf = (key: number, over: Partial<PageRow> = {}): PageRow => ({
  key: [key],
  values: [key],
  sort: [key],
  labels: [],
  ...over,
})

function draw(listing: Listing) {
  const {
    columns = [id],
    table: over,
    state,
    page,
    count,
    parents,
    granted,
    chips,
    timeZone,
  } = listing
  const table = tableOf(columns, over)
  const definition = infer(table)
  const relation = parents && { access: parents, references: 'id', label: 'name' }
  const opened = {
    definition,
    access: accessTo(table, granted),
    keys: rowKeys(table),
    relations: new Map(relation ? [['parent_id', relation]] : []),
    others: noOthers,
    takesChanges: false,
    services: { href: (table: string) => `/tables/${table}` } as ListServices,
    prepared: {},
  }
  const read = {
    page: { rows: rows(1, 25), before: false, after: true, indexed: true, ...page },
    tally: { count: count ?? null, settled: true },
  }
  const asked = LISTING.state(state)
  const conditions = LISTING.conditions(opened, LISTING.presented(opened, asked), {
    locale: 'en',
    now: 0,
  })
  const isUnfiltered = conditions.length === 0
  const decided = CONCERNS.map((one) => one.decide?.(asked, { opened, isUnfiltered, ...read }))
  const loaded = CONCERNS.map(({ name }) =>
    name === 'filters' ? { chips: chips ?? [], form: null } : undefined,
  )
  return drawList(LISTING, {
    opened,
    state: Object.assign({}, asked, ...decided) as ListState,
    ...read,
    loaded,
    conditions,
    reader: { locale: 'en-US', language: 'en', timeZone },
  })
}

test('rows that may change places between pages are told so, unless they are all on one', () => {
  const said = (page: Partial<RowPage>) => draw({ page }).unordered
  expect(said({ unordered: true, after: true })).toMatch(/a row may appear on two pages/)
  expect(said({ unordered: true, after: false })).toBeUndefined()
  expect(said({ after: true })).toBeUndefined()
})

describe('a column of money', () => {
  const cells = (column: Partial<Column>, ...values: Value[]) =>
    draw({
      columns: [id, columnOf('price', { type: 'float', ...column })],
      page: { rows: values.map((value, at) => rowOf(at, { values: [at, value] })) },
    }).rows.map((row) => row[3])

  test('has one number of digits on a page', () => {
    expect(cells({}, 5, 5.5, 0.125, null)).toEqual(['5.000', '5.500', '0.125', null])
    expect(cells({}, 5, 5.5)).toEqual(['5.00', '5.50'])
    expect(cells({}, 5, 1234)).toEqual(['5', '1,234'])
  })

  test('has those that its type declares', () => {
    const declared = { type: 'decimal', scale: 4 } as const
    expect(cells(declared, '5.0000', '0.1250')).toEqual(['5.0000', '0.1250'])
    expect(cells({ type: 'decimal', scale: 2 }, '5.00')).toEqual(['5.00'])
  })

  test('of doubles has those that its type names, as far as these are the whole number', () => {
    const named = { type: 'decimal', namedScale: 2 } as const
    const off = 1.1 + 2.2
    expect(off).not.toBe(3.3)
    expect(cells(named, 1.1, off, 5, null)).toEqual(['1.10', '3.30', '5.00', null])
    expect(cells(named, 1.1, 1.105)).toEqual(['1.100', '1.105'])
    // So near to the digits that a double tells apart, none is left out.
    expect(cells(named, 12_345_678_901_234.566)).toEqual(['12,345,678,901,234.566'])
    const price = columnOf('price', { ...named })
    const rows = [1.1, off, 9.9].map((value, at) => rowOf(at, { values: [at, value] }))
    const total = columnOf('total', { ...named })
    for (const [column, text] of [
      [price, '4.77'],
      [total, '14.30'],
    ] as const) {
      const { sums } = draw({ columns: [id, column], page: { rows } })
      expect(sums).toMatchObject([{ text }])
    }
  })
})

test('a sum that is missing says why', () => {
  const price = columnOf('price', { type: 'decimal' })
  const currency = columnOf('currency')
  const sumsOf = (columns: Column[], rows: Value[][]) =>
    draw({
      columns: [id, ...columns],
      page: { rows: rows.map((values, at) => rowOf(at, { values })) },
    }).sums
  const why = (text: string) => [{ place: 1, kind: 'mean', text, isReason: true }]
  expect(
    sumsOf(
      [price],
      [
        [1, null],
        [2, null],
      ],
    ),
  ).toEqual(why('no numbers'))
  expect(
    sumsOf(
      [price],
      [
        [1, 2],
        [2, null],
      ],
    ),
  ).toEqual([{ place: 1, kind: 'mean', text: '2.00' }])
  const mixed = ['EUR', 'USD', 'JPY', 'CHF'].map((code, at) => [at, 5, code])
  expect(sumsOf([price, currency], mixed)).toEqual(why('more than three currencies'))
  // Without rows there is nothing to miss.
  expect(sumsOf([price], [])).toBeUndefined()
})

describe('times of a page', () => {
  const drawTimes = (values: readonly Value[], timeZone?: string) => {
    const { columns, rows } = draw({
      columns: [id, columnOf('seen', { type: 'datetime' })],
      page: { rows: values.map((value, at) => rowOf(at, { values: [at, value] })) },
      timeZone,
    })
    const plain = (text: unknown) => String(text).replaceAll('\u202f', ' ')
    const cells = rows.map(({ 3: cell }) =>
      Array.isArray(cell) ? cell.map(plain) : cell && plain(cell),
    )
    return { cells, zone: columns[1]?.zone }
  }
  const cells = (...values: Value[]) => drawTimes(values).cells
  const [even, odd] = ['2024-02-29 13:05:00', '2024-02-29 10:59:07']

  test('are shown to the minute, in hours of two digits, and hold the whole of what is not shown', () => {
    expect(cells(even, null)).toEqual(['Feb 29, 2024, 01:05 PM', null])
    expect(cells(even, odd)).toEqual([
      'Feb 29, 2024, 01:05 PM',
      ['Feb 29, 2024, 10:59 AM', 'Feb 29, 2024, 10:59:07 AM'],
    ])
  })

  test('have seconds in all rows where minutes tell no more than half of them apart', () => {
    const dense = [odd, '2024-02-29T10:59', even, '2024-02-29 13:05:59']
    expect(cells(...dense)).toEqual([
      'Feb 29, 2024, 10:59:07 AM',
      ['Feb 29, 2024, 10:59:00 AM', 'Feb 29, 2024, 10:59 AM'],
      ['Feb 29, 2024, 01:05:00 PM', 'Feb 29, 2024, 01:05 PM'],
      'Feb 29, 2024, 01:05:59 PM',
    ])
    const [first] = cells(...dense, '2024-02-29 15:00:00')
    expect(first).toEqual(['Feb 29, 2024, 10:59 AM', 'Feb 29, 2024, 10:59:07 AM'])
    expect(cells(odd, odd, even)[0]).toEqual(first)
  })

  test('have their zone in the head, unless some have none', () => {
    const [utc, winter] = ['2024-02-29T13:05:00Z', '2024-01-01 10:59:07.5+00']
    expect(drawTimes([utc])).toEqual({
      cells: [['Feb 29, 2024, 01:05 PM', 'Feb 29, 2024, 01:05 PM UTC']],
      zone: 'UTC',
    })
    expect(drawTimes([utc, null, winter], 'Europe/Vienna')).toEqual({
      cells: [
        ['Feb 29, 2024, 02:05 PM', 'Feb 29, 2024, 02:05 PM GMT+1'],
        null,
        ['Jan 1, 2024, 11:59 AM', 'Jan 1, 2024, 11:59:07 AM GMT+1'],
      ],
      zone: 'Austria Time',
    })
    expect(drawTimes([utc, even])).toEqual({
      cells: ['Feb 29, 2024, 01:05 PM UTC', 'Feb 29, 2024, 01:05 PM'],
      zone: undefined,
    })
    expect(drawTimes([even, null])).toMatchObject({ zone: undefined })
    expect(drawTimes([utc], 'America/New_York').zone).toBe('ET')
    expect(drawTimes([utc], 'Etc/GMT+5').zone).toBe('GMT-5')
  })
})

test('numbers of a type that names their digits are written with these, or with all they have', () => {
  const width = columnOf('width', { type: 'decimal', namedScale: 2 })
  const values = [1.1, 1.1 + 2.2, 1.105, 1e-7, -4]
  const page = { rows: values.map((value, at) => rowOf(at, { values: [at, value] })) }
  const cells = draw({ columns: [id, width], page }).rows.map((row) => row[3])
  expect(cells).toEqual(['1.10', '3.30', '1.105', '1e-7', '-4.00'])
})

test('which index would help is told only to whom no row is hidden from', () => {
  const listing = {
    table: { estimate: 1_000_000 },
    page: { indexed: false, advice: 'create index' },
    state: { search: 'x' },
  }
  expect(draw(listing)).toMatchObject({ slow: expect.any(String), advice: 'create index' })
  const granted = { rows: nothing }
  expect(draw({ ...listing, granted })).toMatchObject({ slow: null, advice: null })
})

test('a row without a name is called in its list as on its page, by its table and key', () => {
  const labelsOf = (listing: Listing) => draw(listing).rows.map(([, label]) => label)
  const page = { rows: rows(9998, 9999) }
  expect(labelsOf({ page })).toEqual(['Strike 9998', 'Strike 9999'])
  const name = columnOf('name')
  const named = { rows: [rowOf(1, { values: ['Ada'] }), rowOf(2, { values: [null] })] }
  expect(labelsOf({ columns: [id, name], page: named })).toEqual(['Ada', 'Strike 2'])
  const pair = {
    columns: [id, columnOf('part', { type: 'integer' })],
    table: { key: ['id', 'part'] },
  }
  const parts = { rows: [rowOf(1, { key: [1, 2], values: [1, 2] })] }
  expect(labelsOf({ ...pair, page: parts })).toEqual(['Strike 1, 2'])
})

describe('a related row', () => {
  const cellFor = (label: string | null | undefined, access: Access) =>
    draw({
      columns: [id, columnOf('parent_id', { type: 'integer' })],
      page: { rows: [rowOf(1, { values: [1, 7], labels: [label] })] },
      parents: access,
    }).rows[0]![3]
  const seesAll = accessTo(parents)
  const seesSome = accessTo(parents, { rows: nothing })

  test('shows by its name, and can be opened', () =>
    expect(cellFor('Alpha', seesSome)).toEqual(['Alpha', '7']))

  test.each([[null], ['']])('that has the name %j shows by its key', (label) => {
    expect(cellFor(label, seesAll)).toEqual(['7', '7'])
    expect(cellFor(label, seesSome)).toEqual(['7', '7'])
  })

  test('is not opened by a value that is not its key', () => {
    const other = accessTo(tableOf(parents.columns, { name: 'parents', key: ['name'] }))
    expect(cellFor('Alpha', other)).toBe('Alpha')
  })

  test('that is not there shows by its key, but to those from whom rows are hidden', () => {
    expect(cellFor(undefined, seesAll)).toBe('7')
    expect(cellFor(undefined, seesSome)).toBe(0)
  })
})

describe('the number of a page and the range of its rows', () => {
  const at = (place: Partial<PlaceState>, page: Partial<RowPage>, count?: Count) => {
    const state = { place: { at: 'after' as const, number: null, anchor: 'x', ...place } }
    const { number, range } = draw({ state, page, ...(count && { count }) }).page
    return [number, range]
  }
  const middle = (from: number, to: number) => ({ rows: rows(from, to), before: true, after: true })
  const end = (from: number, to: number) => ({ rows: rows(from, to), before: true, after: false })

  test.each<[string, unknown[], unknown[]]>([
    ['are those of the address', at({ number: 2 }, middle(26, 50), exact(60)), [2, ['26', '50']]],
    [
      'are believed as long as nothing is known',
      at({ number: 2 }, middle(26, 50)),
      [2, ['26', '50']],
    ],
    [
      'are unknown where there is no such page',
      at({ number: 99 }, middle(26, 50), exact(60)),
      [null, null],
    ],
    [
      'are unknown where rows follow on the last page',
      at({ number: 3 }, middle(30, 54), exact(60)),
      [null, null],
    ],
    [
      'are unknown on a first page with rows before it',
      at({ number: 1 }, middle(2, 26), exact(60)),
      [null, null],
    ],
    ['are those of the end', at({ number: 99 }, end(51, 60), exact(60)), [3, ['51', '60']]],
    [
      'are not those of a page that ends the table by chance',
      at({ number: 3 }, end(36, 60), exact(60)),
      [null, ['36', '60']],
    ],
    [
      'are those of the start',
      at({ number: 9 }, { rows: rows(1, 25), before: false }),
      [1, ['1', '25']],
    ],
    [
      'are not those of a start that is cut short',
      at({ at: 'before' }, { rows: rows(1, 9) }),
      [null, ['1', '9']],
    ],
    ['are those of a table that fits', at({}, { rows: rows(1, 9), after: false }), [1, ['1', '9']]],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  test('are not handed on to the next page where they are unknown', () => {
    const state = { place: { at: 'after' as const, number: 99, anchor: 'x' } }
    const { page } = draw({ state, page: middle(26, 50), count: exact(60) })
    expect([page.next, page.previous].map((href) => href?.includes('page='))).toEqual([
      false,
      false,
    ])
  })

  test('are needed to turn the pages of rows that nothing identifies', () => {
    const keyless = rows(51, 60).map((row) => ({ ...row, key: [] }))
    const last = (count?: Count) =>
      draw({
        table: { key: [] },
        state: { place: { at: 'last', number: null, anchor: null } },
        page: { rows: keyless, before: true, after: false },
        ...(count && { count }),
      }).page.previous
    expect(last(exact(60))).toBe('/tables/strikes?page=2')
    expect(last()).toBeUndefined()
  })
})

test('what the database says of a table and its columns goes with them', () => {
  const { help, columns } = draw({
    columns: [id, columnOf('size', { comment: 'In hectares.' })],
    table: { comment: 'All fields.' },
    state: { columns: ['id', 'size'] },
  })
  expect([help, ...columns.map((column) => column.help)]).toEqual([
    'All fields.',
    'In hectares.',
    undefined,
  ])
})

describe('an estimate', () => {
  const totalOf = (estimate: number, page: Partial<RowPage>, state: Partial<ListState> = {}) =>
    draw({ table: { estimate }, page, state }).total.kind

  test('is shown as long as nothing contradicts it', () => {
    expect(totalOf(1000, {})).toBe('estimate')
    expect(totalOf(25, { after: false })).toBe('estimate')
  })

  test('is not shown below the rows that one sees', () => {
    expect(totalOf(10, {})).toBe('unknown')
    expect(totalOf(25, { after: true })).toBe('unknown')
    const place = { at: 'offset', number: 50, anchor: null } as const
    expect(totalOf(1000, { before: true }, { place })).toBe('unknown')
  })
})

describe('the pages of rows', () => {
  const keyless = rows(1, 2).map((row) => ({ ...row, key: [] }))

  test('are there where a key names them, and know the list and its place', () => {
    expect(draw({}).records).toEqual({ from: '' })
    const state = {
      search: 'a b',
      place: { at: 'after', number: 3, anchor: 'x' },
    } as const
    expect(draw({ state, page: { before: true } }).records?.from).toBe(
      'search=a%20b&page=3&after=x',
    )
  })

  test('are not there without a key', () => {
    expect(draw({ table: { key: [] }, page: { rows: keyless } }).records).toBeUndefined()
  })

  test('are not there for rows that no address names', () => {
    const odd = [rowOf(1), rowOf(2, { key: ['two'] }), rowOf(3, { key: [2.5] })]
    expect(draw({ page: { rows: odd } }).records?.except).toEqual([1, 2])
  })

  test('forget the place, then the list, where an address has no room for them', () => {
    const place = { at: 'after', number: 3, anchor: 'x'.repeat(1400) } as const
    const from = (length: number) =>
      draw({ state: { search: '漢'.repeat(length), place }, page: { before: true } }).records!.from
    expect(from(10)).toContain('after')
    expect(from(190)).toMatch(/^search=(%[\dA-F]{2})+$/)
    expect(from(400)).toBe('')
  })
})

test('filters are carried by every link and form, and have a way out', () => {
  const filterComponents = { parent_id: { in: ['7'] } }
  const {
    filters: shown,
    params,
    page,
    clearHref,
    total,
  } = draw({
    table: { estimate: 1000 },
    columns: [id, columnOf('parent_id', { type: 'integer' })],
    state: { filterComponents, search: 'x' },
    chips: [{ key: 'parent_id', params: ['filter.parent_id'], label: 'Parent', value: 'Alpha' }],
  })
  expect(shown?.clearHref).toBe('/tables/strikes?search=x')
  expect(params).toContainEqual(['filter.parent_id', '7'])
  expect(page.next).toContain('filter.parent_id=7')
  expect(clearHref).toBe('/tables/strikes?filter.parent_id=7')
  expect(total.kind).not.toBe('estimate')
})

describe('the order in words', () => {
  const said = (type: ValueType, descending: boolean, over: Partial<Table> = {}) =>
    draw({
      columns: [columnOf('value', { type })],
      table: { key: [], ...over },
      state: { sort: [{ column: 'value', descending }] },
    }).sortText

  test.each<[ValueType, string, string]>([
    ['text', 'Value, A to Z', 'Value, Z to A'],
    ['integer', 'Value, smallest first', 'Value, largest first'],
    ['decimal', 'Value, smallest first', 'Value, largest first'],
    ['date', 'Value, oldest first', 'Value, newest first'],
    ['datetime', 'Value, oldest first', 'Value, newest first'],
    ['time', 'Value, earliest first', 'Value, latest first'],
    ['boolean', 'Value, no first', 'Value, yes first'],
    ['binary', 'Value', 'Value'],
  ])('suits what a column of %s holds', (type, ascending, descending) => {
    expect([said(type, false), said(type, true)]).toEqual([ascending, descending])
  })

  test('of an enum is that of its list, and of a text that a check bounds that of letters', () => {
    const allowed = ['new', 'done', 'back']
    const sort = [{ column: 'state', descending: false }]
    const inWords = (over: Partial<Column>) =>
      draw({ columns: [id, columnOf('state', { allowed, ...over })], state: { sort } }).sortText
    expect(inWords({ isListed: true })).toBe('State, first to last')
    expect(inWords({})).toBe('State, A to Z')
  })

  test('of a number that is a key is not that of a text', () => {
    expect(said('integer', false, { key: ['value'] })).toBe('Value, smallest first')
  })

  test('of a number that stands for yes or no is that of those', () => {
    const open = columnOf('is_open', { type: 'integer', sample: [0, 1] })
    const sort = [{ column: 'is_open', descending: false }]
    expect(draw({ columns: [id, open], state: { sort } }).sortText).toBe('Open, no first')
  })

  test('of what a view reckons is that of a number', () => {
    const reckoned = columnOf('strikes', { sample: [12, 7] })
    const sort = [{ column: 'strikes', descending: true }]
    const { sortText } = draw({
      columns: [reckoned],
      table: { kind: 'view', key: [] },
      state: { sort },
    })
    expect(sortText).toBe('Strikes, largest first')
  })

  test('says that it goes by keys which are not shown', () => {
    const foreignKeys = [{ columns: ['value'], table: 'parents', references: ['id'] }]
    expect(said('text', false, { foreignKeys })).toBe('Value by key, A to Z')
  })
})
