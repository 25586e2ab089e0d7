/** What the controls of filters ask for while they are used. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import { rolePolicy } from '../../../admin/accounts/roles.ts'
import { AppError } from '../../../server/app-error.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import { choice } from '../../filters/declare.ts'
import type { Policy } from '../../source/access.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

let data: OpenDataFile
let source: RowSource
let open: (query?: string) => ReturnType<typeof openList>
let openTable: (table: string, query?: string) => ReturnType<typeof openList>
let openAs: (policy: Policy, query: string) => ReturnType<typeof openList>

beforeEach(async () => {
  data = await openDataFile(
    `
    create table lists (id integer primary key, name text);
    create table songs (id integer primary key, title text, mood text,
      list_id integer references lists(id));
    insert into lists values (1, 'Calm'), (2, 'Loud'), (3, null);
    insert into songs values (1, 'A', 'slow', 1), (2, 'B', 'slow', 1), (3, 'C', 'fast', 2)`,
    {},
  )
  ;({ source } = data)
  const definitions = { songs: { filters: { mood: choice({ column: 'mood' }) } } }
  const componentFor = async (policy: Policy) => {
    const catalog = await createCatalog(source, policy, { definitions })
    return createListComponent({
      ...{ source, totals: createTotals(source), catalog: () => catalog },
      door: doorTo(source, () => catalog),
      href: (name) => `/tables/${name}`,
    })
  }
  const component = await componentFor(rolePolicy)
  openTable = (table, query) => openList(component, table, query)
  openAs = async (policy, query) => openList(await componentFor(policy), 'songs', query)
  open = (query) => openTable('songs', query)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await data.close()
})

const openList = (component: ReturnType<typeof createListComponent>, table: string, query = '') =>
  testComponent(component, {
    ...{ actor: admin, params: { table } },
    query: new URLSearchParams(query),
  })

test('a filter by rows says about how many there are, where none is hidden', async () => {
  const listsOf = ({ view }: Awaited<ReturnType<typeof open>>) =>
    view.filters.offers.find(({ key }) => key === 'list_id')?.control
  const control = { type: 'relation', table: 'lists', label: 'Lists' }
  expect(listsOf(await open())).toEqual({ ...control, rows: '≈ 3' })
  const someLists: Policy = {
    version: 'some-lists-1',
    grant: (actor, table) => ({
      ...rolePolicy.grant(actor, table),
      ...(table.name === 'lists' && { rows: { op: 'eq', column: 'id', value: 1 } }),
    }),
  }
  expect(listsOf(await openAs(someLists, ''))).toEqual(control)
})

test('a search says what it looks for where, and in how many rows', async () => {
  const searched = async (asked: string) => (await open(asked)).view.searched
  const whole = { kind: 'estimate', count: 3, text: '3' }
  expect(await searched('search=slow')).toEqual({ text: 'In any column', whole })
  expect(await searched('search=slow+calm')).toMatchObject({ text: '2 words, in any columns' })
  expect(await searched('search=slow+"calm')).toMatchObject({ text: '2 words, in any columns' })
  expect(await searched('search=zzz')).toBeUndefined()
  expect(await searched('')).toBeUndefined()
})

describe('a list that its conditions leave empty', () => {
  const query = 'search=fast&filter.mood=slow&filter.id.min=1'

  test('says that it is the search and the filters', async () => {
    expect((await open(query)).view.nothing?.title).toBe(
      'No row of Songs matches the search and the 2 filters.',
    )
    expect((await open('filter.mood=none')).view.nothing?.title).toBe(
      'No row of Songs matches the filter.',
    )
    expect((await open('search=zzz')).view.nothing?.text).toBe('No row of Songs holds this text.')
    const ways = async (asked: string) =>
      (await open(asked)).view.nothing?.ways.map(({ label }) => label)
    expect(await ways('search=zzz')).toEqual(['Clear search'])
    expect(await ways('filter.mood=none')).toEqual(['Clear all filters'])
    expect(await ways(query)).toEqual([])
    expect((await open()).view.nothing).toBeUndefined()
  })

  test('counts what each of them keeps out, with the way there', async () => {
    const { lines, any } = await (await open(query)).call.keptOut()
    expect(lines.map(({ label, count, href }) => [label, count, href])).toEqual([
      ['Search', '2', expect.not.stringContaining('search=')],
      ['Mood', '1', expect.not.stringContaining('filter.mood')],
      ['ID', 'still 0', null],
    ])
    expect(lines[1]?.href).toContain('search=fast')
    expect(any).toMatchObject({ count: '3', href: '/tables/songs' })
  })

  test('tells nothing of rows that the reader may not see', async () => {
    const own: Policy = {
      version: 'first-song-1',
      grant: (actor, table) => ({
        ...rolePolicy.grant(actor, table),
        rows: { op: 'eq', column: 'id', value: 1 },
      }),
    }
    const { lines, any } = await (await openAs(own, query)).call.keptOut()
    expect(lines.map(({ count, href }) => [count, href])).toEqual([
      ['1', expect.not.stringContaining('search=')],
      ['still 0', null],
      ['still 0', null],
    ])
    expect(any).toMatchObject({ count: '1' })
  })

  test('offers what could not be counted in time without a count', async () => {
    const list = await open(query)
    vi.spyOn(source, 'count').mockRejectedValue(new AppError('QUERY_TIMEOUT'))
    const { lines } = await list.call.keptOut()
    expect(lines.map(({ count, href }) => [count, href === null])).toEqual(
      lines.map(() => ['not counted', false]),
    )
  })
})

test('bounds that take too long are a failure, not “there are none”', async () => {
  const list = await open()
  expect(await list.call.bounds('id')).toEqual({ min: '1', max: '3' })
  const { page } = source
  vi.spyOn(source, 'page').mockImplementation((...asked) =>
    asked[1].size === 1 && asked[1].sort[0]?.descending
      ? Promise.reject(new AppError('QUERY_TIMEOUT'))
      : page.apply(source, asked),
  )
  await expect(list.call.bounds('id')).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
})

/** Counts that end at once when they are cancelled. */
function countStrictly(): void {
  const { facets } = source
  vi.spyOn(source, 'facets').mockImplementation(async (...asked) => {
    const counted = await facets.apply(source, asked)
    asked[3]?.signal?.throwIfAborted()
    return counted
  })
}

