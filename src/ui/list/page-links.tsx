/** The number of the page, which leads to any other, and the links to the first, previous, next and last. */

import { type MouseEvent, type SubmitEvent, useRef } from 'react'
import { PAGE_MAX, type PageTurn, type TableComponent } from '../../protocol/table-component.ts'
import type { Pagination, TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { SheetHead } from '../parts/sheet-head.tsx'
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

const GO_TO_ID = 'go-to-page'
const OF_ID = 'go-to-of'

/** The number of the page; where there are several, it opens a field for another. */
function PageNumber({ page, turn, href, params }: Omit<PageLinksProps, 'component'>) {
  const { list } = useMessages()
  const { locale } = usePage()
  const field = useRef<HTMLInputElement>(null)
  if (page.number === null) return null
  const number = page.number.toLocaleString(locale)
  const text = page.pages === null ? list.page(number) : list.pageOf(number, page.pages)
  if (!page.previous && !page.next) return <span className="at">{text}</span>
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    turn(Math.min(Math.max(Number(field.current?.value), 1), PAGE_MAX))
    // The focus goes back to the number.
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  return (
    <>
      <button type="button" className="btn at" popoverTarget={GO_TO_ID} aria-haspopup="dialog">
        {text}
      </button>
      <div
        id={GO_TO_ID}
        className="menu goto"
        popover="auto"
        role="dialog"
        aria-label={list.goToPage}
        onToggle={() => field.current?.select()}
      >
        <SheetHead title={list.goToPage} closes={GO_TO_ID} />
        <form action={href} onSubmit={onSubmit}>
          <HiddenInputs params={params} />
          <label>
            <span>{list.goToPage}</span>
            <input
              // Another page begins with its own number.
              key={page.number}
              ref={field}
              className="in"
              aria-label={list.goToPage}
              aria-describedby={page.pages === null ? undefined : OF_ID}
              name="page"
              inputMode="numeric"
              pattern="[0-9]+"
              required
              autoComplete="off"
              defaultValue={page.number}
            />
          </label>
          {page.pages !== null && <span id={OF_ID}>{list.ofPages(page.pages)}</span>}
          <button type="submit" className="btn line">
            {list.go}
          </button>
        </form>
      </div>
    </>
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
