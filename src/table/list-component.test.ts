import { expect, test } from 'vitest'
import { admin, columnOf, tableOf } from '../../test/table-of.ts'
import { testComponent } from '../server/test-component.ts'
import { encodeAnchor } from './anchor.ts'
import type { Policy } from './access.ts'
import { createCatalog } from './catalog.ts'
import { createListComponent } from './list-component.ts'
import { parseListUrl } from './list-state.ts'
import { everything } from './predicate.ts'
import type { Place, RowSource } from './row-source.ts'
import { createTotals } from './totals.ts'

const NAMES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
const strikes = tableOf([columnOf('id'), ...NAMES.map((name) => columnOf(name))])
const people = tableOf([columnOf('email'), columnOf('name')], { name: 'people', key: ['email'] })

const asked: Place[] = []

/** No rows at all: these tests are about what a person may ask for. */
const source = {
  describe: async () => ({ name: 'test', engine: 'none', tables: [strikes, people] }),
  page: async (_access, { place }) => {
    asked.push(place)
    return { rows: [], before: false, after: false, indexed: true }
  },
  count: async () => ({ kind: 'exact', count: 0 }),
  dataVersion: async () => '1',
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

/** A listing of strikes at this address, and how its addresses are read. */
async function openList(query = '') {
  const catalog = await createCatalog(source, policyOf())
  const { definition, access } = catalog.open(admin, 'strikes')
  const parse = (query: string) => parseListUrl(new URLSearchParams(query), definition, access)
  const component = createListComponent({
    source,
    catalog: () => catalog,
    totals: createTotals(source),
    href: (table) => `/tables/${table}`,
  })
  const list = await testComponent(component, { actor: admin, params: parse(query) })
  return { list, parse }
}

test('what can be reached by clicks on heads is an address that opens', async () => {
  const { list, parse } = await openList()
  for (const name of NAMES.slice(0, 5)) await list.call('sortBy', name, true)
  const { href } = list.effects.url!
  const { sort } = parse(new URL(href, 'http://localhost').search)
  expect(sort.map(({ column }) => column)).toEqual(NAMES.slice(0, 5))
  await expect(list.call('sortBy', 'c6', true)).rejects.toMatchObject({ code: 'TABLE_BAD_SORT' })
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
  const catalog = await createCatalog(source, policyOf('email'), (sentence) => said.push(sentence))
  for (let at = 0; at < 3; at++)
    expect(catalog.readable({ ...admin }).map(({ table }) => table.name)).toEqual(['strikes'])
  expect(() => catalog.open(admin, 'people')).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  )
  expect(said).toEqual([expect.stringMatching(/key column \[email\] of \[people\]/)])
})
