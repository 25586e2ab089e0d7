import { expect, test, vi } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { rolePolicy } from '../../admin/accounts/roles.ts'
import { createLiveCatalog } from '../../table/live-catalog.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { name } from '../query/sql.ts'
import type { Catalogue } from '../tables.ts'
import { CatalogueCache } from './catalogue-cache.ts'

const catalogueOf = (...names: string[]): Catalogue => {
  const tables = names.map((name) => tableOf([columnOf('id', { type: 'integer' })], { name }))
  return {
    schema: { name: 'test', engine: 'test', tables },
    tables: new Map(
      tables.map((table) => [
        table.name,
        {
          ...{ table, from: name(table.name), locator: [] },
          columns: new Map(table.columns.map((column) => [column.name, column])),
        },
      ]),
    ),
  }
}

/** A database that takes its time to say what tables it has. */
function slowDatabase(ms: number) {
  const state = { at: 0, tables: ['a'], checks: 0 }
  const cache = new CatalogueCache(
    {
      load: async () => catalogueOf(...state.tables),
      fingerprint: async () => {
        const seen = state.tables.join()
        await Promise.resolve()
        state.at += ms
        state.checks++
        return seen
      },
      maxAgeMs: { describe: 0, use: Infinity },
    },
    () => state.at,
  )
  return { cache, state }
}

const namesIn = ({ schema }: Catalogue) => schema.tables.map(({ name }) => name)

test('a new table is looked for soon after a check, however slow that was, and nobody waits for it', async () => {
  const { cache, state } = slowDatabase(6000)
  await cache.described()
  state.tables = ['a', 'b']
  state.at += 399
  expect(namesIn(await cache.described())).toEqual(['a'])
  expect(state.checks).toBe(1)
  state.at += 1
  // The check begins, and what is known is answered at once.
  expect(namesIn(await cache.described())).toEqual(['a'])
  await expect.poll(async () => namesIn(await cache.described())).toEqual(['a', 'b'])
  expect(state.checks).toBe(2)
})

test('whoever needs a table that is missing waits for the check', async () => {
  const { cache, state } = slowDatabase(6000)
  await cache.described()
  state.tables = ['a', 'b']
  state.at += 1000
  const [table] = catalogueOf('b').schema.tables
  expect(namesIn(await cache.for([fullAccess(table!)]))).toEqual(['a', 'b'])
})

test.each([20, 300, 1500])(
  'where a check takes %i ms, pages have a new table a second later, and as long as that takes',
  async (ms) => {
    const { cache, state } = slowDatabase(ms)
    const describe = async () => (await cache.described()).schema
    const live = await createLiveCatalog(
      // Nothing else is asked about tables without rows.
      { describe } as Partial<RowSource> as RowSource,
      rolePolicy,
      { definitions: {}, now: () => state.at, report: vi.fn() },
    )
    state.tables = ['a', 'b']
    const changed = state.at
    const actor = { id: 'ana', name: 'Ana', email: '', role: 'admin' }
    const shown = () =>
      live
        .current()
        .readable(actor)
        .map(({ table }) => table.name)
    // Somebody asks for a page ten times a second.
    for (; !shown().includes('b'); state.at += 100) await live.refresh()
    expect(state.at - changed).toBeLessThanOrEqual(1000 + ms)
  },
)
