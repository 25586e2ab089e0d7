/** The rows of columns in the menu “Display”, as they are first drawn. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages as english } from '../../messages/en.ts'
import type { ColumnView, TableView } from '../../protocol/table-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import type { ListingActions } from '../list/use-listing.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import { ColumnChoice } from './column-choice.tsx'

const column = (name: string, more: Partial<ColumnView> = {}): ColumnView => ({
  ...{ name, label: name.toUpperCase(), kind: 'text' },
  ...more,
})

const drawn = (view: Partial<TableView>) =>
  renderToString(
    <MessagesContext value={english}>
      <RuntimeProvider runtime={createStaticRuntime(pageOf([componentOf({})]))}>
        <ColumnChoice view={{ params: [], ...view } as TableView} actions={{} as ListingActions} />
      </RuntimeProvider>
    </MessagesContext>,
  )

const allColumns = ['a', 'b', 'c', 'd'].map((name) => ({ name, label: name.toUpperCase() }))
const columns = [column('c', { isLabel: true }), column('b', { pinned: true }), column('a')]

/** The attributes of each element of that name. */
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, one]) => one)

test('those that are shown stand first, in their order, and say their places', () => {
  const html = drawn({ columns, allColumns })
  expect(all(html, /aria-label="(Move [^"]*)"/g)).toEqual([
    ...['Move C, 1 of 4', 'Move B, 2 of 4', 'Move A, 3 of 4', 'Move D, 4 of 4'],
  ])
  expect(all(html, /<input type="checkbox"( checked="")?/g)).toEqual([
    ...[' checked=""', ' checked=""', ' checked=""', undefined],
  ])
})

test('any but what names the row may be kept in sight, if it is shown', () => {
  const html = drawn({ columns, allColumns })
  expect(all(html, /aria-label="(Keep [^"]*" aria-pressed="[a-z]+"(?: disabled="")?)/g)).toEqual([
    'Keep B in sight" aria-pressed="true"',
    'Keep A in sight" aria-pressed="false"',
    'Keep D in sight" aria-pressed="false" disabled=""',
  ])
})

test('the last one stays, and the standard comes back where something is arranged', () => {
  const html = drawn({ columns: [column('a')], allColumns, params: [['columns', 'a']] })
  expect(html).toMatch(/<input type="checkbox" disabled="" checked=""/)
  const reset = (html: string) => /<button[^>]*>Standard columns/.exec(html)?.[0]
  expect(reset(html)).not.toContain('disabled')
  expect(reset(drawn({ columns, allColumns, params: [['sort', 'a']] }))).toContain('disabled')
})
