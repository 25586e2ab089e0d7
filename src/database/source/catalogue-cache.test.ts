import { expect, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { columnOf, tableOf } from '../../../test/table-of.ts'
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

test('a new table is there a second after a check, however slow that was, and nobody waits for it', async () => {
  const { cache, state } = slowDatabase(6000)
  await cache.described()
  state.tables = ['a', 'b']
  state.at += 799
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
