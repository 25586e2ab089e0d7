import { describe, expect, test } from 'vitest'
import { doorTo } from '../../../test/door-to.ts'
import { admin, columnOf, tableOf } from '../../../test/table-of.ts'
import type { Json } from '../../protocol/json.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { encodeAnchor } from './anchor.ts'
import type { Policy } from '../source/access.ts'
import { createCatalog } from '../catalog.ts'
import { createListComponent } from './component.ts'
import { LISTING } from './fold.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { Place, RowSource, Run } from '../source/row-source.ts'
import { createTotals } from './totals.ts'

const NAMES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
const strikes = tableOf([columnOf('id'), ...NAMES.map((name) => columnOf(name))])
const links = ['a_id', 'b_id'].map((name) => columnOf(name, { type: 'integer' }))
const notes = tableOf([columnOf('id'), columnOf('c1'), ...links], {
  name: 'notes',
  foreignKeys: ['a_id', 'b_id'].map((name) => ({
    columns: [name],
    table: 'people',
    references: ['email'],
  })),
})
const people = tableOf([columnOf('email'), columnOf('name')], { name: 'people', key: ['email'] })

let version = '1'
const asked: Place[] = []
const conditions: Predicate[] = []
const runs: Run[] = []

/** A source without rows: these tests check what a person may ask for. */
const source = {
  describe: async () => ({ name: 'test', engine: 'none', tables: [strikes, people, notes] }),
  page: async (_access, { place, where }, run = {}) => {
    asked.push(place)
    runs.push(run)
    conditions.push(where)
    return { rows: [], before: false, after: false, indexed: true }
  },
  count: async () => ({ kind: 'exact', count: 0 }),
  dataVersion: async () => version,
  exactVersion: async () => version,
} satisfies Partial<RowSource> as unknown as RowSource

const policyOf = (...hidden: string[]): Policy => ({
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns.map(({ name }) => name).filter((name) => !hidden.includes(name)),
    writable: [],
  }),
})

/** A listing of strikes at this address, and a parser for its addresses. */
async function openList(query = '', table = 'strikes', isPatient = false) {
  const catalog = await createCatalog(source, policyOf())
  const open = catalog.open(admin, table)
  const parse = (query: string) => LISTING.parse(new URLSearchParams(query), open)
  const component = createListComponent({
    source,
    catalog: () => catalog,
    totals: createTotals(source),
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
    isLive: true,
  })
  const list = await testComponent(component, {
    actor: admin,
    params: { table },
    query: new URLSearchParams(query),
    isPatient,
  })
  return { list, parse }
}

test('what can be reached by clicks on heads is an address that opens', async () => {
  const { list, parse } = await openList()
  for (const name of NAMES.slice(0, 5)) await list.call.sortBy(name, true)
  const { href } = list.effects.url!
  const { sort } = parse(new URL(href, 'http://localhost').search)
  expect(sort.map(({ column }) => column)).toEqual(NAMES.slice(0, 5))
})

test('an order that is full stays as it is when another column is added, and a hand-made one is refused', async () => {
  const { list, parse } = await openList('sort=c1,c2,c3,c4,c5')
  expect(await list.call.sortBy('c6', true)).toBe(false)
  expect(list.effects.url).toBeUndefined()
  expect(list.view).toMatchObject({ orderFull: true, params: [['sort', 'c1,c2,c3,c4,c5']] })
  await expect(list.call.sortBy('nope', true)).rejects.toMatchObject({
    code: 'TABLE_UNKNOWN_COLUMN',
  })
  expect(await list.call.sortBy('c5', true)).toBe(true)
  expect(await list.call.sortBy('c6', false)).toBe(true)
  expect(list.view).not.toHaveProperty('orderFull')
  expect(() => parse('sort=c1,c2,c3,c4,c5,c6')).toThrow(
    expect.objectContaining({ code: 'TABLE_BAD_SORT' }),
  )
})

test('a page is a long question only for somebody who has asked to go on with it', async () => {
  runs.length = 0
  await openList()
  expect(runs).toEqual([{ signal: expect.any(AbortSignal) }])
  await openList('', 'strikes', true)
  expect(runs[1]).toMatchObject({ isLong: true, timeoutMs: 20_000 })
})

test('a list that is filtered by rows of another table hears of that one from then on', async () => {
  const { list } = await openList('', 'people')
  await list.set({ filterComponents: { name: { test: 'contains', text: 'x' } } })
  expect(list.effects.channels).toBeUndefined()
  await list.set({ filterComponents: { '~notes~a_id': { rows: 'some' } } })
  expect(list.effects.channels).toEqual(['private-table.people', 'private-table.notes'])
  await list.set({ filterComponents: {} })
  expect(list.effects.channels).toBeUndefined()
})

test('a place whose rows have gone is clamped to the end that it was near', async () => {
  const anchor = encodeAnchor({ sort: ['1'], key: ['1'] })!
  for (const query of [`before=${anchor}`, `after=${anchor}`]) {
    asked.length = 0
    await openList(query)
    expect(asked.map(({ at }) => at)).toEqual([
      query.slice(0, query.indexOf('=')),
      query.startsWith('before') ? 'first' : 'last',
    ])
  }
})

test('a policy that hides the key of a table hides that table alone, and is told so once', async () => {
  const said: string[] = []
  const catalog = await createCatalog(source, policyOf('email'), {
    warn: (sentence) => said.push(sentence),
  })
  for (let at = 0; at < 3; at++)
    expect(catalog.readable({ ...admin }).map(({ table }) => table.name)).toEqual([
      'strikes',
      'notes',
    ])
  expect(() => catalog.open(admin, 'people')).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  )
  expect(said).toEqual([expect.stringMatching(/key column \[email\] of \[people\]/)])
})

