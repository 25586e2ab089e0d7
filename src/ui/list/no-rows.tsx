/** Why there are no rows, and what to do about it. */

import type { TableView } from '../../protocol/table-view.ts'
import { Blank } from '../parts/blank.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { isPlainClick } from './page-links.tsx'
import type { PagePlace } from './page-links.tsx'

type NoRowsProps = {
  view: TableView
  search(text: string): void
  turn(place: PagePlace): void
  clearFilters(): void
}

export function NoRows({ view, search, turn, clearFilters }: NoRowsProps) {
  const { list } = useMessages()
  if (view.page.previous !== undefined)
    return (
      <Blank kind="none" title={list.pastTitle} text={list.pastText}>
        <ActionLink
          label={list.firstPage}
          href={view.page.first ?? view.href}
          act={() => turn('first')}
        />
      </Blank>
    )
  if (view.search)
    return (
      <Blank
        kind="no-match"
        title={list.noMatchTitle(view.search)}
        text={list.noMatchText(view.label)}
      >
        <ActionLink label={list.clearSearch} href={view.clearHref} act={() => search('')} />
      </Blank>
    )
  if (view.filters.chips.length > 0)
    return (
      <Blank
        kind="no-match"
        title={list.noneFilteredTitle}
        text={list.noneFilteredText(view.label)}
      >
        <ActionLink label={list.clearFilters} href={view.filters.clearHref} act={clearFilters} />
      </Blank>
    )
  return <Blank kind="none" title={list.emptyTitle(view.label)} text={list.emptyText} />
}

const ActionLink = ({ label, href, act }: { label: string; href: string; act(): void }) => (
  <a
    data-native
    className="btn line"
    href={href}
    onClick={(event) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      act()
    }}
  >
    {label}
  </a>
)
