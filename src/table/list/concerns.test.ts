import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { accessTo, columnOf, definitionOf, noOthers } from '../../../test/table-of.ts'
import { SEARCH_MAX } from '../../protocol/constants.ts'
import { filterParam, keyOfColumn } from '../filters/address.ts'
import type { ListState } from './concerns.ts'
import { LISTING } from './fold.ts'
import { sizeOf } from './concerns/paging.ts'
import { formatSort, parseSort } from './concerns/sort.ts'
import { encodeText, type FilterValue } from '../../protocol/filters.ts'
import { rowKeys } from '../row-keys.ts'
import { encodeName } from './names.ts'
import { FIRST_PLACE, type PlaceState } from './place.ts'
import { NOTHING_SHOWN } from './shown.ts'

/** Names that databases allow and addresses have to escape. */
const NAMES = [
  'id',
  'name',
  'a,b',
  '-lead',
  'per%2ccent',
  '50%',
  'a b',
  'ü&=?#+',
  '漢',
  '--',
  '%',
  ',',
]
const secret = columnOf('secret')
const blob = columnOf('photo', { type: 'binary' })
/** Foreign key columns, by which rows can be filtered. */
const LINKS = ['parent_id', 'ref.%2e', 'a&b=c'] as const
const links = [columnOf('parent_id', { type: 'integer' }), columnOf(LINKS[1]), columnOf(LINKS[2])]
const definition = definitionOf([...NAMES.map((name) => columnOf(name)), ...links, secret, blob], {
  foreignKeys: [
    { columns: ['parent_id'], table: 'others', references: ['id'] },
    { columns: [LINKS[1], LINKS[2]], table: 'others', references: ['a', 'b'] },
    { columns: ['secret'], table: 'others', references: ['id'] },
  ],
})
const access = accessTo(definition.table, { readable: [...NAMES, ...LINKS, 'photo'] })
const open = {
  definition,
  access,
  keys: rowKeys(definition.table),
  relations: new Map(),
  others: noOthers,
  takesChanges: false,
}
const base = '/tables/strikes'

const parse = (query: string) => LISTING.parse(new URLSearchParams(query), open)
const start = LISTING.state()

