/** Lists leave out rows that are marked as deleted by a filter like any other, and show the mark. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import { ALL_SELECTED } from '../../../protocol/selection.ts'
import { AppError } from '../../../server/app-error.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog, type OpenTable } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createListComponent } from '../component.ts'
import { LISTING } from '../fold.ts'
import { createTotals } from '../totals.ts'

let data: OpenDataFile

beforeEach(async () => {
  data =
    await openDataFile(`create table notes (id integer primary key, title text, place text, deleted_at datetime);
    insert into notes values (1, 'First', 'Roof', null), (2, 'Second', 'Roof', '2024-05-06 07:08:09'),
      (3, 'Third', 'Yard', null), (4, 'Fourth', 'Yard', '2024-05-07 07:08:09')`)
})
afterEach(() => data.close())

type Options = { query?: string; definitions?: Definitions; hides?: string }

const policyOf = (hides: string | undefined): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name).filter((name) => name !== hides)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
})

async function openNotes({ query = '', definitions = {}, hides }: Options = {}) {
  const { source } = data
  const catalog = await createCatalog(source, policyOf(hides), { definitions })
  const component = createListComponent({
    ...{ source, catalog: () => catalog, totals: createTotals(source) },
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
  })
  const params = { table: 'notes' }
  const list = await testComponent(component, {
    ...{ actor: admin, params, query: new URLSearchParams(query) },
  })
  const open: OpenTable = catalog.open(admin, 'notes')
  return { list, open, keys: () => list.view.rows.map(([key]) => key).toSorted() }
}

/** From now on, no condition finds rows in time. */
function slowDown() {
  const { source } = data
  const page = source.page.bind(source)
  return vi
    .spyOn(source, 'page')
    .mockImplementation((access, query, run) =>
      query.where === everything
        ? page(access, query, run)
        : Promise.reject(new AppError('QUERY_TIMEOUT')),
    )
}

const HIDDEN = 'filter.deleted_at.empty=true'
const leadsTo = (open: OpenTable, query: string): string | undefined =>
  LISTING.destination('/tables/notes', new URLSearchParams(query), open, 'en')

describe('rows that are marked as deleted', () => {
  test('are left out by a filter, which its chip and the address tell', async () => {
    const { list, keys, open } = await openNotes()
    expect(keys()).toEqual(['1', '3'])
    expect(list.view).toMatchObject({
      total: { count: 2 },
      filters: { chips: [{ key: 'deleted_at', label: 'Deleted rows', value: 'hidden' }] },
      params: [['filter.deleted_at.empty', 'true']],
    })
    expect(await list.call.selectedCount(ALL_SELECTED)).toMatchObject({ count: 2 })
    expect(leadsTo(open, '')).toBe(`/tables/notes?${HIDDEN}`)
    expect(leadsTo(open, 'sort=title')).toBe(`/tables/notes?${HIDDEN}&sort=title`)
    for (const told of [HIDDEN, 'deleted=shown', 'filter.deleted_at.preset=thisYear'])
      expect(leadsTo(open, told)).toBeUndefined()
  })

  test('are shown by their mark once the chip is removed, also at the next address', async () => {
    const { list, keys } = await openNotes()
    await list.call.removeFilter('deleted_at')
    expect(keys()).toEqual(['1', '2', '3', '4'])
    expect(list.view).toMatchObject({ markedKeys: ['4', '2'], params: [['deleted', 'shown']] })
    const shared = await openNotes({ query: 'deleted=shown' })
    expect(shared.keys()).toEqual(['1', '2', '3', '4'])
    await shared.list.set({ filterComponents: { deleted_at: { empty: true } } })
    expect(shared.list.view.params).toEqual([['filter.deleted_at.empty', 'true']])
    expect(shared.list.view).not.toHaveProperty('markedKeys')
  })

  test('stay out while other filters are cleared, and are let in by the last one', async () => {
    const { list, keys } = await openNotes({ query: 'filter.place=Yard' })
    expect(keys()).toEqual(['3'])
    await list.call.removeFilter(null)
    expect(keys()).toEqual(['1', '3'])
    expect(list.view.filters.clearHref).toBe('/tables/notes?deleted=shown')
    await list.call.removeFilter(null)
    expect(keys()).toEqual(['1', '2', '3', '4'])
  })

  test('are marked whether or not the column is shown', async () => {
    for (const columns of ['title', 'title,deleted_at', 'deleted_at'])
      expect(
        (await openNotes({ query: `deleted=shown&columns=${columns}` })).list.view.markedKeys,
      ).toEqual(['4', '2'])
    const none = await openNotes({ query: 'deleted=shown&columns=' })
    expect(none.list.view).not.toHaveProperty('markedKeys')
  })

  test('are there where the definition says so, where there is no such filter, and for who may not read the mark', async () => {
    for (const options of [
      { definitions: { notes: { hideDeleted: false } } },
      { definitions: { notes: { softDelete: false } } },
      { definitions: { notes: { filters: { deleted_at: false } } } },
      { hides: 'deleted_at' },
    ] satisfies Options[]) {
      const { list, keys, open } = await openNotes(options)
      expect(keys()).toEqual(['1', '2', '3', '4'])
      expect(list.view.params).toEqual([])
      expect(leadsTo(open, '')).toBeUndefined()
    }
    expect(
      (await openNotes({ definitions: { notes: { hideDeleted: false } } })).list.view.markedKeys,
    ).toEqual(['4', '2'])
  })

  test('are named among what keeps a list empty', async () => {
    data.run(`update notes set deleted_at = '2024-05-06 07:08:09'`)
    const { list } = await openNotes()
    expect(await list.call.keptOut()).toMatchObject({
      lines: [{ label: 'Deleted rows', value: 'hidden', href: '/tables/notes?deleted=shown' }],
      any: null,
    })
  })

  test('are shown where leaving them out takes too long, and a sentence says so', async () => {
    const slow = slowDown()
    const { list, keys } = await openNotes()
    const shown = ['1', '2', '3', '4']
    expect(keys()).toEqual(shown)
    expect(list.view).toMatchObject({
      slow: 'Deleted rows are shown, because leaving them out took too long.',
      filters: { chips: [], values: {} },
      params: [],
      total: { count: 4 },
      markedKeys: ['4', '2'],
    })
    await list.set({ selected: ALL_SELECTED })
    await list.call.sortBy('title', false)
    expect([keys(), list.view.slow]).toEqual([shown, expect.stringContaining('took too long')])
    await list.set({ filterComponents: { deleted_at: { empty: true } } })
    expect([keys(), list.view.slow]).toEqual([shown, expect.stringContaining('took too long')])
    slow.mockRestore()
    await list.set({ filterComponents: { deleted_at: { empty: true } } })
    expect([keys(), list.view.slow]).toEqual([['1', '3'], null])
  })

  test('stay out where it is not the page that takes too long', async () => {
    const late = new AppError('QUERY_TIMEOUT')
    vi.spyOn(
      LISTING.concerns.find(({ load }) => load)!,
      'load',
    ).mockRejectedValueOnce(late)
    await expect(openNotes()).rejects.toBe(late)
  })

  test('stay out where another condition may be what takes so long', async () => {
    slowDown()
    for (const query of ['search=First', 'filter.place=Roof', 'filter.deleted_at.preset=thisYear'])
      await expect(openNotes({ query })).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
      })
  })

  test('are asked for by no other word', async () => {
    await expect(openNotes({ query: 'deleted=hidden' })).rejects.toMatchObject({
      code: 'TABLE_BAD_PARAMETER',
    })
  })
})