test('two controls, or two tabs, that ask for the same counts at once both receive them', async () => {
  countStrictly()
  const [one, two] = [await open(), await open()]
  const [first, second] = await Promise.all([one.call.facets('mood'), two.call.facets('mood')])
  expect(first?.choices).toMatchObject([
    { value: 'slow', count: 2 },
    { value: 'fast', count: 1 },
  ])
  expect(second).toEqual(first)
})

test('counts under other conditions take the place of those before', async () => {
  countStrictly()
  const [one, two] = [await open(), await open('search=B')]
  const [first, second] = await Promise.all([one.call.facets('mood'), two.call.facets('mood')])
  expect(first).toBeNull()
  expect(second?.choices).toMatchObject([{ value: 'slow', count: 1 }])
})

test('counts of a condition are of the rows that the filters besides its group leave', async () => {
  const list = await open()
  await list.set({
    'filterComponents.builder': { join: 'or', of: [{ filter: 'mood', value: { in: ['fast'] } }] },
  })
  const counts = async (...within: ['builder'?]) =>
    (await list.call.facets('mood', ...within))?.choices.map(({ value, count }) => [value, count])
  expect(await counts()).toEqual([['fast', 1]])
  expect(await counts('builder')).toEqual([
    ['slow', 2],
    ['fast', 1],
  ])
  // Under any other name, one person could have counts run side by side.
  await expect(list.ask('facets', 'mood', 'mine')).rejects.toMatchObject({ status: 422 })
})

test('a search of related rows that takes too long does not answer that there are none', async () => {
  const list = await open()
  expect(await list.call.findRelated('list_id', 'lou')).toEqual({
    choices: [{ value: '2', label: 'Loud' }],
    hasMore: false,
  })
  vi.spyOn(source, 'page').mockRejectedValue(new AppError('QUERY_TIMEOUT'))
  for (const text of ['', 'lou', '2'])
    await expect(list.call.findRelated('list_id', text)).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    })
})

