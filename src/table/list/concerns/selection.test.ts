import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { runs } from '../../../../test/tier.ts'
import { admin } from '../../../../test/table-of.ts'
import { ALL_SELECTED, type Selected, SELECTED_MAX } from '../../../protocol/selection.ts'
import type { SelectedCount } from '../../../protocol/table-component.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { type CatalogOptions, createCatalog } from '../../catalog.ts'
import type { Policy } from '../../source/access.ts'
import { everything, type Predicate } from '../../source/predicate.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

const ROWS = 60
let data: OpenDataFile
let source: RowSource

beforeAll(async () => {
  const ids = `with recursive ids (id) as (values (1) union all select id + 1 from ids where id < ${ROWS})`
  data = await openDataFile(
    `create table orders (id integer primary key, name text not null, cost decimal(10,2), stars integer);
    create table parts (land text, number integer, name text, primary key (land, number)) without rowid;
    create table tokens (token text primary key, name text not null, cost integer);
    create view names as select name from orders;
    ${ids} insert into orders select id, 'Order ' || (id % 3), id / 4.0, id % 5 from ids;
    ${ids} insert into parts select iif(id % 2, 'a,t', 'de'), id, 'Part ' || id from ids;
    ${ids} insert into tokens select 'secret-' || id, 'Token ' || (id % 2), id from ids`,
    {},
  )
  ;({ source } = data)
})
afterAll(() => data.close())

const policyOf = (rows: Predicate = everything): Policy => ({
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows,
    readable: columns.map(({ name }) => name),
    writable: [],
  }),
})

type Options = CatalogOptions & { readonly rows?: Predicate; readonly query?: string }

async function openList(table = 'orders', { rows, query = '', ...options }: Options = {}) {
  const catalog = await createCatalog(source, policyOf(rows), options)
  const component = createListComponent({
    source,
    catalog: () => catalog,
    totals: createTotals(source),
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
  })
  const params = { table }
  return testComponent(component, { actor: admin, params, query: new URLSearchParams(query) })
}

/** How many rows a selection has; asks again where a busy machine has not counted them in time. */
async function countOf(
  list: Awaited<ReturnType<typeof openList>>,
  selected: Selected,
): Promise<SelectedCount> {
  const found = await list.call.selectedCount(selected)
  return found.kind === 'unknown' ? countOf(list, selected) : found
}

const counted = (count: number) => ({ kind: 'exact', count, text: String(count) })

describe('a selection', () => {
  test('is none at first, all by one call, and none by another, while the address stays', async () => {
    const list = await openList()
    expect(list.data).toMatchObject({
      selected: [],
      paginationCurrentItems: Array.from({ length: 25 }, (_, i) => 60 - i),
      paginationCurrentCount: 25,
      paginationTotalItemCount: ROWS,
    })
    await list.call.setAllSelected()
    expect(list.data.selected).toEqual({ except: [] })
    expect(list.effects.url).toBeUndefined()
    expect(await countOf(list, list.data.selected)).toEqual(counted(ROWS))
    await list.call.clearSelected()
    expect(list.data.selected).toEqual([])
    expect(await countOf(list, [])).toEqual(counted(0))
  })

  test('counts the rows that still match, whatever keys it names', async () => {
    const list = await openList('orders', { query: 'search="order 1"' })
    expect(await countOf(list, ['1', '4', '2', '999'])).toEqual(counted(2))
    expect(await countOf(list, { except: ['1', '2', '999'] })).toEqual(counted(19))
    expect(await countOf(list, ALL_SELECTED)).toEqual(counted(20))
  })

  test('is what a plain set says, for any keys and either form', async () => {
    const list = await openList('orders', { rows: { op: 'gt', column: 'stars', value: 1 } })
    const visible = Array.from({ length: ROWS }, (_, i) => i + 1).filter((id) => id % 5 > 1)
    const keys = fc.array(fc.integer({ min: 1, max: ROWS + 9 }).map(String), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(keys, fc.boolean(), async (keys, isAll) => {
        const named = new Set(keys)
        const selected = visible.filter((id) => named.has(String(id)) !== isAll)
        const found = await countOf(list, isAll ? { except: keys } : keys)
        expect(found).toMatchObject({ count: selected.length })
      }),
      { numRuns: runs(60) },
    )
  })

  test('stays while rows are sorted and pages are turned, and goes when the conditions change', async () => {
    const list = await openList()
    await list.set({ selected: ['2', '1', '2'] })
    expect(list.data.selected).toEqual(['2', '1'])
    await list.call.turnPage('next')
    expect(list.data).toMatchObject({ selected: ['2', '1'], place: { number: 2 } })
    await list.set({ selected: { except: ['7'] } })
    expect(list.data).toMatchObject({ selected: { except: ['7'] }, place: { number: 2 } })
    await list.call.sortBy('name', false)
    expect(list.data.selected).toEqual({ except: ['7'] })
    await list.set({ search: ' ' })
    expect(list.data.selected).toEqual({ except: ['7'] })
    await list.set({ search: 'order 2', selected: ['3'] })
    expect(list.data).toMatchObject({ selected: [], search: 'order 2', place: { at: 'first' } })
    expect(list.view.selection!.of).not.toBe((await openList()).view.selection!.of)
  })

  test('adds up its own rows, exactly as a page does, and all rows by the database', async () => {
    const list = await openList()
    const sums = (text: string, mean: string) => [
      { column: 'cost', kind: 'sum', text },
      { column: 'stars', kind: 'mean', text: mean },
    ]
    const columns = { stars: { summary: 'mean' }, cost: { kind: 'money', summary: 'sum' } } as const
    const own = await openList('orders', { definitions: { orders: { columns } } })
    const names = ['name', 'cost', 'stars']
    expect(await own.call.selectedSums(['1', '2', '999'], names)).toEqual(sums('0.75', '1.5'))
    expect(await own.call.selectedSums({ except: ['1', '2'] }, names)).toEqual(
      sums('456.75', '2.02'),
    )
    expect(await own.call.selectedSums(ALL_SELECTED, names)).toEqual(sums('457.50', '2'))
    expect(await own.call.selectedSums([], names)).toEqual([])
    // None of the rows is there any more, so there is no number to add up.
    expect(await own.call.selectedSums(['999'], ['cost'])).toEqual([
      { column: 'cost', kind: 'sum', text: 'no numbers', isReason: true },
    ])
    expect(await own.call.selectedSums(ALL_SELECTED, ['name'])).toEqual([])
    await expect(list.call.selectedSums([], ['nothing'])).rejects.toMatchObject({
      code: 'TABLE_UNKNOWN_COLUMN',
    })
  })

  test('of composite and of secret keys names them as the rows do', async () => {
    const parts = await openList('parts')
    const [first, second] = parts.view.rows
    expect(await countOf(parts, [first![0], second![0]])).toEqual(counted(2))
    expect(await countOf(parts, { except: [first![0]] })).toEqual(counted(ROWS - 1))
    const tokens = await openList('tokens')
    const keys = tokens.view.rows.map(([key]) => key)
    expect(keys.join()).not.toContain('secret-')
    await tokens.set({ selected: keys })
    expect(await countOf(tokens, keys)).toEqual(counted(25))
    expect(await countOf(tokens, { except: keys })).toEqual(counted(ROWS - 25))
    await expect(tokens.set({ selected: ['secret-1'] })).rejects.toMatchObject({
      code: 'TABLE_BAD_KEY',
    })
  })

  test('of all rows makes the snapshot no larger than that of none', async () => {
    const list = await openList()
    const size = () => JSON.stringify(list.data).length
    const before = size()
    await list.call.setAllSelected()
    expect(size() - before).toBeLessThan(100)
  })
})

