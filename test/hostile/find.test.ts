/** Finding over all tables tells nothing of what is hidden: two worlds answer alike. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Actor } from '../../src/server/actor.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { findRecords } from '../../src/table/find/find-records.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { HIDDEN_WORDS, hidingPolicy, makeOffice, openPolicy } from './worlds.ts'

const viewer: Actor = { id: 'vera', name: 'Vera', email: 'vera@example.org', role: 'viewer' }

const TEXTS = [
  ...HIDDEN_WORDS.flatMap((word) => [word, `${word} 1`, `${word}3`, word.slice(0, 3), word[0]!]),
  ...['1', '3', '7', '17', '90', '119', '400', '-5', '30000', '9999', 'north', '2012', 'a.example'],
  ...['person', 'Person 01', 'note 1', 'team', 'Team 1', 'review', 'e', '0', '2026', 'long remark'],
]

let folder: string
let sources: readonly RowSource[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-find-'))
  sources = await Promise.all(
    (['one', 'two'] as const).map((world) => {
      const file = join(folder, `${world}.sqlite`)
      makeOffice(file, world)
      return openSqlite(file)
    }),
  )
})
afterAll(async () => {
  for (const source of sources) await source.close()
  await rm(folder, { recursive: true })
})

/** What a reader is answered in either world, by text. */
const answers = (policy: Policy) =>
  Promise.all(
    sources.map(async (source) => {
      const catalog = await createCatalog(source, policy)
      const tables = catalog.schema.tables.map(({ name }) => name)
      const { signal } = new AbortController()
      // Only what is found counts, not how fast a busy machine finds it.
      const limits = { queryMs: 60_000, totalMs: 60_000, concurrently: 1 }
      const found: string[] = []
      for (const text of TEXTS) {
        const options = { source, catalog, actor: viewer, tables, signal, limits }
        const { records, isPartial, skipped } = await findRecords(options, text)
        const rows = records.map(({ open, key, label }) => [open.access.table.name, key, label])
        found.push(JSON.stringify([text, rows, isPartial, skipped.length]))
      }
      return found
    }),
  )

test('a reader is answered alike in two worlds that differ in what is hidden', async () => {
  const [one, two] = await answers(hidingPolicy)
  expect(one).toEqual(two)
  expect(one?.join()).toContain('Person 001')
  expect(one?.join()).not.toContain('payroll')
})

test('without the policy the worlds differ, so the comparison sees something', async () => {
  const [one, two] = await answers(openPolicy)
  expect(one).not.toEqual(two)
})
