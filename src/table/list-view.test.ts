import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../test/table-of.ts'
import type { Access } from './access.ts'
import { inferTable } from './infer.ts'
import { FIRST_PLACE, type ListState, type PlaceState } from './list-state.ts'
import { drawList } from './list-view.ts'
import { nothing } from './predicate.ts'
import type { Count, PageRow, RowPage } from './row-source.ts'
import type { Column, Table, ValueType } from './schema.ts'

type Listing = {
  columns?: readonly Column[]
  table?: Partial<Table>
  state?: Partial<ListState>
  page?: Partial<RowPage>
  count?: Count
  /** What the actor may see of the table that `parent_id` refers to. */
  parents?: Access
}

const id = columnOf('id', { type: 'integer' })
const exact = (count: number): Count => ({ kind: 'exact', count })
const parents = tableOf([columnOf('id', { type: 'integer' }), columnOf('name')], {
  name: 'parents',
})

/** Rows from one number up to another. */
const rows = (from: number, to: number): PageRow[] =>
  Array.from({ length: to - from + 1 }, (_, at) => rowOf(from + at))
const rowOf = (key: number, over: Partial<PageRow> = {}): PageRow => ({
  key: [key],
  values: [key],
  sort: [key],
  labels: [],
  ...over,
})

function draw({ columns = [id], table: over, state, page, count, parents }: Listing) {
  const table = tableOf(columns, over)
  const definition = inferTable(table)
  const relation = parents && { access: parents, references: 'id', label: 'name' }
  return drawList({
    open: {
      definition,
      access: accessTo(table),
      relations: new Map(relation ? [['parent_id', relation]] : []),
    },
    state: {
      table: table.name,
      search: '',
      sort: [],
      size: 25,
      columns: null,
      place: FIRST_PLACE,
      edges: null,
      ...state,
    },
    columns: [...definition.columns.values()],
    page: { rows: rows(1, 25), before: false, after: true, indexed: true, ...page },
    tally: { count: count ?? null, settled: true },
    base: '/tables/strikes',
    locale: 'en-US',
  })
}

describe('a related row', () => {
  const cellFor = (label: string | null | undefined, access: Access) =>
    draw({
      columns: [id, columnOf('parent_id', { type: 'integer' })],
      page: { rows: [rowOf(1, { values: [1, 7], labels: [label] })] },
      parents: access,
    }).rows[0]![3]
  const seesAll = accessTo(parents)
  const seesSome = accessTo(parents, { rows: nothing })

  test('shows by its name', () => expect(cellFor('Alpha', seesSome)).toBe('Alpha'))

  test.each([[null], ['']])('that has the name %j shows by its key', (label) => {
    expect(cellFor(label, seesAll)).toBe('7')
    expect(cellFor(label, seesSome)).toBe('7')
  })

  test('that is not there shows by its key, but to those from whom rows are hidden', () => {
    expect(cellFor(undefined, seesAll)).toBe('7')
    expect(cellFor(undefined, seesSome)).toBe(0)
  })
})