describe('an address', () => {
  test.each<[string, Partial<ListState>]>([
    ['', {}],
    ['search=%20bird%20', { search: 'bird' }],
    ['search=', {}],
    ['filter.parent_id=-7', { filterComponents: { parent_id: { in: ['-7'] } } }],
    ['filter.parent_id.min=1', { filterComponents: { parent_id: { min: 1 } } }],
    [
      'filter.ref%252e%25252e=a%252cb&filter.a%26b%3Dc=%25',
      { filterComponents: { 'ref%2e%252e': { in: ['a%2cb'] }, 'a&b=c': { in: ['%'] } } },
    ],
    [
      'sort=-name,id',
      {
        sort: [
          { column: 'name', descending: true },
          { column: 'id', descending: false },
        ],
      },
    ],
    ['sort=', {}],
    ['size=50', { size: 50 }],
    ['columns=name,id', { columns: ['name', 'id'] }],
    ['columns=name,name', { columns: ['name'] }],
    ['columns=a%252cb', { columns: ['a,b'] }],
    ['page=3', { place: { at: 'offset', number: 3, anchor: null } }],
    ['page=1', {}],
    ['page=last', { place: { at: 'last', number: null, anchor: null } }],
    ['after=xyz', { place: { at: 'after', number: null, anchor: 'xyz' } }],
    ['page=4&after=xyz', { place: { at: 'after', number: 4, anchor: 'xyz' } }],
    ['page=4&before=xyz', { place: { at: 'before', number: 4, anchor: 'xyz' } }],
  ])('%j is read', (query, changes) => expect(parse(query)).toEqual({ ...start, ...changes }))

  test.each([
    ['0', 25],
    ['-5', 25],
    ['26', 25],
    ['49.9', 25],
    ['99', 50],
    ['100', 100],
    ['1000000', 100],
    ['Infinity', 100],
    ['abc', 25],
    ['', 25],
    ['NaN', 25],
  ])('with a size of %j shows %i rows', (size, rows) =>
    expect(sizeOf(parse(`size=${size}`), definition)).toBe(rows),
  )

  test('without a size shows as many rows as the table has declared, and names only another', () => {
    const own = { ...definition, pageSize: 50 as const }
    const parseOwn = (query: string) =>
      LISTING.parse(new URLSearchParams(query), { ...open, definition: own })
    expect(sizeOf(parseOwn(''), own)).toBe(50)
    expect(LISTING.href(base, parseOwn('size=50'))).toBe(base)
    expect(LISTING.href(base, parseOwn('size=25'))).toBe(`${base}?size=25`)
    expect(sizeOf(parseOwn('size=25'), own)).toBe(25)
  })

  test.each([
    ['0', 1],
    ['-3', 1],
    ['abc', 1],
    ['', 1],
    ['2.9', 2],
    ['-Infinity', 1],
    ['Infinity', 1_000_000_000],
    ['1e300', 1_000_000_000],
    ['99999999999999999999', 1_000_000_000],
  ])('with the page %j shows page %i', (page, number) =>
    expect(parse(`page=${page}`).place.number).toBe(number),
  )

  test.each([
    ['filter=1', 'TABLE_BAD_PARAMETER'],
    ['utm_source=x', 'TABLE_BAD_PARAMETER'],
    ['=', 'TABLE_BAD_PARAMETER'],
    ['Search=x', 'TABLE_BAD_PARAMETER'],
    ['__proto__=x', 'TABLE_BAD_PARAMETER'],
    ['constructor=x', 'TABLE_BAD_PARAMETER'],
    ['search=a&search=b', 'TABLE_BAD_PARAMETER'],
    ['page=1&page=2', 'TABLE_BAD_PARAMETER'],
    ['after=a&before=b', 'TABLE_BAD_PARAMETER'],
    [`search=${'x'.repeat(SEARCH_MAX + 1)}`, 'TABLE_BAD_PARAMETER'],
    ['sort=nothing', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=secret', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=-secret', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=name,secret', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=NAME', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=toString', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=name%20desc', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=1', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=name;drop table x', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=,', 'TABLE_UNKNOWN_COLUMN'],
    ['sort=photo', 'TABLE_BAD_SORT'],
    ['sort=name,name', 'TABLE_BAD_SORT'],
    ['sort=name,-name', 'TABLE_BAD_SORT'],
    ['sort=id,name,%2525,a%20b,%E6%BC%A2,a%252cb', 'TABLE_BAD_SORT'],
    ['columns=secret', 'TABLE_UNKNOWN_COLUMN'],
    ['columns=name,nothing', 'TABLE_UNKNOWN_COLUMN'],
    ['columns=constructor', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.nothing=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.secret=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.PARENT_ID=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.parent_id.nothing=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.__proto__=1', 'TABLE_UNKNOWN_COLUMN'],
    ['filter.photo=x', 'TABLE_BAD_PARAMETER'],
    ['filter.parent_id=x', 'TABLE_BAD_PARAMETER'],
    ['filter.parent_id=', 'TABLE_BAD_PARAMETER'],
    ['filter.parent_id=1,2', 'TABLE_BAD_PARAMETER'],
    ['filter.parent_id=1&filter.parent_id=2', 'TABLE_BAD_PARAMETER'],
    ['filter.a%26b%3Dc=', 'TABLE_BAD_PARAMETER'],
    ['filter.a%26b%3Dc=x,y', 'TABLE_BAD_PARAMETER'],
  ])('%j is refused as %s', (query, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code, status: 422 }))
  })

  test('tells a hidden column and a missing one apart by nothing but the name that was asked', () => {
    const detailOf = (query: string): string => {
      try {
        parse(query)
      } catch (error) {
        return (error as { detail: string }).detail
      }
      return ''
    }
    expect(detailOf('sort=secret').replace('secret', 'x')).toBe(
      detailOf('sort=missing').replace('missing', 'x'),
    )
    expect(detailOf('columns=secret').replace('secret', 'x')).toBe(
      detailOf('columns=missing').replace('missing', 'x'),
    )
    expect(detailOf('filter.secret=1').replace('secret', 'x')).toBe(
      detailOf('filter.missing=1').replace('missing', 'x'),
    )
  })
})

