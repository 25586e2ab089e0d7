import { expect, test } from 'vitest'
import * as v from 'valibot'
import { doorTo } from '../../../test/door-to.ts'
import { admin, columnOf, tableOf } from '../../../test/table-of.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { createListComponent } from './component.ts'
import { defineConcern } from './concern.ts'
import { CONCERNS } from './concerns.ts'
import { createTotals } from './totals.ts'

/** A concern that nothing else knows: only rows of one colour. */
const tinting = defineConcern({
  name: 'tint',
  state: { tint: v.nullable(v.string()), clicks: v.number() },
  writable: ['tint'],
  initial: { tint: null, clicks: 0 },
  reset: { clicks: 0 },
  address: {
    names: ['tint'],
    owns: (name) => name === 'tint',
    read: (query) => ({ tint: query.get('tint'), clicks: 0 }),
    write: ({ tint }) => (tint === null ? [] : [['tint', tint]]),
  },
  updated: (state) => void (state.tint = state.tint?.toLowerCase() ?? null),
  where: ({ tint }) => (tint === null ? [] : [{ op: 'eq', column: 'colour', value: tint }]),
  actions: {
    paint: {
      args: v.strictTuple([v.string()]),
      run({ state, go }, tint) {
        go({ tint, clicks: state.clicks + 1 })
        return `painted ${tint}`
      },
    },
  },
  load: async ({ state }) => `${state.tint ?? 'no'} paint`,
  head: ({ name }) => (name === 'colour' ? { unit: 'tinted' } : {}),
  view: ({ state, data, href }) => ({
    tint: { is: state.tint, data, clicks: state.clicks, clear: href({ tint: null }) },
  }),
})

const shirts = tableOf([columnOf('id', { type: 'integer' }), columnOf('colour')], {
  name: 'shirts',
})
const policy = {
  version: '1',
  grant: () => ({
    actions: ['read' as const],
    rows: everything,
    readable: ['id', 'colour'],
    writable: [],
  }),
}

/** The listing of shirts with the made-up concern, and the conditions that its source was asked. */
async function openShirts(query = '') {
  const asked: Predicate[] = []
  const source = {
    describe: async () => ({ name: 'test', engine: 'none', tables: [shirts] }),
    page: async (_access, { where }) => {
      asked.push(where)
      return { rows: [], before: false, after: false, indexed: true }
    },
    count: async () => ({ kind: 'exact', count: 0 }),
    dataVersion: async () => '1',
    exactVersion: async () => '1',
  } satisfies Partial<RowSource> as unknown as RowSource
  const catalog = await createCatalog(source, policy)
  const services = {
    door: doorTo(source, () => catalog),
    source,
    catalog: () => catalog,
    totals: createTotals(source),
    href: (table: string) => `/tables/${table}`,
  }
  const component = createListComponent(services, [...CONCERNS, tinting])
  const list = await testComponent(component, {
    actor: admin,
    params: { table: 'shirts' },
    query: new URLSearchParams(query),
  })
  return { list, asked }
}

test('a concern that nobody foresaw has its state, address, conditions and part of the view', async () => {
  const { list, asked } = await openShirts('tint=red&sort=-colour')
  expect(list.data).toMatchObject({ tint: 'red', clicks: 0, sort: [{ column: 'colour' }] })
  expect(asked).toEqual([{ op: 'and', all: [{ op: 'eq', column: 'colour', value: 'red' }] }])
  expect(list.view).toMatchObject({
    tint: { is: 'red', data: 'red paint', clear: '/tables/shirts?sort=-colour' },
    params: [
      ['sort', '-colour'],
      ['tint', 'red'],
    ],
  })
  expect(list.view).toMatchObject({ columns: [{ name: 'id' }, { name: 'colour', unit: 'tinted' }] })
})

test('a search is an entry of the history, whose letters are none: Back returns to the page before it', async () => {
  const { list } = await openShirts('tint=red')
  const searched = async (search: string) => {
    await list.set({ search })
    return list.effects.url
  }
  expect(await searched('r')).toEqual({ href: '/tables/shirts?search=r&tint=red', mode: 'push' })
  expect(await searched('re')).toMatchObject({ mode: 'replace' })
  expect(await searched('blue')).toMatchObject({ mode: 'replace' })
  expect(await searched('')).toEqual({ href: '/tables/shirts?tint=red', mode: 'push' })
})

test('its actions change its state and the address, and reset what other concerns reset', async () => {
  const { list, asked } = await openShirts('page=2')
  expect(await list.ask('paint', 'blue')).toBe('painted blue')
  expect(list.effects.url).toMatchObject({ href: '/tables/shirts?tint=blue', mode: 'push' })
  expect(list.data).toMatchObject({ tint: 'blue', clicks: 1, place: { at: 'first' } })
  expect(asked.at(-1)).toEqual({
    op: 'and',
    all: [{ op: 'eq', column: 'colour', value: 'blue' }],
  })
  await list.call.sortBy('colour', false)
  expect(list.data).toMatchObject({ tint: 'blue', clicks: 0 })
})

test('the browser may write what it declares writable, which it normalizes, and nothing else', async () => {
  const { list } = await openShirts()
  await list.set({ tint: 'GREEN' })
  expect(list.data).toMatchObject({ tint: 'green' })
  expect(list.effects.url).toMatchObject({ href: '/tables/shirts?tint=green' })
  await expect(list.set({ clicks: 5 })).rejects.toMatchObject({ code: 'PROPERTY_LOCKED' })
})

test('without it, its parameter and action are unknown', async () => {
  const { list } = await openShirts()
  await expect(openShirts('shade=1')).rejects.toMatchObject({ code: 'TABLE_BAD_PARAMETER' })
  await expect(list.ask('unpaint')).rejects.toThrow()
})
