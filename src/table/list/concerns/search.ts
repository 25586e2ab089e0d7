/** Searching: words and phrases that a row holds, each in any readable column. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { SEARCH_MAX } from '../../../protocol/constants.ts'
import type { RowFound, TableView } from '../../../protocol/table-view.ts'
import { badParameter } from '../../address-error.ts'
import { defineConcern } from '../concern.ts'
import { foundIn } from '../../search/found.ts'
import { searchPredicate } from '../../search/predicate.ts'

/** What to mark in the rows; `undefined` without a search. */
type Found = RowFound[] | undefined

type SearchView = Pick<TableView, 'search' | 'clearHref' | 'found'>

export const searching = defineConcern({
  name: 'search',
  state: { search: v.pipe(v.string(), v.maxLength(SEARCH_MAX)) },
  writable: ['search'],
  // What is typed on belongs to the same search, so that Back does not go through its letters.
  pushes: (state, before) => (state.search === '') !== (before.search === ''),
  initial: { search: '' },
  address: {
    names: ['search'],
    owns: (name) => name === 'search',
    read(query) {
      const search = query.get('search')?.trim() ?? ''
      if (search.length > SEARCH_MAX)
        throw badParameter(({ address }, number) => address.longSearch(number(SEARCH_MAX)))
      return { search }
    },
    write: ({ search }) => (search === '' ? [] : [['search', search]]),
  },
  presented: (_state, { order }) => (order ? { search: '' } : {}),
  updated: (state) => void (state.search = state.search.trim()),
  where: ({ search }, open, clock) => (search === '' ? [] : [searchPredicate(search, open, clock)]),
  async narrowedBy({ state: { search }, language }) {
    const { list, keptOut } = messagesFor(language)
    const found = { label: list.search, value: keptOut.quoted(search), without: { search: '' } }
    return { conditions: search === '' ? [] : [found], none: { search: '' } }
  },
  actions: {},
  async loadPage({ state: { search }, opened, page, columns, ...context }): Promise<Found> {
    if (search === '' || page.rows.length === 0) return undefined
    const { source } = opened.services
    const run = { signal: context.signal }
    return foundIn(search, { open: opened, source, columns: columns(), page, reader: context, run })
  },
  slow: ({ state, reader }) =>
    state.search === '' ? null : messagesFor(reader.language).reasons.slowSearch,
  view: ({ state, href, data }): SearchView => ({
    search: state.search,
    clearHref: href({ search: '' }),
    ...(data && { found: data }),
  }),
})
