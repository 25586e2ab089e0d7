/** What a search marks in the rows of a page, and what it says of values out of sight. */

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDataFile } from '../../../test/data-file.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import { formatterFor } from '../format.ts'
import { cutColumns, drawRows, textOf } from '../list/rows.ts'
import { foundIn } from './found.ts'
import { searchPredicate } from './predicate.ts'

const LONG = `${'quiet '.repeat(60)}then a Goose fell beside the taxiway ${'and so on '.repeat(30)}`

const DATABASE = `
  create table operators (id integer primary key, name text not null, city text);
  insert into operators values (1, 'FedEx', 'Memphis'), (2, 'Goose Air', 'Oslo');
  create table strikes (id integer primary key, species text, phase text, cost decimal(10, 2),
    struck_on date, remarks text, operator_id integer references operators (id));
  insert into strikes values
    (1, 'Canada goose, a GOOSE', 'Climb', 12345.5, '2026-11-12', null, 1),
    (2, 'Gull', 'Climb', 12, '2026-11-13', '${LONG}', 2),
    (3, 'Crème owl', null, null, null, 'Nothing', null);
`

type Options = {
  columns?: string[]
  hidden?: Hidden
  definitions?: Definitions
  /** Whether what is out of sight cannot be read in time. */
  isSlow?: boolean
}

/** The marked parts of the cells of each row found, and what is said of values out of sight. */
async function find(search: string, options: Options = {}) {
  const { columns: names = ['species', 'phase', 'cost', 'struck_on', 'operator_id'] } = options
  const data = await openDataFile(DATABASE, {})
  onTestFinished(() => data.close())
  const { hidden = {}, definitions = {} } = options
  const catalog = await createCatalog(data.source, policyHiding(hidden), { definitions })
  const open = catalog.open(admin, 'strikes')
  const columns = names.flatMap((name) => open.definition.columns.get(name) ?? [])
  const page = await data.source.page(open.access, {
    columns: names,
    where: searchPredicate(search, open, { locale: 'en-GB', now: 0 }),
    ...{ sort: [], size: 50, place: { at: 'first' } },
    cut: { columns: cutColumns(columns, open), length: 160 },
    related: names.flatMap((column) => {
      const relation = open.relations.get(column)
      return relation ? [{ column, ...relation }] : []
    }),
  })
  const pages = vi.spyOn(data.source, 'page')
  if (options.isSlow) pages.mockRejectedValue(new AppError('QUERY_TIMEOUT'))
  const reader = { locale: 'en-GB', language: 'en' }
  const found = await foundIn(search, { open, source: data.source, columns, page, reader, run: {} })
  const { rows } = drawRows({ page, open, columns, list: '' }, formatterFor(reader))
  const partsOf = (text: string, marks: readonly number[]) =>
    marks.flatMap((start, at) => (at % 2 === 0 ? [text.slice(start, marks[at + 1])] : []))
  const told = rows.map((row, at) => [
    row[0],
    ...Object.entries(found[at]?.cells ?? {}).flatMap(([place, marks]) => {
      const cell = row[Number(place) + 2] ?? null
      return partsOf(cell === 1 ? row[0] : textOf(cell), marks)
    }),
    ...(found[at]?.away ?? []).map(({ where, text, marks }) => [where, ...partsOf(text, marks)]),
  ])
  return { told, away: found.flatMap(({ away = [] }) => away), queries: pages.mock.calls.length }
}

describe('a search marks', () => {
  test('its words in whatever case, each time they stand in a cell, and asks for nothing more', async () => {
    expect(await find('goose climb')).toMatchObject({
      told: [
        ['1', 'goose', 'GOOSE', 'Climb'],
        ['2', 'Climb', 'Goose'],
      ],
      queries: 0,
    })
  })

  test('words where they stand, in whatever order they were asked for, and as one where they overlap', async () => {
    const apart = await find('goose canada')
    expect(apart.told).toEqual([['1', 'Canada', 'goose', 'GOOSE']])
    const overlapping = await find('oose goo')
    expect(overlapping.told).toContainEqual(['1', 'goose', 'GOOSE'])
  })

  test('letters with the accents that were asked for, as engines do', async () => {
    expect((await find('CRÈME')).told).toEqual([['3', 'Crème']])
    expect((await find('creme')).told).toEqual([])
  })

  test('numbers and days as they are shown, whole', async () => {
    expect((await find('12,345.5')).told).toEqual([['1', '12,345.50']])
    expect((await find('12')).told).toEqual([
      ['1', '12'],
      ['2', '12.00'],
    ])
    expect((await find('12 Nov 2026')).told).toEqual([['1', '12 Nov 2026']])
    expect((await find('2026-11-13')).told).toEqual([['2', '13 Nov 2026']])
  })

  test('a phrase as it stands, and signs literally', async () => {
    expect((await find('"goose, a"')).told).toEqual([['1', 'goose, a']])
    expect((await find('.*')).told).toEqual([])
  })
})

describe('of what is out of sight it says', () => {
  test('the column, with the text around it', async () => {
    const { told, away, queries } = await find('taxiway', { columns: ['species'] })
    expect(told).toEqual([['2', ['found in Remarks:', 'taxiway']]])
    expect(away[0]?.text).toMatch(/^… quiet then a Goose fell beside the taxiway and so on.* …$/)
    expect(queries).toBe(1)
  })

  test('the same of a shown text that is cut', async () => {
    const { told } = await find('taxiway gull', { columns: ['species', 'remarks'] })
    expect(told).toEqual([['2', 'Gull', ['found in Remarks:', 'taxiway']]])
  })

  test('the related row, of which the list shows the name alone', async () => {
    const { told } = await find('memphis')
    expect(told).toEqual([['1', ['found in Operator:', 'Memphis']]])
    expect((await find('fedex', { columns: ['species'] })).told).toEqual([
      ['1', ['found in Operator:', 'FedEx']],
    ])
  })

  test('nothing of a column that the person may not read', async () => {
    const hidden = { columns: ['remarks'] }
    expect((await find('goose', { columns: ['phase'], hidden })).told).toEqual([
      ['1', ['found in Species:', 'goose', 'GOOSE']],
      ['2', ['found in Operator:', 'Goose']],
    ])
    const definitions = { strikes: { columns: { remarks: { searchable: false } } } }
    expect((await find('taxiway', { columns: ['phase'], definitions })).told).toEqual([])
  })

  test('nothing if that takes too long', async () => {
    const slow = await find('taxiway', { columns: ['species'], isSlow: true })
    expect(slow.told).toEqual([['2']])
  })
})
