import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages } from '../../messages/en.ts'
import type { SavedView, SavedViewsView } from '../../protocol/saved-views.ts'
import type { FilterChip } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { ActiveFilters } from '../list/active-filters.tsx'
import type { FiltersOpen } from '../list/filters-region.tsx'
import type { ListingActions } from '../list/use-listing.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import { useOpenView } from './open-view.ts'
import { ViewMenu, ViewTabs } from './view-menu.tsx'
import { ViewChanges } from './view-work.tsx'

const viewOf = (id: string, more: Partial<SavedView> = {}): SavedView => ({
  ...{ id, name: `View ${id}`, query: 'sort=-cost', isShared: false, isDefault: false },
  ...{ isTab: false, changedAt: 1, ...more },
})

const chipOf = (key: string, more: Partial<FilterChip> = {}): FilterChip => ({
  ...{ key, label: key, value: 'some', params: [`filter.${key}.min`, `filter.${key}.max`] },
  ...more,
})

const listOf = (query: string, chips: FilterChip[] = []): TableView => ({
  ...{ name: 'strikes', label: 'Strikes', href: '/tables/strikes', allColumns: [], columns: [] },
  ...{ rows: [], total: { kind: 'unknown' }, search: '', clearHref: '', sortText: '' },
  ...{ readOnly: null, slow: null, advice: null, params: [...new URLSearchParams(query)] },
  page: { number: 1, pages: null, size: 25, range: null, sizes: [25] },
  filters: { offers: [], builder: false, values: {}, chips, clearHref: '' },
})

// What is drawn on the server calls neither.
const [actions, panel] = [{} as ListingActions, {} as FiltersOpen]

function rendered(drawing: ReactNode, views: SavedView[], opensWith: string | null = null): string {
  const saved: SavedViewsView = { views, opensWith, mayDecide: false }
  const component = { ...componentOf({}, { name: 'views' }), view: { ...saved } }
  return renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([component]))}>
      <MessagesContext value={pages}>{drawing}</MessagesContext>
    </RuntimeProvider>,
  )
}

const drawn = (list: TableView, ...saved: [views: SavedView[], opensWith?: string]): string =>
  rendered(
    <>
      <ViewMenu view={list} actions={actions} />
      <ViewTabs view={list} />
      <ActiveFilters view={list} actions={actions} panel={panel} />
    </>,
    ...saved,
  )

const nameIn = (html: string) => /class="vt">([^<]*)</.exec(html)?.[1]
const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('the button names the view at which the list is, else what it shows', () => {
  const own = viewOf('a')
  expect(nameIn(drawn(listOf('sort=-cost&view=a'), [own]))).toBe('View a')
  expect(nameIn(drawn(listOf('sort=-cost'), [own]))).toBe('All rows')
  expect(nameIn(drawn(listOf('view=gone'), [own]))).toBe('All rows')
  expect(nameIn(drawn(listOf('', [chipOf('cost')]), []))).toBe('Views')
  const deleted = chipOf('deleted_at', { removed: ['deleted', 'shown'] })
  expect(nameIn(drawn(listOf('', [deleted]), []))).toBe('All rows')
})

test('the menu leads to all rows, to the own views and to everyone’s, also without script', () => {
  const shared = viewOf('b', { isShared: true, by: 'Ben', query: '' })
  const html = drawn(listOf('view=a&sort=-cost'), [viewOf('a'), shared], 'b')
  expect(linksIn(html)).toEqual([
    '/tables/strikes?view=all',
    '/tables/strikes?sort=-cost&amp;view=a',
    '/tables/strikes?view=b',
  ])
  expect(html).toMatch(/aria-current="true"[^>]*><span class="vn">View a</)
  expect(html).toContain('<small>default</small><small>Ben</small>')
  expect(linksIn(drawn(listOf(''), []))).toEqual(['/tables/strikes'])
  // The one that is open is marked, all rows as well.
  expect(drawn(listOf('sort=-cost'), [])).toMatch(
    /aria-current="true"[^>]*><span class="vn">All rows</,
  )
  expect(html).not.toMatch(/aria-current="true"[^>]*><span class="vn">All rows</)
})

test('everyone’s tabs stand beside one of all rows', () => {
  expect(drawn(listOf(''), [viewOf('a')])).not.toContain('<nav')
  const tab = viewOf('b', { isShared: true, isTab: true })
  const html = drawn(listOf('sort=-cost&view=b'), [tab])
  expect(html).toMatch(/<nav class="tabs".*>All<.*aria-current="page">View b</)
  expect(drawn(listOf(''), [tab])).toMatch(/aria-current="page">All</)
})

test('what differs from the view is marked at its name and at the filter, and only there', () => {
  const costly = viewOf('a', { query: 'filter.cost.min=5&filter.speed.min=9' })
  const chips = [chipOf('cost'), chipOf('speed')]
  const same = drawn(listOf('filter.cost.min=5&filter.speed.min=9&view=a&left=p', chips), [costly])
  expect(same).not.toMatch(/class="dot"|edited/)
  const other = drawn(listOf('filter.cost.min=6&filter.speed.min=9&view=a', chips), [costly])
  expect(other).toContain('<span class="dot"><span class="sr">changed</span></span>')
  expect(other.match(/chip edited/g)).toHaveLength(1)
  expect(other).toMatch(/chip edited".*cost some.*class="chip".*speed some/)
})

/** What differs from the view, where the list says so, as it is drawn once its script is loaded. */
function Differing({ list }: { list: TableView }) {
  const open = useOpenView(list)
  return open.differs && <ViewChanges list={list} open={open} actions={actions} />
}

test('of a view that is gone no name is left, and what the list shows can be saved as another', () => {
  const buttons = (query: string) => {
    const html = rendered(<Differing list={listOf(query)} />, [viewOf('a', { mayChange: true })])
    return [...html.matchAll(/<(?:button|a)[^>]*>([^<]*)</g)].map(([, text]) => text)
  }
  expect(buttons('sort=cost&view=a')).toEqual(['Save changes', 'Save as…', 'Discard'])
  expect(buttons('sort=cost&view=gone')).toEqual(['Save as…'])
  for (const query of ['view=gone', 'sort=cost&view=all', 'sort=cost', 'sort=-cost&view=a'])
    expect(buttons(query)).toEqual([])
  const html = drawn(listOf('sort=cost&view=gone'), [viewOf('a')])
  expect(html).toContain('<section class="chips"')
  expect(html).not.toContain('class="dot"')
})
