/** The links to the first, previous, next and last page. */

import type { MouseEvent, SubmitEvent } from 'react'
import type { PageTurn, Pagination, TableComponent, TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

const PLACES = ['first', 'previous', 'next', 'last'] as const

export type PagePlace = (typeof PLACES)[number]

type PageLinksProps = {
  /** Id of the listing. */
  component: string
  page: Pagination
  turn(place: PageTurn): void
} & GoToProps

/** Where the form leads without script, and the parameters that it keeps. */
type GoToProps = { href: string; params: TableView['params'] }

export function PageLinks({ component, page, turn, ...goTo }: PageLinksProps) {
  const { list } = useMessages()
  return (
    <nav className="pager" aria-label={list.pagination}>
      <PageNumber page={page} turn={turn} {...goTo} />
      {PLACES.map((place) => (
        <PageLink key={place} component={component} place={place} href={page[place]} turn={turn} />
      ))}
    </nav>
  )
}

/** The number of the page, which opens a form for another where there are several. */
function PageNumber({ page, turn, href, params }: Omit<PageLinksProps, 'component'>) {
  const { list } = useMessages()
  const { locale } = usePage()
  if (page.number === null) return null
  const number = page.number.toLocaleString(locale)
  const text = page.pages === null ? list.page(number) : list.pageOf(number, page.pages)
  if (!page.previous && !page.next) return <span className="at">{text}</span>
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget: form } = event
    turn(Math.min(Math.max(Number(new FormData(form).get('page')), 1), 1e9))
    const details = form.closest('details')
    if (details) details.open = false
    details?.querySelector('summary')?.focus()
  }
  return (
    <details
      className="goto"
      onToggle={({ currentTarget }) =>
        currentTarget.open && currentTarget.querySelector('input')?.select()
      }
    >
      <summary className="at">{text}</summary>
      <form action={href} onSubmit={onSubmit}>
        <HiddenInputs params={params} />
        <label>
          {list.goToPage}
          <input
            className="in"
            name="page"
            inputMode="numeric"
            pattern="[0-9]+"
            required
            autoComplete="off"
            defaultValue={page.number}
          />
        </label>
        <button type="submit" className="btn line">
          {list.go}
        </button>
      </form>
    </details>
  )
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