describe('filters', () => {
  const query = 'search=x&filter.a_id=7&filter.b_id=8&sort=c1&page=2'
  const filtersOf = (href = '') =>
    [...new URL(href, 'http://localhost').searchParams].filter(([name]) => name !== 'sort')

  test('are asked of the rows beside the search, in the type of their columns', async () => {
    conditions.length = 0
    const as = { table: 'people', column: 'email' }
    await openList('filter.a_id=7&filter.b_id=-8', 'notes')
    expect(conditions).toContainEqual({
      op: 'and',
      all: [
        { op: 'eq', column: 'a_id', value: 7, as },
        { op: 'eq', column: 'b_id', value: -8, as },
      ],
    })
  })

  test('are removed one by one or all, and the first page is shown', async () => {
    const { list } = await openList(query, 'notes')
    await list.call.removeFilter('a_id')
    expect(filtersOf(list.effects.url?.href)).toEqual([
      ['search', 'x'],
      ['filter.b_id', '8'],
    ])
    await list.call.removeFilter('nothing')
    expect(filtersOf(list.effects.url?.href)).toContainEqual(['filter.b_id', '8'])
    await list.call.removeFilter(null)
    expect(filtersOf(list.effects.url?.href)).toEqual([['search', 'x']])
  })

  test('are written by the browser, and refused by name; a changed one shows the first page', async () => {
    const { list } = await openList('filter.a_id=7&page=2', 'notes')
    await list.set({ 'filterComponents.b_id': { in: ['8', '9'] } })
    expect(list.data).toMatchObject({
      filterComponents: { a_id: { in: ['7'] }, b_id: { in: ['8', '9'] } },
      place: { at: 'first', number: 1 },
    })
    expect(filtersOf(list.effects.url?.href)).toEqual([
      ['filter.a_id', '7'],
      ['filter.b_id.in', '8,9'],
    ])
    expect(list.view).toMatchObject({
      filters: { values: list.data['filterComponents'], chips: [{ key: 'a_id' }, { key: 'b_id' }] },
    })
    await list.set({ 'filterComponents.b_id': null })
    expect(list.data['filterComponents']).toEqual({ a_id: { in: ['7'] } })
    const refused: [string, Json, string][] = [
      ['nothing', { in: ['1'] }, 'TABLE_UNKNOWN_COLUMN'],
      ['a_id', { in: ['x'] }, 'TABLE_BAD_PARAMETER'],
      ['a_id', 7, 'TABLE_BAD_PARAMETER'],
    ]
    for (const [key, value, code] of refused)
      await expect(list.set({ [`filterComponents.${key}`]: value })).rejects.toMatchObject({
        code,
        status: 422,
      })
    await list.set({ filterSlideDownDefaultVisible: true })
    expect(list.data).toMatchObject({ filterSlideDownDefaultVisible: true })
  })

  test('stay through every other thing that is done', async () => {
    const { list } = await openList(query, 'notes')
    const steps: [string, ...Json[]][] = [
      ['sortBy', 'c1', false],
      ['setSize', 50],
      ['turnPage', 'last'],
      ['setColumns', ['c1']],
    ]
    for (const step of steps) {
      await list.ask(...step)
      expect(filtersOf(list.effects.url?.href)).toContainEqual(['filter.a_id', '7'])
    }
    await list.set({ search: 'y' })
    expect(filtersOf(list.effects.url?.href)).toContainEqual(['filter.a_id', '7'])
  })
})

describe('reading', () => {
  test('the total is a question of its own: no page is read for it and nothing is drawn', async () => {
    const { list } = await openList('sort=c1')
    const { data, view } = list
    asked.length = 0
    expect(await list.call.total()).toEqual({
      total: { kind: 'exact', count: 0, text: '0' },
      page: list.view.page,
      counting: false,
    })
    expect(asked).toEqual([])
    expect([list.data, list.view]).toEqual([data, view])
  })

  test('is spared by a refresh for as long as the data stand, and only by a refresh', async () => {
    const { list } = await openList('sort=c1')
    asked.length = 0
    await list.refresh()
    expect(asked).toEqual([])
    version = '2'
    await list.refresh()
    expect(asked).toHaveLength(1)
    await list.call.turnPage('first')
    expect(asked).toHaveLength(2)
  })
})

test('the state of a listing is what its concerns declare, of which the browser may write little', async () => {
  const { list } = await openList()
  expect(Object.keys(list.data).toSorted()).toEqual([
    'columns',
    'currentlyReorderingStatus',
    'defaultReorderColumn',
    'filterComponents',
    'filterSlideDownDefaultVisible',
    'hideBulkActionsWhenEmpty',
    'hideReorderColumnUnlessReorderingStatus',
    'left',
    'paginationCurrentCount',
    'paginationCurrentItems',
    'paginationTotalItemCount',
    'pinned',
    'place',
    'preview',
    'reorderDisplayColumn',
    'reorderStatus',
    'search',
    'selected',
    'shown',
    'showsDeleted',
    'size',
    'sort',
    'view',
    'widths',
  ])
  const writable = ['search', 'filterComponents', 'filterSlideDownDefaultVisible', 'selected']
  for (const property of Object.keys(list.data).filter((name) => !writable.includes(name)))
    await expect(list.set({ [property]: null })).rejects.toMatchObject({ code: 'PROPERTY_LOCKED' })
})
