/** The links to the first, previous, next and last page. */

import type { MouseEvent } from 'react'
import type { Pagination } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { usePage } from '../../react/use-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

const PLACES = ['first', 'previous', 'next', 'last'] as const

export type PagePlace = (typeof PLACES)[number]

type PageLinksProps = {
  /** Id of the listing. */
  component: string
  page: Pagination
  turn(place: PagePlace): void
}

export function PageLinks({ component, page, turn }: PageLinksProps) {
  const { list } = useMessages()
  return (
    <nav className="pager" aria-label={list.pagination}>
      <PageNumber page={page} />
      {PLACES.map((place) => (
        <PageLink key={place} component={component} place={place} href={page[place]} turn={turn} />
      ))}
    </nav>
  )
}

function PageNumber({ page: { number, pages } }: { page: Pagination }) {
  const { list } = useMessages()
  const { locale } = usePage()
  if (number === null) return null
  const text = number.toLocaleString(locale)
  return <span className="at">{pages === null ? list.page(text) : list.pageOf(text, pages)}</span>
}

type PageLinkProps = Pick<PageLinksProps, 'component' | 'turn'> & {
  place: PagePlace
  href: string | undefined
}

/** Without a target it stays as a disabled link, so that the focus is not lost. */
function PageLink({ component, place, href, turn }: PageLinkProps) {
  const { list } = useMessages()
  const isTurning = useLoading<TableComponent>(component, {
    action: 'turnPage',
    args: [place],
    delay: 'short',
  })
  const onClick = (event: MouseEvent) => {
    if (href === undefined || !isPlainClick(event)) return
    event.preventDefault()
    turn(place)
  }
  const isFar = place === 'first' || place === 'last'
  // The list turns its pages itself, so they are not fetched ahead.
  return (
    <a
      data-native
      className={isFar ? 'btn icon far' : 'btn icon'}
      aria-label={list[`${place}Page`]}
      aria-busy={isTurning || undefined}
      onClick={onClick}
      {...(href === undefined
        ? { role: 'link', 'aria-disabled': true, tabIndex: -1 }
        : { href, rel: place === 'next' ? 'next' : place === 'previous' ? 'prev' : undefined })}
    >
      <Icon name={place} flip />
    </a>
  )
}

/** A click that asks for this page here, not for a new tab or window. */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
