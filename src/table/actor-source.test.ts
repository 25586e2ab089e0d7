import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../test/data-file.ts'
import { admin } from '../../test/table-of.ts'
import { defineComponent } from '../server/component/define.ts'
import { testComponent } from '../server/component/test-component.ts'
import { sourceServices } from './actor-source.ts'
import type { Policy } from './source/access.ts'
import { everything } from './source/predicate.ts'
import type { RowSource } from './source/row-source.ts'

let data: OpenDataFile
let source: RowSource

beforeAll(async () => {
  data = await openDataFile(
    `
    CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, total INTEGER, margin INTEGER);
    INSERT INTO orders VALUES (1, 'new', 10, 1), (2, 'paid', 20, 2), (3, 'paid', 30, 3);
    CREATE TABLE payroll (id INTEGER PRIMARY KEY);
  `,
    {},
  )
  ;({ source } = data)
})
afterAll(() => data.close())

/** Hides a table, a column and a row. */
const policy: Policy = {
  version: '1',
  grant: (_actor, { name, columns }) => ({
    actions: name === 'payroll' ? [] : ['read'],
    rows: name === 'orders' ? { op: 'gt', column: 'total', value: 10 } : everything,
    readable: columns.map(({ name }) => name).filter((name) => name !== 'margin'),
    writable: [],
  }),
}

const board = defineComponent({
  name: 'board',
  params: v.object({ table: v.string() }),
  state: {},
  authorize: () => true,
  mount: () => ({}),
  actions: {
    byStatus: {
      kind: 'query',
      args: v.strictTuple([]),
      run: async ({ source, params }) =>
        (await source.table(params.table).facets('status')).facets.map(({ value, count }) => [
          value === null ? null : String(value),
          count,
        ]),
    },
    marginOf: {
      kind: 'query',
      args: v.strictTuple([v.number()]),
      run: ({ source, params }, id) => source.table(params.table).row([id], ['margin']),
    },
  },
  dependsOn: ({ source }) => source.dataVersion(),
  async load({ source, params }) {
    const table = source.table(params.table)
    const [{ rows }, { count }] = await Promise.all([
      table.page({ columns: ['total'], sort: [{ column: 'total', descending: true }] }),
      table.count(),
    ])
    return { data: { totals: rows.map(({ values }) => Number(values[0])), count } }
  },
  view: ({ data }) => data,
})

async function open(table: string) {
  const services = await sourceServices(source, policy)
  return testComponent(board, { actor: admin, params: { table }, services })
}

test('a table that does not exist is named for the author, and one that is hidden is not', async () => {
  const services = await sourceServices(source, policy)
  const asked = (table: string) =>
    testComponent(board, { actor: admin, services, params: { table } }).then((page) =>
      page.call.byStatus(),
    )
  await expect(asked('ordres')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    cause: { message: expect.stringMatching(/\[ordres\].* Did you mean \[orders\]\?$/) as string },
  })
  await expect(asked('payroll')).rejects.toMatchObject({ code: 'NOT_FOUND', cause: undefined })
})

test('a component reads rows, counts and facets as far as its actor may see them', async () => {
  const page = await open('orders')
  expect(page.view).toEqual({ totals: [30, 20], count: 2 })
  expect(await page.call.byStatus()).toEqual([['paid', 2]])
})

test('what a policy hides is refused or not there', async () => {
  await expect(open('payroll')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(open('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const page = await open('orders')
  await expect(page.call.marginOf(2)).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
})
