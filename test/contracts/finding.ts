/** Finding records by their labels over all tables, as the command palette does, and giving it up. */

import { describe, expect, test, vi } from 'vitest'
import { createCatalog } from '../../src/table/catalog.ts'
import { findRecords } from '../../src/table/find/find-records.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { actor } from './actors.ts'
import type { Fixture, FixtureTable, OpenFixture } from './fixture.ts'
import { openBench } from './opened.ts'

/** Statements of one engine that keep a table from being read, and count who waits for it. */
export type TableLock = {
  hold(table: string): string
  readonly waiting: string
  readonly release: string
}

const named = (name: string, names: readonly string[], isIndexed: boolean): FixtureTable => ({
  name,
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'text' },
  ],
  key: ['id'],
  ...(isIndexed && { indexes: [['name']] }),
  rows: names.map((text, at) => [at + 1, text]),
})

const LABELLED: Fixture = {
  tables: [
    named('airports', ['Memphis Intl', 'St Louis'], true),
    named('operators', ['Delta of memphis', 'Air Canada'], false),
    named('species', ['Gull', 'Owl, memphian', 'Über-Möwe'], false),
  ],
}

const readAll: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns.map(({ name }) => name),
    writable: [],
  }),
}

/** The machine may be busy, and no limit of time is tried here. */
const PATIENT = { queryMs: 60_000, totalMs: 60_000 }

export function findingContract(name: string, open: OpenFixture, lock?: TableLock): void {
  describe(`${name}: finding records`, () => {
    async function opened() {
      const { source, query } = await openBench(open, LABELLED)
      const catalog = await createCatalog(source, readAll)
      const tables = LABELLED.tables.map((table) => table.name)
      const find = (text: string, { signal } = new AbortController()) =>
        findRecords({ source, catalog, actor, tables, signal, limits: PATIENT }, text)
      return { find, query }
    }

    test('by label, over all tables, in any case, the best first', async () => {
      const { find } = await opened()
      const labels = async (text: string) => (await find(text)).records.map(({ label }) => label)
      expect(await labels('memph')).toEqual(['Memphis Intl', 'Delta of memphis', 'Owl, memphian'])
      expect(await labels('MEMPHIS')).toEqual(['Memphis Intl', 'Delta of memphis'])
      expect(await labels('über')).toEqual(['Über-Möwe'])
      expect(await labels('100%')).toEqual([])
    })

    test.skipIf(!lock)('ends its queries in the database when the person types on', async () => {
      if (!lock) return
      const { find, query } = await opened()
      const waiting = async () => Number((await query(lock.waiting))[0]?.[0])
      await query(lock.hold('operators'))
      try {
        const typed = new AbortController()
        const found = find('memph', typed)
        found.catch(() => undefined)
        await vi.waitUntil(async () => (await waiting()) > 0, 15_000)
        typed.abort()
        await expect(found).rejects.toBe(typed.signal.reason)
        // The table cannot be read yet, so no query has ended by itself.
        await vi.waitUntil(async () => (await waiting()) === 0, 15_000)
      } finally {
        await query(lock.release)
      }
      expect((await find('memph')).records).toHaveLength(3)
    })
  })
}
