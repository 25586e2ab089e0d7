/** A person arranges columns: in the address, which wins, and for the table as long as they like. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import type { Json } from '../../../protocol/json.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import type { Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

let data: OpenDataFile
let kept: Map<string, Json>

beforeEach(async () => {
  kept = new Map()
  data = await openDataFile(`
    create table notes (id integer primary key, title text, place text, said text);
    insert into notes values (1, 'First', 'Roof', 'a')`)
})
afterEach(() => data.close())

const policyOf = (hidden: string | undefined): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name).filter((name) => name !== hidden)
    return { actions: ['read'], rows: everything, readable: names, writable: [] }
  },
})

async function openNotes({ query = '', hides, who = 'ana' }: Options = {}) {
  const { source } = data
  const shown = ['title', 'place', 'said']
  const definitions = { notes: { labelColumn: 'title', shown } }
  const catalog = await createCatalog(source, policyOf(hides), { definitions })
  const component = createListComponent({
    ...{ source, catalog: () => catalog, totals: createTotals(source) },
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
    layouts: {
      read: async ({ id }, table) => kept.get(`${id} ${table}`),
      async write({ id }, table, layout) {
        if (layout === null) kept.delete(`${id} ${table}`)
        else kept.set(`${id} ${table}`, layout)
      },
    },
  })
  const params = { table: 'notes' }
  return testComponent(component, {
    ...{ actor: { ...admin, id: who }, params, query: new URLSearchParams(query) },
  })
}

type Options = { query?: string; hides?: string; who?: string }
type List = Awaited<ReturnType<typeof openNotes>>

const names = (list: List) => list.view.columns.map(({ name }) => name)
const drawn = (list: List) =>
  list.view.columns.map(({ name, width, pinned }) => [name, width, pinned])
const query = (list: List) => Object.fromEntries(list.view.params)

describe('columns that a person has arranged', () => {
  test('are kept for the table and the person, and stand in the address', async () => {
    const list = await openNotes()
    await list.call.setColumns(['title', 'said', 'place'])
    await list.call.pinColumns(['place'])
    await list.call.setWidths({ said: 120, title: 90 })
    const arranged = [
      ['title', 90, undefined],
      ['place', undefined, true],
      ['said', 120, undefined],
    ]
    expect(drawn(list)).toEqual(arranged)
    expect(query(list)).toEqual({
      columns: 'title,said,place',
      pinned: 'place',
      widths: 'said-120,title-90',
    })
    const again = await openNotes()
    expect(drawn(again)).toEqual(arranged)
    expect(query(again)).toEqual(query(list))
    expect(names(await openNotes({ who: 'bo' }))).toEqual(['title', 'place', 'said'])
  })

  test('are those of the address where it names any', async () => {
    await (await openNotes()).call.setWidths({ said: 120 })
    const shared = await openNotes({ query: 'columns=title,place&pinned=place&widths=place-200' })
    expect(drawn(shared)).toEqual([
      ['title', undefined, undefined],
      ['place', 200, true],
    ])
    expect(drawn(await openNotes({ query: 'pinned=said' }))).toEqual([
      ['title', undefined, undefined],
      ['said', undefined, true],
      ['place', undefined, undefined],
    ])
    expect(drawn(await openNotes())[2]).toEqual(['said', 120, undefined])
  })

  test('are the table’s own again once they are taken back', async () => {
    const list = await openNotes()
    await list.call.setWidths({ said: 120 })
    await list.call.setColumns(null)
    expect([kept.size, list.view.params]).toEqual([0, []])
    expect(drawn(list).flat().filter(Number)).toEqual([])
  })

  test('never name one that the person may not see', async () => {
    const list = await openNotes()
    await list.call.setColumns(['title', 'said'])
    await list.call.pinColumns(['said'])
    await list.call.setWidths({ said: 120, place: 90 })
    const hidden = await openNotes({ hides: 'said' })
    expect(drawn(hidden)).toEqual([['title', undefined, undefined]])
    expect(JSON.stringify(hidden.view)).not.toContain('said')
    const refused = { status: 422, code: 'TABLE_UNKNOWN_COLUMN' }
    for (const query of ['columns=said', 'pinned=said', 'widths=said-90'])
      await expect(openNotes({ query, hides: 'said' })).rejects.toMatchObject(refused)
    await expect(hidden.call.pinColumns(['said'])).rejects.toMatchObject(refused)
    await expect(hidden.call.setWidths({ said: 90 })).rejects.toMatchObject(refused)
  })

  test('that were kept in another form are the table’s own', async () => {
    for (const layout of ['text', 7, { columns: [], widths: { said: -4 } }, { pinned: [['a']] }]) {
      kept.set('ana notes', layout)
      expect(
        drawn(await openNotes())
          .flat()
          .filter(Boolean),
      ).toEqual(['title', 'place', 'said'])
    }
  })

  test.each(['said-', 'said-47', 'said-1281', 'said-9.5', 'said', '-90'])(
    'have no width %j',
    async (widths) => {
      await expect(openNotes({ query: `widths=${widths}` })).rejects.toMatchObject({ status: 422 })
    },
  )
})

test('what a column holds is told when it is asked, but of one that is hidden', async () => {
  const list = await openNotes()
  expect(await list.call.describeColumn('title')).toEqual({
    text: 'Text · TEXT · may be empty',
    help: null,
  })
  expect(await list.call.describeColumn('id')).toMatchObject({ text: 'Key · INTEGER' })
  const refused = { code: 'TABLE_UNKNOWN_COLUMN' }
  await expect(list.call.describeColumn('nothing')).rejects.toMatchObject(refused)
  const other = await openNotes({ hides: 'said' })
  await expect(other.call.describeColumn('said')).rejects.toMatchObject(refused)
})