describe('a state', () => {
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 })
  const anchor = fc.string({ minLength: 1 })
  const number = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null })
  const place: fc.Arbitrary<PlaceState> = fc.oneof(
    fc.constant(FIRST_PLACE),
    fc.constant<PlaceState>({ at: 'last', number: null, anchor: null }),
    fc.record({ at: fc.constantFrom('after', 'before'), number, anchor }),
    fc.record({
      at: fc.constant('offset' as const),
      number: fc.integer({ min: 2, max: 1_000_000 }),
      anchor: fc.constant(null),
    }),
  )
  const filter = fc.oneof(
    fc.integer().map((value): [string, FilterValue] => ['parent_id', { in: [String(value)] }]),
    fc
      .tuple(fc.constantFrom(LINKS[1], LINKS[2], 'name'), fc.string({ unit: 'grapheme' }))
      .map(([column, value]): [string, FilterValue] => [
        keyOfColumn(column),
        { in: [encodeText(value)] },
      ]),
  )
  const state: fc.Arbitrary<ListState> = fc
    .record({
      search: fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.trim()),
      sort: fc.uniqueArray(
        fc.record({ column: fc.constantFrom(...NAMES), descending: fc.boolean() }),
        { maxLength: 5, selector: ({ column }) => column },
      ),
      filterComponents: fc.array(filter).map((all) => Object.fromEntries(all)),
      size: fc.constantFrom(null, 50, 100),
      columns: fc.option(names, { nil: null }),
      place,
      shown: fc.constant(NOTHING_SHOWN),
    })
    .map((some) => LISTING.state(some))

  test('comes back from its address as it was', () => {
    fc.assert(
      fc.property(state, (some) => {
        const href = LISTING.href(base, some)
        const { pathname, search } = new URL(href, 'http://localhost')
        expect(pathname).toBe(base)
        expect(parse(search)).toEqual(some)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('has one address, whatever way it was reached', () => {
    fc.assert(
      fc.property(state, (some) => {
        const href = LISTING.href(base, some)
        expect(LISTING.href(base, parse(href.slice(base.length + 1)))).toBe(href)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('of the start needs no query', () => expect(LISTING.href(base, start)).toBe(base))

  test('is read or refused with a code, whatever stands in the address', () => {
    const parameter = fc.tuple(
      fc.oneof(
        fc.constantFrom('search', 'sort', 'size', 'columns', 'page', 'after', 'before'),
        fc.constantFrom(...LINKS, 'secret', 'name').map((name) => filterParam(keyOfColumn(name))),
        fc.string(),
      ),
      fc.oneof(fc.string(), fc.constantFrom('-name', 'name,id', '25', 'last', 'secret')),
    )
    fc.assert(
      fc.property(fc.array(parameter, { maxLength: 5 }), (parameters) => {
        try {
          const state = LISTING.parse(new URLSearchParams(parameters), open)
          const named = [
            ...(state.columns ?? []),
            ...state.sort.map(({ column }) => column),
            ...Object.keys(state.filterComponents),
          ]
          expect(named).not.toContain('secret')
        } catch (error) {
          expect(error).toMatchObject({ status: 422, code: expect.stringMatching(/^TABLE_/) })
        }
      }),
      { numRuns: runs(3000) },
    )
  })
})

test('names are escaped only where they would be taken apart', () => {
  expect(NAMES.map(encodeName)).toEqual([
    'id',
    'name',
    'a%2cb',
    '%2dlead',
    'per%252ccent',
    '50%25',
    'a b',
    'ü&=?#+',
    '漢',
    '%2d%2d',
    '%25',
    '%2c',
  ])
  expect(parseSort(formatSort([{ column: '--', descending: true }]), open)).toEqual([
    { column: '--', descending: true },
  ])
})
