/** Says why a list has no rows, and offers links that lead on. */

import { messagesFor } from '../../messages/messages.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'

type Without = Pick<TableView, 'label' | 'href' | 'page' | 'search' | 'clearHref' | 'filters'>

export function drawNothing(
  { label, href, page, search, clearHref, filters }: Without,
  { language }: Reader,
): NonNullable<TableView['nothing']> {
  const { list, nothing: words } = messagesFor(language)
  if (page.previous !== undefined)
    return {
      kind: 'none',
      ...words.past,
      ways: [{ href: page.first ?? href, label: list.firstPage }],
    }
  const isFiltered = filters.chips.length > 0
  if (search === '' && !isFiltered)
    return { kind: 'none', title: words.emptyTitle(label), text: words.emptyText, ways: [] }
  const clearSearch = { href: clearHref, label: words.clearSearch }
  const clearFilters = { href: filters.clearHref, label: list.clearFilters }
  return {
    kind: 'no-match',
    title: isFiltered ? words.noneFiltered : words.noMatch(search),
    text: words.noRow(label, { isSearched: search !== '', isFiltered }),
    ways: [...(search === '' ? [] : [clearSearch]), ...(isFiltered ? [clearFilters] : [])],
  }
}