test('rows found by key are shown although the search by label took too long', async () => {
  const list = await open()
  const { page } = source
  vi.spyOn(source, 'page').mockImplementation((access, query, run) =>
    query.where.op === 'eq' && query.where.column === 'id'
      ? page.call(source, access, query, run)
      : Promise.reject(new AppError('QUERY_TIMEOUT')),
  )
  expect(await list.call.findRelated('list_id', '2')).toEqual({
    choices: [{ value: '2', label: 'Loud' }],
    hasMore: true,
  })
})

test('related rows that are called the same are told apart by their keys', async () => {
  data.run(`insert into lists values (7, 'Loud'), (8, 'Loudest')`)
  const list = await open()
  expect(await list.call.findRelated('list_id', 'lou')).toMatchObject({
    choices: [
      { value: '2', label: 'Loud · 2' },
      { value: '7', label: 'Loud · 7' },
      { value: '8', label: 'Loudest' },
    ],
  })
})

test('how many rows there are without filters is told beside filters alone', async () => {
  expect((await open()).view.filters).not.toHaveProperty('whole')
  // Exactly, once they were counted.
  const list = await open()
  await list.call.total()
  await list.set({ filterComponents: { mood: { in: ['slow'] } } })
  expect(list.view.filters.whole).toEqual({ kind: 'exact', text: '3', count: 3 })
  await list.set({ search: 'A' })
  expect(list.view.filters.whole).toMatchObject({ kind: 'exact' })
})

test('an offer names its column only where its key does not', async () => {
  const { offers } = (await open()).view.filters
  const columns = offers.map(({ key, column = key }) => column)
  expect(columns).toEqual(['id', 'title', 'mood', 'list_id'])
  expect(offers.some((offer) => 'column' in offer)).toBe(false)
})

describe('the form of a page without script', () => {
  const formOf = async (query: string) => (await open(query)).view.filters.form

  test('is drawn where the address opens the panel, until something is done by script', async () => {
    expect(await formOf('')).toBeUndefined()
    const list = await open('filters=open')
    expect(list.view.filters.form).toMatchObject({ groups: {}, finds: {} })
    await list.call.sortBy('title', false)
    expect(list.view.filters.form).toBeUndefined()
  })

  test('names the rows and values that are chosen', async () => {
    const form = await formOf('filters=open&filter.list_id.in=2,1,3&filter.mood=slow')
    expect(form?.choices).toEqual({
      list_id: {
        chosen: [
          { value: '2', label: 'Loud' },
          { value: '1', label: 'Calm' },
          { value: '3', label: '3' },
        ],
      },
      mood: { chosen: [{ value: 'slow', label: 'slow' }] },
    })
  })

  test('shows what was found for each field, in conditions as well', async () => {
    const builder = 'filter.builder.join=or&filter.builder.1.filter=list_id'
    const form = await formOf(
      `filters=find:builder.1&${builder}&filter.builder.1.find=loud&filter.mood.find=AS`,
    )
    expect(form).toMatchObject({
      at: 'builder.1',
      finds: { 'builder.1': 'loud', mood: 'AS' },
      choices: {
        'builder.1': { found: { choices: [{ value: '2', label: 'Loud' }], hasMore: false } },
        mood: { found: { choices: [{ value: 'fast', label: 'fast' }] } },
      },
    })
  })

  test('offers the filters of the other table for conditions on its rows', async () => {
    const query = 'filters=group:~songs~list_id.where'
    const { form } = (await openTable('lists', query)).view.filters
    expect(form?.groups).toEqual({ '~songs~list_id.where': { join: 'and', of: [] } })
    const offers = form?.offers['~songs~list_id.where']?.map(({ key }) => key)
    expect(offers).toEqual(['id', 'title', 'mood', 'list_id'])
    await expect(open(query)).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
  })

  test('says that a search took too long, and the page is drawn all the same', async () => {
    const { page } = source
    vi.spyOn(source, 'page').mockImplementation((...asked) =>
      asked[1].columns.includes('name') && asked[2]?.timeoutMs !== undefined
        ? Promise.reject(new AppError('QUERY_TIMEOUT'))
        : page.apply(source, asked),
    )
    const form = await formOf('filters=find:list_id&filter.list_id.find=loud')
    expect(form?.choices['list_id']).toEqual({ chosen: [], found: null })
  })
})