describe('the number of a page and the range of its rows', () => {
  const at = (place: Partial<PlaceState>, page: Partial<RowPage>, count?: Count) => {
    const state = { place: { at: 'after' as const, number: null, anchor: 'x', ...place } }
    const { number, range } = draw({ state, page, ...(count && { count }) }).page
    return [number, range]
  }
  const middle = (from: number, to: number) => ({ rows: rows(from, to), before: true, after: true })
  const end = (from: number, to: number) => ({ rows: rows(from, to), before: true, after: false })

  test.each<[string, unknown[], unknown[]]>([
    ['are those of the address', at({ number: 2 }, middle(26, 50), exact(60)), [2, '26–50']],
    ['are believed as long as nothing is known', at({ number: 2 }, middle(26, 50)), [2, '26–50']],
    [
      'are unknown where there is no such page',
      at({ number: 99 }, middle(26, 50), exact(60)),
      [null, null],
    ],
    [
      'are unknown where rows follow on the last page',
      at({ number: 3 }, middle(30, 54), exact(60)),
      [null, null],
    ],
    [
      'are unknown on a first page with rows before it',
      at({ number: 1 }, middle(2, 26), exact(60)),
      [null, null],
    ],
    ['are those of the end', at({ number: 99 }, end(51, 60), exact(60)), [3, '51–60']],
    [
      'are not those of a page that ends the table by chance',
      at({ number: 3 }, end(36, 60), exact(60)),
      [null, '36–60'],
    ],
    [
      'are those of the start',
      at({ number: 9 }, { rows: rows(1, 25), before: false }),
      [1, '1–25'],
    ],
    [
      'are not those of a start that is cut short',
      at({ at: 'before' }, { rows: rows(1, 9) }),
      [null, '1–9'],
    ],
    ['are those of a table that fits', at({}, { rows: rows(1, 9), after: false }), [1, '1–9']],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  test('are not handed on to the next page where they are unknown', () => {
    const state = { place: { at: 'after' as const, number: 99, anchor: 'x' } }
    const { page } = draw({ state, page: middle(26, 50), count: exact(60) })
    expect([page.next, page.previous].map((href) => href?.includes('page='))).toEqual([
      false,
      false,
    ])
  })

  test('are needed to turn the pages of rows that nothing identifies', () => {
    const keyless = rows(51, 60).map((row) => ({ ...row, key: [] }))
    const last = (count?: Count) =>
      draw({
        table: { key: [] },
        state: { place: { at: 'last', number: null, anchor: null } },
        page: { rows: keyless, before: true, after: false },
        ...(count && { count }),
      }).page.previous
    expect(last(exact(60))).toBe('/tables/strikes?page=2')
    expect(last()).toBeUndefined()
  })
})

describe('an estimate', () => {
  const totalOf = (estimate: number, page: Partial<RowPage>, state: Partial<ListState> = {}) =>
    draw({ table: { estimate }, page, state }).total.kind

  test('is shown as long as nothing contradicts it', () => {
    expect(totalOf(1000, {})).toBe('estimate')
    expect(totalOf(25, { after: false })).toBe('estimate')
  })

  test('is not shown below the rows that one sees', () => {
    expect(totalOf(10, {})).toBe('unknown')
    expect(totalOf(25, { after: true })).toBe('unknown')
    const place = { at: 'offset', number: 50, anchor: null } as const
    expect(totalOf(1000, { before: true }, { place })).toBe('unknown')
  })
})

describe('the order in words', () => {
  const said = (type: ValueType, descending: boolean, over: Partial<Table> = {}) =>
    draw({
      columns: [columnOf('value', { type })],
      table: { key: [], ...over },
      state: { sort: [{ column: 'value', descending }] },
    }).sortText

  test.each<[ValueType, string, string]>([
    ['text', 'Value, A to Z', 'Value, Z to A'],
    ['integer', 'Value, smallest first', 'Value, largest first'],
    ['decimal', 'Value, smallest first', 'Value, largest first'],
    ['date', 'Value, oldest first', 'Value, newest first'],
    ['datetime', 'Value, oldest first', 'Value, newest first'],
    ['time', 'Value, earliest first', 'Value, latest first'],
    ['boolean', 'Value, no first', 'Value, yes first'],
    ['binary', 'Value', 'Value'],
  ])('suits what a column of %s holds', (type, ascending, descending) => {
    expect([said(type, false), said(type, true)]).toEqual([ascending, descending])
  })

  test('of a number that is a key is not that of a text', () => {
    expect(said('integer', false, { key: ['value'] })).toBe('Value, smallest first')
  })

  test('says nothing of keys that are not shown', () => {
    const foreignKeys = [{ columns: ['value'], table: 'parents', references: ['id'] }]
    expect(said('text', false, { foreignKeys })).toBe('Value')
  })
})