describe('what is refused', () => {
  const manyKeys = Array.from({ length: SELECTED_MAX + 1 }, (_, i) => String(i))
  const bad: unknown[] = [
    ...[null, 1, '1', {}, { all: true }, { except: null }, { except: [], more: 1 }, [1], [null]],
    ...[manyKeys, { except: manyKeys }, ['9'.repeat(100_000)]],
  ]
  test.for(bad)('%# a selection of another form', async (selected) => {
    const list = await openList()
    // The types forbid it, but a browser may send anything.
    await list.set({ selected: selected as Selected })
    expect(list.effects.errors).toHaveProperty('selected')
    expect(list.data.selected).toEqual([])
    await expect(list.call.selectedCount(selected as Selected)).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
    })
  })

  test.for(['', 'x', '1,2', '01', '1e3', '%', ' 1'])('%j as a key of numbers', async (key) => {
    const list = await openList()
    for (const selected of [[key], { except: [key] }]) {
      await expect(list.set({ selected })).rejects.toMatchObject({ code: 'TABLE_BAD_KEY' })
      await expect(list.call.selectedCount(selected)).rejects.toMatchObject({
        code: 'TABLE_BAD_KEY',
      })
    }
  })

  test.for([
    ['where the definition turns bulk actions off', 'orders', /turned off for “Orders”/],
    ['without a key', 'names', /no primary key/],
  ] as const)('everything %s, in words', async ([, table, words]) => {
    const list = await openList(table, {
      definitions: table === 'orders' ? { orders: { bulkActions: false } } : {},
    })
    const refused = { code: 'TABLE_NO_SELECTION', detail: expect.stringMatching(words) as string }
    expect(list.view).not.toHaveProperty('selection')
    expect('exportable' in list.view).toBe(table === 'names')
    expect(list.data.paginationCurrentItems).toEqual([])
    await expect(list.call.setAllSelected()).rejects.toMatchObject(refused)
    await expect(list.call.clearSelected()).rejects.toMatchObject(refused)
    await expect(list.set({ selected: ['1'] })).rejects.toMatchObject(refused)
    await expect(list.call.selectedCount(ALL_SELECTED)).rejects.toMatchObject(refused)
    await expect(list.call.selectedSums(['1'], [])).rejects.toMatchObject(refused)
    await expect(list.call.checkExport(['1'])).rejects.toMatchObject(refused)
  })

  test('an option of the definition decides whether the actions hide at zero', async () => {
    const definitions = { orders: { hideBulkActionsWhenEmpty: true } }
    expect((await openList()).data.hideBulkActionsWhenEmpty).toBe(false)
    expect((await openList('orders', { definitions })).data.hideBulkActionsWhenEmpty).toBe(true)
  })
})
