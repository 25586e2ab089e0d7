/** Says why a list has no rows, and offers links that lead on. */

import { messagesFor } from '../../messages/messages.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'

type Without = Pick<TableView, 'label' | 'href' | 'page' | 'search' | 'clearHref' | 'filters'>

export function drawNothing(
  { label, href, page, search, clearHref, filters }: Without,
  reader: Reader,
): NonNullable<TableView['nothing']> {
  const { list, nothing: words } = messagesFor(reader.language)
  if (page.previous !== undefined)
    return {
      kind: 'none',
      ...words.past,
      ways: [{ href: page.first ?? href, label: list.firstPage }],
    }
  const count = filters.chips.length
  const isFiltered = count > 0
  if (search === '' && !isFiltered)
    return { kind: 'none', title: words.emptyTitle(label), text: words.emptyText, ways: [] }
  const clearSearch = { href: clearHref, label: list.clearSearch }
  const clearFilters = { href: filters.clearHref, label: list.clearFilters }
  const given = { count, text: formatterFor(reader).number(count) }
  return {
    kind: 'no-match',
    ...(isFiltered
      ? { title: words.noneFiltered(label, given, search !== ''), text: '' }
      : { title: words.noMatch(search), text: words.holdsIt(label) }),
    // Of several conditions each has its way out: in the box, in its chip, and in the table of what they keep out.
    ways: !isFiltered ? [clearSearch] : search === '' && count === 1 ? [clearFilters] : [],
  }
}
