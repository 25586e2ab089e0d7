/** What tells rows apart that have no name, wherever one is told of alone. */

import { expect, onTestFinished, test } from 'vitest'
import { openDataFile } from '../../../test/data-file.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { createCatalog } from '../catalog.ts'
import { findRecords } from '../find/find-records.ts'
import { fullLabelOf, labelOf } from '../history/describe.ts'
import { toldRow } from '../plans/told-values.ts'
import type { Values } from '../source/write-unit.ts'
import { nameParts, rowName } from './name.ts'
import { namingColumns, tellingTexts } from './telling.ts'

const DATABASE = `
  create table species (id integer primary key, name text not null);
  create table strikes (id integer primary key, species_id integer references species (id),
    airport_name text not null, struck_on date, phase text);
  insert into strikes values ${[...Array.from({ length: 40 }).keys(), 9998].map((id) => `(${id}, null, 'Denver Intl', '2002-07-24', 'Climb')`).join()};
`

const SHOWN = ['species_id', 'airport_name', 'phase', 'struck_on']

async function opened(table: string, hidden: Hidden = {}) {
  const data = await openDataFile(DATABASE, {})
  onTestFinished(() => data.close())
  const catalog = await createCatalog(data.source, policyHiding(hidden), {
    definitions: { strikes: { shown: SHOWN } },
  })
  return { open: catalog.open(admin, table), source: data.source, catalog }
}

const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }

const ROW: Values = {
  ...{ id: 9998n, species_id: null, airport_name: 'Denver Intl' },
  ...{ struck_on: '2002-07-24', phase: 'Climb' },
}

test('a row without a name is told by its first short text and its first day', async () => {
  const { open } = await opened('strikes')
  expect(namingColumns(open)).toEqual(['airport_name', 'struck_on'])
  expect(nameParts(open, [9998n], (name) => ROW[name], reader)).toEqual({
    label: 'Strike 9998',
    tells: ['Denver Intl', 'Jul 24, 2002'],
  })
  const called = rowName(open, [9998n], (name) => ROW[name], reader)
  expect(called).toBe('Strike 9998, Denver Intl, Jul 24, 2002')
  expect(rowName(open, [9998n], () => undefined, reader)).toBe('Strike 9998')
})

test('so does the history, of a row as it is or as it was', async () => {
  const { open } = await opened('strikes')
  const image = { table: 'strikes', key: [9998n], before: ROW, after: null }
  const seen = { open, image, current: undefined }
  expect(fullLabelOf(seen, reader)).toBe('Strike 9998, Denver Intl, Jul 24, 2002')
  // A row that is there is named by a link to it; of one that has gone, the key tells which one it was.
  expect(labelOf(seen, reader)).toBe('Strike 9998, Denver Intl, Jul 24, 2002')
  expect(labelOf({ ...seen, current: ROW }, reader)).toBe('Denver Intl, Jul 24, 2002')
})

test.each([
  [true, 'Denver Intl, Jul 24, 2002'],
  [false, 'Strike 9998, Denver Intl, Jul 24, 2002'],
])('a plan tells it so; beside its key: %s', async (isBesideKey, label) => {
  const { open } = await opened('strikes')
  const columns = namingColumns(open)
  const values = columns.map((name) => ROW[name] ?? null)
  const row = { key: [9998n], values, sort: [], labels: [] }
  const texts = () => null
  const told = toldRow({ open, reader }, { key: row.key, row, columns, texts, isBesideKey })
  expect(told).toEqual({ key: '9998', label })
})

test('what the person may not read is not told', async () => {
  const { open } = await opened('strikes', { columns: ['airport_name'] })
  expect(namingColumns(open)).not.toContain('airport_name')
  const image = { table: 'strikes', key: [9998n], before: ROW, after: null }
  expect(fullLabelOf({ open, image, current: undefined }, reader)).not.toContain('Denver')
})

test('what is found by its key is told so, too, and a name needs nothing beside it', async () => {
  const { source, catalog } = await opened('strikes')
  const limits = { queryMs: 60_000, totalMs: 60_000 }
  const { signal } = new AbortController()
  const asked = { source, catalog, actor: admin, tables: ['strikes'], signal, limits }
  const [found] = (await findRecords(asked, '9998')).records
  const texts = found && tellingTexts(found.open, (name) => found.telling.get(name), reader)
  expect(texts).toEqual(['Denver Intl', 'Jul 24, 2002'])
  expect(namingColumns((await opened('species')).open)).toEqual(['name'])
})
