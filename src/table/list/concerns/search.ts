/** Searching: words and phrases that a row holds, each in any readable column. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { SEARCH_MAX } from '../../../protocol/constants.ts'
import type { RowFound, TableView } from '../../../protocol/table-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { badParameter } from '../../address-error.ts'
import { defineConcern } from '../concern.ts'
import { formatterFor } from '../../format.ts'
import { foundIn } from '../../search/found.ts'
import { searchPredicate } from '../../search/predicate.ts'
import { termsOf } from '../../search/terms.ts'
import { knownWhole, wholeOf } from '../whole-count.ts'

/** What to mark in the rows, and of how many rows they are; `undefined` without a search. */
type Found = { readonly rows: RowFound[]; readonly whole: number | null } | undefined

type SearchView = Pick<TableView, 'search' | 'clearHref' | 'found' | 'searched'>

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
    const given = { open: opened, source, columns: columns(), page, reader: context, run }
    const [rows, whole] = await Promise.all([foundIn(search, given), knownWhole(opened)])
    return { rows, whole }
  },
  slow: ({ state, reader }) =>
    state.search === '' ? null : messagesFor(reader.language).reasons.slowSearch,
  view: ({ state, href, data, opened, reader }): SearchView => ({
    search: state.search,
    clearHref: href({ search: '' }),
    ...(data && {
      found: data.rows,
      searched: {
        text: searchedFor(state.search, reader),
        ...wholeOf(opened, data.whole, reader),
      },
    }),
  }),
})

/** How many parts are searched for, each in any column. */
function searchedFor(search: string, reader: Reader): string {
  const terms = termsOf(search, reader.locale)
  const given = { count: terms.length, text: formatterFor(reader).number(terms.length) }
  const areWords = terms.every(({ words }) => words.length === 1)
  return messagesFor(reader.language).found[areWords ? 'words' : 'terms'](given)
}
