import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { doorTo } from '../../../test/door-to.ts'
import { policyHiding, type Hidden } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import type { RowSource } from '../source/row-source.ts'
import { createListComponent } from './component.ts'
import { createTotals } from './totals.ts'

/** Sixty trips of five pilots, whose names go against their numbers; the fifth has none. */
const SCHEMA = `
  create table pilots (id integer primary key, name text, badge text);
  insert into pilots values (1, 'Eve', 'a'), (2, 'Dora', 'b'), (3, 'Cleo', 'c'), (4, 'Bea', 'd'), (5, null, 'e');
  create table trips (id integer primary key, day text, pilot_id integer references pilots(id));
  insert into trips select value, '2026-01-01', value % 6 from
    (with recursive n (value) as (values (1) union all select value + 1 from n where value < 60) select value from n);
  create table seats (pilot_id integer references pilots(id), trip_id integer references trips(id),
    primary key (pilot_id, trip_id));
  insert into seats values (1, 1), (4, 2);
`

let folder: string
let file: string
let source: RowSource

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-labels-'))
  file = join(folder, 'trips.sqlite')
  run(`pragma foreign_keys = off; ${SCHEMA}`)
  source = await openSqlite(file)
})
afterEach(async () => {
  await source.close()
  rmSync(folder, { recursive: true })
})

function run(sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

type Options = { table?: string; hidden?: Hidden; definitions?: Definitions }

async function openList(
  query: string,
  { table = 'trips', hidden = {}, definitions = {} }: Options = {},
) {
  const catalog = await createCatalog(source, policyHiding(hidden), { definitions })
  const component = createListComponent({
    ...{ source, totals: createTotals(source), catalog: () => catalog },
    door: doorTo(source, () => catalog),
    href: (name) => `/tables/${name}`,
  })
  const params = { table }
  const list = await testComponent(component, {
    actor: admin,
    params,
    query: new URLSearchParams(query),
  })
  const keys = () => list.view.rows.map(([key]) => Number(key))
  const note = () => list.view.columns.find(({ name }) => name === 'pilot_id')?.sortNote
  return { list, keys, note }
}

/** Trips by the numbers of their pilots, the lowest trip first. */
const tripsOf = (...pilots: number[]) =>
  pilots.flatMap((pilot) => Array.from({ length: 10 }, (_, at) => (pilot || 6) + 6 * at))
const withoutName = [...tripsOf(5), ...tripsOf(0)].toSorted((a, b) => a - b)
const byName = [...tripsOf(4, 3, 2, 1), ...withoutName]

describe('a list of names from another table is sorted by them', () => {
  test('from page to page, to the end and by number, and says so', async () => {
    const { list, keys, note } = await openList('sort=pilot_id')
    expect(list.view.sortText).toBe('Pilot by name, A to Z')
    expect(note()).toContain('sorted by these names')
    expect(keys()).toEqual(byName.slice(0, 25))
    await list.call.turnPage('next')
    expect(keys()).toEqual(byName.slice(25, 50))
    await list.call.turnPage('next')
    expect(keys()).toEqual(byName.slice(50))
    await list.call.turnPage('previous')
    expect(keys()).toEqual(byName.slice(25, 50))
    await list.call.turnPage('last')
    expect(keys()).toEqual(byName.slice(50))
    expect((await openList('sort=pilot_id&page=2')).keys()).toEqual(byName.slice(25, 50))
    const down = await openList('sort=-pilot_id,id')
    expect(down.list.view.sortText).toBe('Pilot by name, Z to A, then ID, smallest first')
    expect(down.keys()).toEqual(tripsOf(1, 2, 3).slice(0, 25))
  })

  test('and follows them as they change', async () => {
    const { list, keys } = await openList('sort=pilot_id&size=25')
    run(`update pilots set name = 'Zoe' where id = 4`)
    await list.refresh()
    expect(keys()).toEqual(tripsOf(3, 2, 1).slice(0, 25))
  })

  test('as far as they may be seen: hidden ones are as good as none', async () => {
    const rows = { pilots: { op: 'lt', column: 'id', value: 3 } } as const
    const { keys } = await openList('sort=pilot_id', { hidden: { rows } })
    const rest = [...tripsOf(0, 3, 4, 5)].toSorted((a, b) => a - b)
    expect(keys()).toEqual([...tripsOf(2, 1), ...rest].slice(0, 25))
  })

  test('where no place of a page holds one that looks like a secret', async () => {
    run(`update pilots set name = 'ghp_0123456789abcdef'`)
    const { list } = await openList('sort=pilot_id')
    expect(list.view.page.next).toBe('/tables/trips?sort=pilot_id&page=2')
    run(`update pilots set name = 'Zoe'`)
    await list.refresh()
    expect(list.view.page.next).toContain('&after=')
  })
})

describe('it is sorted by what is stored, and says so', () => {
  const stored = [...tripsOf(0, 1), ...tripsOf(2).slice(0, 5)]
  const byKey = async (query: string, options: Options = {}) => {
    const { list, keys, note } = await openList(query, options)
    expect(note()).toContain('sorted by their keys')
    return { text: list.view.sortText, keys: keys() }
  }

  test('where either table has too many rows to be read for each page', async () => {
    run('analyze')
    const estimates = async (trips: number, pilots: number) => {
      run(`update sqlite_stat1 set stat = iif(tbl = 'trips', '${trips}', '${pilots}')`)
      await source.close()
      source = await openSqlite(file)
    }
    const text = 'Pilot by key, smallest first'
    await estimates(100_001, 5)
    expect(await byKey('sort=pilot_id')).toEqual({ text, keys: stored })
    await estimates(60, 1_000_001)
    expect(await byKey('sort=pilot_id')).toEqual({ text, keys: stored })
    await estimates(100_000, 1_000_000)
    expect((await openList('sort=pilot_id')).list.view.sortText).toBe('Pilot by name, A to Z')
  })

  test('where the configuration lets nobody sort by the names', async () => {
    const definitions = { pilots: { columns: { name: { sortable: false } } } }
    expect(await byKey('sort=pilot_id', { definitions })).toMatchObject({ keys: stored })
  })

  test('in the order that a table has by default', async () => {
    const { text } = await byKey('', { definitions: { trips: { sort: 'pilot_id' } } })
    expect(text).toBe('Pilot by key, smallest first')
    expect((await openList('', { table: 'seats' })).list.view.sortText).toMatch(/^Pilot by key/)
  })

  test('where the reader may not see the names', async () => {
    const { list, keys } = await openList('sort=pilot_id', { hidden: { columns: ['name'] } })
    expect(keys()).toEqual(stored)
    expect(list.view.sortText).toBe('Pilot by key, smallest first')
  })
})
