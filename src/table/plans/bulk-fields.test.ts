import { expect, onTestFinished, test } from 'vitest'
import { openDataFile } from '../../../test/data-file.ts'
import { anything } from '../../../test/kills/jars.ts'
import { admin } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import { bulkFields } from './bulk-fields.ts'
import { readAsk } from './read-ask.ts'

const reader = { language: 'en', locale: 'en-GB', timeZone: 'Europe/Vienna' }

async function openVisits(definitions: Definitions = {}) {
  const data =
    await openDataFile(`create table visits (id integer primary key, created_at integer not null,
      updated_at integer, seen_at integer, size integer);
    insert into visits values (1, 1709645400, 1709645401, 1709645400125, 5)`)
  onTestFinished(() => data.close())
  const catalog = await createCatalog(data.source, anything, { definitions })
  return catalog.open(admin, 'visits')
}

test('a count of time is changed as a moment: set, to now, or from another that counts in its unit', async () => {
  const fields = bulkFields(await openVisits(), reader)
  const told = fields.map(({ name, control, hows, from }) => [
    ...[name, control.is, hows],
    from.map((one) => one.name),
  ])
  expect(told).toEqual([
    ['created_at', 'moment', ['set', 'now', 'copy'], ['updated_at']],
    ['updated_at', 'moment', ['set', 'now', 'copy'], ['created_at']],
    ['seen_at', 'moment', ['set', 'now'], []],
    [
      'size',
      'number',
      ['set', 'add', 'multiply', 'copy'],
      ['id', 'created_at', 'updated_at', 'seen_at'],
    ],
  ])
})

test('states are chosen among the named ones and those that are stored besides, and suggested where none has a name', async () => {
  const data = await openDataFile(`create table parcels (id integer primary key, status text);
    insert into parcels values (1, 'shipped'), (2, 'paid'), (3, 'paid'), (4, 'shipped')`)
  onTestFinished(() => data.close())
  const controlIn = async (definitions: Definitions) => {
    const catalog = await createCatalog(data.source, anything, { definitions })
    return bulkFields(catalog.open(admin, 'parcels'), reader)[0]?.control
  }
  expect(await controlIn({})).toEqual({ is: 'text', suggestions: ['shipped', 'paid'] })
  const values = { shipped: 'On its way' }
  expect(await controlIn({ parcels: { columns: { status: { values } } } })).toMatchObject({
    ...{ is: 'choice', options: ['shipped', 'paid'] },
    labels: { shipped: 'On its way', paid: 'Paid' },
  })
})

test('now is the count of this moment, in the unit of the column', async () => {
  const open = await openVisits()
  const fields = { created_at: { how: 'now' }, seen_at: { how: 'now' } } as const
  const before = Date.now()
  const read = await readAsk({ open, reader }, { do: 'edit', fields })
  const set = 'write' in read && 'set' in read.write ? read.write.set : {}
  expect(Number(set['seen_at'])).toBeGreaterThanOrEqual(before)
  expect(Math.abs(Number(set['seen_at']) / 1000 - Number(set['created_at']))).toBeLessThan(2)
})

test('a moment is neither multiplied nor copied from another unit', async () => {
  const open = await openVisits()
  for (const edit of [
    { how: 'multiply', text: '2' },
    { how: 'copy', column: 'seen_at' },
    { how: 'copy', column: 'size' },
  ] as const)
    await expect(
      readAsk({ open, reader }, { do: 'edit', fields: { created_at: edit } }),
    ).rejects.toThrow(AppError)
})
